/**
 * The users' actions that the leader has not confirmed as stored: those of this tab, and while another tab leads,
 * stored or forwarded ones of other tabs.
 * Each has its tab and a number, which tell whether it is applied. This file stores and sends nothing.
 */
import { contains, isSame, type Applied, type SentAction } from '../storage/chat-record.js';

/** Only this class sets its fields. */
export class UnconfirmedActions {
  readonly #tab: string;
  /** The number of this tab's last action. */
  last = 0;
  /** All unconfirmed actions, oldest first. */
  waiting: readonly SentAction[] = [];
  /** Those that are stored. Only these are forwarded. */
  readonly #stored = new WeakSet<SentAction>();
  #waiters: (() => void)[] = [];

  constructor(tab: string) {
    this.#tab = tab;
  }

  get stored(): readonly SentAction[] {
    return this.waiting.filter((action) => this.#stored.has(action));
  }

  get own(): readonly SentAction[] {
    return this.waiting.filter(([tab]) => tab === this.#tab);
  }

  /** Takes the number for a new action of this tab. */
  next(): number {
    return ++this.last;
  }

  /** Adds an action of this tab. */
  add(action: SentAction): void {
    this.waiting = [...this.waiting, action];
  }

  /** Removes an action that the gate has refused, so another tab does not need to apply it. */
  remove(action: SentAction): void {
    this.#keep(this.waiting.filter((other) => !isSame(other, action)));
  }

  /** Adds stored actions of other tabs or of an earlier page. Returns whether one of them is new. */
  take(actions: readonly SentAction[]): boolean {
    const news = actions.filter((action) => action[0] !== this.#tab && !this.has(action));
    this.waiting = [...this.waiting, ...news];
    this.markStored(news);
    return news.length > 0;
  }

  /** This tab becomes or was the leader: its actions are part of the chat, and are not stored for themselves. */
  keepOwn(): void {
    const { own } = this;
    for (const action of own) this.#stored.delete(action);
    this.clear();
    this.waiting = own;
  }

  has(action: SentAction): boolean {
    return this.waiting.some((other) => isSame(other, action));
  }

  /**
   * The stored actions in their order, followed by the other unconfirmed ones. Those that this tab knows are returned
   * complete, with their headers.
   */
  after(stored: readonly SentAction[]): readonly SentAction[] {
    const known = stored.map((action) => this.waiting.find((other) => isSame(other, action)) ?? action);
    return [...known, ...this.waiting.filter((action) => !stored.some((other) => isSame(other, action)))];
  }

  /** Those that a state does not contain, oldest first. */
  missingIn({ applied }: { readonly applied: Applied }): readonly SentAction[] {
    return this.waiting.filter((action) => !contains(applied, action));
  }

  markStored(actions: readonly SentAction[]): void {
    for (const action of actions) this.#stored.add(action);
  }

  /** Removes the actions that are not stored, because storing them failed. */
  dropUnstored(): void {
    this.#keep(this.stored);
  }

  /** Removes the actions that a stored record contains. Returns whether there was one. */
  confirm(applied: Applied): boolean {
    const before = this.waiting.length;
    this.#keep(this.missingIn({ applied }));
    return this.waiting.length < before;
  }

  /** Removes all actions. */
  clear(): void {
    this.#keep([]);
  }

  /** Resolves when no action is unconfirmed. */
  confirmed(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiters.push(resolve);
      this.#keep(this.waiting);
    });
  }

  #keep(actions: readonly SentAction[]): void {
    this.waiting = actions;
    if (actions.length === 0) for (const resolve of this.#waiters.splice(0)) resolve();
  }
}
