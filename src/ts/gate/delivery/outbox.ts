/**
 * The outgoing items: adds ids, idempotency keys and bodies to the core's items.
 *
 * A body is built when the item is listed and stored when it is claimed, so that a retry sends an equal one. The core
 * decides which items exist and when they may be sent.
 */
import type { Core } from '../../../../target/bindgen/toolgate.js';
import type { ItemDecision } from '../../protocols/shared/codec.js';
import type { Translator } from '../../protocols/shared/translator.js';
import { omitUndefined } from '../../json/omit-undefined.js';
import { digest } from '../../json/digest.js';
import type { Environment } from '../environment.js';
import type { CoreEvent } from '../events/gate-events.js';
import { next, nextId, nextList, nextName, nextOptionalId, nextValue, readRecord } from '../../wasm/records.js';
import { NONE } from '../../types/empty-list.js';
import { sameItems } from '../view/kept-items.js';
import type { HandleTable } from '../../wasm/handle-table.js';
import { itemNumber, OUTGOING } from './numbered-ids.js';
import { unwritable } from '../error-messages.js';
import type { AiSdkBody, GateEvent, Outgoing, OutgoingHead, Undelivered } from '../../types/index.js';
import type { Projection } from '../view/projection.js';
import { say } from '../../types/say.js';

/** An item of the core. */
interface CoreItem {
  readonly item: number;
  readonly kind: Outgoing['kind'];
  /** The stored key. */
  readonly digest: string | undefined;
  /** The input of the key's digest, apart from the chat id. Undefined once the key is stored. */
  readonly key: unknown;
  readonly attempt: number;
  readonly state: string;
  readonly trigger: AiSdkBody['trigger'];
  readonly messageId: string | undefined;
  readonly error: string | undefined;
  /** The stored body. */
  readonly value: unknown;
  /** The indices of the messages that are new to the backend. If they are empty, all after the last reply are. */
  readonly newFrom: number;
  readonly newTo: number;
  readonly approvals: readonly string[];
}

/** The next item of a record, as `events::item` in Rust writes it. */
function nextItem(): CoreItem {
  return {
    item: next(),
    kind: next() === 1 ? 'answer' : 'submission',
    digest: nextValue() as string | undefined,
    key: nextValue(),
    attempt: next(),
    state: nextName(),
    trigger: next() === 1 ? 'regenerate-message' : 'submit-message',
    messageId: nextOptionalId(),
    error: nextValue() as string | undefined,
    value: nextValue(),
    newFrom: next(),
    newTo: next(),
    approvals: nextList(nextId),
  };
}

/** An item, as far as its key needs it. Without a state it is ready. */
type KeyedItem = Pick<CoreItem, 'item' | 'key' | 'attempt' | 'approvals'> & Partial<Pick<CoreItem, 'digest' | 'state'>>;

/** The gate, as far as the outbox uses it. */
interface OutboxGate {
  readonly env: Environment;
  readonly projection: Projection;
  readonly translator: Translator | undefined;
  /** Queues an event from outside the core, which is emitted after the core's events. */
  queueEvent(event: GateEvent): void;
}

/** The recorded data of an item, which need not be listed. */
class KnownItem {
  readonly approvalIds: readonly string[];
  /** The input of the key's digest, apart from the chat id. */
  readonly material: readonly unknown[];
  readonly #chat: string;
  #key: string | undefined;

  constructor(item: KeyedItem, chat: string) {
    this.approvalIds = item.approvals;
    this.material = (item.key as readonly unknown[] | undefined) ?? NONE;
    this.#chat = chat;
    this.#key = item.digest;
  }

