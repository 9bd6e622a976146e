/**
 * What a follower shows of acts that the tab that leads has not confirmed: that they are handed on, and no more. The gate of
 * the follower has done them already; whatever that decided or closed is not so before the tab that leads says it.
 */
import { equal } from '../json/safe-reading.js';
import { isToolPart } from '../types/tool-part.js';
import type { GateMessage, GatePart, GateView, ToolPart } from '../types/index.js';

/** What is shown in place of a gate's own view. */
export class Shown {
  /** What the tab that leads shows. */
  #base: readonly GateMessage[] | undefined;
  /** The user's messages among the acts. */
  #sent: ReadonlySet<string> = new Set();
  /** The messages that were shown otherwise, by id: what shows the same stays the same object. */
  #made = new Map<string, GateMessage>();
  #messages: readonly GateMessage[] = [];

  /**
   * An act is about to be done on top of these messages, if it is the first one. `sent` is the id of the message that the user
   * sends by it. Returns a function for an act that was not done.
   */
  add(base: readonly GateMessage[], sent: string | undefined): () => void {
    const before = [this.#base, this.#sent] as const;
    this.#base ??= base;
    if (sent !== undefined) this.#sent = new Set([...this.#sent, sent]);
    return () => ([this.#base, this.#sent] = before);
  }

  /** Everything is as the gate has it. */
  end(): void {
    this.#base = undefined;
    this.#sent = new Set();
    this.#made = new Map();
  }

  /** The view with what is not confirmed shown as that. What does not change is the same object as before. */
  readonly view = (view: GateView): GateView => {
    if (!this.#base) return view;
    const bases = new Map(this.#base.map((message) => [message.id, message]));
    const shown: GateMessage[] = [];
    const held: GateMessage[] = [];
    for (const message of view.messages) {
      if (this.#sent.has(message.id) && !bases.has(message.id)) held.push(message);
      else shown.push(this.#message(message, bases.get(message.id)));
    }
    if (same(shown, view.messages)) return view;
    const messages = same(shown, this.#messages) ? this.#messages : (this.#messages = shown);
    // Not by `...`: what is pending is worked out when somebody looks.
    const queued = held.length > 0 ? [...held, ...view.queued] : view.queued;
    const properties = Object.getOwnPropertyDescriptors(view);
    return Object.defineProperties(
      {},
      {
        ...properties,
        messages: { ...properties.messages, value: messages },
        queued: { ...properties.queued, value: queued },
      },
    ) as GateView;
  };

  #message(now: GateMessage, base: GateMessage | undefined): GateMessage {
    if (!base || now === base) return now;
    const before = this.#made.get(now.id);
    const parts = now.parts.map((part, i) => {
      const made = shownAs(part, base.parts[i]);
      const old = before?.parts[i];
      return made !== part && equal(old, made) ? (old as GatePart) : made;
    });
    if (parts.every((part, i) => part === now.parts[i])) return now;
    const made = { ...now, parts };
    const message = before && equal(before, made) ? before : made;
    this.#made.set(now.id, message);
    return message;
  }
}

/** A part, given the one that the tab that leads shows in its place. */
function shownAs(now: GatePart, base: GatePart | undefined): GatePart {
  if (now === base || !base || !isToolPart(now) || !isToolPart(base) || base.outcome) return now;
  return forwarded(now, base);
}

/** A call that an act has changed. */
function forwarded(now: ToolPart, base: ToolPart): ToolPart {
  // The result of a tool that ran in this page is a fact.
  if (now.state === 'output-available' || (now.state === 'output-error' && now.outcome?.kind === 'failed')) return now;
  const { outcome, ...rest } = now;
  const isDecision = now.state === 'approval-responded' && (now.approval.approved || outcome?.kind === 'denied');
  return { ...(isDecision ? rest : base), delivery: 'forwarded' } as ToolPart;
}

function same(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((item, i) => item === other[i]);
}
