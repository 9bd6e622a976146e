/**
 * `toolgate/svelte`: reads a gate or a guarded chat reactively (Svelte 5.7 or later). All components of a gate share
 * one subscription for each value, and an effect runs again only when a value that it reads has changed. A value is
 * subscribed to while an effect reads it, and never on the server.
 */
import { setContext } from 'svelte';
import type {} from 'svelte/elements';
import { createSubscriber } from 'svelte/reactivity';
import {
  approvalOf,
  messagesOf,
  partOf,
  pendingOf,
  rememberedOf,
  undeliveredOf,
  viewOf,
  type Gate,
  type ShownCall,
} from '../selectors.js';
import { createActions, type GateActions } from '../actions.js';
import type { AnyToolPart } from '../../describe/call-status.js';
import type { CallTexts } from '../../describe/call-texts.js';
import { describeCall, type CallDescription } from '../../describe/describe-call.js';
import type { ToolApprovalTags } from '../../element/define.js';
import { chatOf, gateIn, onReady, pendingChat, type GateSource, type GateSourceOf } from '../../gate/gate-source.js';
import type { ToolGate } from '../../gate/tool-gate.js';
import type {
  AnyTools,
  GateMessage,
  GateStatus,
  GateView,
  PendingApproval,
  RememberedDecision,
  ToolPart,
  Undelivered,
} from '../../types/index.js';
import { KEY, providedGate } from './svelte-gate.js';

export { ToolApproval, ToolApprovals } from './svelte-approvals.js';
export type { ToolApprovalProps, ToolApprovalsProps } from './svelte-approvals.js';
export { ToolQuestion } from './svelte-question.js';
export type { ToolQuestionProps } from './svelte-question.js';
export { useGuardedChat } from './svelte-chat.js';
export { useInbox } from './svelte-inbox.js';
export type { ReactiveChat } from './svelte-chat.js';
export type { SharedChat, UseGuardedChatOptions } from '../guarded-chat.js';
export type { GateActions } from '../actions.js';
export type { ShownCall } from '../selectors.js';
export { describeCall } from '../../describe/describe-call.js';
export { describeRefusal } from '../../describe/describe-refusal.js';
export type { CallDescription } from '../../describe/describe-call.js';

declare module 'svelte/elements' {
  /** The elements of `toolgate/element`. */
  interface SvelteHTMLElements extends ToolApprovalTags<import('svelte/elements').HTMLAttributes<HTMLElement>> {}
}

/**
 * The return value of {@link useGate}. Do not destructure its properties: the copies are not reactive. `T`: the app's
 * message type or tools.
 */
export interface ReactiveGate<T extends AnyTools = AnyTools> extends GateActions {
  /** The gate itself, for everything else; undefined while there is none. */
  readonly gate: ToolGate | undefined;
  /** The whole view. It changes with every change of the gate. */
  readonly view: GateView<T>;
  /** What the chat is doing. */
  readonly status: GateStatus;
  /** The transcript. Unchanged messages and parts are the same objects as before. */
  readonly messages: GateMessage<T>[];
  /** The approvals that can be decided now, in call order. Each is the same object until its call changes. */
  readonly pending: readonly PendingApproval<T>[];
  /** Items that failed, stalled or may not have arrived. `retry(id)` sends one again, `cancel()` abandons all. */
  readonly undelivered: readonly Undelivered[];
  /** The decisions that apply to later calls too. `gate.forget(id)` removes one. */
  readonly remembered: readonly RememberedDecision[];
  /** The part of one call, in any state; undefined if there is none. */
  readonly part: (toolCallId: string) => ToolPart<T> | undefined;
  /**
   * The approval of one call; undefined if it cannot be decided now. Pass the call's id, or its tool part if the
   * component has it. With a part, nothing subscribes to the gate.
   */
  readonly approval: (call: ShownCall) => PendingApproval<T> | undefined;
  /**
   * What to show for a call, and what the user can do about it: `describeCall(part, { view, texts })`. The same object
   * until it changes: use it in `$derived`. `texts` replaces the English words.
   */
  readonly describe: (part: AnyToolPart, texts?: Partial<CallTexts>) => CallDescription;
}

/** Provides a gate to `useGate()` in this component's descendants. Call it while the component initializes. */
export function provideGate(gate: GateSource | (() => GateSource)): void {
  setContext(KEY, getterOf(gate));
}

