/** A chat of an inbox that is open in this page: follows its gate, and makes the entries. */
import { chatOf, gateIn, onReady, pendingChat, type GateSource } from '../gate/gate-source.js';
import type { ToolGate } from '../gate/tool-gate.js';
import { guarded, reportUncaught } from '../types/report-uncaught.js';
import type { GateView, PendingApproval, Undelivered } from '../types/index.js';
import type { ApprovalEntry, InboxChat, UndeliveredEntry } from './inbox-types.js';
import { say } from '../types/say.js';

/** No entries. Its own, because the file with that of the gates is larger than this line. */
export const NONE: readonly never[] = Object.freeze([]);

/** An entry of an open chat. */
export type OpenEntry = ApprovalEntry | UndeliveredEntry;

/**
 * The last entry for each approval and each undelivered item, which are objects of one gate. A chat that is removed and
 * added again, as effects of frameworks do, has the same entries as before.
 */
export type EntryCache = WeakMap<PendingApproval | Undelivered, OpenEntry>;

/** Whether two lists have different entries. */
export function differ(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length !== other.length || one.some((entry, at) => entry !== other[at]);
}

/** A chat that was added to an inbox. */
export class OpenChat {
  readonly about: InboxChat;
  /** The gate. Undefined while the core of the chat is loading. */
  gate: ToolGate | undefined;
  /** The entries, in the order of the gate's lists. */
  entries: readonly OpenEntry[] = NONE;
  readonly #cache: EntryCache;
  readonly #onChange: (hasEnded: boolean) => void;
  #pending: GateView['pending'] = NONE;
  #undelivered: GateView['undelivered'] = NONE;
  #unsubscribe: () => void = () => {};

  /**
   * Throws a `TypeError` for anything but a gate or guarded chat. `onChange` is called when the entries have changed,
   * and with `true` when the gate was freed or has crashed.
   */
  constructor(source: GateSource, about: InboxChat, cache: EntryCache, onChange: (hasEnded: boolean) => void) {
    this.about = about;
    this.#cache = cache;
    this.#onChange = onChange;
    const gate = gateIn(source);
    if (gate) this.#follow(gate);
    else if (!source || !pendingChat(source)) throw new TypeError(say`inbox.add: missing chat.`);
    else {
      const chat = chatOf(source);
      this.#unsubscribe = onReady(chat, () => {
        this.#unsubscribe();
        const loaded = gateIn(chat);
        if (loaded) this.#follow(loaded);
        this.#onChange(false);
      });
    }
  }

  /** Stops following the gate. */
  stop(): void {
    this.#unsubscribe();
    this.#unsubscribe = () => {};
  }

  #follow(gate: ToolGate): void {
    this.gate = gate;
    this.#unsubscribe = gate.subscribe(() => this.#update());
    this.#read();
  }

  #update(): void {
    const before = this.entries;
    const isOver = this.#read();
    if (isOver) this.stop();
    if (isOver || before !== this.entries) this.#onChange(isOver);
  }

  /** Reads the gate. Returns whether it has ended; the entries are its last ones then. */
  #read(): boolean {
    try {
      const { pending, undelivered, status } = (this.gate as ToolGate).getSnapshot();
      if (status === 'crashed') return true;
      if (pending === this.#pending && undelivered === this.#undelivered) return false;
      [this.#pending, this.#undelivered] = [pending, undelivered];
      const decisions = undelivered.filter(({ approvalIds }) => approvalIds.length > 0);
      const now = [...decisions.map((item) => this.#entry(item)), ...pending.map((item) => this.#entry(item))];
      if (differ(now, this.entries)) this.entries = now;
    } catch (error) {
      // One broken chat must not affect the others.
      [this.#pending, this.#undelivered, this.entries] = [NONE, NONE, NONE];
      reportUncaught(error);
    }
    return false;
  }

  #entry(item: PendingApproval | Undelivered): OpenEntry {
    const { id: chatId, title } = this.about;
    const known = this.#cache.get(item);
    const isApproval = 'approvalId' in item;
    const approvalId = isApproval ? item.approvalId : (item.approvalIds[0] as string);
    const href = this.#hrefOf(approvalId);
    if (known && known.chatId === chatId && known.title === title && known.href === href) return known;
    const common = {
      key: JSON.stringify([isApproval ? 'approval' : 'undelivered', chatId, isApproval ? approvalId : item.id]),
      chatId,
      ...(title !== undefined && { title }),
      ...(href !== undefined && { href }),
    };
    const entry: OpenEntry = isApproval
      ? { kind: 'approval', ...common, since: item.requestedAt, approval: item }
      : { kind: 'undelivered', ...common, since: known?.since ?? Date.now(), item };
    this.#cache.set(item, Object.freeze(entry));
    return entry;
  }

  #hrefOf(approvalId: string): string | undefined {
    const { href } = this.about;
    let link: string | undefined;
    guarded(() => (link = typeof href === 'function' ? href(approvalId) : href));
    return link;
  }
}
