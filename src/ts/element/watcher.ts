/**
 * Finds calls in a gate's view for any number of elements, with one subscription for all of them. What did not change in the
 * view is not looked at again, so a thousand cards on a page cost each change of the gate a thousand look-ups and no search.
 */
import type { GuardableChat } from '../gate-source.js';
import type { GateMessage, GateView, PendingApproval, ToolPart } from '../types.js';
import type { ToolGate } from '../store.js';

/** What the elements use of a gate. */
export type ApprovalGate = Pick<ToolGate, 'getSnapshot' | 'respond' | 'retry' | 'subscribe' | 'takesEdit' | 'undelivered'>;

/** What an element takes as its gate: a `ToolGate`, or a chat that `guard` returned; nothing as long as there is none. */
export type ApprovalSource = ApprovalGate | GuardableChat | null | undefined;

/** A call as it stands in the view. */
export interface FoundCall {
  readonly part: ToolPart;
  /** The request, while it can be answered. */
  readonly pending: PendingApproval | undefined;
  /** Its turn ended badly or stalled: nothing more arrives by itself. */
  readonly isOver: boolean;
}

const watchers = new WeakMap<ApprovalGate, Watcher>();

/** A gate's calls, kept up to date while anybody listens. */
export class Watcher {
  readonly #gate: ApprovalGate;
  readonly #listeners = new Set<() => void>();
  #end: (() => void) | undefined;
  #view: GateView | undefined;
  #messages: readonly GateMessage[] = [];
  readonly #calls = new Map<string, ToolPart>();
  readonly #ids = new Map<string, string>();
  #pending = new Map<string, PendingApproval>();
  /** The calls of the last message: only these can be over without being settled. */
  #last = new Set<string>();

  private constructor(gate: ApprovalGate) {
    this.#gate = gate;
  }

  /** The one watcher of a gate. */
  static of(gate: ApprovalGate): Watcher {
    let watcher = watchers.get(gate);
    if (!watcher) watchers.set(gate, (watcher = new Watcher(gate)));
    return watcher;
  }

  /** Calls `listener` after every change of the gate. Returns the function that ends it. */
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

  /** The call; undefined if there is none. */
  find(toolCallId: string): FoundCall | undefined {
    const { turn } = this.#refresh();
    const part = this.#calls.get(toolCallId);
    if (!part) return undefined;
    const id = part.approval?.id;
    const pending = id === undefined ? undefined : this.#pending.get(id);
    const isOver = turn.status !== 'open' && turn.status !== 'done' && this.#last.has(toolCallId);
    return { part, pending: pending?.toolCallId === toolCallId ? pending : undefined, isOver };
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
    for (const message of before.slice(from)) {
      for (const part of toolParts(message)) {
        this.#calls.delete(part.toolCallId);
        if (part.approval) this.#ids.delete(part.approval.id);
      }
    }
    for (const message of now.slice(from)) {
      for (const part of toolParts(message)) {
        this.#calls.set(part.toolCallId, part);
        if (part.approval) this.#ids.set(part.approval.id, part.toolCallId);
      }
    }
    const last = now.at(-1);
    if (last !== before.at(-1)) this.#last = new Set(last ? toolParts(last).map(({ toolCallId }) => toolCallId) : []);
    // The array itself may be the gate's own and change; its messages do not.
    this.#messages = now.slice();
    return view;
  }
}

/** The tool calls of a message, in order. */
export function toolParts(message: GateMessage): ToolPart[] {
  return message.parts.filter((part): part is ToolPart => part.type === 'dynamic-tool' || part.type.startsWith('tool-'));
}

/** What the tool of a call is called. */
export const nameOf = (part: ToolPart): string => part.toolName ?? part.type.slice('tool-'.length);
