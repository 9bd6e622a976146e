/**
 * Outgoing items as the app sees them: ids, idempotency keys and bodies over the core's numbers.
 *
 * A body is built when the item is listed, and frozen when it is claimed: a retry sends an equal one. Which items there
 * are, and when they may leave, the core decides.
 */
import type { Core } from '../../target/bindgen/toolgate.js';
import type { Decision } from './codecs/codec.js';
import type { Translator } from './codecs/translator.js';
import { defined } from './defined.js';
import { digest } from './digest.js';
import type { Environment } from './environment.js';
import { ToolGateError } from './errors.js';
import type { Host } from './host.js';
import { numberIn, OUTGOING } from './numbered-ids.js';
import type { AiSdkBody, Outgoing, OutgoingHead, Undelivered } from './types.js';
import type { Projection } from './view.js';

/** An item, as `events::item` in Rust writes it. */
interface CoreItem {
  readonly item: number;
  /** What the key is the digest of, beside the chat. */
  readonly key: readonly string[];
  readonly approvals: readonly string[];
  readonly attempt: number;
  readonly state: string;
  /** Absent for a submission. */
  readonly kind?: Outgoing['kind'];
  readonly trigger: AiSdkBody['trigger'];
  readonly messageId?: string;
  readonly error?: string;
  /** The frozen body. */
  readonly value?: unknown;
}

/** What bodies are made from. */
interface Gate {
  readonly env: Environment;
  readonly projection: Projection;
  readonly translator: Translator | undefined;
}

/** The items of one gate. */
export class Outbox {
  #core: Core;
  #host: Host;
  readonly #gate: Gate;
  readonly #known = new Map<number, { readonly key: string; readonly approvalIds: readonly string[] }>();
  #listed: { revision: number; items: readonly Outgoing[] } | undefined;

  constructor(core: Core, host: Host, gate: Gate) {
    this.#core = core;
    this.#host = host;
    this.#gate = gate;
  }

  /** Reads another core from now on. */
  turnTo(core: Core, host: Host): void {
    this.#core = core;
    this.#host = host;
    this.#listed = undefined;
    this.#known.clear();
  }

  /** The number in an item's id. Throws `unknown-outgoing` for a text that is none. */
  number(id: string): number {
    const number = numberIn(OUTGOING, id);
    if (number !== undefined) return number;
    throw new ToolGateError('unknown-outgoing', `no outgoing item has the id "${id}": use an id that outgoing() or undelivered() lists`);
  }

  /** What may leave now. */
  outgoing(): readonly Outgoing[] {
    const chat = this.#gate.env.chatId;
    const revision = this.#core.revision();
    if (this.#listed?.revision !== revision) {
      const items = (this.#host.take(this.#core.outgoing()) as CoreItem[]).map((item) => this.#outgoing(item, chat));
      this.#listed = { revision, items };
    }
    return this.#listed.items;
  }

  /** Takes an item off the list and keeps its body for retries. */
  claim(id: string): boolean {
    const number = numberIn(OUTGOING, id);
    const item = this.outgoing().find((entry) => entry.id === id);
    if (number === undefined || !item || !this.#core.claim(number)) return false;
    this.#core.freeze(number, this.#host.give(item.body));
    return true;
  }

  /** The number of an item that the backend has, or was to get: claims it if nobody did. Throws `unknown-outgoing`. */
  take(id: string): number {
    this.claim(id);
    return this.number(id);
  }

  /** Keeps the bodies of items that were taken without a claim: by a stream that began all the same. */
  freezeTaken(listed: readonly Outgoing[]): void {
    for (const { id, body } of listed) {
      const number = numberIn(OUTGOING, id) as number;
      if (this.#core.is_taken(number)) this.#core.freeze(number, this.#host.give(body));
    }
  }

  /** What needs the user. */
  undelivered(): readonly Undelivered[] {
    const chat = this.#gate.env.chatId;
    return (this.#host.take(this.#core.undelivered()) as CoreItem[]).map((item) => defined({
      id: OUTGOING + item.item,
      key: this.#key(item, chat),
      kind: item.kind ?? 'submission',
      approvalIds: item.approvals,
      attempt: item.attempt,
      delivery: item.state as Undelivered['delivery'],
      error: item.error,
    }));
  }

  /** The key and the approvals of an item, for the log. */
  listed(id: string): { readonly key: string; readonly approvalIds: readonly string[] } {
    const number = numberIn(OUTGOING, id) ?? 0;
    if (!this.#known.has(number)) this.outgoing();
    return this.#known.get(number) ?? { key: '', approvalIds: [] };
  }

  #outgoing(item: CoreItem, chat: string): Outgoing {
    const head: OutgoingHead = {
      id: OUTGOING + item.item,
      key: this.#key(item, chat),
      kind: item.kind ?? 'submission',
      approvalIds: item.approvals,
      attempt: item.attempt,
    };
    return { ...head, body: item.value ?? this.#body(item, head, chat) };
  }

  /** What the protocol's own client would send. Source for the AI SDK: `HttpChatTransport.sendMessages` of `ai`. */
  #body({ item, trigger, messageId }: CoreItem, head: OutgoingHead, chat: string): unknown {
    const body: AiSdkBody = defined({ id: chat, messages: this.#gate.projection.bodies(), trigger, messageId });
    const { translator } = this.#gate;
    if (!translator?.codec) return body;
    return translator.body(this.#gate.projection.modelMessages(), body, this.#host.take(this.#core.decisions(item)) as Decision[], head);
  }

  /** Once given, an item's key stays: what it is the digest of may be settled meanwhile. */
  #key(item: CoreItem, chat: string): string {
    const known = this.#known.get(item.item)?.key;
    if (known !== undefined && (item.state !== 'ready' || item.attempt > 1)) return known;
    const key = `tg_${digest([chat, ...item.key]).slice(0, 40)}`;
    this.#known.set(item.item, { key, approvalIds: item.approvals });
    return key;
  }
}
