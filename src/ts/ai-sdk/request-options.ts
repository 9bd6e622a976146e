/**
 * Headers, body and metadata that an app attached to an act, kept until the request that carries the act is sent.
 *
 * A decision can wait for the rest of its step, and a message for a reply: what came with them is sent with the
 * outgoing item that carries them. A retry keeps the body and metadata of the first attempt, because it must send the
 * same; only headers are taken anew, since credentials may have run out. Nothing here sends.
 */
import type { ToolGate } from '../gate/tool-gate.js';
import type { AiSdkBody, Outgoing } from '../types/index.js';
import type { RequestOptions } from './chat-internals.js';

/** The header that carries an item's key, unless the app names another. */
export const KEY_HEADER = 'Idempotency-Key';

/** What a request is sent with, beside the conversation. */
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

  /** How much is kept. */
  get size(): number {
    return this.#messages.size + this.#approvals.size + this.#items.size;
  }

  /** Keeps what came with a user message. */
  forMessage(id: string, options: RequestOptions | undefined): void {
    keep(this.#messages, id, options);
  }

  /** Keeps what came with a decision. */
  forApproval(id: string, options: RequestOptions | undefined): void {
    keep(this.#approvals, id, options);
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

  /** What the item is sent with. `previous`: what the request before had, if this one follows it automatically. */
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

  /** Forgets what belongs to nothing that is there: removed messages, superseded approvals, withdrawn items. */
  prune(gate: Pick<ToolGate, 'getSnapshot' | 'outgoing' | 'undelivered'>, current: string): void {
    const items = [...gate.outgoing(), ...gate.undelivered()];
    if (this.#items.size > 1) retain(this.#items, [current, ...items.map(({ id }) => id)]);
    if (this.#messages.size + this.#approvals.size === 0) return;
    const { messages, queued } = gate.getSnapshot();
    const parts = messages.findLast(({ role }) => role === 'assistant')?.parts ?? [];
    const asked = parts.map((part) => ('approval' in part ? part.approval?.id : undefined));
    retain(this.#approvals, [...asked, ...items.flatMap(({ approvalIds }) => approvalIds)]);
    const answered = messages.findLastIndex(({ role }) => role !== 'user');
    retain(
      this.#messages,
      [...messages.slice(answered + 1), ...queued].map(({ id }) => id),
    );
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

/** An act without options has none, whatever an earlier one with its id had. */
function keep(to: Map<string, RequestOptions>, id: string, options: RequestOptions | undefined): void {
  if (options === undefined) to.delete(id);
  else to.set(id, options);
}

function retain(map: Map<string, unknown>, ids: readonly (string | undefined)[]): void {
  const kept = new Set(ids);
  for (const id of map.keys()) if (!kept.has(id)) map.delete(id);
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

/**
 * The headers with the item's key in the header `name`, unless the app set that header itself; without a name as they
 * are.
 */
export function withKey(
  headers: RequestOptions['headers'],
  name: string | undefined,
  key: string,
): Record<string, string> {
  const own = headers instanceof Headers ? Object.fromEntries(headers.entries()) : { ...headers };
  const isSet = Object.keys(own).some((header) => header.toLowerCase() === name?.toLowerCase());
  return name === undefined || isSet ? own : { ...own, [name]: key };
}