  /** The key. Its digest is computed when it is first read. */
  get key(): string {
    return (this.#key ??= `tg_${digest([this.#chat, ...this.material]).slice(0, 40)}`);
  }
}

/** With more recorded items than this, finished ones that the core has forgotten are dropped. */
const MANY = 256;

/** This many of the newest items are always kept, because pending events may concern them. */
const NEWEST = 64;

/** How many times a list is built at most. It is built again if an item cannot be written. */
const MAX_ROUNDS = 100;

/** The outgoing items of one gate. */
export class Outbox {
  #core!: Core;
  #handles!: HandleTable;
  readonly #gate: OutboxGate;
  readonly #known = new Map<number, KnownItem>();
  /** The recorded items that were acknowledged or withdrawn. */
  readonly #finished = new Set<number>();
  /** The bodies of claimed items. */
  readonly #bodies = new WeakSet<object>();
  #cleanUpAbove = MANY;
  #listed: { revision: number; items: readonly Outgoing[] } | undefined;
  /** The last claimed item, as it is sent. */
  claimed: Outgoing | undefined;

  constructor(core: Core, handles: HandleTable, gate: OutboxGate) {
    this.#gate = gate;
    this.switchTo(core, handles);
  }

  /** Switches to another core. */
  switchTo(core: Core, handles: HandleTable): void {
    this.#core = core;
    this.#handles = handles;
    this.#listed = undefined;
    this.#known.clear();
    this.#finished.clear();
  }

  /** Returns the items that may be sent now. Marks an item that cannot be written as failed, and omits it. */
  outgoing(): readonly Outgoing[] {
    return this.#cachedList() ?? (this.#listed = { items: this.#build(0), revision: this.#core.revision }).items;
  }

  /** The ids of the items that may be sent now. Builds nothing. */
  readyIds(): readonly string[] {
    return this.#ready(0).map(({ item }) => OUTGOING + item);
  }

