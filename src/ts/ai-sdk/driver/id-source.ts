/**
 * Provides the gate with ids from the chat's `generateId`.
 *
 * The AI SDK generates one id for each reply before it sends the request. A guarded chat does the same and reserves
 * that id for the gate, so an app that counts or stubs `generateId` sees the same calls.
 */
import type { ChatHost } from '../chat-host.js';

/** The id source of one gate. */
export class IdSource {
  readonly #chat: ChatHost;
  #reserved: string | undefined;

  constructor(chat: ChatHost) {
    this.#chat = chat;
  }

  /** Returns the reserved id, or a new one. */
  next(): string {
    return this.#reserved ?? this.#chat.generateId();
  }

  /** Runs `call` with a reserved id: if the gate requests an id, it gets `id`. */
  reserving<T>(id: string, call: () => T): T {
    this.#reserved = id;
    try {
      return call();
    } finally {
      this.#reserved = undefined;
    }
  }
}
