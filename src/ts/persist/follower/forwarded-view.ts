/**
 * The view of a follower with unconfirmed actions: it shows them as forwarded. The follower's gate has already executed
 * them, but their consequences count only when the leader confirms them.
 */
import { equal } from '../../json/safe-reading.js';
import { isToolPart } from '../../types/tool-part.js';
import type { GateMessage, GatePart, GateView, ToolPart } from '../../types/index.js';

export class ForwardedView {
  /** The leader's messages. */
  #base: readonly GateMessage[] | undefined;
  /** The ids of the messages that unconfirmed actions send. */
  #sent: ReadonlySet<string> = new Set();
  /** The messages that this class has changed, by id, so that equal ones stay the same object. */
  #replaced = new Map<string, GateMessage>();
  #messages: readonly GateMessage[] = [];

  /**
   * Adds an action before it is executed. The first one needs the leader's messages as `base`. `sent` is the id of the
   * message that the action sends. Returns a function that undoes this.
   */
  add(base: readonly GateMessage[], sent: string | undefined): () => void {
    const before = [this.#base, this.#sent] as const;
    this.#base ??= base;
    if (sent !== undefined) this.#sent = new Set([...this.#sent, sent]);
    return () => ([this.#base, this.#sent] = before);
  }

  /** Shows the gate's own view again. */
  end(): void {
    this.#base = undefined;
    this.#sent = new Set();
    this.#replaced = new Map();
  }

  /** The view with unconfirmed actions shown as forwarded. Unchanged objects stay the same. */
  readonly view = (view: GateView): GateView => {
    if (!this.#base) return view;
    const bases = new Map(this.#base.map((message) => [message.id, message]));
    const shown: GateMessage[] = [];
    const held: GateMessage[] = [];
    for (const message of view.messages) {
      if (this.#sent.has(message.id) && !bases.has(message.id)) held.push(message);
      else shown.push(this.#message(message, bases.get(message.id)));
    }
    if (sameItems(shown, view.messages)) return view;
    const messages = sameItems(shown, this.#messages) ? this.#messages : (this.#messages = shown);
    const queued = held.length > 0 ? [...held, ...view.queued] : view.queued;
    // Spread syntax would evaluate the lazy `pending`.
    const { messages: _, ...properties } = Object.getOwnPropertyDescriptors(view);
    const changed = Object.defineProperties({}, properties) as GateView;
    return Object.defineProperties(changed, {
      messages: { value: messages, enumerable: true },
      queued: { value: queued, enumerable: true },
    });
  };

  #message(now: GateMessage, base: GateMessage | undefined): GateMessage {
    if (!base || now === base) return now;
    const before = this.#replaced.get(now.id);
    const parts = now.parts.map((part, i) => {
      const made = withForwarded(part, base.parts[i]);
      const old = before?.parts[i];
      return made !== part && equal(old, made) ? (old as GatePart) : made;
    });
    if (parts.every((part, i) => part === now.parts[i])) return now;
    const made = { ...now, parts };
    const message = before && equal(before, made) ? before : made;
    this.#replaced.set(now.id, message);
    return message;
  }
}

/** A part of the gate's view, given the leader's part at the same place: a call may have been changed by an action. */
function withForwarded(now: GatePart, base: GatePart | undefined): GatePart {
  if (now === base || !base || !isToolPart(now) || !isToolPart(base) || base.outcome) return now;
  // The result of a tool that ran in this page is final.
  if (now.state === 'output-available' || (now.state === 'output-error' && now.outcome?.kind === 'failed')) return now;
  const { outcome, ...rest } = now;
  const isDecision = now.state === 'approval-responded' && (now.approval.approved || outcome?.kind === 'denied');
  return { ...(isDecision ? rest : base), delivery: 'forwarded' } as ToolPart;
}

function sameItems(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((item, i) => item === other[i]);
}
