/**
 * Reads the core's events, as `events::event` in Rust writes them, and converts them to public ones: refusals become
 * errors, and items get their ids.
 */
import { OUTGOING } from '../delivery/numbered-ids.js';
import { toError, type CoreRefusal } from '../error-messages.js';
import { isClosed, resultText } from '../../protocols/shared/result-texts.js';
import {
  next,
  nextId,
  nextList,
  nextName,
  nextOptionalId,
  nextOptionalName,
  nextOutcome,
  nextValue,
} from '../../wasm/records.js';
import type {
  AnomalyEvent,
  DecisionEvent,
  DeliveryEvent,
  GateEvent,
  GateTexts,
  InputChangedEvent,
  Outcome,
  StalledEvent,
  ToolResultEvent,
  ToolState,
  TransitionEvent,
} from '../../types/index.js';

/** An event of the core. */
export interface CoreEvent {
  /** The public event. */
  readonly event: GateEvent;
  /** For an event about the delivery of an item: the item. */
  readonly item?: ItemOfEvent;
  /** For a result that the app may rewrite: the key of its call, and the input. */
  readonly rewrite?: { readonly call: number; readonly input: unknown };
}

/** The item of a delivery event. */
export interface ItemOfEvent {
  readonly item: number;
  readonly attempt: number;
  /** The input of the key's digest, apart from the chat id, if the item is ready. */
  readonly key: unknown;
  readonly approvals: readonly string[];
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** The next event of a record. */
export function nextEvent(texts: Partial<GateTexts> | undefined): CoreEvent {
  const type = nextName<
    'transition' | 'input-changed' | 'decision' | 'tool-result' | 'delivery' | 'anomaly' | 'stalled'
  >();
  switch (type) {
    case 'transition':
      return { event: transition() };
    case 'input-changed':
      return { event: inputChanged() };
    case 'decision':
      return { event: decision() };
    case 'tool-result':
      return toolResult(texts);
    case 'delivery':
      return delivery();
    case 'anomaly':
      return { event: { type, error: toError(nextValue() as CoreRefusal) } satisfies AnomalyEvent };
    case 'stalled':
      return { event: stalled() };
  }
}

function transition(): TransitionEvent {
  const toolCallId = nextId();
  const toolName = nextId();
  const from = nextOptionalName<ToolState>();
  const to = nextName<ToolState>();
  const event: Writable<TransitionEvent> = from
    ? { type: 'transition', toolCallId, toolName, from, to }
    : { type: 'transition', toolCallId, toolName, to };
  const approvalId = nextOptionalId();
  const outcome = nextOutcome<Outcome>();
  if (approvalId !== undefined) event.approvalId = approvalId;
  if (outcome) event.outcome = outcome;
  return event;
}

function inputChanged(): InputChangedEvent {
  const toolCallId = nextId();
  const toolName = nextId();
  const approvalId = nextOptionalId();
  const event = { type: 'input-changed' as const, toolCallId, toolName, decisionVoid: next() === 1 };
  return approvalId === undefined ? event : { ...event, approvalId };
}

function decision(): DecisionEvent {
  const approvalId = nextId();
  const toolCallId = nextId();
  const toolName = nextOptionalId();
  const isApproved = next();
  const reason = nextValue();
  const by = nextName<DecisionEvent['by']>();
  const event = { type: 'decision', approvalId, toolCallId, toolName, approved: isApproved === 1, by };
  if (reason !== undefined) (event as Writable<DecisionEvent>).reason = reason as string;
  return event as DecisionEvent;
}

function toolResult(texts: Partial<GateTexts> | undefined): CoreEvent {
  const toolCallId = nextId();
  const toolName = nextId();
  const outcome = nextOutcome<Outcome>() as Outcome;
  const output = nextValue();
  const call = next();
  const input = nextValue();
  const { kind } = outcome;
  const result = isClosed(kind) ? resultText({ ...outcome, kind }, texts) : output;
  const event: ToolResultEvent = { type: 'tool-result', toolCallId, toolName, outcome, result };
  // The core adds 1 to each key, because 0 means that there is none.
  return call === 0 ? { event } : { event, rewrite: { call: call - 1, input } };
}

function delivery(): CoreEvent {
  const item = next();
  const from = nextOptionalName<never>();
  const to = nextName<DeliveryEvent['to']>();
  const attempt = next();
  const error = nextValue();
  const key = nextValue();
  const approvals = nextList(nextId);
  const event: Writable<DeliveryEvent> = { type: 'delivery', id: OUTGOING + String(item), to, attempt };
  if (from !== undefined) event.from = from;
  if (error !== undefined) event.error = error as string;
  return { event, item: { item, attempt, key, approvals } };
}

function stalled(): StalledEvent {
  const item = next();
  const approvalIds = nextList(nextId);
  return item === 0 ? { type: 'stalled', approvalIds } : { type: 'stalled', id: OUTGOING + String(item), approvalIds };
}
