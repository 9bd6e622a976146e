/**
 * Plays a recording to a new gate. Whatever arrives, no method may throw anything but the `ToolGateError`s of acts that make no
 * sense any more.
 */
import { isDeepStrictEqual } from 'node:util';
import { ToolGateError, type ToolGate } from 'toolgate';
import type { Act, Recording } from '../../interop/recorder';
import { gateFor, type Data } from '../support';

/** What must not happen. */
export class Broken extends Error {}

/** Plays the acts. With `isWatched`, all that can be looked at is looked at after each of them. */
export function play({ protocol, options }: Recording, acts: readonly Act[], isWatched = false): ToolGate {
  const gate = gateFor(protocol, { now: () => 0, ...options });
  acts.forEach((act, place) => {
    attempt(`act ${place}, ${act[0]}`, () => take(gate, act));
    if (isWatched) attempt(`looking after act ${place}`, () => shown(gate));
  });
  attempt('the end', () => [gate.outgoing(), gate.assemble(), gate.assemble('ai-sdk')]);
  return gate;
}

function take(gate: ToolGate, [method, ...args]: Act): void {
  // An item may have another number where one before it is missing.
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

/** Plays the acts to two gates, one of which is looked at after each: throws if they differ in the end. */
export function playTwice(recording: Recording, acts: readonly Act[]): void {
  const [watched, alone] = [play(recording, acts, true), play(recording, acts)];
  const [a, b] = [shown(watched), shown(alone)].map((all) => JSON.stringify(all));
  if (!isDeepStrictEqual(a, b)) throw new Broken(`looking at it made a difference:\n${a}\n${b}`);
}

/** What a conversation says: the text of all messages, and each call with what is known of it, without ids. */
export interface Said {
  readonly text: string;
  readonly calls: readonly string[];
}

/** What a gate's messages say. */
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

/** What two conversations have in common and a third one does not have: calls, and the text. */
export function missing(first: Said, second: Said, third: Said): string[] {
  const [other, left] = [[...second.calls], [...third.calls]];
  const take = (from: string[], call: string): boolean =>
    from.includes(call) && Boolean(from.splice(from.indexOf(call), 1));
  const lost = first.calls.filter((call) => take(other, call) && !take(left, call));
  const text = isWithin(second.text, first.text) ? second.text : isWithin(first.text, second.text) ? first.text : '';
  return isWithin(text, third.text) ? lost : [...lost, `the text "${text}": it is "${third.text}"`];
}

/** Whether the letters of one text occur in another one, in their order. */
function isWithin(inner: string, outer: string): boolean {
  let place = 0;
  for (const letter of outer) if (letter === inner[place]) place++;
  return place === inner.length;
}
