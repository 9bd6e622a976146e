/**
 * Finds calls in a gate's view for any number of elements, with one subscription for all of them. What did not change in the
 * view is not looked at again, so a thousand cards on a page cost each change of the gate a thousand look-ups and no search.
 */
import { isToolPart } from '../types/tool-part.js';
import type { GateMessage, GateView, PendingApproval, ToolPart } from '../types/index.js';
import type { ToolGate } from '../gate/tool-gate.js';

/** A call as it stands in the view. */
export interface FoundCall {
  readonly part: ToolPart;
  /** The request, while it can be answered. */
  readonly pending: PendingApproval | undefined;
  /** Its turn ended badly or stalled: nothing more arrives by itself. */
  readonly isOver: boolean;
}

const watchers = new WeakMap<ToolGate, Watcher>();

/** A gate's calls, kept up to date while anybody listens. */
export class Watcher {
  readonly #gate: ToolGate;
  readonly #listeners = new Set<() => void>();
  #end: (() => void) | undefined;
  #view: GateView | undefined;
  #messages: readonly GateMessage[] = [];
  readonly #calls = new Map<string, ToolPart>();
  readonly #ids = new Map<string, string>();
  #pending = new Map<string, PendingApproval>();
  /** The calls of the last message: only these can be over without being settled. */
  #last = new Set<string>();

  private constructor(gate: ToolGate) {
    this.#gate = gate;
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
    this.#end ??= this.#gate.subscribe(() => [...this.#listeners].forEach((each) => each()));
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#end?.();
      this.#end = undefined;
    };
  }

  /** The id of the call that an approval belongs to; undefined if there is none. */
  callOf(approvalId: string): string | undefined {
    this.#refresh();
    return this.#pending.get(approvalId)?.toolCallId ?? this.#ids.get(approvalId);
  }

  /** The newest call with this id, or the one in this message; undefined if there is none. */
  find(toolCallId: string, messageId?: string): FoundCall | undefined {
    const { turn } = this.#refresh();
    const part = messageId === undefined ? this.#calls.get(toolCallId) : this.#callIn(messageId, toolCallId);
    if (!part) return undefined;
    const id = part.state === 'approval-requested' ? part.approval.id : undefined;
    const pending = id === undefined ? undefined : this.#pending.get(id);
    const isLast = messageId === undefined ? this.#last.has(toolCallId) : this.#messages.at(-1)?.id === messageId;
    const isOver = turn.status !== 'open' && turn.status !== 'done' && isLast;
    return { part, pending: pending?.toolCallId === toolCallId ? pending : undefined, isOver };
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
    if (view.pending !== old?.pending) this.#pending = new Map(view.pending.map((entry) => [entry.approvalId, entry]));
    const [before, now] = [this.#messages, view.messages];
    let from = 0;
    while (from < now.length && now[from] === before[from]) from++;
    const gone = new Set<string>();
    for (const message of before.slice(from)) {
      for (const part of toolParts(message)) {
        this.#calls.delete(part.toolCallId);
        gone.add(part.toolCallId);
        if (part.approval) this.#ids.delete(part.approval.id);
      }
    }
    for (const message of now.slice(from)) for (const part of toolParts(message)) this.#add(part);
    this.#restore(
      [...gone].filter((id) => !this.#calls.has(id)),
      now.slice(0, from),
    );
    const last = now.at(-1);
    if (last !== before.at(-1)) this.#last = new Set(last ? toolParts(last).map(({ toolCallId }) => toolCallId) : []);
    // The array itself may be the gate's own and change; its messages do not.
    this.#messages = now.slice();
    return view;
  }

  /** Calls that are gone, and whose ids an earlier call had: that one is the newest now. */
  #restore(gone: readonly string[], messages: readonly GateMessage[]): void {
    if (gone.length === 0) return;
    const ids = new Set(gone);
    for (const part of messages.flatMap(toolParts)) if (ids.has(part.toolCallId)) this.#add(part);
  }

  #add(part: ToolPart): void {
    this.#calls.set(part.toolCallId, part);
    if (part.approval) this.#ids.set(part.approval.id, part.toolCallId);
  }
}

/** The tool calls of a message, in order. */
export function toolParts(message: GateMessage): ToolPart[] {
  return message.parts.filter(isToolPart);
}
