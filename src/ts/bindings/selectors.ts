/**
 * Selectors that all bindings share. Each reads one value of a gate's view; an unchanged value is the same object
 * (`===`) as before, so that only components that show a changed value render again. Without a gate, all values are
 * empty.
 */
import type { ToolGate } from '../gate/tool-gate.js';
import { isToolPart } from '../types/tool-part.js';
import type {
  GateMessage,
  GateView,
  PendingApproval,
  RememberedDecision,
  ToolPart,
  Undelivered,
} from '../types/index.js';

/** A gate, or null or undefined while there is none. */
export type Gate = ToolGate | null | undefined;

const NOTHING: readonly never[] = Object.freeze([]);

/** The view while there is no gate: an empty chat. */
const EMPTY: GateView = Object.freeze({
  revision: 0,
  status: 'idle',
  messages: NOTHING as unknown as GateMessage[],
  queued: NOTHING,
  pending: NOTHING,
  undelivered: NOTHING,
  remembered: NOTHING,
  turn: Object.freeze({
    status: 'open',
    undecided: 0,
    decided: 0,
    waitingFor: NOTHING,
    stepStart: 0,
    runnable: NOTHING,
  }),
});

/** The whole view. */
export function viewOf(gate: Gate): GateView {
  return gate?.getSnapshot() ?? EMPTY;
}

/** The transcript. */
export function messagesOf(gate: Gate): GateMessage[] {
  return viewOf(gate).messages;
}

/** The approvals that can be decided now. */
export function pendingOf(gate: Gate): readonly PendingApproval[] {
  return viewOf(gate).pending;
}

/** The requests that failed, stalled or may not have arrived. */
export function undeliveredOf(gate: Gate): readonly Undelivered[] {
  return viewOf(gate).undelivered;
}

/** The decisions that apply to later calls too. */
export function rememberedOf(gate: Gate): readonly RememberedDecision[] {
  return viewOf(gate).remembered;
}

/**
 * A call: its id, or its tool part as it is shown. A component that is given the part needs no subscription, because
 * it gets another part when something changes. If several calls have the same id, the id refers to the newest one
 * whose approval can be decided; a part always refers to its own call.
 */
export type ShownCall = string | ToolPart;

/** The approvals of a list, by the ids of their calls (`c…`) and by their own (`a…`). */
const approvalsById = new WeakMap<readonly PendingApproval[], Map<string, PendingApproval>>();

/** The approval of a call, if it can be decided now. All components share one index of the list. */
export function approvalOf(gate: Gate, call: ShownCall): PendingApproval | undefined {
  const list = pendingOf(gate);
  let index = approvalsById.get(list);
  if (!index) {
    index = new Map(
      list.flatMap((one) => [
        [`c${one.toolCallId}`, one],
        [`a${one.approvalId}`, one],
      ]),
    );
    approvalsById.set(list, index);
  }
  return index.get(typeof call === 'string' ? `c${call}` : `a${call.approval?.id}`);
}

/** Returns a reader of the approval of one call, which is undefined once it cannot be decided. */
export function approvalReader(call: ShownCall): (gate: Gate) => PendingApproval | undefined {
  return (gate) => approvalOf(gate, call);
}

/** Returns a reader of the part of one call. It caches the position of the part and checks that first. */
export function partReader(toolCallId: string): (gate: Gate) => ToolPart | undefined {
  let messages: GateMessage[] | undefined;
  let found: ToolPart | undefined;
  let [message, part] = [0, 0];
  return (gate) => {
    const now = messagesOf(gate);
    if (now === messages) return found;
    messages = now;
    found = ifCall(now[message]?.parts[part], toolCallId);
    for (message = found ? message : now.length; !found && message-- > 0;) {
      const { parts } = now[message] as GateMessage;
      part = indexOfCall(parts, toolCallId);
      found = ifCall(parts[part], toolCallId);
    }
    return found;
  };
}

/** Returns a reader of the value that `select` returns. It calls `select` once for each view. */
export function selectReader<T>(select: (view: GateView) => T): (gate: Gate) => T {
  let known: { readonly view: GateView; readonly value: T } | undefined;
  return (gate) => {
    const view = viewOf(gate);
    if (known?.view !== view) known = { view, value: select(view) };
    return known.value;
  };
}

type Parts = GateMessage['parts'];

/** Messages with fewer parts than this are searched, because an index would cost more than it saves. */
const INDEX_FROM = 32;

const indexes = new WeakMap<Parts, Map<string, number>>();

/** The index of a call's part in a message, or -1. All readers of one message share one index of its calls. */
function indexOfCall(parts: Parts, toolCallId: string): number {
  if (parts.length < INDEX_FROM) return parts.findIndex((part) => ifCall(part, toolCallId));
  let index = indexes.get(parts);
  if (!index)
    indexes.set(parts, (index = new Map(parts.flatMap((part, i) => (isToolPart(part) ? [[part.toolCallId, i]] : [])))));
  return index.get(toolCallId) ?? -1;
}

function ifCall(part: Parts[number] | undefined, toolCallId: string): ToolPart | undefined {
  return part && isToolPart(part) && part.toolCallId === toolCallId ? part : undefined;
}
