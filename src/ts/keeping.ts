/**
 * What a gate lets its own package reach beside its public methods: the keeper (`toolgate/keeper`), which stores a chat
 * and shares it between tabs, the driver of a guarded chat, and the recorder of `toolgate/inspector`. It holds the
 * connections only; the rules are theirs.
 */
import type { ToolGate } from './store.js';
import type { Snapshot, ToolGateOptions } from './types.js';

/** The inside of a gate, with those who use it. */
export interface Port {
  /** The gate's options: an object of its own over the app's. It looks its functions up here whenever it calls one. */
  readonly options: ToolGateOptions;
  /** The time by the gate's clock. */
  readonly now: () => number;
  /** The chat's id, if the app gave one. */
  readonly chatId: () => string | undefined;
  /** An id for something new, from where the gate takes its own. */
  readonly freshId: () => string;
  /**
   * Takes a state over in place of the present one; what shows the same stays the same object. `live` 0: to go on with
   * it, as `ToolGate.restore` does; 1: to show what another tab goes on with; 2: the same, and something of the reply
   * can be seen. `then` acts on it before anybody is told. Throws `bad-snapshot`; nothing is changed then.
   */
  readonly adopt: (snapshot: Snapshot, live: 0 | 1 | 2, then?: () => void) => void;
  /** Tells listeners that something changed. */
  readonly touch: () => void;
  /** Who keeps the gate. */
  keeper?: Keeper | undefined;
  /** Who stands between the user and the gate. */
  companion?: Companion;
}

/** Who stores a gate's state. */
export interface Keeper {
  /** Whether this tab is the one that sends. */
  readonly isLeader: boolean;
  /** Resolves when it is known whether this tab sends, and what was stored is restored. */
  readonly joined: Promise<void>;
  /** Resolves when what the gate knows now is stored, claims included; rejects if nothing may be sent. */
  readonly claimed: () => Promise<void>;
}

/** Something that the user did: a method of the gate, and what it was called with. */
export interface Act {
  readonly method: string;
  readonly args: readonly unknown[];
  /** What the companion has to say about it. */
  readonly note?: unknown;
}

/** The driver of a guarded chat, as a keeper sees it. */
export interface Companion {
  /** What the request of the act in progress is to be sent with: plain data. */
  readonly note: unknown;
  /** Does what the user did in another tab. Throws what the gate throws. */
  readonly perform: (act: Act) => void;
  /** Calls `call`; nothing leaves before it is over. */
  readonly together: (call: () => void) => void;
}

const ports = new WeakMap<ToolGate, Port>();

/** Registers a gate. */
export function openPort(gate: ToolGate, port: Port): void {
  ports.set(gate, port);
}

/** The port of a gate; none for a gate of another copy of the package. */
export function portOf(gate: ToolGate): Port | undefined {
  return ports.get(gate);
}

/** Whether another tab sends for this gate, or may. */
export function isFollowing(gate: ToolGate): boolean {
  return ports.get(gate)?.keeper?.isLeader === false;
}
