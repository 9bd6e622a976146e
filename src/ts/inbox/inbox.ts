/** `Inbox`: one list of the approvals of many chats. */
import { notInitialized, withoutProxy, type GateSource } from '../gate/gate-source.js';
import { internalsOf } from '../gate/internals.js';
import type { ToolGate } from '../gate/tool-gate.js';
import { refuseUnknown, type KnownOptions } from '../types/option-checks.js';
import { guarded } from '../types/report-uncaught.js';
import type { Decision } from '../types/index.js';
import { closedChat, ClosedChats, readClosed } from './closed-chats.js';
import type {
  ClosedChat,
  ClosedEntry,
  ClosedHref,
  InboxChat,
  InboxEntry,
  InboxView,
  UndeliveredEntry,
} from './inbox-types.js';
import { differ, NONE, OpenChat, type EntryCache } from './open-chat.js';
import { say } from '../types/say.js';

const EMPTY: InboxView = Object.freeze({ entries: NONE, count: 0 });

const OPTIONS: KnownOptions<InboxChat> = { id: true, title: true, href: true, keep: true };

/**
 * The pending approvals and undelivered decisions of many chats, as one list. It sends nothing itself: a decision is
 * passed to the gate of its chat.
 */
export class Inbox {
  /** The chats by id. If a chat was added several times, the last addition counts. */
  readonly #open = new Map<string, OpenChat[]>();
  readonly #closed = new ClosedChats();
  readonly #listeners = new Set<() => void>();
  readonly #cache: EntryCache = new WeakMap();
  readonly #gates = new WeakMap<InboxEntry, ToolGate>();
  #view = EMPTY;
  /** The view of the last notification. */
  #notified = EMPTY;
  #isStale = false;
  #isScheduled = false;
  /** The clock of the gates, which deadlines belong to. */
  #clock: { now(): number } = Date;
  #timer: ReturnType<typeof setTimeout> | undefined;

  static {
    // Prevents Vue from wrapping the inbox in a proxy, through which private fields cannot be read.
    Object.defineProperty(this.prototype, '__v_skip', { value: true });
  }

