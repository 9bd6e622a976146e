/**
 * Plays a recording into a new gate. `receive` and `streamEnded` must not throw. Other methods may throw a
 * `ToolGateError`, because their action may no longer be possible.
 */
import { isDeepStrictEqual } from 'node:util';
import { ToolGateError, type ToolGate } from 'toolgate';
import type { Act, Recording } from '../../interop/recorder';
import { gateFor, type Data } from '../support';

/** A broken rule. */
export class Broken extends Error {}

/** Plays the acts of a recording. With `isWatched`, reads every property of the gate after each act. */
export function play({ protocol, options }: Recording, acts: readonly Act[], isWatched = false): ToolGate {
  const gate = gateFor(protocol, { now: () => 0, ...options });
  acts.forEach((act, place) => {
    attempt(`act ${place}, ${act[0]}`, () => take(gate, act));
    if (isWatched) attempt(`reading after act ${place}`, () => shown(gate));
  });
  attempt('the end', () => [gate.outgoing(), gate.assemble(), gate.assemble('ai-sdk')]);
  return gate;
}

function take(gate: ToolGate, [method, ...args]: Act): void {
  // Items are numbered. An item has another id if an earlier one is missing.
  if (method === 'claim' && !gate.outgoing().some(({ id }) => id === args[0]))
    args = [gate.outgoing()[0]?.id ?? args[0]];
  try {
    (gate[method] as (...given: unknown[]) => unknown).apply(gate, args);
  } catch (error) {
    if (method === 'receive' || method === 'streamEnded' || !(error instanceof ToolGateError)) throw error;
  }
}

function attempt(what: string, work: () => unknown): void {
  try {
    work();
  } catch (error) {
    throw new Broken(`${what}: ${String((error as Error).stack ?? error)}`, { cause: error });
  }
}

const shown = (gate: ToolGate): unknown => {
  const { messages, queued, pending, status, turn } = gate.getSnapshot();
  return [messages, queued, pending, status, turn, gate.outgoing(), gate.undelivered()];
};

/** Plays the acts into two gates, and reads only one of them after each act. Throws if they differ at the end. */
export function playTwice(recording: Recording, acts: readonly Act[]): void {
  const [watched, alone] = [play(recording, acts, true), play(recording, acts)];
  const [a, b] = [shown(watched), shown(alone)].map((all) => JSON.stringify(all));
  if (!isDeepStrictEqual(a, b)) throw new Broken(`reading the gate changed it:\n${a}\n${b}`);
}

/** The content of a conversation: the text of all messages, and the facts about each call, without ids. */
export interface Said {
  readonly text: string;
  readonly calls: readonly string[];
}

/** Returns the content of a gate's messages. */
export function said(gate: ToolGate): Said {
  const parts: Data[] = gate.getSnapshot().messages.flatMap((message) => message.parts as Data[]);
  const calls = parts.filter(({ toolCallId }) => toolCallId !== undefined);
  return {
    text: parts.map(({ type, text }) => (/^(text|reasoning)$/.test(type) ? text : '')).join(''),
    calls: calls.map(({ type, toolName = type, input, state, output, errorText, outcome, approval }) =>
      JSON.stringify([toolName, input, state, output ?? errorText, outcome?.kind, approval?.approved]),
    ),
  };
}

/** Returns the calls and texts that two conversations have in common and a third one does not have. */
export function missing(first: Said, second: Said, third: Said): string[] {
  const [other, left] = [[...second.calls], [...third.calls]];
  const take = (from: string[], call: string): boolean =>
    from.includes(call) && Boolean(from.splice(from.indexOf(call), 1));
  const lost = first.calls.filter((call) => take(other, call) && !take(left, call));
  const text = isWithin(second.text, first.text) ? second.text : isWithin(first.text, second.text) ? first.text : '';
  return isWithin(text, third.text) ? lost : [...lost, `the text "${text}", which is now "${third.text}"`];
}

/** Whether the letters of one text appear in another one in the same order. */
function isWithin(inner: string, outer: string): boolean {
  let place = 0;
  for (const letter of outer) if (letter === inner[place]) place++;
  return place === inner.length;
}
