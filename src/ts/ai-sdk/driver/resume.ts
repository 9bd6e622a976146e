/**
 * Resumes a reply whose stream was lost: reconnects through the transport and passes the reply to the gate, which
 * distinguishes a replay from a continuation.
 *
 * The chat's status does not change before the transport has found a reply. The last of several attempts counts
 * (React's StrictMode makes two). A new request ends the attempt.
 */
import { internalsOf } from '../../gate/internals.js';
import { abortable } from './abortable.js';
import type { Driver } from './driver.js';
import { discard, isAbort, type Exchange, type Ports } from './exchange.js';
import type { RequestOptions } from '../chat-host.js';

/** An attempt to reconnect. */
interface Attempt {
  readonly controller: AbortController;
  done?: Promise<void>;
  exchange?: Exchange;
  /** A request was sent before the attempt found a reply. */
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

  /** Resolves when the reply has been read, or if there is none. Rejects only with errors of the app's callbacks. */
  async resume(options: RequestOptions): Promise<void> {
    const persister = internalsOf(this.#ports.gate)?.persister;
    if (persister) await persister.joined;
    // The leader tab reads the reply.
    if (persister?.isLeader === false) return;
    const before = this.#attempt;
    // The exchange of the request in flight reads the reply already.
    if (this.#driver.isBusy && before?.exchange === undefined) return;
    const attempt: Attempt = { controller: new AbortController() };
    this.#attempt = attempt;
    if (before) this.#abort(before, true);
    const done = this.#reconnect(attempt, options).finally(() => {
      if (this.#attempt === attempt) this.#attempt = undefined;
    });
    attempt.done = done.catch(() => {});
    await done;
  }

  /** Waits for the current exchange, then resumes the reply if a network error ended it. */
  async resumeIfDisconnected(shouldResume: () => boolean): Promise<void> {
    if (!this.#driver.wasDisconnected) await this.#driver.exchange?.done;
    if (this.#driver.wasDisconnected && shouldResume()) await this.resume({});
  }

  /** Aborts the attempt. Resolves when it has ended. */
  async abort(): Promise<void> {
    const attempt = this.#attempt;
    if (!attempt) return;
    this.#abort(attempt, false);
    await attempt.done;
  }

  /** Called when a request is sent: aborts an attempt that has not found a reply yet. */
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
    // Hold decisions until the replayed reply has been read.
    gate.reconnecting();
    try {
      const reply = chat.transport.reconnectToStream({ chatId: chat.id, abortSignal: signal, metadata, headers, body });
      const stream = await abortable(reply, signal, discard);
      if (isVoid()) return discard(stream);
      if (stream !== null) {
        const last = gate.getSnapshot().messages.at(-1);
        // A continued reply may omit the id of its message.
        const continues = this.#driver.wasDisconnected && last?.role === 'assistant' ? last.id : undefined;
        return await this.#driver.exclusively(async () => {
          // A request that was sent meanwhile has superseded this reply.
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
      // Do not end the stream of another attempt, or of the request that replaced this one.
      const isLast = !this.#attempt || this.#attempt === attempt;
      if (isLast && !attempt.isReplaced) gate.streamEnded({ status: 'disconnected' });
      if (isVoid()) return;
      const isAborted = isAbort(error);
      if (!isAborted && error instanceof Error) chat.onError?.(error);
      projection.close(isAborted ? undefined : { error });
    }
    projection.publish();
  }
}
