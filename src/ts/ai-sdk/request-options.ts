/**
 * Headers, body and metadata that an app attached to an act, kept until the request that carries the act leaves.
 *
 * A decision can wait for the rest of its step, and a message for a reply: what came with them travels with the
 * outgoing item that carries them. A retry keeps the body and metadata of the first attempt, because it must send the
 * same; only headers are taken anew, since credentials may have run out. Nothing here sends.
 */
import type { AiSdkBody, Outgoing } from '../types.js';
import type { RequestOptions } from './internals.js';

/** The header that carries an item's key. */
const KEY_HEADER = 'Idempotency-Key';

/** What a request leaves with, beside the conversation. */
export interface Envelope {
  readonly options: RequestOptions | undefined;
  /** Set where the app asked for something that the item's own body does not say. */
  readonly trigger?: AiSdkBody['trigger'];
  readonly messageId?: string | undefined;
}

/** The memory. */
export class RequestMemory {
  readonly #messages = new Map<string, RequestOptions>();
  readonly #approvals = new Map<string, RequestOptions>();
  readonly #items = new Map<string, Envelope>();
  #outputs: RequestOptions | undefined;

  /** Keeps what came with a user message. */
  forMessage(id: string, options: RequestOptions | undefined): void {
    if (options !== undefined) this.#messages.set(id, options);
  }

  /** Keeps what came with a decision. */
  forApproval(id: string, options: RequestOptions | undefined): void {
    if (options !== undefined) this.#approvals.set(id, options);
  }

  /** Keeps what came with a browser tool's output. */
  forOutput(options: RequestOptions | undefined): void {
    if (options !== undefined) this.#outputs = options;
  }

  /** Keeps what came with the act that made this item, or that retries it. */
  forItem(id: string, envelope: Envelope): void {
    const before = this.#items.get(id);
    const headers = envelope.options?.headers;
    if (before === undefined) this.#items.set(id, envelope);
    else if (headers !== undefined) this.#items.set(id, { ...before, options: { ...before.options, headers } });
  }

  /** What the item leaves with. `previous`: what the request before had, if this one follows it by itself. */
  take(item: Outgoing<AiSdkBody>, previous: RequestOptions | undefined): Envelope {
    const kept = this.#items.get(item.id);
    const options = merge(this.#collect(item), kept?.options) ?? previous;
    const envelope: Envelope = { ...kept, options };
    this.#items.set(item.id, envelope);
    return envelope;
  }

  /** Forgets an item that will not be tried again. */
  forget(id: string): void {
    this.#items.delete(id);
  }

  #collect(item: Outgoing<AiSdkBody>): RequestOptions | undefined {
    let options: RequestOptions | undefined;
    for (const id of item.approvalIds) options = merge(options, taken(this.#approvals, id));
    const { messages } = item.body;
    if (messages.at(-1)?.role !== 'user') {
      options = merge(options, this.#outputs);
      this.#outputs = undefined;
    }
    for (let last = messages.length - 1; messages[last]?.role === 'user'; last--) {
      options = merge(taken(this.#messages, messages[last]!.id), options);
    }
    return options;
  }
}

/** The envelope without what is no plain data: another tab can take it. */
export function plain(envelope: Envelope): Envelope {
  const headers = envelope.options?.headers;
  if (!(headers instanceof Headers)) return envelope;
  return { ...envelope, options: { ...envelope.options, headers: Object.fromEntries(headers.entries()) } };
}

function taken(from: Map<string, RequestOptions>, id: string): RequestOptions | undefined {
  const options = from.get(id);
  from.delete(id);
  return options;
}

function merge(older: RequestOptions | undefined, newer: RequestOptions | undefined): RequestOptions | undefined {
  return older && newer ? { ...older, ...newer } : (newer ?? older);
}

/** The headers with the item's key, unless the app set that header itself. */
export function withKey(headers: RequestOptions['headers'], key: string): Record<string, string> {
  const own = headers instanceof Headers ? Object.fromEntries(headers.entries()) : { ...headers };
  const isSet = Object.keys(own).some(name => name.toLowerCase() === KEY_HEADER.toLowerCase());
  return isSet ? own : { ...own, [KEY_HEADER]: key };
}
