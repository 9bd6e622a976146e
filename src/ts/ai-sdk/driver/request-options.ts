/**
 * Stores the headers, body and metadata that an app passed to a method, until the request that they belong to is sent.
 *
 * A decision can wait for other decisions of its step, and a message for a reply: their options belong to the outgoing
 * item that contains them, and to no other. A retry sends the body and metadata of the first attempt, because it must
 * repeat the same request; only its headers are new, because credentials may have expired.
 */
import type { ToolGate } from '../../gate/tool-gate.js';
import { callsOfStep, isToolPart } from '../../types/tool-part.js';
import type { AiSdkBody, Outgoing } from '../../types/index.js';
import { retain } from './attempts.js';
import type { RequestOptions } from '../chat-host.js';

/** The options of a request besides the conversation. */
export interface Envelope {
  readonly options: RequestOptions | undefined;
  /** Overrides the `trigger` of the item's body. */
  readonly trigger?: AiSdkBody['trigger'];
  readonly messageId?: string | undefined;
}

/** The stored options of one chat. */
export class RequestMemory {
  /** The options of acts whose request was not sent yet, in the order of the acts. See {@link subject}. */
  readonly #acts = new Map<string, RequestOptions>();
  readonly #items = new Map<string, Envelope>();

  /** Stores the options of an act. Undefined removes the options of an earlier act on the same subject. */
  forAct(kind: ActKind, id: string, options: RequestOptions | undefined): void {
    const key = subject(kind, id);
    this.#acts.delete(key);
    if (options !== undefined) this.#acts.set(key, options);
  }

  /** Stores the options of the command that created or retries this item. */
  forItem(id: string, envelope: Envelope): void {
    const before = this.#items.get(id);
    const headers = envelope.options?.headers;
    if (before === undefined) this.#items.set(id, envelope);
    else if (headers !== undefined) this.#items.set(id, { ...before, options: { ...before.options, headers } });
  }

  /**
   * Returns the options to send with the item: its body, headers and metadata are each those of the last act that has
   * them. `previous`: the options of the previous request, if this one follows it automatically.
   */
  take(item: Outgoing<AiSdkBody>, previous: RequestOptions | undefined): Envelope {
    const { messages } = item.body;
    const answered = messages.findLastIndex(({ role }) => role !== 'user');
    const calls = messages[answered]?.parts.filter(isToolPart) ?? [];
    const settled = calls.filter(({ state }) => state.startsWith('output-'));
    const subjects = new Set(subjectsOf(item.approvalIds, settled, messages.slice(answered + 1)));
    let options: RequestOptions | undefined;
    for (const [key, ofAct] of this.#acts) {
      if (!subjects.has(key)) continue;
      options = { ...options, ...ofAct };
      this.#acts.delete(key);
    }
    const stored = this.#items.get(item.id);
    const envelope: Envelope = {
      ...stored,
      options: options || stored?.options ? { ...options, ...stored?.options } : previous,
    };
    this.#items.set(item.id, envelope);
    return envelope;
  }

  /** Removes the options of an item that will not be sent again. */
  forget(id: string): void {
    this.#items.delete(id);
  }

  /** Removes the options of removed messages, earlier steps, superseded approvals and withdrawn items. */
  prune(gate: Pick<ToolGate, 'getSnapshot' | 'outgoing' | 'undelivered'>, current: string): void {
    const items = [...gate.outgoing(), ...gate.undelivered()];
    if (this.#items.size > 1) retain(this.#items, [current, ...items.map(({ id }) => id)]);
    if (this.#acts.size === 0) return;
    const view = gate.getSnapshot();
    const calls = callsOfStep(view);
    const answered = view.messages.findLastIndex(({ role }) => role !== 'user');
    const approvals = [
      ...calls.map(({ approval }) => approval?.id),
      ...items.flatMap(({ approvalIds }) => approvalIds),
    ];
    const unsent = [...view.messages.slice(answered + 1), ...view.queued];
    retain(this.#acts, subjectsOf(approvals, calls, unsent));
  }
}

/** What an act is about: a message, an approval, or a call whose output it gives. */
type ActKind = 'message' | 'approval' | 'output';

function subject(kind: ActKind, id: string | undefined): string {
  return `${kind} ${id}`;
}

/** The subjects of acts on these approvals, calls and messages. */
function subjectsOf(
  approvalIds: readonly (string | undefined)[],
  calls: readonly { readonly toolCallId: string }[],
  messages: readonly { readonly id: string }[],
): readonly string[] {
  return [
    ...approvalIds.map((id) => subject('approval', id)),
    ...calls.map(({ toolCallId }) => subject('output', toolCallId)),
    ...messages.map(({ id }) => subject('message', id)),
  ];
}

/** Returns the envelope as plain data, which can be posted to another tab. */
export function plain(envelope: Envelope): Envelope {
  const headers = envelope.options?.headers;
  if (!(headers instanceof Headers)) return envelope;
  return { ...envelope, options: { ...envelope.options, headers: entriesOf(headers) } };
}

/** A copy of the headers as an object. */
function entriesOf(headers: RequestOptions['headers']): Record<string, string> {
  return headers instanceof Headers ? Object.fromEntries(headers.entries()) : { ...headers };
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
  const own = entriesOf(headers);
  const isSet = Object.keys(own).some((header) => header.toLowerCase() === name?.toLowerCase());
  return name === undefined || isSet ? own : { ...own, [name]: key };
}
