/**
 * Registers tools on a guarded chat whose core is loading: the registration takes effect when the chat's gate exists,
 * before the calls of the chat's methods that wait for the gate.
 */
import type { PendingChat } from '../gate/pending-chat.js';
import { guarded } from '../types/report-uncaught.js';
import type { RegisteredTools } from './tool-types.js';

/** The names of the tools that wait, for each chat. */
const waiting = new WeakMap<PendingChat, Set<string>>();

/** Registers the tools when the gate exists. Throws a `TypeError` for a tool name that is registered already. */
export function registerLater(
  pending: PendingChat,
  names: readonly string[],
  register: () => RegisteredTools,
): RegisteredTools {
  const known = waiting.get(pending) ?? new Set();
  waiting.set(pending, known);
  for (const name of names) if (known.has(name)) throw registeredAlready(name);
  for (const name of names) known.add(name);
  let registered: RegisteredTools | undefined;
  // An error must not keep the chat from starting.
  const unsubscribe = pending.onReady(() => guarded(() => (registered = register())));
  const dispose = (): void => {
    unsubscribe();
    if (!registered) for (const name of names) known.delete(name);
    registered?.();
  };
  return Object.defineProperties(dispose, {
    running: { get: () => registered?.running ?? [] },
    interrupted: { get: () => registered?.interrupted ?? [] },
    retry: { value: (toolCallId: string) => registered?.retry(toolCallId) },
  }) as RegisteredTools;
}

/** The error for a second registration of a tool. */
export function registeredAlready(name: string): TypeError {
  return new TypeError(
    `registerTools: tool "${name}" is registered on this gate already. Dispose its registration first.`,
  );
}
