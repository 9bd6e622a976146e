/**
 * Builds objects from the core's records: the JavaScript half of `src/wasm/record.rs`, which has the order of the
 * fields. One function builds each kind of object.
 *
 * A record is valid until the next call into its core. The app's objects may have getters that use a gate while they
 * are copied, so a gate is at work until its record has been read.
 */
import { words } from '../../../target/bindgen/toolgate.js';
import type { GateMessage, GatePart } from '../types/index.js';
import { copyAll, type Bag } from '../json/safe-reading.js';
import { nameOf, type HandleTable } from './handle-table.js';

// The bits of a tool part.
const DYNAMIC = 1;
const AUTOMATIC = 2;
const DECIDED = 4;
const APPROVED = 8;
const OUTPUT = 16;
const PRELIMINARY = 32;
const ERROR = 64;
const UNKNOWN_ERROR = 128;

// The tags of parts. The tag of a tool part is 2.
const STEP_START = 0;
const CONTENT = 1;

/** The error text of a call that failed without one, as in the AI SDK. */
const NO_ERROR_TEXT = 'unknown error';

/** The table and the position of the record that is being read. */
let handles: HandleTable;
let at = 0;

/** Reads the record at this place with `build`. */
export function readRecord<T>(of: HandleTable, place: number, build: () => T): T {
  const [outer, outerAt] = [handles, at];
  of.isAtWork = true;
  handles = of;
  at = place;
  try {
    return build();
  } finally {
    handles = outer;
    at = outerAt;
    of.isAtWork = false;
  }
}

/** The next number. */
export const next = (): number => words()[at++] as number;

/** The next value; undefined for none. */
export const nextValue = (): unknown => handles.take(next());

/** The text of the next id. */
export const nextId = (): string => handles.textOf(next() - 1);

/** The text of the next id; undefined for none. */
export function nextOptionalId(): string | undefined {
  const id = next();
  return id === 0 ? undefined : handles.textOf(id - 1);
}

/** The next fixed string. */
export const nextName = <T extends string>(): T => nameOf(next()) as T;

/** The next fixed string; undefined for none. */
export function nextOptionalName<T extends string>(): T | undefined {
  const name = next();
  return name === 0 ? undefined : (nameOf(name) as T);
}

/** The next list. */
export function nextList<T>(item: () => T): T[] {
  const list: T[] = [];
  for (let left = next(); left > 0; left--) list.push(item());
  return list;
}

/** The next outcome; undefined for none. */
export function nextOutcome<T>(): T | undefined {
  const kind = nextOptionalName();
  const [reason, mayHaveRun] = [nextValue(), next()];
  if (kind === undefined) return undefined;
  const outcome: Bag = { kind };
  if (reason !== undefined) outcome['reason'] = reason;
  if (mayHaveRun) outcome['mayHaveRun'] = true;
  return outcome as T;
}

/** The next message: the object that it was loaded from, or a new one. */
export function nextMessage(): GateMessage {
  const source = nextValue();
  if (source !== undefined) return source as GateMessage;
  const message: Bag = { id: nextId(), role: nextName() };
  const fields = nextValue();
  if (fields !== undefined) copyAll(fields, message);
  message['parts'] = nextList(nextPart);
  return message as unknown as GateMessage;
}

/** The next part. */
export function nextPart(): GatePart {
  const tag = next();
  if (tag === CONTENT) return nextValue() as GatePart;
  if (tag === STEP_START) return { type: 'step-start' };
  return nextCall() as unknown as GatePart;
}

function nextCall(): Bag {
  const bits = next();
  const name = nextId();
  const part: Bag =
    bits & DYNAMIC
      ? { type: 'dynamic-tool', toolName: name, toolCallId: nextId(), state: nextName() }
      : { type: `tool-${name}`, toolCallId: nextId(), state: nextName() };
  const [fields, input, rawInput] = [nextValue(), nextValue(), nextValue()];
  if (fields !== undefined) copyAll(fields, part);
  if (input !== undefined) part['input'] = input;
  if (rawInput !== undefined) part['rawInput'] = rawInput;
  const [result, metadata] = [nextValue(), nextValue()];
  if (bits & OUTPUT && result !== undefined) part['output'] = result;
  if (bits & PRELIMINARY) part['preliminary'] = true;
  if (bits & ERROR) part['errorText'] = result;
  if (bits & UNKNOWN_ERROR) part['errorText'] = NO_ERROR_TEXT;
  if (metadata !== undefined) part['callProviderMetadata'] = metadata;
  const approval = nextApproval(bits);
  if (approval) part['approval'] = approval;
  const outcome = nextOutcome();
  if (outcome) part['outcome'] = outcome;
  const [decidedBy, delivery] = [nextOptionalName(), nextOptionalName()];
  if (decidedBy) part['decidedBy'] = decidedBy;
  if (delivery) part['delivery'] = delivery;
  return part;
}

function nextApproval(bits: number): Bag | undefined {
  const [id, envelope, reason] = [nextOptionalId(), nextValue(), nextValue()];
  if (id === undefined) return undefined;
  const approval: Bag = { id };
  if (envelope !== undefined) copyAll(envelope, approval);
  if (bits & AUTOMATIC) approval['isAutomatic'] = true;
  if (bits & DECIDED) {
    approval['approved'] = (bits & APPROVED) !== 0;
    if (reason !== undefined) approval['reason'] = reason;
  }
  return approval;
}
