/**
 * Plays a recording to a new gate, and says what the gate shows at the end. Whatever arrives, no method may throw anything but
 * the `ToolGateError`s of acts that make no sense any more.
 */
import { ToolGate, ToolGateError } from 'toolgate';
import type { Act, Recording } from '../../interop/recorder';
import { gateFor, type Data } from '../support';

/** What must not happen: a method threw what it should not. */
export class Broken extends Error {}

/** Plays the acts. With `isWatched`, everything that can be looked at is looked at after each of them. */
export function play({ protocol, options }: Recording, acts: readonly Act[], isWatched = false): ToolGate {
  const gate = gateFor(protocol, options);
  acts.forEach(([method, ...args], place) => {
    act(gate, method, args, place);
    if (isWatched) attempt(`looking after act ${place}`, () => [gate.getSnapshot(), gate.pending(), gate.outgoing(), gate.undelivered()]);
  });
  attempt('outgoing', () => gate.outgoing());
  attempt('assemble', () => [gate.assemble(), gate.assemble('ai-sdk')]);
  return gate;
}

function act(gate: ToolGate, method: Act[0], args: unknown[], place: number): void {
  attempt(`act ${place}, ${method}`, () => {
    // An item may have another number where one before it is missing.
    if (method === 'claim' && !gate.outgoing().some(({ id }) => id === args[0])) args = [gate.outgoing()[0]?.id ?? args[0]];
    try {
      (gate[method] as (...given: unknown[]) => unknown).apply(gate, args);
    } catch (error) {
      if (method === 'receive' || method === 'streamEnded' || !(error instanceof ToolGateError)) throw error;
    }
  });
}

function attempt(what: string, work: () => unknown): void {
  try {
    work();
  } catch (error) {
    throw new Broken(`${what}: ${String((error as Error).stack ?? error)}`, { cause: error });
  }
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

/** What two conversations have in common, as far as a third one must have it too: what of it is missing there. */
export function missing(first: Said, second: Said, third: Said): string[] {
  const left = [...third.calls];
  const other = [...second.calls];
  const take = (from: string[], call: string): boolean => from.includes(call) && Boolean(from.splice(from.indexOf(call), 1));
  const lost = first.calls.filter((call) => take(other, call) && !take(left, call));
  const text = common(first.text, second.text);
  return isWithin(text, third.text) ? lost : [...lost, `the text "${text}" (there is "${third.text}")`];
}

/** The text that is left where one has pieces of the other. */
const common = (a: string, b: string): string => (isWithin(b, a) ? b : isWithin(a, b) ? a : '');

/** Whether the letters of one text occur in another one, in their order. */
function isWithin(inner: string, outer: string): boolean {
  let place = 0;
  for (const letter of outer) if (letter === inner[place]) place++;
  return place === inner.length;
}
