/**
 * Outgoing items as the app sees them: ids, idempotency keys and bodies over the core's numbers.
 *
 * A body is built when the item is listed, and frozen when it is claimed: a retry sends an equal one. Which items there
 * are, and when they may leave, the core decides.
 */
import type { Core } from '../../target/bindgen/toolgate.js';
import type { Decision } from './codecs/codec.js';
import type { Translator } from './codecs/translator.js';
import { digest } from './digest.js';
import { ToolGateError } from './errors.js';
import type { AiSdkBody, Outgoing, OutgoingHead, Undelivered } from './types.js';
import type { CoreEvent } from './gate-events.js';
import type { Host } from './host.js';
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

const PREFIX = 'out-';

/** The items of one gate. */
export class Outbox {
  #core: Core;
  #host: Host;
  readonly #projection: Projection;
  readonly #translator: () => Translator | undefined;
  readonly #known = new Map<number, { readonly key: string; readonly approvalIds: readonly string[] }>();
  #listed: { revision: number; items: readonly Outgoing[] } | undefined;

  constructor(core: Core, host: Host, projection: Projection, translator: () => Translator | undefined) {
    this.#core = core;
    this.#host = host;
    this.#projection = projection;
    this.#translator = translator;
  }

  /** Reads another core from now on. */
  turnTo(core: Core, host: Host): void {
    this.#core = core;
    this.#host = host;
    this.#listed = undefined;
    this.#known.clear();
  }

  /** The number in an item's id; undefined for a text that is no such id. */
  static parse(id: string): number | undefined {
    const digits = /^out-([1-9]\d{0,8})$/.exec(id)?.[1];
    return digits === undefined ? undefined : Number(digits);
  }

  /** The number in an item's id. Throws `unknown-outgoing` for a text that is none. */
  number(id: string): number {
    const number = Outbox.parse(id);
    if (number !== undefined) return number;
    throw new ToolGateError('unknown-outgoing', `no outgoing item has the id "${id}": use an id that outgoing() or undelivered() lists`);
  }

  /** What may leave now. */
  outgoing(chat: string): readonly Outgoing[] {
    const revision = this.#core.revision();
    if (this.#listed?.revision !== revision) {
      const items = (this.#host.take(this.#core.outgoing()) as CoreItem[]).map((item) => this.#outgoing(item, chat));
      this.#listed = { revision, items };
    }
    return this.#listed.items;
  }

  /** Takes an item off the list and keeps its body for retries. */
  claim(id: string, chat: string): boolean {
    const number = Outbox.parse(id);
    const item = this.outgoing(chat).find((entry) => entry.id === id);
    if (number === undefined || !item || !this.#core.claim(number)) return false;
    this.#core.freeze(number, this.#host.give(item.body));
    return true;
  }

  /** Keeps the bodies of items that were taken without a claim: by a stream that began all the same. */
  freezeTaken(listed: readonly Outgoing[]): void {
    for (const { id, body } of listed) {
      const number = Outbox.parse(id) as number;
      if (this.#core.is_taken(number)) this.#core.freeze(number, this.#host.give(body));
    }
  }

  /** What needs the user. */
  undelivered(chat: string): readonly Undelivered[] {
    return (this.#host.take(this.#core.undelivered()) as CoreItem[]).map((item) => ({
      id: PREFIX + item.item,
      key: this.#key(item, chat),
      kind: item.kind ?? 'submission',
      approvalIds: item.approvals,
      attempt: item.attempt,
      delivery: item.state as Undelivered['delivery'],
      ...(item.error !== undefined && { error: item.error }),
    }));
  }

  /** Notes what a restored or loaded state may send or has not delivered: the log tells of it when it is no longer listed. */
  note(chat: () => string): void {
    for (const list of [this.#core.outgoing(), this.#core.undelivered()]) {
      for (const item of this.#host.take(list) as CoreItem[]) this.#key(item, chat());
    }
  }

  /** Notes the item of an event that says what it is. */
  know(event: CoreEvent, chat: string): void {
    this.#key({ ...event, state: 'ready' } as unknown as CoreItem, chat);
  }

  /** The key and the approvals of an item, for the log. */
  listed(id: string): { readonly key: string; readonly approvalIds: readonly string[] } {
    return this.#known.get(Outbox.parse(id) ?? 0) ?? { key: '', approvalIds: [] };
  }

  #outgoing(item: CoreItem, chat: string): Outgoing {
    const head: OutgoingHead = {
      id: PREFIX + item.item,
      key: this.#key(item, chat),
      kind: item.kind ?? 'submission',
      approvalIds: item.approvals,
      attempt: item.attempt,
    };
    return { ...head, body: item.value ?? this.#body(item, head, chat) };
  }

  /** What the protocol's own client would send. Source for the AI SDK: `HttpChatTransport.sendMessages` of `ai`. */
  #body({ item, trigger, messageId }: CoreItem, head: OutgoingHead, chat: string): unknown {
    const body: AiSdkBody = { id: chat, messages: this.#projection.bodies(), trigger, ...(messageId !== undefined && { messageId }) };
    const translator = this.#translator();
    if (!translator?.codec) return body;
    return translator.body(this.#projection.modelMessages(), body, this.#host.take(this.#core.decisions(item)) as Decision[], head);
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
