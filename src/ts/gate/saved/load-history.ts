/**
 * Loads a history into the core, with copies of the inputs that the app could still change.
 */
import { copyData } from '../../json/freeze.js';
import type { GateCore } from '../gate-core.js';
import { toRepair } from '../error-messages.js';
import { indexHistory } from './history-index.js';
import { convertOlder } from './older-messages.js';
import { isArray, own } from '../../json/safe-reading.js';
import { requestApprovals } from '../handlers/request-approvals.js';
import { writeNumbers } from '../../wasm/records.js';
import type { Repair, RepairReport } from '../../types/index.js';
import { say } from '../../types/say.js';
import { ToolGateError } from '../../types/errors.js';
import type { Translator } from '../../protocols/shared/translator.js';

type CoreRepair = Parameters<typeof toRepair>[0];

/** Loads a history: see `ToolGate.load`. */
export function load(gate: GateCore, messages: readonly unknown[]): RepairReport {
  assertArray(messages);
  const older = convertOlder(messages);
  const read = readMessages(gate, older);
  const history = copyInputs(read.history);
  const now = gate.env.now();
  // The core counts the messages that it got.
  const isOwn = read.history === older;
  const toOwnRepair = (repair: CoreRepair): Repair => toRepair(isOwn ? repair : { ...repair, message: undefined });
  const report = gate.run((core, handles) => {
    const isFirst = handles.isSmall;
    const { numbers, messages } = indexHistory(history, handles);
    if (numbers.length > 0) writeNumbers(core.make_room(numbers.length), numbers);
    const first = handles.holdAll(messages);
    const loaded = core.load(handles.give(history), first, messages.length, now);
    const repairs = handles.take(loaded) as CoreRepair[];
    if (isFirst) handles.countAsUsed();
    gate.projection.clear();
    gate.outbox.recordAll();
    return { repairs: [...read.repairs, ...repairs.map(toOwnRepair)] };
  });
  gate.updateClock();
  requestApprovals(gate);
  return report;
}

/** Reads the protocol's own messages. Throws `unserializable` for what JSON cannot hold, such as a symbol. */
function readMessages(gate: GateCore, messages: readonly unknown[]): ReturnType<Translator['load']> {
  try {
    return gate.translator?.load(messages) ?? { history: messages, repairs: [] };
  } catch (cause) {
    throw new ToolGateError('unserializable', `load: ${String(cause)}`, { cause });
  }
}

/** Throws a `TypeError` for a value that is not an array. */
function assertArray(given: unknown): void {
  if (isArray(given)) return;
  const what = given === null ? 'null' : typeof given === 'object' ? 'an object' : typeof given;
  throw new TypeError(
    say`load: expected an array of messages, got ${what}. Check \`response.ok\` before you load a response.`,
  );
}

/**
 * Copies the inputs after the last user message: those calls may still run, and the gate freezes the inputs that it
 * shows. Everything else is not copied.
 */
function copyInputs(history: readonly unknown[]): readonly unknown[] {
  try {
    const from = history.findLastIndex((message) => own(message, 'role') === 'user') + 1;
    return from === history.length ? history : [...history.slice(0, from), ...history.slice(from).map(copyInputsOf)];
  } catch {
    // A proxy or getter threw. The core reads such values safely and reports them.
    return history;
  }
}

function copyInputsOf(message: unknown): unknown {
  // The parts of a `UIMessage`, or of a `ModelMessage`.
  for (const list of ['parts', 'content']) {
    const parts = own(message, list);
    if (isArray(parts) && parts.some(hasInput)) return { ...(message as object), [list]: parts.map(copyInputOf) };
  }
  return message;
}

function hasInput(part: unknown): boolean {
  const input = own(part, 'input');
  return typeof input === 'object' && input !== null;
}

function copyInputOf(part: unknown): unknown {
  return hasInput(part) ? { ...(part as object), input: copyData(own(part, 'input')) } : part;
}
