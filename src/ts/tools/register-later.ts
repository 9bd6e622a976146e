/**
 * Registers tools on a guarded chat whose core is loading: the registration takes effect when the chat's gate exists,
 * before the calls of the chat's methods that wait for the gate.
 */
import type { PendingChat } from '../gate/pending-chat.js';
import { guarded } from '../types/report-uncaught.js';
import { say } from '../types/say.js';

/** The names of the tools that wait, for each chat. */
const waiting = new WeakMap<PendingChat, Set<string>>();

/**
 * Calls `register` when the gate exists. An error that it throws then is reported as uncaught. Returns a function that
 * ends the waiting. Throws a `TypeError` for a tool name that is registered already.
 */
export function registerLater(pending: PendingChat, names: readonly string[], register: () => void): () => void {
  const known = waiting.get(pending) ?? new Set();
  waiting.set(pending, known);
  for (const name of names) if (known.has(name)) throw registeredAlready(name);
  for (const name of names) known.add(name);
  // An error must not keep the chat from starting.
  const unsubscribe = pending.onReady(() => guarded(register));
  return () => {
    unsubscribe();
    for (const name of names) known.delete(name);
  };
}

/** The error for a second registration of a tool. */
export function registeredAlready(name: string): TypeError {
  return new TypeError(
    say`registerTools: tool "${name}" is registered on this gate already. Dispose its registration first.`,
  );
}
