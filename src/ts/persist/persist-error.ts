/**
 * What `toolgate/persist` reports and rejects with beside a gate's own errors.
 */

/** What went wrong. A code keeps its meaning; new ones may be added. */
export type PersistErrorCode =
  /** The storage, the browser's locks or the leading tab did not answer in time. */
  | 'timeout'
  /** This browser has no such storage, so the chat is not stored. */
  | 'no-storage'
  /** What the user did in this tab is taken back, or a request was not sent, because it could not be stored. */
  | 'not-stored'
  /** The leading tab does not answer. */
  | 'leader-silent'
  /** A request was not sent because another tab leads. */
  | 'not-leader'
  /** The user stopped before a request was sent. */
  | 'stopped';

/** An error of storing a chat, or of sharing it between tabs. */
export class PersistError extends Error {
  override readonly name: string = 'PersistError';
  /** What went wrong, to test for. */
  readonly code: PersistErrorCode;

  /** `cause`: what the storage threw, where there is such an error. */
  constructor(code: PersistErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}
