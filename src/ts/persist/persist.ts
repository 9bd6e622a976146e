/** `persist`, the function that apps call: checks the options and creates the persister of the gate. */
import { ToolGateError } from '../types/errors.js';
import { aFunction, anObject, checkOptions, oneOf, type Check, type Checks } from '../types/option-checks.js';
import { gateOfSource, pendingChat, type GateSource } from '../gate/gate-source.js';
import { internalsOf } from '../gate/internals.js';
import type { ToolGate } from '../gate/tool-gate.js';
import { guarded } from '../types/report-uncaught.js';
import { Persister } from './persister.js';
import { customStorage } from './storage/custom-storage.js';
import { indexedDbStorage } from './storage/indexed-db.js';
import { PersistError } from './persist-error.js';
import { withFresh } from './storage/chat-record.js';
import { browserPlatform } from './tabs/platform.js';
import type { PersistedChat, PersistOptions } from './persist-options.js';
import { say } from '../types/say.js';

const ofMs: Check = (ms) => (typeof ms === 'number' && ms > 0 && ms < 2 ** 31 ? undefined : 'a number above 0');

const OPTIONS: Checks<PersistOptions> = {
  name: () => undefined,
  storage: (storage) => (storage === 'indexeddb' || !anObject(storage, {}) ? undefined : "'indexeddb' or an object"),
  storeTimeoutMs: ofMs,
  leaderTimeoutMs: ofMs,
  onError: aFunction,
  onStop: aFunction,
  outdated: oneOf(['wait', 'fresh']),
};

/**
 * Stores a chat: restores the stored state into this gate, saves every change from then on, and shares the chat with
 * the other tabs that persist the same name. Only one of these tabs, the leader, sends. A claim is saved before its
 * request is sent: `deliver` and the chats of `toolgate/ai-sdk` wait for that.
 *
 * Call it before the chat's first request: `const persisted = await persist(chat, { name: 'chat-1' })`, for a guarded
 * chat, whose core it waits for, or a `ToolGate`. Nothing is sent until it resolves. A request that was in flight when
 * the page was closed is in `undelivered()` afterwards, as `unconfirmed`: `gate.retry(id)` sends it again with the same
 * key.
 *
 * Without IndexedDB nothing is stored, and `onError` is called. Without Web Locks the tabs elect the leader by messages
 * alone, and `persisted.isExclusive` is `false`. Without BroadcastChannel tabs do not see each other's changes.
 *
 * Rejects with a `TypeError` for anything but a gate or guarded chat, for a gate that is already persisted, for an
 * invalid name and for an unknown option or storage; with a `ToolGateError`: `busy` for a gate that has a request in
 * flight, `load-failed` if the core of the chat cannot be loaded. A stored state that cannot be restored does not
 * reject: see `onError`.
 */
export async function persist(source: NonNullable<GateSource>, options: PersistOptions): Promise<PersistedChat> {
  checkOptions('persist', options, OPTIONS);
  const [name, beside] = [options.name].flat();
  if (typeof name !== 'string' || /^$|\.(actions|fresh)$/.test(name) || (beside ?? 'fresh') !== 'fresh')
    throw new TypeError(
      say`persist: \`name\` must be a string that is not empty and does not end with ".actions" or ".fresh"`,
    );
  const begin = (gate: ToolGate): Promise<PersistedChat> => start(gate, options, beside ? withFresh(name)[1] : name);
  const pending = pendingChat(source);
  return pending ? pending.first(begin) : begin(gateOfSource('persist', source));
}

/** Starts to persist a gate. Resolves when the stored state is restored. */
async function start(gate: ToolGate, options: PersistOptions, name: string): Promise<PersistedChat> {
  const internals = internalsOf(gate);
  if (!internals)
    throw new TypeError(say`persist: this gate comes from another copy of the package. Pass a gate of the same copy`);
  const { storage: chosen, onError = (error: Error) => console.error(error), onStop } = options;
  if (internals.persister) throw new TypeError(say`persist: this gate is already persisted. Call close() first`);
  const { status } = gate.getSnapshot();
  if (status === 'streaming' || (status === 'submitted' && !internals.hasReady)) {
    const message = say`persist: the gate has a request in flight. Call persist() before its first request`;
    throw new ToolGateError('busy', message);
  }
  const report = (error: unknown): void => {
    // An error of the app's callback must not stop the persister.
    guarded(() => onError(error instanceof Error ? error : new Error(String(error))));
  };
  const platform = browserPlatform();
  const storage = (holdsLock: () => Promise<boolean>) => {
    if (chosen && chosen !== 'indexeddb') return customStorage(chosen, platform, holdsLock, report);
    if (globalThis.indexedDB) return indexedDbStorage(globalThis.indexedDB);
    report(new PersistError('no-storage', say`persist: this browser has no IndexedDB. The chat is not stored`));
    return undefined;
  };
  const { storeTimeoutMs: storeMs = 10_000, leaderTimeoutMs: leaderMs = 5_000 } = options;
  const persister = new Persister({
    ...{ gate, internals, name, platform, storage, storeMs, leaderMs, onStop },
    onError: report,
  });
  internals.persister = persister;
  await persister.start();
  // A tab that shows the chat has joined before it read that, and closes.
  if (persister.isSuperseded && options.outdated === 'fresh') return start(gate, options, withFresh(name)[1]);
  const { flush, clear, lead, close } = persister;
  // A plain object: frameworks wrap it in proxies, which could not read the private fields of a class.
  return {
    ...{ flush, clear, lead, close },
    get isExclusive() {
      return persister.isExclusive;
    },
    get state() {
      return persister.state;
    },
    get waiting() {
      return persister.waiting;
    },
  };
}
