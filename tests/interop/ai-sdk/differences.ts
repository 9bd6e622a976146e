/**
 * Every intended difference between Toolgate and the AI SDK, in one table.
 *
 * The tests use it twice: a stream or history may differ from the package only by the entries that it names, and
 * each entry has a stream or history that shows it to be real. `docs/ai-sdk-differences.md` is this table, rendered.
 */
import { difference } from './compare';
import { closed, isOpen, mapCalls, mended, withDenials, withFileData, withoutCopies } from './history-rewrites';
import type { Chunk, Message, ModelMessage, Part } from './peers';

/** Where a difference shows: in the messages built from a stream, or in the assembled history. */
export type Place = 'messages' | 'history';

/** Ids of the differences, in the order of the table. */
export type DifferenceId = keyof typeof table;

/** One entry. */
export interface Difference {
  readonly place: Place;
  /** The versions of the package that differ from us here. */
  readonly versions: readonly (6 | 7)[];
  /** What happens, in a few words. */
  readonly when: string;
  /** What the package does. */
  readonly theirs: string;
  /** What we do. */
  readonly ours: string;
  readonly reason: string;
  /** Messages: whether these two parts differ by this entry and by nothing else. */
  readonly part?: (ours: Part, theirs: Part) => boolean;
  /** Messages: ours is what the package makes of this stream instead; `earlier` is the reply before it. */
  readonly stream?: (chunks: readonly Chunk[], earlier: readonly Chunk[]) => readonly Chunk[];
  /** Messages: `true` if ours is what version 7 makes of the stream. */
  readonly as7?: boolean;
  /** History: ours is what the package makes of this history instead. */
  readonly history?: (history: readonly Message[]) => readonly Message[];
  /** History: what the package gave, as we would have given it. */
  readonly messages?: (theirs: readonly ModelMessage[], history: readonly Message[]) => ModelMessage[];
}

/** Whether two parts are equal but for the keys named. */
function sameBut(ours: Part, theirs: Part, ...keys: string[]): boolean {
  const strip = (part: Part): Part =>
    Object.fromEntries(Object.entries(part).filter(([key]) => !keys.includes(key) && !added.includes(key))) as Part;
  return difference(strip(ours), strip(theirs)) === undefined;
}

/** Keys that only our parts have. */
const added = ['outcome', 'delivery'];

type Outcome = { kind: string; reason?: string; mayHaveRun?: boolean } | undefined;

const approved = (part: Part): boolean | undefined => (part['approval'] as { approved?: boolean } | undefined)?.approved;
const outcome = (part: Part): Outcome => part['outcome'] as Outcome;

/** Whether a chunk names something that the chunks before it did not begin. */
export function isStray(chunk: Chunk, before: readonly Chunk[]): boolean {
  const since = before.slice(before.findLastIndex(({ type }) => type === 'reset-step') + 1);
  const [kind, event] = chunk.type.split('-');
  if ((kind === 'text' || kind === 'reasoning') && event !== 'start') {
    const same = since.filter(({ type, id }) => id === chunk['id'] && type.startsWith(`${kind}-`));
    return same.length === 0 || same.at(-1)!.type === `${kind}-end`;
  }
  const isCall = ({ type }: Chunk): boolean => type.startsWith('tool-input-') && type !== 'tool-input-delta';
  if (chunk.type === 'tool-approval-response') {
    return !before.some(({ type, approvalId }) => type === 'tool-approval-request' && approvalId === chunk['approvalId']);
  }
  if (!/^tool-(input-delta|approval-request|output-)/.test(chunk.type)) return false;
  return !before.some(other => isCall(other) && other['toolCallId'] === chunk['toolCallId']);
}

/** Leaves out the chunks for which `drop` holds, given the chunks before. */
const without =
  (drop: (chunk: Chunk, before: readonly Chunk[]) => boolean) =>
  (chunks: readonly Chunk[], earlier: readonly Chunk[]): readonly Chunk[] =>
    chunks.filter((chunk, index) => !drop(chunk, [...earlier, ...chunks.slice(0, index)]));

const ofCall = (chunk: Chunk, before: readonly Chunk[]): Chunk[] =>
  before.filter(({ toolCallId }) => toolCallId !== undefined && toolCallId === chunk['toolCallId']);

