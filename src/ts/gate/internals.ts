/**
 * The internals of a gate, for other parts of this package: the persister (`toolgate/persist`), which stores a chat and
 * shares it between tabs, the driver of a guarded chat, and the recorders of `toolgate/inspector` and
 * `toolgate/evidence`.
 */
import type { AuditLog } from './events/audit-log.js';
import type { Commands } from './commands.js';
import type { Environment } from './environment.js';
import type { Codec } from '../protocols/shared/codec.js';
import type { GateView } from '../types/index.js';
import type { Saving } from './saved/saving.js';

export type { OptionLayer } from './environment.js';

/** The internals of one gate. */
export interface GateInternals {
  /** The app's options, clock and ids. */
  readonly env: Environment;
  /** The protocol's definition, in its translator. Undefined for the AI SDK's protocol. */
  readonly translator: { readonly codec: Pick<Codec, 'capabilities' | 'asksItself' | 'lacksChoice'> } | undefined;
  /**
   * The commands that change the gate: see commands.ts. The command `adopt` replaces the state with a saved one; equal
   * messages stay the same objects. Without `follows` the gate continues from it, as `ToolGate.restore` does. With
   * `follows` it shows the state of another tab. `then` is called before listeners are notified. `continued` is
   * called first, with the values of the saved state, and may apply changes to it. Throws `bad-snapshot` and changes
   * nothing for an invalid snapshot, and if `continued` throws it.
   */
  readonly commands: Commands;
  /** The audit log, with its listeners. */
  readonly log: Pick<AuditLog, 'listeners'>;
  /** Saves the state. */
  readonly saving: Saving;
  /** Counts adopted states. A request that was sent for an earlier state does not affect this one. */
  readonly generation: number;
  /** Whether sending is paused: `outgoing()` is empty, and nothing can be claimed. */
  isPaused: boolean;
  /** The digest of an input: empty for one without a canonical form. */
  readonly digestOf: (input: unknown) => string;
  /** The digest of the input of an approval's call. */
  inputDigest(approvalId: string): string;
  /** The `shownRevision` of a pending approval. */
  shownRevision(approvalId: string): string | undefined;
  /** Whether an item is ready to be sent, even while sending is paused. */
  readonly hasReady: boolean;
  /** Replaces the core's view. The persister adds actions of the user that the leader has not confirmed. */
  shown?: ((view: GateView) => GateView) | undefined;
  /** Notifies listeners of a change outside the core. */
  notifyChanged(): void;
  /** The persister of the gate, if it is persisted. */
  persister?: PersisterHandle | undefined;
}

/** The part of a persister that a gate uses. */
export interface PersisterHandle {
  /** Whether this tab is the leader, which sends. */
  readonly isLeader: boolean;
  /** Resolves when this tab is leader or follower and has restored the stored state. */
  readonly joined: Promise<void>;
  /** Resolves when the present state, with its claims, is stored. Rejects if this tab must not send. */
  readonly claimed: () => Promise<void>;
  /** Stores the last state, and lets another tab lead. */
  close(): void;
}

/** The internals by `ToolGate`. The keys are objects because this file must not import the class. */
const internals = new WeakMap<object, GateInternals>();

/** Registers the internals of a gate. */
export function registerInternals(gate: object, inside: GateInternals): void {
  internals.set(gate, inside);
}

/** The internals of a gate; undefined for a gate of another copy of the package. */
export function internalsOf(gate: object): GateInternals | undefined {
  return internals.get(gate);
}

/** Whether another tab sends, or may send, for this gate. */
export function isFollowing(gate: object): boolean {
  return internals.get(gate)?.persister?.isLeader === false;
}
