/**
 * Ids for what the gate creates, from the chat's own `generateId`.
 *
 * The AI SDK draws one id for each reply before it sends the request. The same is done here, and the gate is given
 * that id if it turns out to need one; so an app that counts or stubs `generateId` sees the calls it is used to.
 */
import type { ChatInternals } from './chat-internals.js';

/** Where the gate gets its ids. */
export class IdSource {
  readonly #chat: ChatInternals;
  #reserved: string | undefined;

  constructor(chat: ChatInternals) {
    this.#chat = chat;
  }

  /** A new id, or the one that is reserved. */
  next(): string {
    return this.#reserved ?? this.#chat.generateId();
  }

  /** Calls the gate, which gets `id` if it asks for one. */
  reserving<T>(id: string, call: () => T): T {
    this.#reserved = id;
    try {
      return call();
    } finally {
      this.#reserved = undefined;
    }
  }
}
