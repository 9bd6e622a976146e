/**
 * Builds objects from the core's records: the JavaScript half of `src/wasm/record.rs`, which has the order of the
 * fields. One function builds each kind of object.
 *
 * A record is valid until the next call into its core. The app's objects may have getters that use a gate while they
 * are copied, so a gate refuses calls (`isAtWork`) until its record has been read.
 */
import { words } from '../../../target/bindgen/toolgate.js';
import { NONE } from '../types/empty-list.js';
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

/** The table, the core's memory and the position of the record that is being read. */
let handles: HandleTable;
let memory: Int32Array;
let at = 0;

/** Reads the record at this place with `build`. */
export function readRecord<T>(of: HandleTable, place: number, build: () => T): T {
  const outer = handles;
  const outerAt = at;
  of.isAtWork = true;
  handles = of;
  memory = words();
  at = place;
  try {
    return build();
  } finally {
    handles = outer;
    at = outerAt;
    memory = words();
    of.isAtWork = false;
  }
}

/** Writes numbers at a place that the core has made room for. */
export function writeNumbers(place: number, numbers: readonly number[]): void {
  words().set(numbers, place);
}

/** The next number. */
export const next = (): number => memory[at++] as number;

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
  const count = next();
  if (count === 0) return [];
  // When an empty array gets its first item, V8 allocates room for seventeen.
  const list = [item()];
  while (list.length < count) list.push(item());
  return list;
}

/** Reads a record that is a list of numbers. */
export function readList(of: HandleTable, place: number): number[] {
  return readRecord(of, place, () => nextList(next));
}

/** The next list of ids: the same object whenever it is empty. */
export function nextIds(): readonly string[] {
  return memory[at] === 0 ? (at++, NONE) : nextList(nextId);
}

/** The next list of numbers: the same object whenever it is empty. */
export function nextNumbers(): readonly number[] {
  return memory[at] === 0 ? (at++, NONE) : nextList(next);
}

/** The next outcome; undefined for none. */
export function nextOutcome<T>(): T | undefined {
  const kind = nextOptionalName();
  const reason = nextValue();
  const mayHaveRun = next();
  if (kind === undefined) return undefined;
  const outcome: Bag = { kind };
  if (reason !== undefined) outcome['reason'] = reason;
  if (mayHaveRun) outcome['mayHaveRun'] = true;
  return outcome as T;
}

/** Copies an object of the app. A getter of it may use another gate, and the memory may grow meanwhile. */
function copyFields(from: unknown, to: Bag): void {
  copyAll(from, to);
  memory = words();
}

/** The next message: the object that it was loaded from, or a new one. */
export function nextMessage(): GateMessage {
  const source = nextValue();
  if (source !== undefined) return withOutcomes(source as GateMessage);
  const message: Bag = { id: nextId(), role: nextName() };
  const fields = nextValue();
  if (fields !== undefined) copyFields(fields, message);
  message['parts'] = nextList(nextPart);
  return message as unknown as GateMessage;
}

/** A loaded message, with the outcomes that follow in the record: those of its calls with a result. */
function withOutcomes(message: GateMessage): GateMessage {
  let count = next();
  if (count === 0) return message;
  const parts: GatePart[] = message.parts.slice();
  for (; count > 0; count -= 2) {
    const index = next();
    parts[index] = { ...parts[index], outcome: { kind: nextName() } } as GatePart;
    memory = words();
  }
  return { ...message, parts };
}

/** The next part. */
export function nextPart(): GatePart {
  const tag = next();
  if (tag === CONTENT) return nextValue() as GatePart;
  if (tag === STEP_START) return { type: 'step-start' };
  return nextCall() as unknown as GatePart;
}

/** The last tool and its part type, which is built once for all versions of a part. */
let [typedTool, type] = ['', 'tool-'];

function typeOf(tool: string): string {
  if (tool !== typedTool) [typedTool, type] = [tool, `tool-${tool}`];
  return type;
}

function nextCall(): Bag {
  const bits = next();
  const name = nextId();
  const part: Bag =
    bits & DYNAMIC
      ? { type: 'dynamic-tool', toolName: name, toolCallId: nextId(), state: nextName() }
      : { type: typeOf(name), toolCallId: nextId(), state: nextName() };
  const fields = nextValue();
  const input = nextValue();
  const rawInput = nextValue();
  if (fields !== undefined) copyFields(fields, part);
  if (input !== undefined) part['input'] = input;
  if (rawInput !== undefined) part['rawInput'] = rawInput;
  const result = nextValue();
  const metadata = nextValue();
  if (bits & OUTPUT && result !== undefined) part['output'] = result;
  if (bits & PRELIMINARY) part['preliminary'] = true;
  if (bits & ERROR) part['errorText'] = result;
  if (bits & UNKNOWN_ERROR) part['errorText'] = NO_ERROR_TEXT;
  if (metadata !== undefined) part['callProviderMetadata'] = metadata;
  const approval = nextApproval(bits);
  if (approval) part['approval'] = approval;
  const outcome = nextOutcome();
  if (outcome) part['outcome'] = outcome;
  const decidedBy = nextOptionalName();
  const delivery = nextOptionalName();
  if (decidedBy) part['decidedBy'] = decidedBy;
  if (delivery) part['delivery'] = delivery;
  return part;
}

function nextApproval(bits: number): Bag | undefined {
  const id = nextOptionalId();
  const envelope = nextValue();
  const reason = nextValue();
  if (id === undefined) return undefined;
  const approval: Bag = { id };
  if (envelope !== undefined) copyFields(envelope, approval);
  if (bits & AUTOMATIC) approval['isAutomatic'] = true;
  if (bits & DECIDED) {
    approval['approved'] = (bits & APPROVED) !== 0;
    if (reason !== undefined) approval['reason'] = reason;
  }
  return approval;
}