  /** Removes an item from the list and stores its body for retries. Returns whether it was listed. */
  claim(id: string): boolean {
    const number = itemNumber(id);
    const item = this.#cachedList()?.find((entry) => entry.id === id) ?? this.#build(number)[0];
    if (item?.id !== id || !this.#core.claim(number)) return false;
    this.#freeze(number, item);
    this.claimed = item;
    return true;
  }

  /** Returns the number of a sent or failed item. Claims the item if that has not been done. */
  ensureClaimed(id: string): number {
    this.claim(id);
    return itemNumber(id);
  }

  /**
   * Gives the request for another reply this key, if the core's answer is 1: the request is ready. A new page has the
   * same history if the reply was not saved. Returns the answer.
   */
  askedAgain(answer: number, key: string | undefined): number {
    const item = key === undefined || answer !== 1 ? undefined : this.#ready(0).at(-1);
    if (item) {
      this.#core.freeze(item.item, 0, this.#handles.give(key));
      this.recordAll();
    }
    return answer;
  }

  /** Stores the bodies of items that were taken without a claim, because their reply began anyway. */
  storeTaken(listed: readonly Outgoing[]): void {
    for (const item of listed) {
      const number = itemNumber(item.id);
      if (this.#core.is_taken(number)) this.#freeze(number, item);
    }
  }

  /** Whether a value is the body of a claimed item, with the messages of the chat. */
  isBody(value: object): boolean {
    return this.#bodies.has(value);
  }

  #freeze(number: number, { body, key }: Outgoing): void {
    // Another protocol's messages are new objects in each request.
    if (!this.#gate.translator && typeof body === 'object' && body !== null) this.#bodies.add(body);
    this.#core.freeze(number, this.#handles.give(body), this.#handles.give(key));
  }

  /** Returns the items that need the user. */
  undelivered(): readonly Undelivered[] {
    return this.#items(this.#core.undelivered()).map((item) =>
      omitUndefined({ ...this.#head(item), delivery: item.state as Undelivered['delivery'], error: item.error }),
    );
  }

  /** Records all items of a restored or loaded state: the log needs their keys after they are no longer listed. */
  recordAll(): void {
    const items = [...this.#ready(0), ...this.#items(this.#core.undelivered())];
    for (const item of items) this.#recordKey(item);
  }

  /** Records the item of an event, and whether it is finished. */
  record({ event, item }: CoreEvent): void {
    if (event.type !== 'delivery' || !item) return;
    if (item.key !== undefined) this.#recordKey(item);
    if (event.to === 'acknowledged' || event.to === 'withdrawn') this.#finished.add(item.item);
    else this.#finished.delete(item.item);
  }

  /** The key and the approvals of an item, for the log. */
  known(id: string): { readonly key: string; readonly approvalIds: readonly string[] } {
    return this.#known.get(itemNumber(id)) ?? { key: '', approvalIds: [] };
  }

  /** The cached list, if nothing has changed since it was built. */
  #cachedList(): readonly Outgoing[] | undefined {
    return this.#listed?.revision === this.#core.revision ? this.#listed.items : undefined;
  }

  /** Builds the item with this number, or for 0 all items, that may be sent now. */
  #build(number: number): readonly Outgoing[] {
    let built: readonly (Outgoing | undefined)[] = [];
    // An item that failed can make others ready or fail too, so the list is read again.
    for (let round = 0; round < MAX_ROUNDS; round++) {
      built = this.#ready(number).map((item) => this.#outgoing(item));
      if (!built.includes(undefined)) break;
    }
    return built.filter((item) => item !== undefined);
  }

  /** The item with this number, or for 0 all items, that may be sent now. */
  #ready(number: number): readonly CoreItem[] {
    return this.#items(this.#core.outgoing(number));
  }

  /** The items of a record. */
  #items(place: number): readonly CoreItem[] {
    return readRecord(this.#handles, place, () => nextList(nextItem));
  }

  #head(item: CoreItem): OutgoingHead {
    const { attempt, kind, approvals: approvalIds } = item;
    return { id: OUTGOING + item.item, key: this.#recordKey(item).key, kind, approvalIds, attempt };
  }

  /** The item with its body. Marks the item as failed if the protocol cannot express it. */
  #outgoing(item: CoreItem): Outgoing | undefined {
    const head = this.#head(item);
    try {
      return Object.assign(head, { body: item.value ?? this.#body(item, head) });
    } catch (cause) {
      const [approvalId] = head.approvalIds.length === 1 ? head.approvalIds : [];
      const error = unwritable(say`Request ${head.id} cannot be written`, cause, approvalId);
      this.#core.mark_failed(item.item, this.#handles.give(error.message));
      this.#gate.queueEvent({ type: 'anomaly', error });
      return undefined;
    }
  }

  /**
   * The body that the protocol's own client would send. For the AI SDK, see `HttpChatTransport.sendMessages` of `ai`.
   */
  #body({ item, trigger, messageId, newFrom, newTo }: CoreItem, head: OutgoingHead): unknown {
    const { translator, projection, env } = this.#gate;
    const decisions = (): ItemDecision[] => this.#handles.take(this.#core.decisions(item)) as ItemDecision[];
    // An answer carries only its decision: writing the whole conversation for each answer would be quadratic.
    if (head.kind === 'answer' && translator?.codec.answer) return translator.answer(decisions());
    const aiSdkBody = (): AiSdkBody =>
      omitUndefined({ id: env.chatId, messages: projection.bodies(newTo), trigger, messageId });
    if (!translator) return aiSdkBody();
    const entries = projection.entries(newTo);
    return translator.body({
      entries,
      added: newTo > newFrom ? entries.slice(projection.entryOf(newFrom)) : undefined,
      decisions: decisions(),
      item: head,
      aiSdkBody,
    });
  }

  /**
   * Records the key of an item. The key does not change once the item was claimed, although the calls
   * in its digest may settle.
   */
  #recordKey(item: KeyedItem): KnownItem {
    const known = this.#known.get(item.item);
    const { state = 'ready' } = item;
    const isTaken = state !== 'ready' || item.attempt > 1;
    if (
      known &&
      (isTaken ||
        (item.digest === undefined && (known.material === NONE || sameItems(known.material, item.key as unknown[]))))
    )
      return known;
    const made = new KnownItem(item, this.#gate.env.chatId);
    this.#known.set(item.item, made);
    if (this.#known.size > this.#cleanUpAbove) this.#forget(item.item - NEWEST);
    return made;
  }

  /** Drops the records of finished items before `from` that the core has forgotten. */
  #forget(from: number): void {
    for (const number of this.#finished) {
      if (number < from && !this.#core.is_taken(number)) (this.#known.delete(number), this.#finished.delete(number));
    }
    this.#cleanUpAbove = Math.max(MANY, 2 * this.#known.size);
  }
}
