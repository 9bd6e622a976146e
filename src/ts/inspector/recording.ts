/**
 * The types of recordings and replays. A recording is plain JSON, so it can be a file of a test. BigInt, Date,
 * `undefined` and similar values are encoded as in the gate's saved state.
 */
import type { ToolGate } from '../gate/tool-gate.js';
import type { AuditEntry, JSONObject, JSONValue, SavedGate } from '../types/index.js';

/** All commands of a gate with their effects, in order. */
export interface Recording {
  /** Identifies the file format. */
  readonly toolgate: 'recording';
  /** The version of the format. */
  readonly version: 1;
  /**
   * The gate's options without functions. `functions` has the names of those, and the steps have their return values.
   */
  readonly options: JSONObject;
  /** The names of options that are functions. */
  readonly functions: readonly string[];
  /** The gate's state at the start of the recording. Absent for a new gate. */
  readonly start?: SavedGate;
  /** The commands, in order. */
  readonly steps: readonly Step[];
  /** The expected state after a replay. */
  readonly end: EndState;
  /** The gate's audit log, for readers of the file. A replay ignores it. */
  readonly auditLog: readonly AuditEntry[];
}

/** One command of the gate. */
export interface Step {
  /** The time by the gate's clock, in ms since 1970. */
  readonly at: number;
  /** The method, or `rewritten` for a late result of `rewriteResult`. */
  readonly call: string;
  /** The encoded arguments. */
  readonly args: readonly JSONValue[];
  /** `true` for a command that a listener called while an earlier step was emitting its events. */
  readonly inside?: true;
  /** The encoded return value. Absent for undefined. */
  readonly returned?: JSONValue;
  /** The code of the thrown `ToolGateError`, or the name of another error. */
  readonly threw?: string;
  /** The emitted events, in order. */
  readonly events?: readonly JSONValue[];
  /** The items that the command removed from the outgoing list, with their bodies. */
  readonly taken?: readonly JSONValue[];
  /** The generated ids. */
  readonly ids?: readonly string[];
  /** The return values of `needsApproval`. */
  readonly asked?: readonly boolean[];
  /** The results of `rewriteResult`: a text, `null` for none, or the number of a later `rewritten` step. */
  readonly rewrites?: readonly (string | number | null)[];
}

/** The state of a gate at the end of a recording. */
export interface EndState {
  /** `getSnapshot()`, without its revision. */
  readonly view: JSONValue;
  /** `outgoing()`, with bodies. */
  readonly outgoing: JSONValue;
}

/** The first difference between a recording and its replay. */
export interface Difference {
  /** The index in `Recording.steps`, or `'end'`. */
  readonly step: number | 'end';
  /** The called method. */
  readonly call?: string;
  /** The path in the step or in the end state, such as `events[2].to`. */
  readonly path: string;
  /** The recorded value; `undefined` if there is none. */
  readonly recorded: unknown;
  /** The replayed value; `undefined` if there is none. */
  readonly replayed: unknown;
  /** Describes the difference in a sentence. */
  readonly message: string;
}

/** The result of `replay`. */
export interface Replayed {
  /** The first difference. Absent if the replay equals the recording. */
  readonly difference?: Difference;
  /** The gate of the replay, after the last step. */
  readonly gate: ToolGate;
}

/** The recorder of a gate. */
export interface Recorder {
  /**
   * Returns the recording so far. Undefined until the gate has had a moment without a request in flight: see `record`.
   */
  recording(): Recording | undefined;
  /** Why an earlier recording was discarded, if it was. */
  readonly problem: string | undefined;
  /** Stops recording. The recording can still be read. */
  stop(): void;
}

/** Options of `record`. */
export interface RecordOptions {
  /**
   * Number of steps after which the recording starts again, at the next moment without a request in flight. Default
   * 100,000.
   */
  readonly limit?: number;
}
