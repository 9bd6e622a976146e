/**
 * `persist`: the one call of an app. It checks the options, and puts a keeper on the gate.
 */
import { ToolGateError } from '../types/errors.js';
import { refuseUnknown, type KnownOptions } from '../types/option-checks.js';
import { gateOfSource, pendingChat, type GateSource } from '../gate/gate-source.js';
import { internalsOf } from '../gate/internals.js';
import type { ToolGate } from '../gate/tool-gate.js';
import { Keeper } from './keeper.js';
import { badName } from './storage-names.js';
import { PersistError } from './persist-error.js';
import { browserPlatform } from './platform.js';
import { storageOf } from './storage.js';
import type { PersistedChat, PersistOptions } from './persist-options.js';

const OPTIONS: KnownOptions<PersistOptions> = {
  name: true,
  storage: true,
  storeTimeoutMs: true,
  leaderTimeoutMs: true,
  onError: true,
  onStop: true,
};

/**
 * Stores a chat: restores what is stored under the name into this gate, saves every change from then on, and shares the
 * chat with the other tabs that persist the same name, of which only one sends. A claim is saved before its request is
 * sent: `deliver` and the chats of `toolgate/ai-sdk` wait for that.
 *
 * Call it before the chat's first request: `const persisted = await persist(chat, { name: 'chat-1' })`, for a guarded
 * chat or a `ToolGate`. It waits for the core of a guarded chat. Until it resolves nothing is sent. A request that was in flight when the page went
 * is in `undelivered()` afterwards, as `unconfirmed`: `gate.retry(id)` sends it again with the same key.
 *
 * Without IndexedDB or `localStorage` nothing is stored, and `onError` is called; without Web Locks and BroadcastChannel
 * every tab is by itself, and `persisted.isExclusive` is `false`.
 *
 * Rejects with a `TypeError` for anything but a gate or guarded chat, for a gate that is persisted already, for a name that
 * cannot be used and for an unknown option or storage; with a `ToolGateError`: `busy` for a gate that has a request in
 * flight, `load-failed` if the core of the chat cannot be loaded. What cannot be restored does not reject: see `onError`.
 */
export async function persist(source: NonNullable<GateSource>, options: PersistOptions): Promise<PersistedChat> {
  checkOptions(options);
  const pending = pendingChat(source);
  return pending ? pending.first((gate) => start(gate, options)) : start(gateOfSource('persist', source), options);
}

/** Throws a `TypeError` for an unknown or invalid option. */
function checkOptions(options: PersistOptions): void {
  refuseUnknown('persist', options, OPTIONS);
  const { name, storeTimeoutMs = 1, leaderTimeoutMs = 1 } = options;
  const problem = badName(name);
  if (problem !== undefined) throw new TypeError(`persist: ${problem}`);
  for (const [option, ms] of Object.entries({ storeTimeoutMs, leaderTimeoutMs })) {
    if (!(typeof ms === 'number' && ms > 0 && ms < 2 ** 31))
      throw new TypeError(`persist: \`${option}\` must be a number of ms above 0`);
  }
}

/** Starts to persist a gate. Resolves when the stored state is restored. */
async function start(gate: ToolGate, options: PersistOptions): Promise<PersistedChat> {
  const port = internalsOf(gate);
  if (!port) throw new TypeError('persist: this gate is of another copy of the package. Pass one of the same copy');
  const {
    name,
    storage: chosen,
    storeTimeoutMs = 10_000,
    leaderTimeoutMs = 5_000,
    onError = (error: Error) => console.error(error),
    onStop,
  } = options;
  if (port.persister) throw new TypeError('persist: this gate is already persisted. Call close() first');
  const { status } = gate.getSnapshot();
  if (status === 'streaming' || (status === 'submitted' && !port.hasReady)) {
    throw new ToolGateError(
      'busy',
      'persist: the gate has a request in flight. Call persist() before its first request',
    );
  }
  const tell = (error: unknown): void => {
    try {
      onError(error instanceof Error ? error : new Error(String(error)));
    } catch (failure) {
      // A failure of the app must not end this.
      queueMicrotask(() => {
        throw failure;
      });
    }
  };
  const platform = browserPlatform();
  const storage = (holds: () => Promise<boolean>) => {
    const found = storageOf(chosen, { platform, holds });
    if (!found)
      tell(new PersistError('no-storage', 'persist: this browser has no such storage, so the chat is not stored'));
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
  port.persister = keeper;
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
    clear: () => keeper.forget(),
    close: () => keeper.close(),
  };
}
