/**
 * A chat with a gate, from before the gate exists. Loads the core; then loads the initial messages into the gate, lets
 * `persist` restore the stored chat, and runs the waiting acts, in this order. Nothing is sent without a gate.
 *
 * `guard` and `useGuardedChat` give their chats one.
 */
import { GATE } from '../../gate/gate-source.js';
import { PENDING, type PendingChat } from '../../gate/pending-chat.js';
import type { ToolGate } from '../../gate/tool-gate.js';
import { ToolGateError } from '../../types/errors.js';
import { guarded } from '../../types/report-uncaught.js';
import { onLoaded } from '../../wasm/core-state.js';
import type { ChatHost } from '../chat-host.js';
import { disposed } from '../disposed.js';
import type { AttachedChat } from '../driver/attach.js';
import type { GuardOptions } from '../guard-options.js';
import type { ViewStore } from './view-store.js';
import { isInPage, loadCore, loadedCore, type Core } from './core-loader.js';
import { WaitingActs, type AttachedMethods } from './waiting-acts.js';

/** Work that precedes the waiting acts, such as restoring a stored chat. */
interface FirstTask {
  run(gate: ToolGate): Promise<unknown>;
  fail(error: Error): void;
}

/** The part of a persisted chat that the chat needs. */
export interface Persisted {
  close(): void;
}

/** A chat with a gate. */
export class GatedChat implements PendingChat {
  readonly store: ViewStore;
  /** Whether `dispose` was called. */
  isDisposed = false;
  readonly acts: WaitingActs;

  readonly #create: (core: Core) => AttachedChat;
  readonly #closeTransport: () => void;
  readonly #persist: (() => Promise<Persisted | undefined> | undefined) | undefined;
  readonly #listeners = new Set<() => void>();
  #first: FirstTask[] = [];
  #attached: AttachedChat | undefined;
  /** The methods of the gate, when the acts have run. */
  #methods: AttachedMethods | undefined;
  #isLoading = false;
  #persisted: Promise<Persisted | undefined> | undefined;
  #disposal: Promise<void> | undefined;
  /** After a failure: ends the subscription to later loading of the core, by another chat or by `init()`. */
  #unsubscribe: (() => void) | undefined;

