/**
 * `toolgate/svelte`: a gate or a guarded chat, read reactively (Svelte 5.7 or later). Each piece of it has a subscriber of its
 * own, which all components of a gate share: what reads a piece runs again only when that piece has changed. It subscribes
 * while something reads it, and on the server never. It decides nothing and keeps nothing.
 */
import { getContext, setContext } from 'svelte';
import type {} from 'svelte/elements';
import { createSubscriber } from 'svelte/reactivity';
import {
  approvalReader,
  messagesOf,
  partReader,
  pendingOf,
  rememberedOf,
  undeliveredOf,
  viewOf,
  type Gate,
} from '../selectors.js';
import { createActions, type GateActions } from '../actions.js';
import type { ToolApprovalTags } from '../../element/define.js';
import { gateIn, type GateSource } from '../../gate/gate-source.js';
import type { ToolGate } from '../../gate/tool-gate.js';
import type {
  GateMessage,
  GateStatus,
  GateView,
  PendingApproval,
  RememberedDecision,
  ToolPart,
  Undelivered,
} from '../../types/index.js';

export type { GateActions } from '../actions.js';

declare module 'svelte/elements' {
  /** The tags of `toolgate/element`, for pages that use them. */
  interface SvelteHTMLElements extends ToolApprovalTags<import('svelte/elements').HTMLAttributes<HTMLElement>> {}
}

/** What {@link useGate} returns. Read its properties where they are used: destructured, they no longer change. */
export interface ReactiveGate extends GateActions {
  /** The gate itself, for what is not here; undefined until there is one. */
  readonly gate: ToolGate | undefined;
  /** The whole view: changes with everything. */
  readonly view: GateView;
  /** What the chat is doing. */
  readonly status: GateStatus;
  /** The transcript. A message or part that did not change is the same object as before. */
  readonly messages: GateMessage[];
  /** The approvals that can be answered now, in call order. Each is the same object until its call changes. */
  readonly pending: readonly PendingApproval[];
  /** What failed, stalled or may not have arrived: `retry(item.id)` sends it again, `cancel()` gives it up. */
  readonly undelivered: readonly Undelivered[];
  /** The decisions that answer later calls too: `gate.forget(entry.id)` ends one. */
  readonly remembered: readonly RememberedDecision[];
  /** The part of one call, however it stands; undefined if there is none. */
  readonly part: (toolCallId: string) => ToolPart | undefined;
  /** The approval of one call, while it can be answered. */
  readonly approval: (toolCallId: string) => PendingApproval | undefined;
}

const KEY = Symbol('toolgate');

/** Gives `useGate()` in this component's descendants their gate. Call it while the component initialises. */
export function provideGate(gate: GateSource | (() => GateSource)): void {
  setContext(KEY, getterOf(gate));
}

/**
 * A gate or guarded chat, to be read in templates, `$derived` and `$effect`. Without an argument it is the one of
 * `provideGate`; throws a `TypeError` if there is none either. Its functions can be destructured, its properties not.
 */
export function useGate(gate?: GateSource | (() => GateSource)): ReactiveGate {
  const source = gate === undefined ? getContext<(() => GateSource) | undefined>(KEY) : getterOf(gate);
  if (!source)
    throw new TypeError(
      'toolgate/svelte: no component above calls provideGate, and no gate was passed; as long as there is none, pass null',
    );
  const current = (): ToolGate | undefined => gateIn(source());
  const get = <T>(piece: string, reader: () => (gate: Gate) => T): T => read(current(), piece, reader);
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
    part: (toolCallId) => get(`part:${toolCallId}`, () => partReader(toolCallId)),
    approval: (toolCallId) => get(`approval:${toolCallId}`, () => approvalReader(toolCallId)),
    ...createActions(current),
  };
}

/** The pieces of each gate that something shows: a call that is gone leaves nothing here. */
const pieces = new WeakMap<ToolGate, Map<string, () => unknown>>();

function read<T>(gate: ToolGate | undefined, name: string, reader: () => (gate: Gate) => T): T {
  if (!gate) return reader()(gate);
  let known = pieces.get(gate);
  if (!known) pieces.set(gate, (known = new Map()));
  const piece = (known.get(name) as (() => T) | undefined) ?? createPiece(gate, name, known, reader());
  return piece();
}

/**
 * One piece: read inside an effect, it makes the effect run again when it has changed. It is known while an effect
 * reads it.
 */
function createPiece<T>(
  gate: ToolGate,
  name: string,
  known: Map<string, () => unknown>,
  reader: (gate: Gate) => T,
): () => T {
  const track = createSubscriber((update) => {
    known.set(name, piece);
    let shown = reader(gate);
    const end = gate.subscribe(() => {
      const now = reader(gate);
      if (now === shown) return;
      shown = now;
      update();
    });
    return () => {
      end();
      if (known.get(name) === piece) known.delete(name);
    };
  });
  const piece = (): T => {
    track();
    return reader(gate);
  };
  return piece;
}

function statusOf(gate: Gate): GateStatus {
  return viewOf(gate).status;
}

function getterOf(gate: GateSource | (() => GateSource)): () => GateSource {
  return typeof gate === 'function' ? gate : () => gate;
}
