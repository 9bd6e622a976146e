/**
 * What a gate lets its own package reach beside its public methods: the keeper (`toolgate/persist`), which stores a chat
 * and shares it between tabs, the driver of a guarded chat, and the recorder of `toolgate/inspector`. It holds the
 * connections only; the rules are theirs.
 */
import type { Commands } from './commands.js';
import type { Environment } from './environment.js';
import type { GateView } from '../types/index.js';

/** The inside of a gate, with those who use it. */
export interface Port {
  /** The gate's app: its options, its clock, its ids. */
  readonly env: Environment;
  /**
   * Everything that changes the gate: see commands.ts. The command `adopt` takes a state over in place of the present one;
   * what shows the same stays the same object. Without `follows` it goes on with it, as `ToolGate.restore` does; with it,
   * it shows what another tab goes on with. `then` acts on it before listeners are notified. Throws `bad-snapshot`;
   * nothing is changed then.
   */
  readonly commands: Commands;
  /** Counts the states that were taken over: a request of an earlier one says nothing about this one's. */
  readonly generation: number;
  /** Nothing is listed to be sent, and nothing can be claimed. */
  isSilent: boolean;
  /** The digest of the input that an approval is asked for. */
  inputDigest(approvalId: string): string;
  /** Whether something may be sent, also while nothing is listed. */
  readonly hasReady: boolean;
  /** What is shown in place of the core's own view: the keeper's, for acts that another tab has not confirmed. */
  shown?: ((view: GateView) => GateView) | undefined;
  /** Notifies listeners that something changed. */
  touch(): void;
  /** Who keeps the gate. */
  keeper?: KeeperHandle | undefined;
}

/** Who stores a gate's state. */
export interface KeeperHandle {
  /** Whether this tab is the one that sends. */
  readonly isLeader: boolean;
  /** Resolves when it is known whether this tab sends, and what was stored is restored. */
  readonly joined: Promise<void>;
  /** Resolves when what the gate knows now is stored, claims included; rejects if nothing may be sent. */
  readonly claimed: () => Promise<void>;
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
