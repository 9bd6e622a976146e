/** The conversation in the words of each protocol, and what got lost on the way; from the gate alone. */
import { capabilities, PROTOCOLS, type Capabilities, type Loss, type Protocol, type ToolGate } from 'toolgate';
import { callsOf, type CallView } from '../session/message-types';
import type { Session } from '../session/session';

/** One backend's column. */
export interface Column {
  protocol: Protocol;
  can: Capabilities;
  /** The messages, as `gate.assemble(protocol)` gives them. */
  messages: readonly unknown[];
  /** What of this very conversation the protocol has no words for. */
  lost: readonly Loss[];
}

export { PROTOCOLS, type Protocol };

/** What each gate has reported as lost. A gate tells each loss once, and the panel may be opened later. */
const told = new WeakMap<ToolGate, Map<Protocol, Set<Loss>>>();

/** The conversation as `protocol` has it. */
export function columnOf({ gate }: Session, protocol: Protocol): Column {
  const losses = lossesOf(gate);
  const stop = gate.onEvent((event) => {
    if (event.type !== 'lossy') return;
    const known = losses.get(event.protocol) ?? new Set();
    losses.set(event.protocol, known.add(event.loss));
  });
  const messages = gate.assemble(protocol);
  stop();
  return { protocol, can: capabilities(protocol), messages, lost: [...(losses.get(protocol) ?? [])] };
}

function lossesOf(gate: ToolGate): Map<Protocol, Set<Loss>> {
  const known = told.get(gate) ?? new Map<Protocol, Set<Loss>>();
  told.set(gate, known);
  return known;
}

/** A line of a message as JSON, and the colour of what it tells. */
export interface Line {
  text: string;
  tone: 'yes' | 'no' | 'wait' | undefined;
}

/** A message as lines. A line that names a call, or says why it did not run, has the colour of what became of it. */
export function linesOf(message: unknown, calls: readonly CallView[]): Line[] {
  return written(message)
    .split('\n')
    .map((text) => ({ text, tone: toneOf(text, calls) }));
}

/** JSON in which whatever is short stands on one line. */
function written(value: unknown, indent = ''): string {
  const flat = JSON.stringify(value) ?? 'null';
  if (typeof value !== 'object' || value === null || flat.length < 64) return flat;
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const lines = Object.entries(value).filter(([, item]) => item !== undefined).map(([key, item]) => `${inner}${isList ? '' : `${JSON.stringify(key)}: `}${written(item, inner)}`);
  const [open, close] = isList ? '[]' : '{}';
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}

const DENIAL = /denied|reject|"(approved?|confirmed)": ?false/;

function toneOf(text: string, calls: readonly CallView[]): Line['tone'] {
  if (DENIAL.test(text)) return 'no';
  const call = calls.find(({ toolCallId }) => text.includes(`${toolCallId}"`));
  if (!call) return undefined;
  const { kind } = call.outcome ?? {};
  if (kind === 'executed') return 'yes';
  return kind === undefined ? 'wait' : 'no';
}

/** The calls of the session's chat. */
export const callsIn = ({ chat }: Session): CallView[] => chat.messages.flatMap(callsOf);
