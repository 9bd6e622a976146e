/**
 * Going on with a reply whose stream was lost: reconnects through the transport and feeds the reply to the gate, which
 * tells a replay from a continuation.
 *
 * Nothing is shown before the transport says that there is a reply. Of several attempts the last one counts (React's
 * StrictMode makes two). A request that leaves meanwhile ends the attempt: its reply is the one that counts.
 */
import { internalsOf } from '../gate/internals.js';
import { abortable, AbortedError } from './abortable.js';
import type { Driver } from './driver.js';
import { discard, type Exchange, type Ports } from './exchange.js';
import type { RequestOptions } from './chat-internals.js';

/** An attempt to reconnect. */
interface Attempt {
  readonly controller: AbortController;
  readonly done: Promise<void>;
  exchange?: Exchange;
  /** A request was sent before it found a reply. */
  isReplaced?: boolean;
}

/** Reconnects for one guarded chat. */
export class Resumer {
  readonly #ports: Ports;
  readonly #driver: Driver;
  #attempt: Attempt | undefined;

  constructor(ports: Ports, driver: Driver) {
    this.#ports = ports;
    this.#driver = driver;
  }

  /** Resolves when the reply has been read, or there is none. Rejects only with what a callback of the app threw. */
  async resume(options: RequestOptions): Promise<void> {
    const keeper = internalsOf(this.#ports.gate)?.persister;
    if (keeper) await keeper.joined;
    // Another tab reads the reply.
    if (keeper?.isLeader === false) return;
    const before = this.#attempt;
    // The reply of a request that is on its way is being read already.
    if (this.#driver.isBusy && before?.exchange === undefined) return;
    let finish!: () => void;
    const attempt: Attempt = {
      controller: new AbortController(),
      done: new Promise((resolve) => (finish = resolve)),
    };
    this.#attempt = attempt;
    if (before) this.#abort(before, true);
    try {
      await this.#reconnect(attempt, options);
    } finally {
      if (this.#attempt === attempt) this.#attempt = undefined;
      finish();
    }
  }

  /** Goes on with the reply if the last one was cut off by the network, once the current one is over. */
  async resumeIfDisconnected(shouldResume: () => boolean): Promise<void> {
    if (!this.#driver.wasDisconnected) await this.#driver.exchange?.done;
    if (this.#driver.wasDisconnected && shouldResume()) await this.resume({});
  }

  /** Ends the attempt. Resolves when it has ended. */
  async abort(): Promise<void> {
    const attempt = this.#attempt;
    if (!attempt) return;
    this.#abort(attempt, false);
    await attempt.done;
  }

  /** A request leaves: an attempt that has not found a reply yet is void. */
  yield(): void {
    if (!this.#attempt || this.#attempt.exchange) return;
    this.#attempt.isReplaced = true;
    this.#attempt.controller.abort();
  }

  #abort({ controller, exchange }: Attempt, isSuperseded: boolean): void {
    controller.abort();
    exchange?.abort(isSuperseded);
  }

  async #reconnect(attempt: Attempt, { metadata, headers, body }: RequestOptions): Promise<void> {
    const { chat, gate, projection } = this.#ports;
    const { signal } = attempt.controller;
    const isVoid = (): boolean => signal.aborted || this.#attempt !== attempt;
    // Decisions that the user makes meanwhile wait for what the reply brings.
    gate.reconnecting();
    try {
      const reply = chat.transport.reconnectToStream({ chatId: chat.id, abortSignal: signal, metadata, headers, body });
      const stream = await abortable(reply, signal, discard);
      if (isVoid()) return discard(stream);
      if (stream !== null) {
        const last = gate.getSnapshot().messages.at(-1);
        // Cut off in the middle, a reply may go on without saying which message it writes.
        const continues = this.#driver.wasDisconnected && last?.role === 'assistant' ? last.id : undefined;
        return await this.#driver.exclusively(async () => {
          // A request that was sent while this waited has made the reply an old one.
          if (isVoid()) return discard(stream);
          const about = { reconnect: chat.transport.resumeStreamIsReplay === false ? 'offset' : 'start' } as const;
          await this.#driver.exchangeWith(
            { about, continues, open: async () => stream },
            (exchange) => (attempt.exchange = exchange),
          );
        });
      }
      gate.streamEnded({ status: 'disconnected' });
      if (!this.#driver.isBusy) projection.close();
    } catch (error) {
      if (attempt.exchange) throw error;
      // Another attempt may be under way, or the request that made this one void: its reply has not ended.
      const isLast = !this.#attempt || this.#attempt === attempt;
      if (isLast && !attempt.isReplaced) gate.streamEnded({ status: 'disconnected' });
      if (isVoid() || error instanceof AbortedError) return;
      const isAbort = (error as { name?: unknown } | null)?.name === 'AbortError';
      if (!isAbort && error instanceof Error) chat.onError?.(error);
      projection.close(isAbort ? undefined : { error });
    }
    projection.publish();
  }
}
