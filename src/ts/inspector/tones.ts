/** Which lines of an assembled message tell what became of a call: so that a denial is found in any backend's words. */
import { isToolPart } from '../types/tool-part.js';
import type { ToolGate } from '../gate/tool-gate.js';

/** What became of a call: it ran, it did not, or that is open. */
export type CallTone = 'yes' | 'no' | 'wait';

/** What became of each call, by its id as JSON has it. */
export function tonesOf(gate: ToolGate): ReadonlyMap<string, CallTone> {
  const tones = new Map<string, CallTone>();
  for (const part of gate.getSnapshot().messages.flatMap(({ parts }) => parts)) {
    if (!isToolPart(part)) continue;
    const { toolCallId, outcome } = part;
    tones.set(JSON.stringify(toolCallId), outcome === undefined ? 'wait' : outcome.kind === 'executed' ? 'yes' : 'no');
  }
  return tones;
}

/** How the backends say that a call was not allowed. */
const DENIAL = /denied|reject|"(approved?|confirmed)": ?false/;

/** A text in pieces, each of whole lines: with the tone of a line that names a call or says why it did not run. */
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