/**
 * Reads a gate or guarded chat in templates, `$derived` and `$effect`. By default, it uses that of `provideGate`.
 * Throws a `TypeError` if there is neither. You can destructure the functions of the return value, but not its
 * properties. `T` is the app's message type or tools. It is inferred from a chat; without one, name it:
 * `useGate<MyMessage>()`.
 */
export function useGate<T extends AnyTools = AnyTools>(
  gate?: GateSourceOf<T> | (() => GateSourceOf<T>),
): ReactiveGate<T> {
  const source = gate === undefined ? providedGate() : getterOf(gate);
  let reactive = reactiveGates.get(source);
  if (!reactive) reactiveGates.set(source, (reactive = reactiveGate(source)));
  return reactive as ReactiveGate as ReactiveGate<T>;
}

/** The reactive gate of each getter, so that all components below a `provideGate` share one. */
const reactiveGates = new WeakMap<() => GateSource, ReactiveGate>();

function reactiveGate(source: () => GateSource): ReactiveGate {
  const current = (): ToolGate | undefined => {
    const found = source();
    if (found && pendingChat(found)) trackReadiness(found);
    return gateIn(found);
  };
  const get = <T>(name: string, reader: () => (gate: Gate) => T, toolCallId?: string): T =>
    read(current(), name, reader, toolCallId);
  return {
    get gate() {
      return current();
    },
    get view() {
      return get('view', () => viewOf);
    },
    get status() {
      return get('status', () => statusOf);
    },
    get messages() {
      return get('messages', () => messagesOf);
    },
    get pending() {
      return get('pending', () => pendingOf);
    },
    get undelivered() {
      return get('undelivered', () => undeliveredOf);
    },
    get remembered() {
      return get('remembered', () => rememberedOf);
    },
    part: (toolCallId) => get(`part:${toolCallId}`, () => (gate) => partOf(gate, toolCallId), toolCallId),
    approval: (call) =>
      typeof call === 'string'
        ? get(`approval:${call}`, () => (gate) => approvalOf(gate, call), call)
        : approvalOf(current(), call),
    describe: (part, texts) => describeCall(part, { view: get('view', () => viewOf), texts }),
    ...createActions(current),
  };
}

/** For each chat whose core is loading, a function that subscribes the running effect to the existence of its gate. */
const readiness = new WeakMap<object, () => void>();

function trackReadiness(chat: NonNullable<GateSource>): void {
  const raw = chatOf(chat);
  let track = readiness.get(raw);
  if (!track) readiness.set(raw, (track = createSubscriber((update) => onReady(chat, update))));
  track();
}

/** The values of each gate that an effect reads now, by name. */
const values = new WeakMap<ToolGate, Map<string, () => unknown>>();

function read<T>(
  gate: ToolGate | undefined,
  name: string,
  reader: () => (gate: Gate) => T,
  toolCallId: string | undefined,
): T {
  if (!gate) return reader()(gate);
  let known = values.get(gate);
  if (!known) values.set(gate, (known = new Map()));
  const readValue = (known.get(name) as (() => T) | undefined) ?? createReader(gate, name, known, reader(), toolCallId);
  return readValue();
}

/**
 * Returns a function that reads one value. An effect that calls it runs again when the value has changed. `known` has
 * the function while an effect uses it. `toolCallId`: the call that the value is about.
 */
function createReader<T>(
  gate: ToolGate,
  name: string,
  known: Map<string, () => unknown>,
  reader: (gate: Gate) => T,
  toolCallId: string | undefined,
): () => T {
  const track = createSubscriber((update) => {
    known.set(name, readValue);
    let shown = reader(gate);
    const unsubscribe = gate.subscribe(() => {
      const now = reader(gate);
      if (now === shown) return;
      shown = now;
      update();
    }, toolCallId);
    return () => {
      unsubscribe();
      if (known.get(name) === readValue) known.delete(name);
    };
  });
  const readValue = (): T => {
    track();
    return reader(gate);
  };
  return readValue;
}

function statusOf(gate: Gate): GateStatus {
  return viewOf(gate).status;
}

const getters = new WeakMap<object, () => GateSource>();

/** The same getter for the same gate. */
function getterOf(gate: GateSource | (() => GateSource)): () => GateSource {
  if (typeof gate === 'function') return gate;
  if (!gate) return () => gate;
  let getter = getters.get(gate);
  if (!getter) getters.set(gate, (getter = () => gate));
  return getter;
}
