/** What a chat of `useGuardedChat` shows. Components subscribe to it and read its snapshot. */
import type { GateMessage } from '../types/index.js';
import { guarded } from '../types/report-uncaught.js';
import type { ChatStatus } from './chat-host.js';
import type { ChatSource, ChatStore } from './chat-source.js';
import { plain } from './framework-proxies.js';

/** What a component shows of a chat. The same object until one of its values changes. */
export interface ChatSnapshot {
  readonly messages: GateMessage[];
  readonly queued: GateMessage[];
  readonly status: ChatStatus;
  readonly error: Error | undefined;
}

/** The store of one chat. */
export class OwnStore implements ChatStore {
  initial: readonly unknown[];

  /** Whether the framework wraps data in proxies. */
  readonly hasProxies: boolean;
  readonly #listeners = new Set<() => void>();
  #source!: ChatSource;
  /** The source that is shown as soon as the chat is observed. */
  #next: ChatSource | undefined;
  #isObserved = false;
  #setMessages!: (messages: readonly unknown[]) => void;
  #snapshot: ChatSnapshot | undefined;

  constructor(initial: readonly unknown[], hasProxies: boolean) {
    this.hasProxies = hasProxies;
    this.initial = this.plain(initial);
  }

  install(source: ChatSource, setMessages: (messages: readonly unknown[]) => void): void {
    this.#source = source;
    this.#setMessages = setMessages;
  }

  show(source: ChatSource, isPatient = false): void {
    // A page from a server must show the same messages until the framework has hydrated it.
    if (isPatient && !this.#isObserved) {
      this.#next = source;
      return;
    }
    this.#next = undefined;
    this.#source = source;
    this.publish();
  }

  observe(): void {
    this.#isObserved = true;
    if (this.#next) this.show(this.#next);
  }

  plain<T>(value: T, known?: ReadonlySet<unknown>): T {
    return this.hasProxies ? (plain(value, known) as T) : value;
  }

  publish(): void {
    // An error of a component must not end the request.
    for (const listener of [...this.#listeners]) guarded(listener);
  }

  /** Replaces the messages, as `chat.messages = list` does. */
  assign(messages: readonly unknown[]): void {
    this.#setMessages(messages);
  }

  /** Calls `listener` after each change. Returns an unsubscribe function. */
  subscribe(listener: () => void): () => void {
    const own = (): void => listener();
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  /** What the chat shows now. */
  get snapshot(): ChatSnapshot {
    const { messages, queued, status, error } = this.#source;
    const last = this.#snapshot;
    const isSame =
      last?.messages === messages && last.queued === queued && last.status === status && last.error === error;
    return isSame ? last : (this.#snapshot = { messages, queued, status, error });
  }

  /** The status and the error alone: the messages are computed only if somebody reads them. */
  get state(): Pick<ChatSource, 'status' | 'error'> {
    return this.#source;
  }
}
