/**
 * Highlights the lines of an assembled message that show whether a call ran or was denied, in the format of any
 * backend.
 */
import { isToolPart } from '../types/tool-part.js';
import type { ToolGate } from '../gate/tool-gate.js';

/** The state of a call: it has an output, it has settled without one, or it is pending. */
export type CallTone = 'yes' | 'no' | 'wait';

/** Returns the state of each call, by its id in JSON. */
export function tonesOf(gate: ToolGate): ReadonlyMap<string, CallTone> {
  const tones = new Map<string, CallTone>();
  for (const part of gate.getSnapshot().messages.flatMap(({ parts }) => parts)) {
    if (!isToolPart(part)) continue;
    const { toolCallId, outcome } = part;
    tones.set(JSON.stringify(toolCallId), outcome === undefined ? 'wait' : outcome.kind === 'executed' ? 'yes' : 'no');
  }
  return tones;
}

/** Matches how backends express a denial. */
const DENIAL = /denied|reject|"(approved?|confirmed)": ?false/;

/** Splits a text into pieces of complete lines. Lines with a call id or a denial have a tone. */
export function piecesOf(
  text: string,
  tones: ReadonlyMap<string, CallTone>,
): { readonly text: string; readonly tone: CallTone | undefined }[] {
  const pieces: { text: string; tone: CallTone | undefined }[] = [];
  for (const line of text.split(/(?<=\n)/)) {
    const tone = DENIAL.test(line) ? 'no' : tones.get(/: ("[^"]*"),?\n?$/.exec(line)?.[1] ?? '');
    const last = pieces.at(-1);
    if (last && last.tone === tone) last.text += line;
    else pieces.push({ text: line, tone });
  }
  return pieces;
}
