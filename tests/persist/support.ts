/**
 * Tabs of one chat in one process: gates that are persisted under the same name in one storage. They use Node's
 * BroadcastChannel, and its locks if it has them.
 */
import { ToolGate, type Outgoing, type ToolGateOptions } from 'toolgate';
import { persist, type PersistedChat, type PersistOptions } from 'toolgate/persist';
import { afterEach, onTestFinished } from 'vitest';

import { ask, reply } from '../gate/support.js';
import { turns } from '../lib/waiting.js';

export { Locks, MemoryStorage } from './memory-storage.js';

let names = 0;
const open: PersistedChat[] = [];

afterEach(() => {
  for (const persisted of open.splice(0)) persisted.close();
});

/** A name that no other test uses. */
export const freshName = (): string => `chat ${process.pid} ${names++}`;

/** A tab. */
export interface Tab {
  readonly gate: ToolGate;
  readonly persisted: PersistedChat;
  readonly errors: Error[];
}

/** Opens a tab of the chat. */
export async function tab(
  name: PersistOptions['name'],
  storage?: PersistOptions['storage'],
  options: ToolGateOptions = {},
  more: Partial<PersistOptions> = {},
): Promise<Tab> {
  const gate = new ToolGate({ chatId: 'chat', ...options });
  return { gate, ...(await persistGate(gate, name, storage, more)) };
}

/** Persists a gate, until the end of the test. */
export async function persistGate(
  gate: ToolGate,
  name: PersistOptions['name'],
  storage?: PersistOptions['storage'],
  more: Partial<PersistOptions> = {},
): Promise<{ persisted: PersistedChat; errors: Error[] }> {
  const errors: Error[] = [];
  const persisted = await persist(gate, {
    name,
    ...(storage && { storage }),
    onError: (error) => errors.push(error),
    ...more,
  });
  open.push(persisted);
  return { persisted, errors };
}

/** Sends a message, and receives a reply that requests approval of these calls. */
export function begin(gate: ToolGate, calls: readonly string[], messageId = 'a1'): void {
  gate.sendUserMessage({ text: 'tidy up', id: `before-${messageId}` } as never);
  claimed(gate);
  reply(gate, [
    { type: 'start', messageId },
    { type: 'start-step' },
    ...calls.flatMap((call) => ask(call)),
    { type: 'finish' },
  ]);
}

/** Claims the only ready item. */
export function claimed(gate: ToolGate): Outgoing {
  const [item] = gate.outgoing();
  if (!item || !gate.claim(item.id)) throw new Error('nothing to send');
  return item;
}

/** Waits long enough for messages between tabs to arrive. Used to check that none are sent. */
export const quiet = (): Promise<void> => turns(50);

/** A promise that the test resolves. */
export function latch(): { readonly opened: Promise<void>; open(): void } {
  let release!: () => void;
  const opened = new Promise<void>((resolve) => (release = resolve));
  onTestFinished(release);
  return { opened, open: release };
}

/** The text of a message. */
export function textOf(gate: ToolGate, id: string): string {
  const message = gate.getSnapshot().messages.find((entry) => entry.id === id);
  return (message?.parts ?? [])
    .flatMap((part) => (part.type === 'text' ? [(part as { text: string }).text] : []))
    .join('');
}

/** The state of a call in the view. */
export function stateOf(gate: ToolGate, call: string): string | undefined {
  for (const message of gate.getSnapshot().messages) {
    for (const part of message.parts) {
      if ('toolCallId' in part && part.toolCallId === call)
        return `${part.state}${part.delivery ? ` ${part.delivery}` : ''}`;
    }
  }
  return undefined;
}
