/**
 * Stores the headers, body and metadata that an app passed to a method, until the request that they belong to is sent.
 *
 * A decision can wait for other decisions of its step, and a message for a reply: their options are sent with the
 * outgoing item that contains them. A retry sends the body and metadata of the first attempt, because it must repeat
 * the same request; only its headers are new, because credentials may have expired.
 */
import type { ToolGate } from '../gate/tool-gate.js';
import { callsOfStep } from '../types/tool-part.js';
import type { AiSdkBody, Outgoing } from '../types/index.js';
import type { RequestOptions } from './chat-host.js';

/** The options of a request besides the conversation. */
export interface Envelope {
  readonly options: RequestOptions | undefined;
  /** Overrides the `trigger` of the item's body. */
  readonly trigger?: AiSdkBody['trigger'];
  readonly messageId?: string | undefined;
}

/** The stored options of one chat. */
export class RequestMemory {
  readonly #messages = new Map<string, RequestOptions>();
  readonly #approvals = new Map<string, RequestOptions>();
  readonly #items = new Map<string, Envelope>();
  #outputs: RequestOptions | undefined;

  /** The number of stored options. */
  get size(): number {
    return this.#messages.size + this.#approvals.size + this.#items.size;
  }

  /** Stores the options of a user message. */
  forMessage(id: string, options: RequestOptions | undefined): void {
    store(this.#messages, id, options);
  }

  /** Stores the options of a decision. */
  forApproval(id: string, options: RequestOptions | undefined): void {
    store(this.#approvals, id, options);
  }

  /** Stores the options of a browser tool's output. */
  forOutput(options: RequestOptions | undefined): void {
    if (options !== undefined) this.#outputs = options;
  }

  /** Stores the options of the command that created or retries this item. */
  forItem(id: string, envelope: Envelope): void {
    const before = this.#items.get(id);
    const headers = envelope.options?.headers;
    if (before === undefined) this.#items.set(id, envelope);
    else if (headers !== undefined) this.#items.set(id, { ...before, options: { ...before.options, headers } });
  }

  /**
   * Returns the options to send with the item. `previous`: the options of the previous request, if this one follows it
   * automatically.
   */
  take(item: Outgoing<AiSdkBody>, previous: RequestOptions | undefined): Envelope {
    const stored = this.#items.get(item.id);
    const options = merge(this.#collect(item), stored?.options) ?? previous;
    const envelope: Envelope = { ...stored, options };
    this.#items.set(item.id, envelope);
    return envelope;
  }

  /** Removes the options of an item that will not be sent again. */
  forget(id: string): void {
    this.#items.delete(id);
  }

  /** Removes the options of removed messages, superseded approvals and withdrawn items. */
  prune(gate: Pick<ToolGate, 'getSnapshot' | 'outgoing' | 'undelivered'>, current: string): void {
    const items = [...gate.outgoing(), ...gate.undelivered()];
    if (this.#items.size > 1) retain(this.#items, [current, ...items.map(({ id }) => id)]);
    if (this.#messages.size + this.#approvals.size === 0) return;
    const view = gate.getSnapshot();
    const { messages, queued } = view;
    const asked = callsOfStep(view).map(({ approval }) => approval?.id);
    retain(this.#approvals, [...asked, ...items.flatMap(({ approvalIds }) => approvalIds)]);
    const answered = messages.findLastIndex(({ role }) => role !== 'user');
    retain(
      this.#messages,
      [...messages.slice(answered + 1), ...queued].map(({ id }) => id),
    );
  }

  #collect(item: Outgoing<AiSdkBody>): RequestOptions | undefined {
    let options: RequestOptions | undefined;
    for (const id of item.approvalIds) options = merge(options, takeOptions(this.#approvals, id));
    const { messages } = item.body;
    if (messages.at(-1)?.role !== 'user') {
      options = merge(options, this.#outputs);
      this.#outputs = undefined;
    }
    for (let last = messages.length - 1; messages[last]?.role === 'user'; last--) {
      options = merge(takeOptions(this.#messages, messages[last]!.id), options);
    }
    return options;
  }
}

/** Stores options by id. Undefined removes the options of an earlier command with the same id. */
function store(to: Map<string, RequestOptions>, id: string, options: RequestOptions | undefined): void {
  if (options === undefined) to.delete(id);
  else to.set(id, options);
}

function retain(map: Map<string, unknown>, ids: readonly (string | undefined)[]): void {
  const stored = new Set(ids);
  for (const id of map.keys()) if (!stored.has(id)) map.delete(id);
}

/** Returns the envelope as plain data, which can be posted to another tab. */
export function plain(envelope: Envelope): Envelope {
  const headers = envelope.options?.headers;
  if (!(headers instanceof Headers)) return envelope;
  return { ...envelope, options: { ...envelope.options, headers: Object.fromEntries(headers.entries()) } };
}

function takeOptions(from: Map<string, RequestOptions>, id: string): RequestOptions | undefined {
  const options = from.get(id);
  from.delete(id);
  return options;
}

function merge(older: RequestOptions | undefined, newer: RequestOptions | undefined): RequestOptions | undefined {
  return older && newer ? { ...older, ...newer } : (newer ?? older);
}

/**
 * Adds the idempotency key in the header `name`, unless the app set that header. Without a name, returns the headers
 * unchanged.
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
