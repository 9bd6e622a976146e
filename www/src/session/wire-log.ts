/**
 * The requests that this page really sent: a `fetch` that logs every request and how it ended. It reads the bytes of
 * the request and knows nothing of Toolgate.
 */
import { decisionsOf } from '../backend/decisions';
import type { ReceivedDecision } from '../backend/record';

/** A sent request. */
export interface WireEntry {
  /** Counts from 1. */
  n: number;
  /** The `Idempotency-Key` header. */
  key: string | null;
  /** How often this key was sent, including this time. */
  attempt: number;
  /** The user's new message, when the request carries one. */
  userText: string | null;
  decisions: readonly ReceivedDecision[];
  /** The body, parsed again from the bytes. */
  body: unknown;
  /** Size of the body in bytes. */
  bytes: number;
  /** `cut`: it failed after the beginning of its reply. */
  state: 'sending' | 'answering' | 'answered' | 'failed' | 'cut' | 'stopped';
  /** The browser's text for the failure. */
  error?: string;
}

/** Logs requests and notifies listeners. */
export class WireLog {
  #entries: readonly WireEntry[] = [];
  readonly #listeners = new Set<() => void>();

  /** All requests, oldest first. */
  readonly get = (): readonly WireEntry[] => this.#entries;

  /** Calls `listener` after each change. Returns an unsubscribe function. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** A `fetch` that logs requests and passes them on to `send`. */
  around(send: typeof fetch): typeof fetch {
    return async (input, init) => {
      const n = this.#begin(input, init);
      try {
        const response = await send(input, init);
        if (!response.ok || !response.body) {
          this.#set(n, response.ok ? { state: 'answered' } : { state: 'failed', error: `HTTP ${response.status}` });
          return response;
        }
        this.#set(n, { state: 'answering' });
        return new Response(this.#watched(n, response.body), response);
      } catch (error) {
        this.#set(n, endOf(error));
        throw error;
      }
    };
  }

  #begin(input: RequestInfo | URL, init: RequestInit | undefined): number {
    const request = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
    const text = typeof init?.body === 'string' ? init.body : '';
    const body = parse(text);
    const messages = body !== null && typeof body === 'object' && 'messages' in body ? body.messages : [];
    const key = request.get('idempotency-key');
    const n = this.#entries.length + 1;
    const entry: WireEntry = {
      n,
      key,
      attempt: 1 + (key === null ? 0 : this.#entries.filter((other) => other.key === key).length),
      userText: userTextOf(messages),
      decisions: decisionsOf(messages),
      body,
      bytes: new TextEncoder().encode(text).length,
      state: 'sending',
    };
    this.#entries = [...this.#entries, entry];
    this.#tell();
    return n;
  }

  #watched(n: number, body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    return new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read();
          if (done) {
            this.#set(n, { state: 'answered' });
            controller.close();
          } else {
            controller.enqueue(value);
          }
        } catch (error) {
          const end = endOf(error);
          this.#set(n, end.state === 'failed' ? { ...end, state: 'cut' } : end);
          controller.error(error);
        }
      },
      cancel: (reason) => {
        this.#set(n, { state: 'stopped' });
        return reader.cancel(reason);
      },
    });
  }

  #set(n: number, change: Pick<WireEntry, 'state'> & { error?: string }): void {
    this.#entries = this.#entries.map((entry) => (entry.n === n ? { ...entry, ...change } : entry));
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

function endOf(error: unknown): Pick<WireEntry, 'state'> & { error?: string } {
  if (error instanceof Error && error.name === 'AbortError') return { state: 'stopped' };
  return { state: 'failed', error: error instanceof Error ? error.message : String(error) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The text of the last message, when it is the user's. */
export function userTextOf(messages: unknown): string | null {
  const last = Array.isArray(messages)
    ? (messages.at(-1) as { role?: string; parts?: { text?: string }[] } | undefined)
    : undefined;
  if (last?.role !== 'user') return null;
  return (last.parts ?? []).map((part) => part.text ?? '').join('');
}
