/**
 * Selectors that all bindings share. Each reads one value of a gate's view; an unchanged value is the same object
 * (`===`) as before, so that only components that show a changed value render again. Without a gate, all values are
 * empty.
 */
import { NONE } from '../types/empty-list.js';
import type { CallTexts } from '../describe/call-texts.js';
import type { AnyToolPart } from '../describe/call-status.js';
import { describeCall, type CallDescription } from '../describe/describe-call.js';
import type { ToolGate } from '../gate/tool-gate.js';
import type {
  AnyTools,
  GateMessage,
  GateView,
  PendingApproval,
  RememberedDecision,
  ToolPart,
  Undelivered,
} from '../types/index.js';

/** A gate, or null or undefined while there is none. */
export type Gate = ToolGate | null | undefined;

/** The view while there is no gate: an empty chat. */
const EMPTY: GateView = Object.freeze({
  revision: 0,
  status: 'idle',
  messages: NONE as unknown as GateMessage[],
  queued: NONE,
  pending: NONE,
  undelivered: NONE,
  remembered: NONE,
  turn: Object.freeze({
    status: 'open',
    undecided: 0,
    decided: 0,
    waitingFor: NONE,
    stepStart: 0,
    runnable: NONE,
  }),
});

/** The whole view. */
export function viewOf<T extends AnyTools = AnyTools>(gate: Gate): GateView<T> {
  return gate?.getSnapshot<T>() ?? (EMPTY as GateView as GateView<T>);
}

/** The transcript. */
export function messagesOf<T extends AnyTools>(gate: Gate): GateMessage<T>[] {
  return viewOf<T>(gate).messages;
}

/** The approvals that can be decided now. */
export function pendingOf<T extends AnyTools>(gate: Gate): readonly PendingApproval<T>[] {
  return viewOf<T>(gate).pending;
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
 * it gets another part when something changes. If several calls have the same id, the id means the newest one; a part
 * always means its own call.
 */
export type ShownCall = string | ToolPart;

/** The approval of a call, if it can be decided now. */
export function approvalOf<T extends AnyTools>(gate: Gate, call: ShownCall): PendingApproval<T> | undefined {
  return gate?.approval<T>(call);
}

/** The part of the newest call with this id. */
export function partOf<T extends AnyTools>(gate: Gate, toolCallId: string): ToolPart<T> | undefined {
  return gate?.part<T>(toolCallId);
}

/** Returns a reader of the description of a call. */
export function descriptionReader(
  part: AnyToolPart,
  texts: Partial<CallTexts> | undefined,
): (gate: Gate) => CallDescription {
  return (gate) => describeCall(part, { view: viewOf(gate), texts });
}

/** Returns a reader of the value that `select` returns. It calls `select` once for each view. */
export function selectReader<R, T extends AnyTools = AnyTools>(select: (view: GateView<T>) => R): (gate: Gate) => R {
  let known: { readonly view: GateView<T>; readonly value: R } | undefined;
  return (gate) => {
    const view = viewOf<T>(gate);
    if (known?.view !== view) known = { view, value: select(view) };
    return known.value;
  };
}
