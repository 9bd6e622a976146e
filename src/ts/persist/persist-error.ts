/** The errors that `toolgate/persist` reports and rejects with, beside those of the gate. */
import { ToolGateError } from '../types/errors.js';
import { say } from '../types/say.js';

/** The reason of a `PersistError`. A code keeps its meaning; new ones may be added. */
export type PersistErrorCode =
  /** Storage or the browser's locks did not answer in time, or the leader did not store in time for `flush()`. */
  | 'timeout'
  /** The browser has no IndexedDB, so the chat is not stored. */
  | 'no-storage'
  /**
   * What was stored of the chat was deleted outside of it, for example with the site's data. It is stored again with
   * the user's next action in this tab. Requests that the chat sends by itself until then are not recorded.
   */
  | 'emptied'
  /** A newer release of the page has stored the chat, or runs in another tab. Nothing is stored over it. */
  | 'outdated'
  /** An earlier release of the page leads in another tab. This one sends nothing until that ends, or until `lead`. */
  | 'older-leader'
  /** The app's own storage does not have what this tab wrote last. See `PersistStorage`. */
  | 'stale-storage'
  /** `logOut` has ended the chat, here or in another tab. This tab stores and sends nothing more. */
  | 'logged-out'
  /**
   * A record of the stored journal is damaged or missing. The chat is restored up to that record, and neither
   * sends nor stores anything until the user continues: a lost record may say that a request was sent already.
   */
  | 'journal-damaged'
  /** An action of the user was undone, or a request was not sent, because it could not be stored. */
  | 'not-stored'
  /** The leader does not answer this tab, which takes over at the latest on the user's next action. */
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
    super(message, cause ? { cause } : undefined);
    this.code = code;
  }
}

/** The error of a request that is not sent, or of a state that is not stored, because another tab is the leader. */
export function notLeader(): PersistError {
  return new PersistError('not-leader', say`not sent: another tab is the leader of this chat`);
}

/** The error of a tab whose release cannot read what is stored. */
export const outdated = (): PersistError =>
  new PersistError('outdated', say`persist: a newer release of this page uses this chat. Reload this page`);

/** The error of a chat that `logOut` has ended. */
export const loggedOut = (): PersistError => new PersistError('logged-out', say`persist: the user has logged out`);

/** Whether the error has one of these codes. */
export function hasCode(error: unknown, ...codes: readonly PersistErrorCode[]): boolean {
  return error instanceof PersistError && codes.includes(error.code);
}

/** Whether the error says that this tab must not use the chat any more. */
export const isEnd = (error: unknown): boolean => hasCode(error, 'logged-out', 'outdated');

/** Whether the gate has crashed or was freed. The gate reports that itself. */
export const isCrash = (error: unknown): boolean => error instanceof ToolGateError && error.code === 'crashed';

/** Returns the result of `call`, or undefined if it throws. */
export function attempt<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}

/** Returns the result of `call`. If it throws, calls `undo`. */
export function orUndo<T>(call: () => T, undo: () => void): T {
  try {
    return call();
  } catch (error) {
    undo();
    throw error;
  }
}