  /**
   * Adds a gate or a guarded chat, whose core may still be loading. Returns a function that removes it. A chat that is
   * disposed leaves by itself. If a chat is added twice with one id, the last addition counts. Throws a `TypeError` for
   * anything else, for an id that is not a string, and for an unknown option.
   */
  add(chat: NonNullable<GateSource>, about: InboxChat): () => void {
    refuseUnknown('inbox.add', about, OPTIONS);
    const { id } = about;
    if (typeof id !== 'string') throw new TypeError(say`inbox.add: \`id\` must be a string.`);
    const added: OpenChat = new OpenChat(chat, { ...about }, this.#cache, (hasEnded) => {
      if (hasEnded) this.#remove(added);
      else this.#changed();
    });
    this.#open.set(id, [...(this.#open.get(id) ?? []), added]);
    this.#changed();
    return () => this.#remove(added);
  }

  /**
   * Sets the chats that are not open in this page, from storage (`JSON.stringify(inbox)`) or from a server. Replaces
   * the earlier ones. Their entries have the kind `closed`. Chats that are open here are omitted, and so is whatever is
   * not valid. Of the stored links, only relative ones are kept. With `href`, none is read, so that none can be that of
   * another chat. Throws a `TypeError` for a value that is not an array.
   */
  setClosed(chats: readonly ClosedChat[], href?: ClosedHref): void {
    if (!Array.isArray(chats)) throw new TypeError(say`inbox.setClosed: expected an array.`);
    this.#closed.replace(chats.map((chat) => readClosed(chat, href)).filter((chat) => chat !== undefined));
    this.#changed();
  }

  /** The entries of all chats, the oldest first. An unchanged list and an unchanged entry are the same objects. */
  get entries(): readonly InboxEntry[] {
    return this.getSnapshot().entries;
  }

  /** The number of entries, for a badge. */
  get count(): number {
    return this.getSnapshot().count;
  }

  /** Returns the entries and their number: the same object until an entry changes. */
  getSnapshot(): InboxView {
    if (!this.#isStale) return this.#view;
    this.#isStale = false;
    const entries: InboxEntry[] = [];
    for (const [id, chats] of this.#open) {
      const { gate, entries: own } = chats.at(-1) as OpenChat;
      if (!gate) continue;
      // What was known about the chat before it was opened is outdated.
      this.#closed.delete(id);
      for (const entry of own) this.#gates.set(entry, gate);
      this.#clock = internalsOf(gate)?.env ?? this.#clock;
      entries.push(...own);
    }
    const closed = this.#closed.entries(this.#clock.now());
    entries.push(...closed);
    entries.sort(byAge);
    this.#expireNext(closed);
    if (differ(entries, this.#view.entries)) {
      this.#view = Object.freeze({ entries: Object.freeze(entries), count: entries.length });
    }
    return this.#view;
  }

  /** Returns an empty view, for a server and for hydration: the same object each time. */
  getServerSnapshot(): InboxView {
    return EMPTY;
  }

  /**
   * Calls `listener` after the entries have changed, once for all changes of a task. An error that it throws is
   * reported as an uncaught error. Returns an unsubscribe function.
   */
  subscribe(listener: () => void): () => void {
    const own = (): void => listener();
    this.#listeners.add(own);
    this.#isStale = true;
    return () => void this.#listeners.delete(own);
  }

  /**
   * Decides an approval, through the gate of its chat and for the input that the entry shows. Returns and throws what
   * `gate.respond` does, among them `stale-input` if the call has another input now. Throws an `Error` with the code
   * `not-initialized` for a chat that is not open in this page, and a `TypeError` for any other value.
   */
  respond(entry: InboxEntry, decision: Decision): 'accepted' | 'duplicate' {
    const gate = this.#gateOf('respond', entry);
    if (entry.kind !== 'approval') throw new TypeError(say`inbox.respond: not an entry of the kind "approval".`);
    return gate.respond(withoutProxy(entry).approval, decision);
  }

  /** Sends the decisions of an entry again. Throws what `gate.retry` throws, and the same errors as `respond`. */
  retry(entry: UndeliveredEntry): void {
    const gate = this.#gateOf('retry', entry);
    if (entry.kind !== 'undelivered') throw new TypeError(say`inbox.retry: not an entry of the kind "undelivered".`);
    gate.retry(entry.item.id);
  }

  /** Returns the gate of an entry, for `<tool-approval>`; undefined if its chat is not open in this page. */
  gateOf(entry: InboxEntry): ToolGate | undefined {
    return this.#gates.get(withoutProxy(entry));
  }

  /**
   * Returns all chats with their pending approvals as plain JSON, for `setClosed` in another page. It has no inputs of
   * calls.
   */
  toJSON(): ClosedChat[] {
    this.getSnapshot();
    const open = [...this.#open].map(([id, chats]) => {
      const { about, entries } = chats.at(-1) as OpenChat;
      return closedChat(id, about.title, entries);
    });
    return [...open, ...this.#closed.list(this.#clock.now())].filter(({ approvals }) => approvals[0]);
  }

  #gateOf(method: string, entry: InboxEntry): ToolGate {
    const gate = typeof entry === 'object' && entry !== null ? this.gateOf(entry) : undefined;
    if (gate) return gate;
    if (entry?.kind === 'closed')
      throw notInitialized(say`inbox.${method}: this chat is not open in this page. Open it: \`entry.href\`.`);
    throw new TypeError(say`inbox.${method}: not an entry of this inbox.`);
  }

  #remove(removed: OpenChat): void {
    const { id, title, keep } = removed.about;
    const chats = this.#open.get(id);
    if (!chats?.includes(removed)) return;
    removed.stop();
    // Entries of the chat can still be answered by code that has them.
    for (const entry of removed.entries) if (removed.gate) this.#gates.set(entry, removed.gate);
    const others = chats.filter((chat) => chat !== removed);
    if (others.length > 0) this.#open.set(id, others);
    else this.#open.delete(id);
    if (keep && others.length === 0 && removed.gate) this.#closed.set(closedChat(id, title, removed.entries));
    this.#changed();
  }

  /** Removes the next closed approval that expires, if somebody listens. */
  #expireNext(closed: readonly ClosedEntry[]): void {
    clearTimeout(this.#timer);
    if (!closed.length || !this.#listeners.size) return;
    const times = closed.map(({ approval: { expiresAt = Infinity } }) => expiresAt - this.#clock.now());
    // Browsers call back at once for times above 24 days.
    this.#timer = setTimeout(() => this.#changed(), Math.min(1e9, ...times));
  }

  /** Notifies listeners in a microtask, if the entries are others then. */
  #changed(): void {
    this.#isStale = true;
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      const view = this.getSnapshot();
      if (view === this.#notified) return;
      this.#notified = view;
      for (const listener of [...this.#listeners]) guarded(listener);
    });
  }
}

/** Sorts by age. Entries of the same time are in the order of their chats' ids, and those of one chat in its order. */
function byAge(a: InboxEntry, b: InboxEntry): number {
  return a.since - b.since || Number(a.chatId > b.chatId) - Number(a.chatId < b.chatId);
}
