/**
 * The two sides of what a chat shows: the source of its state, and the store that its components read.
 *
 * This file imports only types of the core, because a chat is shown before the core is loaded.
 */
import type { GateMessage } from '../types/index.js';
import type { ChatStatus } from './chat-host.js';

/**
 * Where a chat's state comes from. While the core is loading: `WaitingActs`, the method calls that wait for the core.
 * Then: the gate.
 */
export interface ChatSource {
  /** The same array until something changes. */
  readonly messages: GateMessage[];
  /** The chat's message queue: the same array until something changes. */
  readonly queued: GateMessage[];
  readonly status: ChatStatus;
  readonly error: Error | undefined;
  /** Whether a reply is being read. Each change is then reported as a change of the messages. */
  readonly isReplying: boolean;
}

/**
 * What a chat shows, and how its components learn of changes. `ChatFacade` is the store of an AI SDK chat that `guard`
 * took over; `OwnStore` is that of a chat of `useGuardedChat`.
 */
export interface ChatStore {
  /** The messages that the chat had before it had a gate, without the framework's proxies. */
  readonly initial: readonly unknown[];
  /** Shows the first source. `setMessages` is called for `chat.messages = list`. */
  install(source: ChatSource, setMessages: (messages: readonly unknown[]) => void): void;
  /** Shows another source. With `isPatient`, waits until the chat is observed. */
  show(source: ChatSource, isPatient?: boolean): void;
  /** Called when a component subscribes, and when the app calls a method of the chat or requests the gate. */
  observe(): void;
  /** Removes the framework's proxies from an argument. */
  plain<T>(value: T, known?: ReadonlySet<unknown>): T;
  /** Notifies the framework of changes of the source since the last call. */
  publish(): void;
}

/** Freezes a list that is shown, so that an app cannot change it unnoticed. */
export function frozen<T>(list: T[]): T[] {
  return Object.freeze(list) as T[];
}

/** The empty list, which all sources share. */
export const NONE: GateMessage[] = frozen([]);
