/**
 * `keep`: the one call of an app. It checks what it is told, and puts a keeper on the gate.
 */
import { ToolGateError } from '../types/errors.js';
import { gateIn, type GateSource } from '../gate/gate-source.js';
import { portOf } from '../gate/internals.js';
import { ToolGate } from '../gate/tool-gate.js';
import { Keeper } from './keeper.js';
import { badName } from './storage-names.js';
import { browserPlatform } from './platform.js';
import { storageOf } from './storage.js';
import type { Kept, KeepOptions } from './keep-options.js';

/**
 * Keeps a chat: restores what is stored under the name into this gate, stores every change from then on, and shares the
 * chat with the other tabs that keep the same name, of which only one sends. A claim is stored before its request leaves:
 * `deliver` and the chats of `toolgate/ai-sdk` wait for that.
 *
 * Call it after `init()`, before the chat's first request: `const kept = await keep(gate, { name: 'chat-1' })`, for a
 * guarded chat `await keep(chat, …)`. Until it resolves nothing is sent. A request that was on its way when the
 * page went is in `undelivered()` afterwards, as `unconfirmed`: `gate.retry(id)` sends it again with the same key.
 *
 * Without IndexedDB or `localStorage` nothing is stored, without Web Locks and BroadcastChannel every tab is by itself;
 * `onError` is told of the first, `kept.isExclusive` of the second.
 *
 * Rejects with a `TypeError` for what is no gate, for a gate that is kept already, for a name that cannot be used and for an
 * unknown storage; with a `ToolGateError`, `busy`, for a gate that has a request on its way. What cannot be restored does not
 * reject: see `onError`.
 */
export async function keep(source: GateSource, options: KeepOptions): Promise<Kept> {
  const gate = gateIn(source);
  const port = gate instanceof ToolGate ? portOf(gate) : undefined;
  if (!gate || !port)
    throw new TypeError('keep: there is no gate; the first argument is a ToolGate, or a chat that guard() returned');
  const {
    name,
    storage: chosen,
    storeTimeoutMs = 10_000,
    leaderTimeoutMs = 5_000,
    onError = (error: Error) => console.error(error),
    onStop,
  } = options;
  const problem = badName(name);
  if (problem !== undefined) throw new TypeError(`keep: ${problem}`);
  for (const [option, ms] of Object.entries({ storeTimeoutMs, leaderTimeoutMs })) {
    if (!(typeof ms === 'number' && ms > 0 && ms < 2 ** 31))
      throw new TypeError(`keep: \`${option}\` must be a number of ms above 0`);
  }
  if (port.keeper) throw new TypeError('keep: this gate is kept already; close() that first');
  const { status } = gate.getSnapshot();
  if (status === 'streaming' || (status === 'submitted' && !port.hasReady)) {
    throw new ToolGateError('busy', 'keep: the gate has a request on its way; keep it before its first request');
  }
  const tell = (error: unknown): void => {
    try {
      onError(error instanceof Error ? error : new Error(String(error)));
    } catch (failure) {
      // The app's own failure must not end the keeping.
      queueMicrotask(() => {
        throw failure;
      });
    }
  };
  const platform = browserPlatform();
  const storage = (holds: () => Promise<boolean>) => {
    const found = storageOf(chosen, { platform, holds });
    if (!found) tell(new Error('keep: this browser has no such storage, so the chat is not stored'));
    return found;
  };
  const keeper = new Keeper({
    gate,
    port,
    name,
    platform,
    storage,
    storeTimeoutMs,
    leaderTimeoutMs,
    onError: tell,
    onStop,
  });
  port.keeper = keeper;
  await keeper.start();
  return {
    get isLeader() {
      return keeper.isLeader;
    },
    get isExclusive() {
      return keeper.isExclusive;
    },
    get state() {
      return keeper.state;
    },
    get waiting() {
      return keeper.waiting;
    },
    saved: () => keeper.saved(),
    forget: () => keeper.forget(),
    close: () => keeper.close(),
  };
}