  /**
   * Neither loads the core nor creates the gate. `persist` is called when the gate exists, and may store the chat: the
   * calls that waited for the core then wait for its promise too. It never rejects.
   */
  constructor(
    chat: ChatHost,
    store: ViewStore,
    options: GuardOptions,
    keyHeader: string | undefined,
    persist?: () => Promise<Persisted | undefined> | undefined,
  ) {
    this.store = store;
    this.#create = (core) => core.attach(chat, store, options, keyHeader);
    this.#closeTransport = () => chat.transport.close?.();
    this.#persist = persist;
    this.acts = new WaitingActs(chat, store, (name) => this.#load(name));
    store.show(this.acts);
  }

  /** The gate; undefined until the core is loaded. */
  get gate(): ToolGate | undefined {
    return this.#attached?.gate;
  }

  get isReady(): boolean {
    return this.#attached !== undefined;
  }

  /** Whether something is ready to be sent, in flight or replying. */
  get isBusy(): boolean {
    return this.acts.isBusy || this.#attached?.isBusy() === true;
  }

  /** Gives a chat its methods, and the marks by which the package finds its gate. */
  install(chat: object, names: readonly (keyof AttachedMethods)[]): void {
    const members = chat as Record<string, (...args: unknown[]) => unknown>;
    for (const name of names) members[name] = (...args) => this.call(name, ...args);
    Object.defineProperties(chat, {
      [GATE]: { get: () => this.gate },
      [PENDING]: { value: this },
      // The same mark as Vue's `markRaw`: otherwise `reactive({ chat })` would wrap the messages in proxies.
      __v_skip: { value: true },
    });
  }

  /** Calls a method of the chat. Before the gate exists, most calls wait. */
  call(name: keyof AttachedMethods, ...args: unknown[]): unknown {
    if (name === 'dispose') return this.dispose();
    const methods = (this.#methods ?? this.acts) as Record<string, (...args: unknown[]) => unknown>;
    return name in methods ? methods[name]!(...args) : this.acts.add({ name, args });
  }

  /**
   * Creates the gate at once if the core is loaded; otherwise loads it, but not on a server. Throws if the gate cannot
   * be created at once.
   */
  start(): void {
    const core = this.#isLoading || this.#attached || this.isDisposed ? undefined : loadedCore();
    if (core) {
      this.store.observe();
      this.#attach(core);
    } else if (isInPage()) {
      // In a microtask, because an `init(source)` in the same task may name another location of the wasm file.
      queueMicrotask(() => this.isDisposed || this.#load('sendMessage'));
    }
  }

  /** The gate, as soon as it exists. Loads the core, again after a failure. */
  async ready(): Promise<ToolGate> {
    this.store.observe();
    return this.gate ?? (await this.first(async (gate) => gate));
  }

  onReady(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  first<T>(task: (gate: ToolGate) => Promise<T>): Promise<T> {
    if (this.gate) return task(this.gate);
    return new Promise<T>((resolve, reject) => {
      this.#load();
      this.#first.push({ run: (gate) => task(gate).then(resolve, reject), fail: reject });
    });
  }

  dispose(): Promise<void> {
    return (this.#disposal ??= this.#dispose());
  }

  /** Loads the core for an act. Only `sendMessage` loads it again while messages are undelivered. */
  #load(name?: keyof AttachedMethods): void {
    if (this.isDisposed) throw disposed();
    if (name === 'setMessages' || this.#isLoading || this.#attached) return;
    const { undelivered } = this.acts;
    if (undelivered && name !== 'sendMessage') throw undelivered;
    this.#isLoading = true;
    this.#unsubscribe?.();
    this.acts.retry();
    loadCore()
      .then((core) => this.isDisposed || this.#attach(core))
      .catch((error: unknown) => this.fail(error));
  }

  #attach(core: Core): void {
    this.#attached = this.#create(core);
    for (const listener of this.#listeners) guarded(listener);
    this.#listeners.clear();
    void this.#begin(this.#attached);
  }

  /** Runs the first tasks and the waiting acts, and puts the gate in control of the chat. Never rejects. */
  async #begin({ gate, projection, methods }: AttachedChat): Promise<void> {
    const first: Promise<unknown>[] = this.#first.splice(0).map((task) => task.run(gate));
    this.#persisted = this.#persist?.();
    if (this.#persisted) first.push(this.#persisted);
    // Otherwise a loaded core executes a call of the app at once.
    if (first.length > 0) await Promise.all(first);
    if (this.isDisposed) return;
    this.#methods = methods;
    this.store.show(projection, !this.acts.hasActs);
    this.acts.run(methods);
  }

  /** Called when the gate cannot be created. */
  fail(error: unknown): void {
    if (this.isDisposed) return;
    const failure = error instanceof Error ? error : new ToolGateError('load-failed', String(error));
    this.#isLoading = false;
    this.acts.fail(failure);
    for (const { fail } of this.#first.splice(0)) fail(failure);
    // Another chat or `init()` may load the core later.
    this.#unsubscribe = onLoaded(() => this.acts.undelivered || this.#load());
  }

  async #dispose(): Promise<void> {
    this.isDisposed = true;
    this.#listeners.clear();
    this.#unsubscribe?.();
    this.acts.dispose(disposed());
    for (const { fail } of this.#first.splice(0)) fail(disposed());
    const done = this.#attached?.methods.dispose();
    // It may be stored later than this: then nothing else closes it.
    void this.#persisted?.then((persisted) => persisted?.close());
    try {
      await done;
    } finally {
      if (!this.#attached) this.#closeTransport();
    }
  }
}
