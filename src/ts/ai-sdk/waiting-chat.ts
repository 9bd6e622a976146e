/**
 * One guarded chat, from `guard` until its gate exists. Loads the core; then loads the initial messages into the gate,
 * lets `persist` restore the stored chat, and runs the waiting acts, in this order. The chat's own request loop never
 * runs, so nothing is sent without a gate.
 */
import type { PendingChat } from '../gate/pending-chat.js';
import type { ToolGate } from '../gate/tool-gate.js';
import { ToolGateError } from '../types/errors.js';
import { onLoaded } from '../wasm/core-state.js';
import type { AttachedChat } from './attach.js';
import type { ChatStore } from './chat-source.js';
import type { ChatHost } from './chat-host.js';
import { isInPage, loadCore, loadedCore } from './core-loader.js';
import { disposed } from './disposed.js';
import type { GuardOptions } from './guard-options.js';
import { WaitingActs } from './waiting-acts.js';
import { waitingMethods, type ChatMethods } from './waiting-methods.js';

/** Work that precedes the waiting acts, such as restoring a stored chat. */
interface FirstTask {
  run(gate: ToolGate): Promise<unknown>;
  fail(error: Error): void;
}

/** A guarded chat. */
export class WaitingChat implements PendingChat {
  /** The current methods of the chat. When the gate exists, others replace them. */
  methods: ChatMethods;
  readonly acts: WaitingActs;

  readonly #chat: ChatHost;
  readonly #store: ChatStore;
  readonly #options: GuardOptions;
  readonly #keyHeader: string | undefined;
  readonly #prepare: (() => Promise<void> | undefined) | undefined;
  readonly #listeners = new Set<() => void>();
  #first: FirstTask[] = [];
  #attached: AttachedChat | undefined;
  #isLoading = false;
  #failure: Error | undefined;
  #disposal: Promise<void> | undefined;
  /** After a failure: ends the subscription to later loading of the core, by another chat or by `init()`. */
  #unsubscribe: (() => void) | undefined;

  /** `prepare` is called when the gate exists. The calls that waited for the core wait for its promise too, if any. */
  constructor(
    chat: ChatHost,
    store: ChatStore,
    options: GuardOptions,
    keyHeader: string | undefined,
    prepare?: () => Promise<void> | undefined,
  ) {
    this.#chat = chat;
    this.#store = store;
    this.#options = options;
    this.#keyHeader = keyHeader;
    this.#prepare = prepare;
    this.acts = new WaitingActs(chat, store, (isSendMessage) => this.#load(isSendMessage));
    this.methods = waitingMethods(chat, store, this.acts, {
      clearError: () => this.#clearError(),
      dispose: () => (this.#disposal ??= this.#dispose()),
    });
  }

  /** The gate; undefined until the core is loaded. */
  get gate(): ToolGate | undefined {
    return this.#attached?.gate;
  }

  get isReady(): boolean {
    return this.#attached !== undefined;
  }

  /** Installs the store. Creates the gate at once if the core is loaded; otherwise loads it, but not on a server. */
  start(): void {
    const core = loadedCore();
    if (core) {
      const attached = (this.#attached = core.attach(this.#chat, this.#store, this.#options, this.#keyHeader));
      this.methods = attached.methods;
      this.#store.install(attached.projection, this.#setMessages);
      return;
    }
    this.install();
    this.#loadInPage();
  }

  /** Installs the store, which shows the initial messages. Neither loads the core nor creates the gate. */
  install(): void {
    this.#store.install(this.acts, this.#setMessages);
  }

  /** After `install`: creates the gate at once if the core is loaded; otherwise loads it, but not on a server. */
  begin(): void {
    const core = this.#isLoading || this.#attached || this.#disposal ? undefined : loadedCore();
    if (core) this.#attach(core);
    else this.#loadInPage();
  }

  readonly #setMessages = (messages: readonly unknown[]): void => this.methods.setMessages(messages);

  #loadInPage(): void {
    // In a microtask, because an `init(source)` in the same task may name another location of the wasm file.
    if (isInPage()) queueMicrotask(() => this.#load(true));
  }

  /** Whether something is ready to be sent, in flight or replying. */
  get isBusy(): boolean {
    return this.acts.isBusy || this.#attached?.isBusy() === true;
  }

  /** Called when the app uses the chat: the gate's state is shown from now on. */
  observe(): void {
    this.#store.observe();
  }

  /** The gate, as soon as it exists. Loads the core, again after a failure. */
  async ready(): Promise<ToolGate> {
    this.observe();
    return this.gate ?? (await this.first(async (gate) => gate));
  }

  onReady(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  first<T>(task: (gate: ToolGate) => Promise<T>): Promise<T> {
    if (this.gate) return task(this.gate);
    return new Promise<T>((resolve, reject) => {
      if (this.#disposal) throw disposed();
      this.#load(false);
      const run = (gate: ToolGate): Promise<void> => task(gate).then(resolve, reject);
      this.#first.push({ run, fail: reject });
    });
  }

  /** Loads the core. Throws the last failure if messages are undelivered and the caller is not `sendMessage`. */
  #load(isSendMessage: boolean): void {
    if (this.#isLoading || this.#attached || this.#disposal) return;
    if (this.#failure && !isSendMessage && this.acts.hasUndelivered) throw this.#failure;
    this.#isLoading = true;
    this.#failure = undefined;
    this.#unsubscribe?.();
    this.#clearError();
    loadCore().then(
      (core) => this.#attach(core),
      (error: unknown) => this.#fail(error),
    );
  }

  #attach(core: typeof import('./attach.js')): void {
    if (this.#disposal) return;
    try {
      this.#attached = core.attach(this.#chat, this.#store, this.#options, this.#keyHeader);
    } catch (error) {
      return this.#fail(error);
    }
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
    void this.#begin(this.#attached);
  }

  /** Runs the first tasks and the waiting acts, and puts the gate in control of the chat. Never rejects. */
  async #begin(attached: AttachedChat): Promise<void> {
    const first: Promise<unknown>[] = this.#first.splice(0).map((task) => task.run(attached.gate));
    const prepared = this.#prepare?.();
    if (prepared) first.push(prepared);
    if (first.length > 0) await Promise.all(first);
    while (this.acts.preparing) await this.acts.preparing;
    if (this.#disposal) return;
    this.methods = attached.methods;
    this.#store.show(attached.projection, !this.acts.hasActs);
    this.acts.run(attached);
  }

  #fail(error: unknown): void {
    if (this.#disposal) return;
    const failure = error instanceof Error ? error : new ToolGateError('load-failed', String(error));
    this.#isLoading = false;
    this.#failure = failure;
    this.acts.fail(failure);
    for (const { fail } of this.#first.splice(0)) fail(failure);
    // Another chat or `init()` may load the core later.
    this.#unsubscribe = onLoaded(() => {
      if (!this.acts.hasUndelivered) this.#load(false);
    });
  }

  #clearError(): void {
    if (!this.acts.failure) return;
    this.acts.failure = undefined;
    this.#store.publish();
  }

  async #dispose(): Promise<void> {
    this.#listeners.clear();
    this.#unsubscribe?.();
    this.acts.dispose();
    for (const { fail } of this.#first.splice(0)) fail(disposed());
    try {
      await this.#attached?.methods.dispose();
    } finally {
      if (!this.#attached) this.#chat.transport.close?.();
    }
  }
}
