/**
 * The errors that `toolgate/persist` reports and rejects with, beside those of the gate.
 */

/** The reason of a `PersistError`. A code keeps its meaning; new ones may be added. */
export type PersistErrorCode =
  /** Storage, the browser's locks or the leader did not answer in time. */
  | 'timeout'
  /** The browser does not have this storage, so the chat is not stored. */
  | 'no-storage'
  /**
   * A record of the stored journal is damaged or missing. The chat is restored up to there, and holds what it would
   * send until the user continues: a lost record may say that it was sent.
   */
  | 'journal-damaged'
  /** An action of the user was undone, or a request was not sent, because it could not be stored. */
  | 'not-stored'
  /** The leader does not answer. */
  | 'leader-silent'
  /** A request was not sent because another tab is the leader. */
  | 'not-leader'
  /** The user stopped before a request was sent. */
  | 'stopped';

/** An error while a chat was stored, or shared between tabs. */
export class PersistError extends Error {
  override readonly name: string = 'PersistError';
  /** The reason, for programs. */
  readonly code: PersistErrorCode;

  /** `cause`: the error of the storage, if there is one. */
  constructor(code: PersistErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}
