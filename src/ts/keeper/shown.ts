/**
 * What a follower shows of acts that the tab that leads has not confirmed: that they are handed on, and no more. The gate of
 * the follower has done them already; whatever that decided or closed is not so before the tab that leads says it.
 */
import type { GateMessage, GatePart, GateView, ToolPart } from '../types.js';

/** A part as it was made, and of what. */
interface Made<T> {
  readonly base: T | undefined;
  readonly made: T;
}

/** What is shown in place of a gate's own view. */
export class Shown {
  /** What the tab that leads shows. */
  #base: readonly GateMessage[] | undefined;
  /** The user's messages among the acts. */
  #sent: ReadonlySet<string> = new Set();
  readonly #messages = new WeakMap<GateMessage, Made<GateMessage>>();
  readonly #parts = new WeakMap<GatePart, Made<GatePart>>();

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
  }

  /** The view with what is not confirmed shown as that. What does not change is the same object as before. */
  readonly view = (view: GateView): GateView => {
    if (!this.#base) return view;
    const bases = new Map(this.#base.map(message => [message.id, message]));
    const shown: GateMessage[] = [];
    const held: GateMessage[] = [];
    for (const message of view.messages) {
      if (this.#sent.has(message.id) && !bases.has(message.id)) held.push(message);
      else shown.push(this.#message(message, bases.get(message.id)));
    }
    const isSame = shown.length === view.messages.length && shown.every((message, i) => message === view.messages[i]);
    if (isSame) return view;
    // Not by `...`: what is pending is worked out when somebody looks.
    const queued = held.length > 0 ? [...held, ...view.queued] : view.queued;
    const properties = Object.getOwnPropertyDescriptors(view);
    return Object.defineProperties({}, {
      ...properties,
      messages: { ...properties.messages, value: shown },
      queued: { ...properties.queued, value: queued },
    }) as GateView;
  };

  #message(now: GateMessage, base: GateMessage | undefined): GateMessage {
    if (!base || now === base) return now;
    const known = this.#messages.get(now);
    if (known && known.base === base) return known.made;
    const parts = now.parts.map((part, i) => this.#part(part, base.parts[i]));
    const isSame = parts.every((part, i) => part === now.parts[i]);
    const made = isSame ? now : { ...now, parts };
    this.#messages.set(now, { base, made });
    return made;
  }

  #part(now: GatePart, base: GatePart | undefined): GatePart {
    if (now === base || !base || !('toolCallId' in now) || !('toolCallId' in base) || base.outcome) return now;
    const known = this.#parts.get(now);
    if (known && known.base === base) return known.made;
    const made = forwarded(now, base);
    this.#parts.set(now, { base, made });
    return made;
  }
}

/** A call that an act has changed. */
function forwarded(now: ToolPart, base: ToolPart): ToolPart {
  // The result of a tool that ran in this page is a fact.
  if (now.state === 'output-available' || (now.state === 'output-error' && now.outcome?.kind === 'failed')) return now;
  const { outcome, ...rest } = now;
  const isDecision = now.state === 'approval-responded' && (now.approval.approved || outcome?.kind === 'denied');
  return { ...(isDecision ? rest : base), delivery: 'forwarded' } as ToolPart;
}
