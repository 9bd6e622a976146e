/**
 * What a gate lets its own package reach beside its public methods: the keeper (`toolgate/keeper`), which stores a chat
 * and shares it between tabs, the driver of a guarded chat, and the recorder of `toolgate/inspector`. It holds the
 * connections only; the rules are theirs.
 */
import type { Environment } from './environment.js';
import type { Snapshot } from './types.js';

/** The inside of a gate, with those who use it. */
export interface Port {
  /** The gate's app: its options, its clock, its ids. */
  readonly env: Environment;
  /**
   * Takes a state over in place of the present one; what shows the same stays the same object. `live` 0: to go on with
   * it, as `ToolGate.restore` does; 1: to show what another tab goes on with; 2: the same, and something of the reply
   * can be seen. `then` acts on it before anybody is told. Throws `bad-snapshot`; nothing is changed then.
   */
  adopt(snapshot: Snapshot, live: 0 | 1 | 2, then?: () => void): void;
  /** Tells listeners that something changed. */
  touch(): void;
  /** Who keeps the gate. */
  keeper?: Keeper | undefined;
  /** Who stands between the user and the gate. */
  companion?: Companion | undefined;
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
  /** Calls `call`, by which the user asks for what it makes ready: no predicate of the app can veto that. */
  readonly asked: (call: () => void) => void;
}

/** By the `ToolGate`: this floor is below its own. */
const ports = new WeakMap<object, Port>();

/** Registers a gate. */
export function openPort(gate: object, port: Port): void {
  ports.set(gate, port);
}

/** The port of a gate; none for a gate of another copy of the package. */
export function portOf(gate: object): Port | undefined {
  return ports.get(gate);
}

/** Whether another tab sends for this gate, or may. */
export function isFollowing(gate: object): boolean {
  return ports.get(gate)?.keeper?.isLeader === false;
}
