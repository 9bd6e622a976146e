/**
 * The intended differences in the messages that are built from a stream. See `differences.ts`.
 */
import { difference } from './compare';
import type { Difference } from './difference';
import type { Chunk, Part } from './peers';
import { isStray, ofCall, settles, withOwnId, without } from './stream-rewrites';

/** Whether two parts are equal except for these keys. */
function sameBut(ours: Part, theirs: Part, ...keys: string[]): boolean {
  const strip = (part: Part): Part =>
    Object.fromEntries(Object.entries(part).filter(([key]) => !keys.includes(key) && !added.includes(key))) as Part;
  return difference(strip(ours), strip(theirs)) === undefined;
}

/** Keys that only our parts have. */
const added = ['outcome', 'delivery'];

type Outcome = { kind: string; reason?: string; mayHaveRun?: boolean } | undefined;

const approved = (part: Part): boolean | undefined =>
  (part['approval'] as { approved?: boolean } | undefined)?.approved;
const outcome = (part: Part): Outcome => part['outcome'] as Outcome;

/** The entries, in the order of the table. */
export const messageDifferences = {
  'unknown-id': {
    place: 'messages',
    versions: [6, 7],
    when: 'A chunk names a text, a call or an approval that does not exist',
    theirs: 'throws `AI_UIMessageStreamError`; the rest of the reply is lost',
    ours: 'an `anomaly` event; the rest of the reply is read',
    reason: 'One wrong chunk must not cost the user the whole reply.',
    stream: without(isStray),
  },
  'settled-absorbs': {
    place: 'messages',
    versions: [6, 7],
    when: 'A chunk about a call arrives after the call has its result',
    theirs: 'overwrites the result, or resets the part to an earlier state',
    ours: 'the part does not change; an `anomaly` event',
    reason: 'The user and the model may have seen the first result already.',
    stream: without((chunk, before) => chunk.type.startsWith('tool-') && ofCall(chunk, before).some(settles)),
  },
  'denied-stands': {
    place: 'messages',
    versions: [6, 7],
    when: 'An output arrives for a call that the user has denied',
    theirs: '`output-available` with `approved: false`, which `validateUIMessages` refuses from then on',
    ours: 'the denial stays; an `anomaly` event',
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
    theirs: 'the decision is lost: the part is `approval-requested` or `input-available` again',
    ours: 'the decision stays',
    reason:
      'Servers repeat themselves (pydantic-ai repeats the input of every approved call); a request must not undo a decision.',
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
    ours: 'the part does not change',
    reason: 'A part never returns to an earlier state.',
    stream: without(
      (chunk, before) =>
        chunk.type === 'tool-input-start' && ofCall(chunk, before).some(({ type }) => type === 'tool-input-available'),
    ),
  },
  'one-part-a-call': {
    place: 'messages',
    versions: [6, 7],
    when: 'A call is announced once as static and once as dynamic',
    theirs: 'two parts with the same call id, which providers refuse as a duplicate',
    ours: 'one part, at the call’s first position',
    reason: 'One call is one part; the next request has it once.',
    stream: (chunks) => {
      const first = (chunk: Chunk) => chunks.find(({ toolCallId }) => toolCallId === chunk['toolCallId'])!;
      return without((chunk, before) => chunk.type.startsWith('tool-') && ofCall(chunk, before).some(settles))(
        chunks.map((chunk) =>
          chunk.type.startsWith('tool-input-') ? { ...chunk, dynamic: first(chunk)['dynamic'] } : chunk,
        ),
        [],
      );
    },
  },
  'another-call': {
    place: 'messages',
    versions: [6, 7],
    when: 'A call id is repeated within a step, with another complete input',
    theirs:
      'one part: the second input replaces the first one, even if the user was asked about the first, or it has run',
    ours: 'two parts: the second is a new call, and the first is closed as interrupted if it is still open',
    reason: 'The input that runs is the one that the user was asked about, and a call that has run is never rewritten.',
    stream: (chunks) => chunks.map((chunk, index) => withOwnId(chunk, chunks.slice(0, index))),
    part: (ours, theirs) =>
      theirs.state === 'input-available' &&
      ours.state === 'output-error' &&
      outcome(ours)?.kind === 'interrupted' &&
      sameBut(ours, theirs, 'state', 'errorText', 'callProviderMetadata'),
  },
  'request-withdrawn': {
    place: 'messages',
    versions: [6, 7],
    when: 'An output arrives while the approval is still open',
    theirs: '`output-available` with an unanswered `approval`, which `validateUIMessages` refuses from then on',
    ours: 'the output is shown and the approval is closed; an `anomaly` event',
    reason: 'The tool ran without approval. The page shows this, and the history stays valid.',
    part: (ours, theirs) =>
      theirs.state === ours.state &&
      approved(theirs) === undefined &&
      !('approval' in ours) &&
      sameBut(ours, theirs, 'approval'),
  },
  'unfinished-input': {
    place: 'messages',
    versions: [6, 7],
    when: 'The reply ends while an input is still streaming',
    theirs: 'stays `input-streaming` for ever',
    ours: "`output-error`, `outcome: { kind: 'interrupted' }`; omitted from requests",
    reason: 'A call without a complete input cannot run, and its spinner must end.',
    part: (ours, theirs) =>
      theirs.state === 'input-streaming' &&
      ours.state === 'output-error' &&
      outcome(ours)?.kind === 'interrupted' &&
      sameBut(ours, theirs, 'state', 'errorText', 'callProviderMetadata'),
  },
  'half-input': {
    place: 'messages',
    versions: [6, 7],
    when: 'The call fails while its input is still streaming',
    theirs: 'keeps the half-written text as `rawInput`',
    ours: 'the partial input becomes the input',
    reason:
      '`rawInput` is the text of a part that is still `input-streaming`; version 7 warns about it in a failed part.',
    part: (ours, theirs) =>
      theirs.state !== 'input-streaming' && typeof theirs['rawInput'] === 'string' && sameBut(ours, theirs, 'rawInput'),
  },
  'early-request': {
    place: 'messages',
    versions: [6, 7],
    when: 'An approval is requested while the input of its call is still streaming',
    theirs: 'the approval is pending, with half of the input',
    ours: 'the request waits for the rest of the input; without it, the call is closed as interrupted',
    reason: 'Nobody can decide about half of an input.',
    part: (ours, theirs) =>
      theirs.state === 'approval-requested' &&
      (ours.state === 'input-streaming' || outcome(ours)?.kind === 'interrupted') &&
      sameBut(ours, theirs, 'state', 'rawInput', 'approval', 'errorText', 'callProviderMetadata'),
  },
  'signed-exponent': {
    place: 'messages',
    versions: [6, 7],
    when: 'A streamed input has a number such as `1e+21`',
    theirs: 'the partial input shows only the 1, until more than this number has arrived',
    ours: 'the partial input shows the number as far as it has arrived',
    reason: 'In JSON this is one number.',
    part: (ours, theirs) =>
      ours.state === 'input-streaming' && /\de\+\d/i.test(String(theirs['rawInput'])) && sameBut(ours, theirs, 'input'),
  },
  'escaped-key': {
    place: 'messages',
    versions: [6, 7],
    when: 'A streamed input has a key with an escaped quote',
    theirs: 'the partial input is `undefined`, or wrong, until the object is complete',
    ours: 'the partial input has everything that has arrived',
    reason: 'JSON allows an escaped quote in a key.',
    part: (ours, theirs) =>
      ours.state === 'input-streaming' &&
      /[{,]\s*"(?:[^"\\]|\\[^"])*\\"/.test(String(theirs['rawInput'])) &&
      sameBut(ours, theirs, 'input'),
  },
  'preliminary-at-end': {
    place: 'messages',
    versions: [6, 7],
    when: 'The reply ends after a preliminary output',
    theirs: 'stays a preliminary `output-available`, and is sent to the model as the result',
    ours: "`output-error`, `outcome: { kind: 'interrupted', mayHaveRun: true }`",
    reason: 'A preliminary output is not a result, and it is unknown whether the call finished.',
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
    reason: 'On the next turn, version 6 refuses a denied call that is still `approval-responded`.',
    part: (ours, theirs) =>
      theirs.state === 'approval-responded' &&
      approved(theirs) === false &&
      ours.state === 'output-denied' &&
      sameBut(ours, theirs, 'state'),
  },
  'extra-fields': {
    place: 'messages',
    versions: [6, 7],
    when: 'A chunk has fields that its type does not define',
    theirs: 'dropped (but kept on data parts)',
    ours: 'kept on the part',
    reason: 'Data from the backend is passed through unchanged.',
    part: (ours, theirs) => {
      const extra = Object.keys(ours).filter((key) => !(key in theirs) && !added.includes(key));
      return extra.length > 0 && sameBut(ours, theirs, ...extra);
    },
  },
  'error-title': {
    place: 'messages',
    versions: [6, 7],
    when: 'A `tool-input-error` has a `title`',
    theirs: 'the title is ignored',
    ours: 'the part has the title',
    reason: 'The user reads which tool failed by its title.',
    part: (ours, theirs) =>
      ours.state === 'output-error' &&
      ours['title'] !== theirs['title'] &&
      // Version 6 also writes `rawInput` instead of `input`: see `v6-raw-input`.
      sameBut(
        ours,
        { ...theirs, input: theirs['input'] === undefined ? theirs['rawInput'] : theirs['input'] },
        'title',
        'rawInput',
      ),
  },
  'proto-key': {
    place: 'messages',
    versions: [6, 7],
    when: 'A streamed input has a key `__proto__`, or `constructor` with a `prototype`',
    theirs: 'the partial input is `undefined`',
    ours: 'the partial input has the key as an own property',
    reason: 'It is data like any other key, and cannot pollute a prototype.',
    part: (ours, theirs) =>
      ours.state === 'input-streaming' &&
      theirs['input'] === undefined &&
      ours['input'] !== undefined &&
      sameBut(ours, theirs, 'input'),
  },
  'v6-unknown-chunks': {
    place: 'messages',
    versions: [6],
    when: 'Chunks and fields that are new in version 7: `custom`, `reasoning-file`, `tool-approval-response`, `reset-step`, `steering-message`, citations, the reason of a request, automatic approvals',
    theirs: 'ignored',
    ours: 'read in the same way as by version 7',
    reason: 'A server with version 7 may answer a client with version 6.',
    as7: true,
  },
  'v6-raw-input': {
    place: 'messages',
    versions: [6],
    when: '`tool-input-error` for a static tool',
    theirs: '`rawInput` has the input, `input` is absent',
    ours: '`input` has it, as in version 7',
    reason: 'Version 7 has deprecated `rawInput` here, and both versions read `input`.',
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
    when: 'A streamed input is split after the minus sign of a number',
    theirs: 'the partial input is `undefined` for that moment',
    ours: 'the partial input without that number, as in version 7',
    reason: 'The shown input must not flicker.',
    as7: true,
    part: (ours, theirs) =>
      String(theirs['rawInput']).endsWith('-') && theirs['input'] === undefined && sameBut(ours, theirs, 'input'),
  },
  'v6-step-ends-texts': {
    place: 'messages',
    versions: [6],
    when: 'A text continues after `finish-step`',
    theirs: 'throws, as if the text had never been started',
    ours: 'continues, as in version 7',
    reason: 'A merged stream may finish its step while another one still writes.',
    as7: true,
  },
} as const satisfies Record<string, Difference>;
