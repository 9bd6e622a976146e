/** The marks of a guarded chat: registered symbols, so that several copies of the package find them. */
import { GATE } from '../gate/gate-source.js';
import { PENDING } from '../gate/pending-chat.js';
import type { WaitingChat } from './waiting-chat.js';

/** The key of a guarded chat's dispose function. */
export const DISPOSE = Symbol.for('toolgate.dispose');

/** The members that mark a guarded chat, besides its gate. */
export interface Marks {
  readonly [PENDING]: WaitingChat;
  readonly [DISPOSE]: () => Promise<void>;
}

/** Marks a chat as guarded. */
export function markGuarded(chat: object, waiting: WaitingChat, dispose: () => Promise<void>): void {
  Object.defineProperty(chat, GATE, { get: () => waiting.gate });
  Object.defineProperty(chat, PENDING, { value: waiting });
  Object.defineProperty(chat, DISPOSE, { value: dispose });
}
