/**
 * The intended differences in the history as the model sees it. See `differences.ts`.
 */
import type { Difference } from './difference';
import {
  closed,
  isOpen,
  mapCalls,
  mended,
  withDenials,
  withFileData,
  withInputs,
  withoutCopies,
} from './history-rewrites';

/** The entries, in the order of the table. */
export const historyDifferences = {
  'denial-shape': {
    place: 'history',
    versions: [6, 7],
    when: 'A denied call, on later turns',
    theirs: '`error-text` with the reason, or with a text of its own',
    ours: '`execution-denied` with the reason, as on the first turn',
    reason: 'The model reads the same on every turn, and a prompt cache stays valid.',
    messages: withDenials,
  },
  'v6-fresh-denial': {
    place: 'history',
    versions: [6],
    when: 'A denied call, on the first turn after the denial',
    theirs: 'the response, and no result: a later message behind it is refused by `streamText`',
    ours: '`execution-denied` with the reason, as in version 7',
    reason: 'Every call has one result.',
    messages: withDenials,
  },
  'open-call': {
    place: 'history',
    versions: [6, 7],
    when: 'A call of the last step waits for the user or for a browser tool, or has only a preliminary output',
    theirs: 'the call, without a result (a preliminary output passes for one)',
    ours: 'left out until it has its answer',
    reason: 'Providers refuse a call without a result; half a result is none.',
    history: (history) => mapCalls(history, (part, isLast) => (isLast && isOpen(part) ? undefined : part)),
  },
  'left-open': {
    place: 'history',
    versions: [6, 7],
    when: 'A call before the last step was left without a result',
    theirs: 'the call, without a result; 7 drops it if it was still asked before the last user message',
    ours: 'closed with an error text that says whether it may have run, and `providerOptions.toolgate`',
    reason: 'Providers refuse a call without a result, and the model should know what became of it.',
    history: (history) => mapCalls(history, (part, isLast) => (isLast ? part : closed(part))),
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
    history: (history) => mapCalls(history, mended),
  },
  'empty-message': {
    place: 'history',
    versions: [6, 7],
    when: 'A user message of which a model sees nothing: it has no parts, or none but data',
    theirs: 'a message without content, which providers refuse',
    ours: 'no message; one without parts, which servers refuse too, is left out while loading, and reported',
    reason: 'An empty message must not end the chat.',
    messages: (messages) =>
      messages.filter(({ role, content }) => role !== 'user' || (content as unknown[]).length > 0),
  },
  'lost-input': {
    place: 'history',
    versions: [6, 7],
    when: 'A call whose input is `undefined`, such as a failed one whose input could not be read',
    theirs: '`input: undefined`, which JSON loses, and without which `modelMessageSchema` refuses the message',
    ours: '`input: null`',
    reason: 'A history that was kept can be loaded again.',
    messages: withInputs,
  },
  'v6-file-data': {
    place: 'history',
    versions: [6],
    when: 'A file',
    theirs: '`data` is the address, a string',
    ours: "`data` is `{ type: 'url', url: URL }`, as in version 7",
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
