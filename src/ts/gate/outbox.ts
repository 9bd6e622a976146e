/**
 * Outgoing items as the app sees them: ids, idempotency keys and bodies over the core's numbers.
 *
 * A body is built when the item is listed, and frozen when it is claimed: a retry sends an equal one. Which items there
 * are, and when they may leave, the core decides.
 */
import type { Core } from '../../../target/bindgen/toolgate.js';
import type { ItemDecision } from '../protocols/shared/codec.js';
import type { Translator } from '../protocols/shared/translator.js';
import { omitUndefined } from '../json/omit-undefined.js';
import { digest } from '../json/digest.js';
import type { Environment } from './environment.js';
import type { CoreEvent } from './gate-events.js';
import type { Host } from '../wasm/handle-table.js';
import { NO_ITEM, numberIn, OUTGOING } from './numbered-ids.js';
import { unwritable } from './refusals.js';
import type { AiSdkBody, GateEvent, Outgoing, OutgoingHead, Undelivered } from '../types/index.js';
import type { Projection } from './projection.js';

/** An item, as `events::item` in Rust writes it. */
interface CoreItem {
  readonly item: number;
  /** What the key is the digest of, beside the chat; absent once the key is frozen. */
  readonly key?: readonly (string | number)[];
  /** The frozen key. */
  readonly digest?: string;
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

/** What bodies are made from, and who is notified. */
interface OutboxGate {
  readonly env: Environment;
  readonly projection: Projection;
  readonly translator: Translator | undefined;
  /** Takes an event that is not the core's: it is emitted after those. */
  later(event: GateEvent): void;
}

/** What is known of an item, whether it is listed or not. */
interface KnownItem {
  readonly key: string;
  readonly approvalIds: readonly string[];
}

/** From so many items on, those that the core has forgotten are dropped. */
const MANY = 256;

/** So many of the newest items stay in any case: events that are about to be reported may be about them. */
const NEWEST = 64;

/** How often the list is made anew because of items that cannot be written. */
const ROUNDS = 100;

/** The items of one gate. */
export class Outbox {
  #core: Core;
  #host: Host;
  readonly #gate: OutboxGate;
  readonly #known = new Map<number, KnownItem>();
  /** The items among them that were acknowledged or withdrawn. */
  readonly #over = new Set<number>();
  #lookAt = MANY;
  #listed: { revision: number; items: readonly Outgoing[] } | undefined;
  #claimed: Outgoing | undefined;

  constructor(core: Core, host: Host, gate: OutboxGate) {
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
    this.#over.clear();
  }

  /** The number in an item's id; one that no item has, for a text that is no such id. */
  number(id: string): number {
    return numberIn(OUTGOING, id) ?? NO_ITEM;
  }

  /** What may be sent now. An item that cannot be written fails by this, and is not listed. */
  outgoing(): readonly Outgoing[] {
    const listed = this.#listedNow();
    if (listed) return listed;
    const items = this.#made(0);
    this.#listed = { revision: this.#core.revision(), items };
    return items;
  }

