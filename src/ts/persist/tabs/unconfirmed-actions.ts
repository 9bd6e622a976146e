/**
 * The users' actions that the leader has not confirmed: those of this tab, and stored or forwarded ones of other tabs.
 * Each has its tab and a number, which tell whether it is applied. This file stores and sends nothing.
 */
import { COMMANDS, type UserCommand, type CommandName } from '../../gate/commands.js';
import { decode } from '../../json/encode.js';
import type { JSONObject, JSONValue } from '../../types/index.js';
import { appliedOf, type ChatRecord, type SentAction } from '../storage/chat-record.js';
import { say } from '../../types/say.js';

/** An action that the leader has not confirmed. */
interface UnconfirmedAction {
  readonly sent: SentAction;
  /** Whether it is stored. Only then is it forwarded. */
  isStored: boolean;
}

/** The unconfirmed actions, as one tab knows them. */
export class UnconfirmedActions {
  readonly #tab: string;
  #last = 0;
  #waiting: readonly UnconfirmedAction[] = [];
  #waiters: (() => void)[] = [];

  constructor(tab: string) {
    this.#tab = tab;
  }

  /** The number of this tab's last action. */
  get last(): number {
    return this.#last;
  }

  /** All unconfirmed actions, oldest first. */
  get waiting(): readonly SentAction[] {
    return this.#waiting.map(({ sent }) => sent);
  }

  /** The stored ones. */
  get stored(): readonly SentAction[] {
    return this.#waiting.filter(({ isStored }) => isStored).map(({ sent }) => sent);
  }

  /** Those of this tab. */
  get own(): readonly SentAction[] {
    return this.waiting.filter(([tab]) => tab === this.#tab);
  }

  /** Takes the number for a new action of this tab. */
  next(): number {
    return ++this.#last;
  }

  /** Adds an action of this tab. */
  add(action: JSONValue): void {
    this.#waiting = [...this.#waiting, { sent: [this.#tab, this.next(), action], isStored: false }];
  }

  /** Adds stored actions of other tabs or of an earlier page. Returns whether one of them is new. */
  take(actions: readonly SentAction[]): boolean {
    const news = actions.filter(([tab, number]) => tab !== this.#tab && !this.has(tab, number));
    this.#waiting = [...this.#waiting, ...news.map((sent) => ({ sent, isStored: true }))];
    return news.length > 0;
  }

  /** Adds actions of this tab again. It executed them as the leader, and they may not be stored. */
  restoreOwn(actions: readonly SentAction[]): void {
    this.#waiting = [...actions.map((sent) => ({ sent, isStored: false })), ...this.#waiting];
  }

  /** Whether this action is unconfirmed. */
  has(tab: string, number: number): boolean {
    return this.#waiting.some(({ sent }) => sent[0] === tab && sent[1] === number);
  }

  /**
   * The stored actions in their order, followed by the other unconfirmed ones. Those that this tab knows are returned
   * complete, with their headers.
   */
  after(stored: readonly SentAction[]): readonly SentAction[] {
    const isSameAction = (one: SentAction, other: SentAction): boolean => one[0] === other[0] && one[1] === other[1];
    const known = stored.map((action) => this.waiting.find((other) => isSameAction(other, action)) ?? action);
    return [...known, ...this.waiting.filter((action) => !stored.some((other) => isSameAction(other, action)))];
  }

  /** Those that a record does not contain, oldest first. */
  missingIn(record: Pick<ChatRecord, 'applied'> | undefined): readonly SentAction[] {
    if (!record) return this.waiting;
    return this.waiting.filter(([tab, number]) => number > appliedOf(record.applied, tab));
  }

  /** Marks these actions as stored. */
  markStored(actions: readonly SentAction[]): void {
    const stored = new Set(actions);
    for (const waiting of this.#waiting) waiting.isStored ||= stored.has(waiting.sent);
  }

  /** Removes the actions that are not stored, because storing them failed. */
  dropUnstored(): void {
    this.#keep(({ isStored }) => isStored);
  }

  /** Removes the actions that a stored record contains. Returns whether there was one. */
  confirm(applied: ChatRecord['applied']): boolean {
    const before = this.#waiting.length;
    this.#keep(({ sent: [tab, number] }) => number > appliedOf(applied, tab));
    return this.#waiting.length < before;
  }

  /** Removes all actions, because this tab applies them as the leader. */
  clear(): void {
    this.#keep(() => false);
  }

  /** Resolves when no action is unconfirmed. */
  confirmed(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiters.push(resolve);
      this.#settle();
    });
  }

  #keep(stays: (waiting: UnconfirmedAction) => boolean): void {
    this.#waiting = this.#waiting.filter(stays);
    this.#settle();
  }

  #settle(): void {
    if (this.#waiting.length > 0) return;
    for (const resolve of this.#waiters.splice(0)) resolve();
  }
}

/** An action without the headers of its request, which may contain credentials: the form that is stored. */
export function withoutHeaders([tab, number, action]: SentAction): SentAction {
  const { attached } = action as { attached?: { options?: { headers?: JSONValue } } };
  if (attached?.options?.headers === undefined) return [tab, number, action];
  const { headers: _, ...options } = attached.options;
  return [tab, number, { ...(action as JSONObject), attached: { ...attached, options } as JSONObject }];
}

/**
 * Decodes the action that was sent. Throws a `TypeError` for anything else, because any script of the site can send
 * messages.
 */
export function readAction([, , sent]: SentAction): UserCommand {
  const action = decode(sent) as Partial<UserCommand> | null | undefined;
  const name = action?.name as CommandName | undefined;
  if (
    name === undefined ||
    !Object.hasOwn(COMMANDS, name) ||
    COMMANDS[name] !== 'user' ||
    !Array.isArray(action?.args)
  ) {
    throw new TypeError(say`persist: ignored a message that is not an action of the user`);
  }
  return action as UserCommand;
}
