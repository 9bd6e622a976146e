/**
 * The intended differences in the history that the model receives. See `differences.ts`.
 */
import type { Difference } from './difference';
import {
  closed,
  isOpen,
  mapCalls,
  mended,
  withDenials,
  withUrlsAsText,
  withInputs,
  withoutCopies,
} from './history-rewrites';

/** The entries, in the order of the table. */
export const historyDifferences = {
  'denial-shape': {
    place: 'history',
    versions: [6, 7],
    when: 'A denied call, on later turns',
    theirs: '`error-text` with the reason, or with a default text',
    ours: '`execution-denied` with the reason, as on the first turn',
    reason: 'The model reads the same text on every turn, so a prompt cache stays valid.',
    messages: withDenials,
  },
  'v6-fresh-denial': {
    place: 'history',
    versions: [6],
    when: 'A denied call, on the first turn after the denial',
    theirs: 'the approval response without a result: `streamText` refuses the history when a message follows',
    ours: '`execution-denied` with the reason, as in version 7',
    reason: 'Every call has one result.',
    messages: withDenials,
  },
  'open-call': {
    place: 'history',
    versions: [6, 7],
    when: 'A call of the last step waits for the user or for a browser tool, or has only a preliminary output',
    theirs: 'the call without a result; a preliminary output is sent as the result',
    ours: 'omitted until it has its result',
    reason: 'Providers refuse a call without a result, and a preliminary output is not a result.',
    history: (history) => mapCalls(history, (part, isLast) => (isLast && isOpen(part) ? undefined : part)),
  },
  'left-open': {
    place: 'history',
    versions: [6, 7],
    when: 'A call in an earlier step has no result',
    theirs: 'the call without a result; version 7 omits it if its approval was still open when the user wrote',
    ours: 'closed with an error text that tells the model whether it may have run, and `providerOptions.toolgate`',
    reason: 'Providers refuse a call without a result, and the model should know whether it ran.',
    history: (history) => mapCalls(history, (part, isLast) => (isLast ? part : closed(part))),
  },
  'one-call': {
    place: 'history',
    versions: [6, 7],
    when: 'A call is in the history more than once',
    theirs: 'every copy of the call',
    ours: 'once, at its first position, with the result of any copy',
    reason: 'Providers refuse a duplicate call.',
    history: withoutCopies,
  },
  mended: {
    place: 'history',
    versions: [6, 7],
    when: 'A call contradicts itself: no state, denied without an approval, an output beside an approval that was not granted',
    theirs: 'unchanged: a call without a result, or a request without an answer',
    ours: 'repaired while loading, and reported',
    reason: 'A broken history must not end the chat.',
    history: (history) => mapCalls(history, mended),
  },
  'empty-message': {
    place: 'history',
    versions: [6, 7],
    when: 'A user message without content for the model: it has no parts, or only data parts',
    theirs: 'a message without content, which providers refuse',
    ours: 'no message. A message without parts, which servers refuse too, is omitted while loading, and reported',
    reason: 'An empty message must not end the chat.',
    messages: (messages) =>
      messages.filter(({ role, content }) => role !== 'user' || (content as unknown[]).length > 0),
  },
  'lost-input': {
    place: 'history',
    versions: [6, 7],
    when: 'A call without an input, for example a failed call that was stored without one',
    theirs: '`input: undefined`, which JSON drops; `modelMessageSchema` refuses a call without `input`',
    ours: '`input: null`',
    reason: 'A stored history can be loaded again.',
    messages: withInputs,
  },
  'v7-file-data': {
    place: 'history',
    versions: [7],
    when: 'A file',
    theirs: "`data` is `{ type: 'url', url: URL }`",
    ours: '`data` is the URL as a string, as in version 6',
    reason:
      '`assemble` writes one form for both versions: both accept the string, also after a round trip through JSON.',
    messages: withUrlsAsText,
  },
  'v6-unknown-parts': {
    place: 'history',
    versions: [6],
    when: 'Parts and fields that are new in version 7: `custom`, `reasoning-file`, `steering-message`, `providerReference`, the reason of a request, automatic approvals',
    theirs: 'left out',
    ours: 'in the form of version 7',
    reason: '`assemble` writes one form for both versions, as for files.',
    as7: true,
    messages: withUrlsAsText,
  },
} as const satisfies Record<string, Difference>;