const settles = ({ type, preliminary }: Chunk): boolean =>
  (type === 'tool-output-available' && preliminary !== true) ||
  type === 'tool-output-error' ||
  type === 'tool-output-denied' ||
  type === 'tool-input-error';

const table = {
  'unknown-id': {
    place: 'messages',
    versions: [6, 7],
    when: 'A chunk names a text, a call or an approval that is not there',
    theirs: 'throws `AI_UIMessageStreamError`; the rest of the reply is lost',
    ours: 'an `anomaly` event; the rest of the reply is read',
    reason: 'One stray chunk must not cost the user the reply.',
    stream: without(isStray),
  },
  'settled-absorbs': {
    place: 'messages',
    versions: [6, 7],
    when: 'A chunk contradicts or repeats what a call has settled as',
    theirs: 'overwrites the result, or takes the part back to an earlier state',
    ours: 'the part stays; an `anomaly` event',
    reason: 'A result that the user and the model may have seen is what happened.',
    stream: without((chunk, before) => chunk.type.startsWith('tool-') && ofCall(chunk, before).some(settles)),
  },
  'denied-stands': {
    place: 'messages',
    versions: [6, 7],
    when: 'An output arrives for a call that the user has denied',
    theirs: '`output-available` with `approved: false`, which `validateUIMessages` refuses from then on',
    ours: 'the denial stands; an `anomaly` event',
    reason: 'A denied part never carries an output, and the history stays valid.',
    part: (ours, theirs) =>
      approved(theirs) === false &&
      (ours.state === 'approval-responded' || ours.state === 'output-denied') &&
      sameBut(ours, theirs, 'state', 'output', 'errorText', 'preliminary'),
  },
  'decision-stands': {
    place: 'messages',
    versions: [6, 7],
    when: 'The approval request, or the input, arrives again after the decision',
    theirs: 'the decision is gone: the part is `approval-requested` or `input-available` again',
    ours: 'the decision stands',
    reason: 'Servers repeat themselves (pydantic-ai repeats the input of every approved call); a request takes nothing back.',
    stream: without(
      (chunk, before) =>
        (chunk.type === 'tool-approval-request' || chunk.type.startsWith('tool-input-')) &&
        ofCall(chunk, before).some(({ type }) => type === 'tool-approval-request'),
    ),
  },
  'never-back': {
    place: 'messages',
    versions: [6, 7],
    when: '`tool-input-start` arrives again after the complete input',
    theirs: 'the part goes back to `input-streaming` and its input is gone',
    ours: 'the part stays',
    reason: 'A part never goes backward.',
    stream: without(
      (chunk, before) =>
        chunk.type === 'tool-input-start' && ofCall(chunk, before).some(({ type }) => type === 'tool-input-available'),
    ),
  },
  'one-part-a-call': {
    place: 'messages',
    versions: [6, 7],
    when: 'A call is announced again in a later step, or once as static and once as dynamic',
    theirs: 'two parts with the same call id, which providers refuse as a duplicate',
    ours: 'one part, where the call first stood',
    reason: 'One call is one part; the next request has it once.',
    stream: chunks => {
      const first = (chunk: Chunk) => chunks.find(({ toolCallId }) => toolCallId === chunk['toolCallId'])!;
      return without((chunk, before) => chunk.type.startsWith('tool-') && ofCall(chunk, before).some(settles))(
        chunks.map(chunk => (chunk.type.startsWith('tool-input-') ? { ...chunk, dynamic: first(chunk)['dynamic'] } : chunk)),
        [],
      );
    },
  },
  'request-withdrawn': {
    place: 'messages',
    versions: [6, 7],
    when: 'An output arrives while the user is still asked',
    theirs: '`output-available` with an unanswered `approval`, which `validateUIMessages` refuses from then on',
    ours: 'the output is shown, the request is withdrawn; an `anomaly` event',
    reason: 'It ran without the approval: that is the truth, and the history stays valid.',
    part: (ours, theirs) =>
      theirs.state === ours.state && approved(theirs) === undefined && !('approval' in ours) && sameBut(ours, theirs, 'approval'),
  },
  'unfinished-input': {
    place: 'messages',
    versions: [6, 7],
    when: 'The reply ends while an input is still streaming',
    theirs: 'stays `input-streaming` for ever',
    ours: '`output-error`, `outcome: { kind: \'interrupted\' }`; left out of requests',
    reason: 'A call whose input never completed was never a call, and a spinner must end.',
    part: (ours, theirs) =>
      theirs.state === 'input-streaming' &&
      ours.state === 'output-error' &&
      outcome(ours)?.kind === 'interrupted' &&
      sameBut(ours, theirs, 'state', 'errorText', 'callProviderMetadata'),
  },
  'half-input': {
    place: 'messages',
    versions: [6, 7],
    when: 'A call is asked for, or fails, while its input is still streaming',
    theirs: 'keeps the half-written text as `rawInput`',
    ours: 'the partial input becomes the input',
    reason: '`rawInput` belongs to `input-streaming`; version 7 warns about it elsewhere.',
    part: (ours, theirs) =>
      theirs.state !== 'input-streaming' && typeof theirs['rawInput'] === 'string' && sameBut(ours, theirs, 'rawInput'),
  },
  'signed-exponent': {
    place: 'messages',
    versions: [6, 7],
    when: 'A streamed input has a number such as `1e+21`',
    theirs: 'the partial input shows it as 1 until something follows',
    ours: 'the partial input shows what has been read of it',
    reason: 'It is one number in JSON.',
    part: (ours, theirs) =>
      ours.state === 'input-streaming' && /\de\+\d*[^{}[\]]*$/i.test(String(theirs['rawInput'])) && sameBut(ours, theirs, 'input'),
  },
  'escaped-key': {
    place: 'messages',
    versions: [6, 7],
    when: 'A streamed input has a key with an escaped quote',
    theirs: 'the partial input is `undefined`, or wrong, until the object is complete',
    ours: 'the partial input has what has been read',
    reason: 'A quote in a key is legal JSON.',
    part: (ours, theirs) =>
      ours.state === 'input-streaming' &&
      /[{,]\s*"(?:[^"\\]|\\[^"])*\\"/.test(String(theirs['rawInput'])) &&
      sameBut(ours, theirs, 'input'),
  },
  'preliminary-at-end': {
    place: 'messages',
    versions: [6, 7],
    when: 'The reply ends after a preliminary output',
    theirs: 'stays a preliminary `output-available`, and goes to the model as the result',
    ours: '`output-error`, `outcome: { kind: \'interrupted\', mayHaveRun: true }`',
    reason: 'Half a result is no result; what became of the call is not known.',
    part: (ours, theirs) =>
      theirs['preliminary'] === true &&
      ours.state === 'output-error' &&
      outcome(ours)?.kind === 'interrupted' &&
      outcome(ours)?.mayHaveRun === true &&
      sameBut(ours, theirs, 'state', 'errorText', 'output', 'preliminary', 'callProviderMetadata'),
  },
  'denied-at-end': {
    place: 'messages',
    versions: [6, 7],
    when: 'The reply to a denial ends without `tool-output-denied`',
    theirs: 'stays `approval-responded`',
    ours: '`output-denied`',
    reason: 'The conversation has moved on; version 6 refuses such a history on the next turn.',
    part: (ours, theirs) =>
      theirs.state === 'approval-responded' &&
      approved(theirs) === false &&
      ours.state === 'output-denied' &&
      sameBut(ours, theirs, 'state'),
  },
  'extra-fields': {
    place: 'messages',
    versions: [6, 7],
    when: 'A chunk has fields that its type does not name',
    theirs: 'dropped (but kept on data parts)',
    ours: 'kept on the part',
    reason: 'What the backend sent passes through untouched.',
    part: (ours, theirs) => {
      const extra = Object.keys(ours).filter(key => !(key in theirs) && !added.includes(key));
      return extra.length > 0 && sameBut(ours, theirs, ...extra);
    },
  },
  'proto-key': {
    place: 'messages',
    versions: [6, 7],
    when: 'A streamed input has a key `__proto__`, or `constructor` with a `prototype`',
    theirs: 'the partial input is `undefined`',
    ours: 'the partial input has the key as an own property',
    reason: 'It is data like any other, and nothing is polluted by it.',
    part: (ours, theirs) =>
      ours.state === 'input-streaming' && theirs['input'] === undefined && ours['input'] !== undefined && sameBut(ours, theirs, 'input'),
  },
  'v6-unknown-chunks': {
    place: 'messages',
    versions: [6],
    when: 'Chunks and fields that came with version 7: `custom`, `reasoning-file`, `tool-approval-response`, `reset-step`, `steering-message`, citations, the reason of a request, automatic approvals',
    theirs: 'ignored',
    ours: 'read as version 7 reads them',
    reason: 'A version 7 server may answer a version 6 client.',
    as7: true,
  },
  'v6-raw-input': {
    place: 'messages',
    versions: [6],
    when: '`tool-input-error` for a static tool',
    theirs: '`rawInput` has the input, `input` is absent',
    ours: '`input` has it, as in version 7',
    reason: 'Version 7 has deprecated `rawInput` here; both versions read our shape.',
    as7: true,
    part: (ours, theirs) =>
      ours.state === 'output-error' &&
      theirs['input'] === undefined &&
      difference(ours['input'], theirs['rawInput']) === undefined &&
      sameBut(ours, theirs, 'input', 'rawInput'),
  },
  'v6-lone-minus': {
    place: 'messages',
    versions: [6],
    when: 'A streamed input is cut right after the minus of a number',
    theirs: 'the partial input is `undefined` for that moment',
    ours: 'the partial input without that number, as in version 7',
    reason: 'The form must not flicker.',
    as7: true,
    part: (ours, theirs) =>
      String(theirs['rawInput']).endsWith('-') && theirs['input'] === undefined && sameBut(ours, theirs, 'input'),
  },
  'v6-step-ends-texts': {
    place: 'messages',
    versions: [6],
    when: 'A text goes on after `finish-step`',
    theirs: 'throws, as if it had never been started',
    ours: 'goes on, as in version 7',
    reason: 'Merged streams finish a step while another one still writes.',
    as7: true,
  },

  'denial-shape': {
    place: 'history',
    versions: [6, 7],
    when: 'A denied call',
    theirs: '7: `execution-denied` while the denial is fresh, `error-text` on later turns; 6: no result while it is fresh, `error-text` later',
    ours: '`execution-denied` with the reason, in call order, on every turn',
    reason: 'The model reads the same on every turn, and a prompt cache stays valid.',
    messages: withDenials,
  },
  'open-call': {
    place: 'history',
    versions: [6, 7],
    when: 'A call of the last step waits for the user or for a browser tool, or has only a preliminary output',
    theirs: 'the call, without a result (a preliminary output passes for one)',
    ours: 'left out until it has its answer',
    reason: 'Providers refuse a call without a result; half a result is none.',
    history: history => mapCalls(history, (part, isLast) => (isLast && isOpen(part) ? undefined : part)),
  },
  'left-open': {
    place: 'history',
    versions: [6, 7],
    when: 'A call before the last step was left without a result',
    theirs: 'the call, without a result; 7 drops it if it was still asked before the last user message',
    ours: 'closed with an error text that says whether it may have run, and `providerOptions.toolgate`',
    reason: 'Providers refuse a call without a result, and the model should know what became of it.',
    history: history => mapCalls(history, (part, isLast) => (isLast ? part : closed(part))),
  },
  'one-call': {
    place: 'history',
    versions: [6, 7],
    when: 'A call stands in the history more than once',
    theirs: 'as often as it stands there',
    ours: 'once, where it first stood, with the result if any of them has one',
    reason: 'Providers refuse a duplicate call.',
    history: withoutCopies,
  },
  mended: {
    place: 'history',
    versions: [6, 7],
    when: 'A call contradicts itself: no state, denied without an approval, an output beside an approval that was not granted',
    theirs: 'as it stands: a call without a result, or a request without an answer',
    ours: 'mended while loading, and reported',
    reason: 'A broken history must not end the chat.',
    history: history => mapCalls(history, mended),
  },
  'v6-file-data': {
    place: 'history',
    versions: [6],
    when: 'A file',
    theirs: '`data` is the address, a string',
    ours: '`data` is `{ type: \'url\', url: URL }`, as in version 7',
    reason: 'One output for both: version 6 is given `UIMessage`s and converts them itself.',
    messages: withFileData,
  },
  'v6-unknown-parts': {
    place: 'history',
    versions: [6],
    when: 'Parts and fields that came with version 7: `custom`, `reasoning-file`, `steering-message`, `providerReference`, the reason of a request, automatic approvals',
    theirs: 'left out',
    ours: 'as version 7 gives them',
    reason: 'One output for both, as for files.',
    as7: true,
  },
} as const satisfies Record<string, Difference>;

/** The table. */
export const differences: Readonly<Record<DifferenceId, Difference>> = table;
