/**
 * What the bindings show of a gate, each piece by itself, so that a change renders again only what shows it: a piece that
 * did not change is the same object (`===`) as before. Without a gate everything is empty. Nothing here subscribes.
 */
import type { ToolGate } from '../gate/tool-gate.js';
import type {
  GateMessage,
  GateView,
  PendingApproval,
  RememberedDecision,
  ToolPart,
  Undelivered,
} from '../types/index.js';

/** A gate that may not be there. */
export type Gate = ToolGate | null | undefined;

const NOTHING: readonly never[] = Object.freeze([]);

/** What is shown while there is no gate: an empty chat. */
const EMPTY: GateView = Object.freeze({
  revision: 0,
  status: 'idle',
  messages: NOTHING as unknown as GateMessage[],
  queued: NOTHING,
  pending: NOTHING,
  undelivered: NOTHING,
  remembered: NOTHING,
  turn: Object.freeze({ status: 'open', undecided: 0, decided: 0, waitingFor: NOTHING }),
});

/** The whole view. */
export function viewOf(gate: Gate): GateView {
  return gate?.getSnapshot() ?? EMPTY;
}

/** The transcript. */
export function messagesOf(gate: Gate): GateMessage[] {
  return viewOf(gate).messages;
}

/** The approvals that can be answered now. */
export function pendingOf(gate: Gate): readonly PendingApproval[] {
  return viewOf(gate).pending;
}

/** The requests that failed, stalled or may not have arrived. */
export function undeliveredOf(gate: Gate): readonly Undelivered[] {
  return viewOf(gate).undelivered;
}

/** The decisions that answer later calls too. */
export function rememberedOf(gate: Gate): readonly RememberedDecision[] {
  return viewOf(gate).remembered;
}

const byCall = new WeakMap<readonly PendingApproval[], Map<string, PendingApproval>>();

/** Reads the approval of one call, while it can be answered. */
export function approvalReader(toolCallId: string): (gate: Gate) => PendingApproval | undefined {
  return (gate) => {
    const list = pendingOf(gate);
    let calls = byCall.get(list);
    if (!calls) byCall.set(list, (calls = new Map(list.map((approval) => [approval.toolCallId, approval]))));
    return calls.get(toolCallId);
  };
}

/** Reads the part of one call. It remembers where the part stands, which costs nothing to look at again. */
export function partReader(toolCallId: string): (gate: Gate) => ToolPart | undefined {
  let messages: GateMessage[] | undefined;
  let found: ToolPart | undefined;
  let [message, part] = [0, 0];
  return (gate) => {
    const now = messagesOf(gate);
    if (now === messages) return found;
    messages = now;
    found = callIn(now[message]?.parts[part], toolCallId);
    for (message = found ? message : now.length; !found && message-- > 0;) {
      const { parts } = now[message] as GateMessage;
      part = placeOf(parts, toolCallId);
      found = callIn(parts[part], toolCallId);
    }
    return found;
  };
}

/** Reads what `select` takes from the view, once for each view. */
export function selectReader<T>(select: (view: GateView) => T): (gate: Gate) => T {
  let known: { readonly view: GateView; readonly value: T } | undefined;
  return (gate) => {
    const view = viewOf(gate);
    if (known?.view !== view) known = { view, value: select(view) };
    return known.value;
  };
}

type Parts = GateMessage['parts'];

/** Messages with fewer parts than this are searched: an index of each would cost more than it spares. */
const FEW = 32;

const places = new WeakMap<Parts, Map<string, number>>();

/** Where a call stands among the parts of a message; -1 if it is not there. A thousand cards that are shown at once share one index. */
function placeOf(parts: Parts, toolCallId: string): number {
  if (parts.length < FEW) return parts.findIndex((part) => callIn(part, toolCallId));
  let index = places.get(parts);
  if (!index)
    places.set(
      parts,
      (index = new Map(parts.flatMap((part, i) => ('toolCallId' in part ? [[part.toolCallId, i]] : [])))),
    );
  return index.get(toolCallId) ?? -1;
}

function callIn(part: Parts[number] | undefined, toolCallId: string): ToolPart | undefined {
  return part && 'toolCallId' in part && part.toolCallId === toolCallId ? part : undefined;
}
