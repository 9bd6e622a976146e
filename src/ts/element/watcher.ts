/**
 * Finds calls in a gate's view, with one subscription per gate for all elements. Unchanged messages are not searched
 * again: with a thousand cards, a change of the gate costs a thousand map look-ups.
 */
import { actsOn, heldUntil, isOver, undeliveredOf, type CallAct } from '../describe/call-facts.js';
import type { CallFacts } from '../describe/call-words.js';
import { isToolPart } from '../types/tool-part.js';
import type { GateMessage, GateView, PendingApproval, ToolPart, Undelivered } from '../types/index.js';
import type { ToolGate } from '../gate/tool-gate.js';
import { DecisionObserver } from './decided-by.js';

/** A call in the current view. */
export interface FoundCall extends CallFacts {
  readonly part: ToolPart;
  /** The approval, while it can be decided. */
  readonly pending: PendingApproval | undefined;
  /** The request with its decision, if the request needs the user. */
  readonly undelivered: Undelivered | undefined;
  /** What the user can do about a decision that is held, or about that request. */
  readonly acts: readonly CallAct[];
}

const watchers = new WeakMap<ToolGate, Watcher>();

/** An index of a gate's calls, subscribed while it has listeners. */
export class Watcher {
  /** Who decided the approvals. */
  readonly decisions: DecisionObserver;
  readonly #gate: ToolGate;
  readonly #listeners = new Set<() => void>();
  #unsubscribe: (() => void) | undefined;
  #view: GateView | undefined;
  #messages: readonly GateMessage[] = [];
  readonly #calls = new Map<string, ToolPart>();
  readonly #callIds = new Map<string, string>();
  #pending = new Map<string, PendingApproval>();
  /** The calls of the last message. Only these can be over without a result. */
  #lastCalls = new Set<string>();

  private constructor(gate: ToolGate) {
    this.#gate = gate;
    this.decisions = new DecisionObserver(gate);
  }

  /** The one watcher of a gate. */
  static of(gate: ToolGate): Watcher {
    let watcher = watchers.get(gate);
    if (!watcher) watchers.set(gate, (watcher = new Watcher(gate)));
    return watcher;
  }

  /** Calls `listener` after every change of the gate. Returns an unsubscribe function. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    this.#unsubscribe ??= this.#gate.subscribe(() => [...this.#listeners].forEach((each) => each()));
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#unsubscribe?.();
      this.#unsubscribe = undefined;
    };
  }

  /** The id of the call that an approval belongs to; undefined if there is none. */
  callOf(approvalId: string): string | undefined {
    this.#refresh();
    return this.#pending.get(approvalId)?.toolCallId ?? this.#callIds.get(approvalId);
  }

  /** The newest call with this id, or the one in this message; undefined if there is none. */
  find(toolCallId: string, messageId?: string): FoundCall | undefined {
    const view = this.#refresh();
    const { turn } = view;
    const part = messageId === undefined ? this.#calls.get(toolCallId) : this.#callIn(messageId, toolCallId);
    if (!part) return undefined;
    const id = part.state === 'approval-requested' ? part.approval.id : undefined;
    const pending = id === undefined ? undefined : this.#pending.get(id);
    const isLast = messageId === undefined ? this.#lastCalls.has(toolCallId) : this.#messages.at(-1)?.id === messageId;
    const asked = pending?.toolCallId === toolCallId ? pending : undefined;
    const undelivered = undeliveredOf(part.approval?.id, view);
    return {
      part,
      pending: asked,
      undelivered,
      acts: actsOn(part, turn, undelivered),
      isOver: isLast && isOver(turn),
      // The request is closed, or belongs to another approval now.
      isClosed: part.state === 'approval-requested' && !asked && part.approval.isAutomatic !== true,
      heldUntil: heldUntil(part, turn),
    };
  }

  #callIn(messageId: string, toolCallId: string): ToolPart | undefined {
    const message = this.#messages.findLast(({ id }) => id === messageId);
    return message && toolParts(message).findLast((part) => part.toolCallId === toolCallId);
  }

  #refresh(): GateView {
    const view = this.#gate.getSnapshot();
    const old = this.#view;
    if (view === old) return view;
    this.#view = view;
    if (view.pending !== old?.pending) {
      this.#pending = new Map(view.pending.map((entry) => [entry.approvalId, entry]));
      this.decisions.see(view.pending);
    }
    const [before, now] = [this.#messages, view.messages];
    let from = 0;
    while (from < now.length && now[from] === before[from]) from++;
    const removed = new Set<string>();
    for (const message of before.slice(from)) {
      for (const part of toolParts(message)) {
        this.#calls.delete(part.toolCallId);
        removed.add(part.toolCallId);
        if (part.approval) this.#callIds.delete(part.approval.id);
      }
    }
    for (const message of now.slice(from)) for (const part of toolParts(message)) this.#add(part);
    this.#restore(
      [...removed].filter((id) => !this.#calls.has(id)),
      now.slice(0, from),
    );
    const last = now.at(-1);
    if (last !== before.at(-1))
      this.#lastCalls = new Set(last ? toolParts(last).map(({ toolCallId }) => toolCallId) : []);
    // The gate may change the array in place, but never a message.
    this.#messages = now.slice();
    return view;
  }

  /** Finds the newest remaining call for the ids of removed calls, because ids can repeat. */
  #restore(removed: readonly string[], messages: readonly GateMessage[]): void {
    if (removed.length === 0) return;
    const ids = new Set(removed);
    for (const part of messages.flatMap(toolParts)) if (ids.has(part.toolCallId)) this.#add(part);
  }

  #add(part: ToolPart): void {
    this.#calls.set(part.toolCallId, part);
    if (part.approval) this.#callIds.set(part.approval.id, part.toolCallId);
  }
}

/** The tool calls of a message, in order. */
export function toolParts(message: GateMessage): ToolPart[] {
  return message.parts.filter(isToolPart);
}
