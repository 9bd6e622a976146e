/**
 * What users did in tabs that follow, and the tab that leads has not confirmed: that of this tab, and that of others which was
 * stored or heard of. Numbers say what has been done already. Nothing is done or sent here.
 */
import { COMMANDS, type Act, type CommandName } from '../gate/commands.js';
import { decode } from '../json/encode.js';
import type { JSONObject, JSONValue } from '../types/index.js';
import { appliedOf, type KeptRecord, type SentAct } from './kept-record.js';

/** An act that waits. */
interface Waiting {
  readonly sent: SentAct;
  /** Whether it is stored: others may know of it then. */
  isStored: boolean;
}

/** The acts that wait, as one tab knows them. */
export class Acts {
  readonly #tab: string;
  #last = 0;
  #waiting: readonly Waiting[] = [];
  #waiters: (() => void)[] = [];

  constructor(tab: string) {
    this.#tab = tab;
  }

  /** The number of this tab's last act. */
  get last(): number {
    return this.#last;
  }

  /** Those that are not confirmed, oldest first. */
  get waiting(): readonly SentAct[] {
    return this.#waiting.map(({ sent }) => sent);
  }

  /** Those of them that are stored. */
  get stored(): readonly SentAct[] {
    return this.#waiting.filter(({ isStored }) => isStored).map(({ sent }) => sent);
  }

  /** Those of this tab. */
  get own(): readonly SentAct[] {
    return this.waiting.filter(([tab]) => tab === this.#tab);
  }

  /** The number of an act that is done now. */
  next(): number {
    return ++this.#last;
  }

  /** An act of this tab begins to wait. */
  add(act: JSONValue): void {
    this.#waiting = [...this.#waiting, { sent: [this.#tab, this.next(), act], isStored: false }];
  }

  /** Takes acts in that are stored, in another tab or by a page before this one. Returns whether one of them is new. */
  take(acts: readonly SentAct[]): boolean {
    const news = acts.filter(([tab, number]) => tab !== this.#tab && !this.has(tab, number));
    this.#waiting = [...this.#waiting, ...news.map((sent) => ({ sent, isStored: true }))];
    return news.length > 0;
  }

  /** Takes acts of this tab back in that were done while it led, and may be part of nothing that is stored. */
  takeBack(acts: readonly SentAct[]): void {
    this.#waiting = [...acts.map((sent) => ({ sent, isStored: false })), ...this.#waiting];
  }

  /** Whether an act waits. */
  has(tab: string, number: number): boolean {
    return this.#waiting.some(({ sent }) => sent[0] === tab && sent[1] === number);
  }

  /** Those that wait, after those that were found stored, in that order; as they are known here, with all that belongs to them. */
  after(stored: readonly SentAct[]): readonly SentAct[] {
    const same = (one: SentAct, other: SentAct): boolean => one[0] === other[0] && one[1] === other[1];
    const known = stored.map((act) => this.waiting.find((other) => same(other, act)) ?? act);
    return [...known, ...this.waiting.filter((act) => !stored.some((other) => same(other, act)))];
  }

  /** Those that are not part of a state, oldest first. */
  missingIn(record: KeptRecord | undefined): readonly SentAct[] {
    if (!record) return this.waiting;
    return this.waiting.filter(([tab, number]) => number > appliedOf(record.applied, tab));
  }

  /** These are stored. */
  markStored(acts: readonly SentAct[]): void {
    const stored = new Set(acts);
    for (const waiting of this.#waiting) waiting.isStored ||= stored.has(waiting.sent);
  }

  /** What is not stored could not be: it is taken back. */
  dropUnstored(): void {
    this.#keep(({ isStored }) => isStored);
  }

  /** What is part of a state that is stored is confirmed. Returns whether one of them was. */
  confirm(applied: KeptRecord['applied']): boolean {
    const before = this.#waiting.length;
    this.#keep(({ sent: [tab, number] }) => number > appliedOf(applied, tab));
    return this.#waiting.length < before;
  }

  /** They are done here: this tab leads. */
  clear(): void {
    this.#keep(() => false);
  }

  /** Resolves when none waits. */
  confirmed(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiters.push(resolve);
      this.#settle();
    });
  }

  #keep(stays: (waiting: Waiting) => boolean): void {
    this.#waiting = this.#waiting.filter(stays);
    this.#settle();
  }

  #settle(): void {
    if (this.#waiting.length > 0) return;
    for (const resolve of this.#waiters.splice(0)) resolve();
  }
}

/** An act as it is stored: without the headers that the app gave for its request, which may hold credentials. */
export function toStored([tab, number, act]: SentAct): SentAct {
  const { attached } = act as { attached?: { options?: { headers?: JSONValue } } };
  if (attached?.options?.headers === undefined) return [tab, number, act];
  const { headers: _, ...options } = attached.options;
  return [tab, number, { ...(act as JSONObject), attached: { ...attached, options } as JSONObject }];
}

/** The act in what was sent. Throws a `TypeError` for anything else: any script of the site can send something. */
export function actOf([, , sent]: SentAct): Act {
  const act = decode(sent) as Partial<Act> | null | undefined;
  const name = act?.name as CommandName | undefined;
  if (name === undefined || !Object.hasOwn(COMMANDS, name) || COMMANDS[name] !== 'act' || !Array.isArray(act?.args)) {
    throw new TypeError('persist: ignored something that is not an act of the user');
  }
  return act as Act;
}
