/**
 * Histories that an app gives: whether one is a list at all, inputs that the app may still change, and the way into
 * the core.
 */
import { copyData } from '../json/freeze.js';
import type { GateCore } from './gate-core.js';
import { toRepair } from './refusals.js';
import { isArray, own } from '../json/safe-reading.js';
import type { RepairReport } from '../types/index.js';

/** Takes a history in: see `ToolGate.load`. */
export function load(gate: GateCore, messages: readonly unknown[]): RepairReport {
  mustBeHistory(messages);
  const read = gate.translator?.load(messages) ?? { history: messages, repairs: [] };
  const history = ownInputs(read.history);
  const now = gate.env.now();
  const report = gate.run((core, host) => {
    const repairs = host.take(core.load(host.give(history), now)) as Parameters<typeof toRepair>[0][];
    gate.projection.clear();
    gate.outbox.note();
    return { repairs: [...read.repairs, ...repairs.map(toRepair)] };
  });
  gate.watch();
  return report;
}

/** Throws a `TypeError` for what is not an array. */
function mustBeHistory(given: unknown): void {
  if (isArray(given)) return;
  const what = given === null ? 'null' : typeof given === 'object' ? 'an object' : typeof given;
  throw new TypeError(
    `load: a history is an array of messages, not ${what}. Check that a response is ok before you load it`,
  );
}

/**
 * The history with copies of the inputs after the last message of the user: those calls may still run, and the gate
 * freezes what it shows of them. All else is the same objects.
 */
function ownInputs(history: readonly unknown[]): readonly unknown[] {
  try {
    const from = history.findLastIndex((message) => own(message, 'role') === 'user') + 1;
    return from === history.length ? history : [...history.slice(0, from), ...history.slice(from).map(withOwnInputs)];
  } catch {
    // A proxy that refuses, or a getter that throws: the core reads such a thing with care, and reports it.
    return history;
  }
}

function withOwnInputs(message: unknown): unknown {
  // `UIMessage` and `ModelMessage`.
  for (const list of ['parts', 'content']) {
    const parts = own(message, list);
    if (isArray(parts) && parts.some(hasInput)) return { ...(message as object), [list]: parts.map(withOwnInput) };
  }
  return message;
}

function hasInput(part: unknown): boolean {
  const input = own(part, 'input');
  return typeof input === 'object' && input !== null;
}

function withOwnInput(part: unknown): unknown {
  return hasInput(part) ? { ...(part as object), input: copyData(own(part, 'input')) } : part;
}
