/**
 * Tabs of one chat in one process: gates that keep the same name in one storage, over Node's own BroadcastChannel, and its
 * own locks where it has them.
 */
import { ToolGate, type Outgoing, type Snapshot, type ToolGateOptions } from 'toolgate';
import { keep, type Kept, type KeepOptions, type KeepStorage } from 'toolgate/keeper';
import { afterEach, onTestFinished, vi } from 'vitest';

import { ask, reply } from '../gate/support.js';
import { turns } from '../lib/waiting.js';

/** A storage in memory, which counts, waits and fails as it is told. */
export class MemoryStorage implements KeepStorage {
  readonly values = new Map<string, unknown>();
  /** How many writes were begun. */
  writes = 0;
  /** Set, each write waits for it. */
  hold: Promise<void> | undefined;
  /** Set, writes to names that end with this fail. */
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

  /** What is stored under the name. */
  record(name: string): { epoch: number; seq: number; snapshot: Snapshot } | undefined {
    const text = this.values.get(name);
    return text === undefined ? undefined : (JSON.parse(text as string) as { epoch: number; seq: number; snapshot: Snapshot });
  }

  /** The same under another name, as a page that is opened after this moment finds it. */
  copyOf(name: string, as: string): this {
    this.values.set(as, this.values.get(name));
    return this;
  }
}

/** Locks as the browser has them, as far as a keeper uses them: for a Node without its own. */
class Locks {
  readonly #queues = new Map<string, { take: () => Promise<void> }[]>();

  request = async (name: string, options: LockOptions, callback: (lock: object | null) => unknown): Promise<void> => {
    const queue = this.#queues.get(name) ?? [];
    this.#queues.set(name, queue);
    if (options.ifAvailable && queue.length > 0) return void (await callback(null));
    await new Promise<void>((resolve, reject) => {
      const entry = {
        take: async () => {
          await callback({});
          queue.shift();
          resolve();
          void queue[0]?.take();
        },
      };
      options.signal?.addEventListener('abort', () => {
        const place = queue.indexOf(entry);
        if (place <= 0) return;
        queue.splice(place, 1);
        reject(new DOMException('', 'AbortError'));
      });
      if (queue.push(entry) === 1) void entry.take();
    });
  };
}

if (!(globalThis.navigator as Navigator | undefined)?.locks) vi.stubGlobal('navigator', { locks: new Locks() });

let names = 0;
const open: Kept[] = [];

afterEach(() => {
  for (const kept of open.splice(0)) kept.close();
});

/** A name that no other test has. */
export const freshName = (): string => `chat ${process.pid} ${names++}`;

/** A tab. */
export interface Tab {
  readonly gate: ToolGate;
  readonly kept: Kept;
  readonly errors: Error[];
}

/** Opens a tab of the chat. */
export async function tab(
  name: string,
  storage: KeepOptions['storage'],
  options: ToolGateOptions = {},
  more: Partial<KeepOptions> = {},
): Promise<Tab> {
  const gate = new ToolGate({ chatId: 'chat', ...options });
  return { gate, ...(await keptGate(gate, name, storage, more)) };
}

/** Keeps a gate; it is closed with the test. */
export async function keptGate(
  gate: ToolGate,
  name: string,
  storage: KeepOptions['storage'],
  more: Partial<KeepOptions> = {},
): Promise<{ kept: Kept; errors: Error[] }> {
  const errors: Error[] = [];
  const kept = await keep(gate, { name, ...(storage && { storage }), onError: error => errors.push(error), ...more });
  open.push(kept);
  return { kept, errors };
}

/** Sends a message, and lets the reply ask for these calls. */
export function begin(gate: ToolGate, calls: readonly string[], messageId = 'a1'): void {
  gate.sendUserMessage({ text: 'tidy up', id: `before-${messageId}` } as never);
  claimed(gate);
  reply(gate, [{ type: 'start', messageId }, { type: 'start-step' }, ...calls.flatMap(call => ask(call)), { type: 'finish' }]);
}

/** Claims the one item that may leave. */
export function claimed(gate: ToolGate): Outgoing {
  const [item] = gate.outgoing();
  if (!item || !gate.claim(item.id)) throw new Error('nothing to send');
  return item;
}

/** Gives messages between tabs the time to arrive that nobody should send. */
export const quiet = (): Promise<void> => turns(50);

/** A promise that is settled from outside. */
export function latch(): { readonly opened: Promise<void>; open(): void } {
  let release!: () => void;
  const opened = new Promise<void>(resolve => (release = resolve));
  onTestFinished(release);
  return { opened, open: release };
}

/** The text of a message. */
export function textOf(gate: ToolGate, id: string): string {
  const message = gate.getSnapshot().messages.find(entry => entry.id === id);
  return (message?.parts ?? []).flatMap(part => (part.type === 'text' ? [(part as { text: string }).text] : [])).join('');
}

/** The state of a call, as the view shows it. */
export function stateOf(gate: ToolGate, call: string): string | undefined {
  for (const message of gate.getSnapshot().messages) {
    for (const part of message.parts) {
      if ('toolCallId' in part && part.toolCallId === call) return `${part.state}${part.delivery ? ` ${part.delivery}` : ''}`;
    }
  }
  return undefined;
}
