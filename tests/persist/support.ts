/**
 * Tabs of one chat in one process: gates that are persisted under the same name in one storage. They use Node's
 * BroadcastChannel, and its locks if it has them.
 */
import { ToolGate, type Outgoing, type SavedGate, type ToolGateOptions } from 'toolgate';
import { persist, type PersistedChat, type PersistOptions, type PersistStorage } from 'toolgate/persist';
import { afterEach, onTestFinished, vi } from 'vitest';

import { ask, reply } from '../gate/support.js';
import { turns } from '../lib/waiting.js';

/** A storage in memory that counts writes, and waits and fails on request. */
export class MemoryStorage implements PersistStorage {
  readonly values = new Map<string, unknown>();
  /** The number of writes that began. */
  writes = 0;
  /** If set, each write waits for it. */
  hold: Promise<void> | undefined;
  /** If set, writes to names with this ending fail. */
  broken: string | undefined;

  async read(name: string): Promise<unknown> {
    const text = this.values.get(name);
    return typeof text === 'string' ? (JSON.parse(text) as unknown) : text;
  }

  async write(name: string, value: unknown): Promise<void> {
    this.writes++;
    const text = JSON.stringify(value);
    await this.hold;
    if (this.broken !== undefined && name.endsWith(this.broken)) throw new Error('the disk is full');
    this.values.set(name, text);
  }

  async remove(name: string): Promise<void> {
    this.values.delete(name);
  }

  /** The stored record of this name. */
  record(name: string): { epoch: number; seq: number; snapshot: SavedGate } | undefined {
    const text = this.values.get(name);
    return text === undefined
      ? undefined
      : (JSON.parse(text as string) as { epoch: number; seq: number; snapshot: SavedGate });
  }

  /** Copies the value to another name, so that a test can open a page with the state of this moment. */
  copyOf(name: string, as: string): this {
    this.values.set(as, this.values.get(name));
    return this;
  }
}

interface LockRequest {
  readonly take: () => void;
  readonly lose: () => void;
}

/** The part of Web Locks that a persister uses, for versions of Node without them. */
export class Locks {
  readonly #queues = new Map<string, LockRequest[]>();

  request = (name: string, options: LockOptions, callback: (lock: object | null) => unknown): Promise<unknown> => {
    const queue = this.#queues.get(name) ?? [];
    this.#queues.set(name, queue);
    if (options.ifAvailable && queue.length > 0) return Promise.resolve().then(() => callback(null));
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        const place = queue.indexOf(request);
        if (place < 0) return;
        queue.splice(place, 1);
        if (place === 0) queue[0]?.take();
      };
      const request: LockRequest = {
        take: () => {
          Promise.resolve()
            .then(() => callback({}))
            .then(resolve, reject)
            .finally(leave);
        },
        lose: () => reject(new DOMException('the lock was stolen', 'AbortError')),
      };
      options.signal?.addEventListener('abort', () => {
        if (queue.indexOf(request) <= 0) return;
        leave();
        reject(new DOMException('', 'AbortError'));
      });
      if (options.steal) {
        queue.shift()?.lose();
        queue.unshift(request);
        request.take();
      } else if (queue.push(request) === 1) request.take();
    });
  };

  query = (): Promise<LockManagerSnapshot> => {
    const held = [...this.#queues]
      .filter(([, queue]) => queue.length > 0)
      .map(([name]) => ({ name, clientId: 'this page' }));
    return Promise.resolve({ held, pending: [] });
  };
}

if (!(globalThis.navigator as Navigator | undefined)?.locks) vi.stubGlobal('navigator', { locks: new Locks() });

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
  name: string,
  storage: PersistOptions['storage'],
  options: ToolGateOptions = {},
  more: Partial<PersistOptions> = {},
): Promise<Tab> {
  const gate = new ToolGate({ chatId: 'chat', ...options });
  return { gate, ...(await persistGate(gate, name, storage, more)) };
}

/** Persists a gate, until the end of the test. */
export async function persistGate(
  gate: ToolGate,
  name: string,
  storage: PersistOptions['storage'],
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
