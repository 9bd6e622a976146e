/**
 * What a recording is, and what playing it again says: plain JSON, so that it can be a file beside a test. Values stand in
 * it as they do in snapshots: BigInt, Date, `undefined` and the like as tags.
 */
import type { ToolGate } from '../gate/tool-gate.js';
import type { AuditEntry, JSONObject, JSONValue, SavedGate } from '../types/index.js';

/** Everything that was put into a gate, in order, and what came of it. */
export interface Recording {
  /** Says what file this is. */
  readonly toolgate: 'recording';
  /** The version of the format. */
  readonly version: 1;
  /** The gate's options; those that are functions stand in `functions` by name, and what they answered in the steps. */
  readonly options: JSONObject;
  /** The names of the options that were functions. */
  readonly functions: readonly string[];
  /** What the gate knew when the recording began. Absent: nothing, it was new. */
  readonly start?: SavedGate;
  /** The calls, in order. */
  readonly steps: readonly Step[];
  /** What a replay must come to. */
  readonly end: EndState;
  /** The gate's audit log, for people: it says the same, without what was put in. */
  readonly auditLog: readonly AuditEntry[];
}

/** One call into the gate. */
export interface Step {
  /** The time by the gate's clock, in ms since 1970. */
  readonly at: number;
  /** The method; `rewritten` for the answer of a `rewriteResult` that took its time. */
  readonly call: string;
  /** What it was called with; values that JSON cannot hold as tags. */
  readonly args: readonly JSONValue[];
  /** `true`: it was called by a listener, while the step before it was being told. */
  readonly inside?: true;
  /** What it returned. Absent: nothing. */
  readonly returned?: JSONValue;
  /** The code of the `ToolGateError` that it threw, or the name of another error. */
  readonly threw?: string;
  /** What the gate reported, in order. */
  readonly events?: readonly JSONValue[];
  /** The items that it took off the list of what may leave, bodies included. */
  readonly taken?: readonly JSONValue[];
  /** The ids that were made for it. */
  readonly ids?: readonly string[];
  /** What `needsApproval` answered. */
  readonly asked?: readonly boolean[];
  /** What `rewriteResult` answered: a text, `null` for none, or the number of a later `rewritten` step. */
  readonly rewrites?: readonly (string | number | null)[];
}

/** What stood there in the end. */
export interface EndState {
  /** `getSnapshot()`, without its revision. */
  readonly view: JSONValue;
  /** `outgoing()`, bodies included. */
  readonly outgoing: JSONValue;
}

/** Where a replay first came out otherwise. */
export interface Difference {
  /** The index in `Recording.steps`, or `'end'`. */
  readonly step: number | 'end';
  /** The method that was called. */
  readonly call?: string;
  /** Where in the step or in the end, such as `events[2].to`. */
  readonly path: string;
  /** What the recording has there; `undefined` for nothing. */
  readonly recorded: unknown;
  /** What came now; `undefined` for nothing. */
  readonly replayed: unknown;
  /** The same in a sentence. */
  readonly message: string;
}

/** What `replay` found. */
export interface Replayed {
  /** Absent if everything came out as it was recorded. */
  readonly difference?: Difference;
  /** The gate that was made for it, as the last step left it. */
  readonly gate: ToolGate;
}

/** What `record` returns. */
export interface Recorder {
  /** What was recorded until now. Undefined while the gate was never at rest since `record`: see there. */
  recording(): Recording | undefined;
  /** Why what was recorded before is lost, if it is. */
  readonly problem: string | undefined;
  /** Ends the recording, which can still be read, and leaves the gate as it was before. */
  stop(): void;
}

/** Options of `record`. */
export interface RecordOptions {
  /** After how many steps the recording begins anew, at the next moment of rest. Default 100,000. */
  readonly limit?: number;
}