  /** Takes an item off the list and keeps its body for retries. */
  claim(id: string): boolean {
    const number = this.number(id);
    const item = this.#listedNow()?.find((entry) => entry.id === id) ?? this.#made(number)[0];
    if (item?.id !== id || !this.#core.claim(number)) return false;
    this.#core.freeze(number, this.#host.give(item.body), this.#host.give(item.key));
    this.#claimed = item;
    return true;
  }

  /** The item that was claimed last, as it left. */
  get claimed(): Outgoing | undefined {
    return this.#claimed;
  }

  /** The number of an item that the backend has, or was to get: claims it if nobody did. */
  take(id: string): number {
    this.claim(id);
    return this.number(id);
  }

  /** Keeps the bodies of items that were taken without a claim: by a stream that began all the same. */
  freezeTaken(listed: readonly Outgoing[]): void {
    for (const { id, key, body } of listed) {
      const number = this.number(id);
      if (this.#core.is_taken(number)) this.#core.freeze(number, this.#host.give(body), this.#host.give(key));
    }
  }

  /** What needs the user. */
  undelivered(): readonly Undelivered[] {
    const chat = this.#gate.env.chatId;
    const items = this.#host.take(this.#core.undelivered()) as CoreItem[];
    return items.map((item) =>
      omitUndefined({ ...this.#head(item, chat), delivery: item.state as Undelivered['delivery'], error: item.error }),
    );
  }

  /** Notes what a restored or loaded state may send or has not delivered: the log tells of it when it is no longer listed. */
  note(): void {
    const items = [...this.#ready(0), ...(this.#host.take(this.#core.undelivered()) as CoreItem[])];
    for (const item of items) this.#key(item, this.#gate.env.chatId);
  }

  /** Notes the item of an event that says what it is, and whether it is over. */
  know(event: CoreEvent): void {
    if (event['key']) this.#key({ ...event, state: 'ready' } as unknown as CoreItem, this.#gate.env.chatId);
    if (event.type !== 'delivery') return;
    const item = event['item'] as number;
    if (event['to'] === 'acknowledged' || event['to'] === 'withdrawn') this.#over.add(item);
    else this.#over.delete(item);
  }

  /** The key and the approvals of an item, for the log. */
  listed(id: string): { readonly key: string; readonly approvalIds: readonly string[] } {
    return this.#known.get(this.number(id)) ?? { key: '', approvalIds: [] };
  }

  /** The list, if it was made and nothing has changed since. */
  #listedNow(): readonly Outgoing[] | undefined {
    return this.#listed?.revision === this.#core.revision() ? this.#listed.items : undefined;
  }

  /** The item that may be sent now, or with 0 all of them. A long list need not be made for one of its items. */
  #made(number: number): readonly Outgoing[] {
    const chat = this.#gate.env.chatId;
    let made: readonly (Outgoing | undefined)[] = [];
    // One that failed may have held others back, or these go with it.
    for (let round = 0; round < ROUNDS; round++) {
      made = this.#ready(number).map((item) => this.#outgoing(item, chat));
      if (!made.includes(undefined)) break;
    }
    return made.filter((item) => item !== undefined);
  }

  /** The item that may leave now; with 0, which is no item's, all of them. */
  #ready(number: number): readonly CoreItem[] {
    return this.#host.take(this.#core.outgoing(number)) as CoreItem[];
  }

  #head(item: CoreItem, chat: string): OutgoingHead {
    const { attempt, kind = 'submission', approvals: approvalIds } = item;
    return { id: OUTGOING + item.item, key: this.#key(item, chat), kind, approvalIds, attempt };
  }

  /** The item with its body. One that has none fails: what a backend sent has no form in the protocol's requests. */
  #outgoing(item: CoreItem, chat: string): Outgoing | undefined {
    const head = this.#head(item, chat);
    try {
      return { ...head, body: item.value ?? this.#body(item, head, chat) };
    } catch (cause) {
      const [approvalId] = head.approvalIds.length === 1 ? head.approvalIds : [];
      const error = unwritable(`request ${head.id} cannot be written`, cause, approvalId);
      this.#core.mark_failed(item.item, this.#host.give(error.message));
      this.#gate.later({ type: 'anomaly', error });
      return undefined;
    }
  }

  /** What the protocol's own client would send. Source for the AI SDK: `HttpChatTransport.sendMessages` of `ai`. */
  #body({ item, trigger, messageId }: CoreItem, head: OutgoingHead, chat: string): unknown {
    const { translator, projection } = this.#gate;
    const decisions = (): ItemDecision[] => this.#host.take(this.#core.decisions(item)) as ItemDecision[];
    // An answer stands for itself: to write the whole conversation for each would be quadratic.
    if (head.kind === 'answer' && translator?.codec.answer) return translator.answer(decisions());
    const body: AiSdkBody = omitUndefined({ id: chat, messages: projection.bodies(), trigger, messageId });
    if (!translator) return body;
    return translator.body(projection.modelMessages(), body, decisions(), head);
  }

  /** Once an item was claimed its key stays: what it is the digest of may be settled meanwhile. */
  #key(item: CoreItem, chat: string): string {
    const known = this.#known.get(item.item)?.key;
    const isTaken = item.state !== 'ready' || item.attempt > 1;
    if (known !== undefined && isTaken) return known;
    const key = item.digest ?? `tg_${digest([chat, ...(item.key ?? [])]).slice(0, 40)}`;
    this.#known.set(item.item, { key, approvalIds: item.approvals });
    if (this.#known.size > this.#lookAt) this.#forget(item.item - NEWEST);
    return key;
  }

  /** Drops what is known of items before `from` that are over, and that the core has forgotten. */
  #forget(from: number): void {
    for (const number of this.#over) {
      if (number < from && !this.#core.is_taken(number)) (this.#known.delete(number), this.#over.delete(number));
    }
    this.#lookAt = Math.max(MANY, 2 * this.#known.size);
  }
}
