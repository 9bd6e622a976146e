/**
 * The intended differences in how a chat behaves, apart from its messages and the model's history. The tests are the
 * AI SDK's own (tests/ai-sdk-suite): `differences.json` there names the tests that show each entry.
 */
export interface ChatDifference {
  /** The versions of the package that differ from us here. */
  readonly versions: readonly (6 | 7)[];
  /** A short description of the case. */
  readonly when: string;
  /** The behaviour of the package. */
  readonly theirs: string;
  /** Our behaviour. */
  readonly ours: string;
  readonly reason: string;
  /** No test of the AI SDK shows it: none has the case, or it concerns nearly all of them and is hidden from them. */
  readonly isHidden?: true;
}

/** The entries, in the order of the table. */
export const chatDifferences = {
  'added-fields': {
    versions: [6, 7],
    when: 'A tool call is shown',
    theirs: 'its part has the fields of the AI SDK',
    ours: 'its part also has `outcome`, `delivery` and `decidedBy`',
    reason: 'The page can show how the call ended, and whether the decision was delivered.',
    isHidden: true,
  },
  'undefined-fields': {
    versions: [6, 7],
    when: 'A field of a message or a part has no value',
    theirs: 'the field exists and is `undefined`',
    ours: 'the field is absent',
    reason: 'JSON has no `undefined`: a message stays the same when it is stored and loaded.',
    isHidden: true,
  },
  'awaited-reply': {
    versions: [6, 7],
    when: 'A reply has started and has no content yet',
    theirs: 'shows no message for it',
    ours: 'shows an assistant message without content; the status is still `submitted`',
    reason:
      'The id and the metadata of the reply are known from its start. Show a loading indicator by `status`, not by the role of the last message.',
    isHidden: true,
  },
  'idempotency-header': {
    versions: [6, 7],
    when: 'A request is sent',
    theirs: 'without an `Idempotency-Key` header',
    ours: 'with it, unless `idempotencyHeader` is `false`',
    reason: 'The server can recognize a repeated request.',
    isHidden: true,
  },
  'latest-generator': {
    versions: [6, 7],
    when: '`useGuardedChat` in React: `generateId` is another function in each render',
    theirs: 'the chat calls that of the first render',
    ours: 'the chat calls that of the last render, like all its options',
    reason: 'One rule for all options. Do not create a counter inside of a component.',
    isHidden: true,
  },
  'chat-id-first': {
    versions: [7],
    when: 'A chat without an `id`: the order in which `generateId` is called (React)',
    theirs: 'the id of the chat is generated when it is first needed, after those of the first messages (7.0.173)',
    ours: 'the id of the chat is generated first',
    reason: 'A gate, a store and other tabs know a chat by its id before anything is sent.',
  },
  'stop-while-sending': {
    versions: [7],
    when: '`stop()` directly after `sendMessage()`, before the request is sent',
    theirs: 'the message disappears, and the transport is not called',
    ours: 'the message stays, as undelivered; the transport is not called',
    reason: 'What the user wrote is not lost. It is sent by `retry`, or before the next message.',
  },
  'late-stream': {
    versions: [6, 7],
    when: '`stop()` while `resumeStream()` waits for the transport',
    theirs: '`resumeStream()` waits for the transport’s stream and cancels it, or never resolves (7.0.173)',
    ours: '`resumeStream()` resolves at once; the stream is cancelled when the transport returns it',
    reason: 'A transport that does not observe the abort signal must not keep the chat waiting.',
  },
  'one-at-a-time': {
    versions: [6, 7],
    when: '`sendMessage()` while a resumed reply is read',
    theirs: 'reads both replies at the same time',
    ours: 'sends the message after the resumed reply has ended',
    reason: 'Two replies at the same time change the same message. One request is open at a time.',
  },
  'not-automatic': {
    versions: [7],
    when: 'An approval of a loaded message has `isAutomatic: false`',
    theirs: 'keeps the field',
    ours: 'omits it',
    reason: 'Only `true` changes what a part means, and a gate stores nothing else.',
  },
  'same-part': {
    versions: [6, 7],
    when: 'Another part of the same message changes',
    theirs: 'a new object for each part (React)',
    ours: 'the same object for a part that has not changed',
    reason: 'A component with `memo` renders only the part that changed.',
  },
  'throttled-start': {
    versions: [6, 7],
    when: '`throttle`: the first content of a reply arrives',
    theirs: 'shows `streaming` at once, and no message of the reply before the interval has ended (React)',
    ours: 'shows `streaming` at once, with an assistant message without content; the content after the interval',
    reason:
      'A status is never shown with the messages of an earlier moment, and a reply has its message from its start.',
  },
  'automatic-sending': {
    versions: [6, 7],
    when: '`sendAutomaticallyWhen`, after a reply or a decision',
    theirs: 'sends a request whenever it returns `true`',
    ours: 'a complete step is sent without it, and it can veto that. After a step limit of the server, `true` sends one request',
    reason: 'Nothing is sent twice, however the predicate counts, and no decision is lost without one.',
    isHidden: true,
  },
  'another-list': {
    versions: [6, 7],
    when: '`chat.messages =` or `setMessages` while a reply streams, with a list that does not have its message',
    theirs: 'the rest of the reply is added to the new list',
    ours: 'the request is aborted, and nothing of the reply is in the new list',
    reason: 'The reply belongs to another conversation or branch, and would close or ask approvals in this one.',
    isHidden: true,
  },
  'tool-callback': {
    versions: [6, 7],
    when: '`onToolCall` returns a promise, or fails',
    theirs: 'the reply waits for the promise; an error ends the reply with the status `error`',
    ours: 'the reply is read on; the error is passed to `onError`. Calls of `onToolCall` can overlap',
    reason: 'A slow or broken tool of the page must not hide the approvals of the same reply.',
    isHidden: true,
  },
  'repeated-id': {
    versions: [6, 7],
    when: '`sendMessage()` with an id, or a `generateId` that returns one, that another message has',
    theirs: 'two messages with one id',
    ours: 'the message gets another id and is not sent; `error` says why, and the next act of the user sends it',
    reason: 'Servers and stores find messages by their ids.',
    isHidden: true,
  },
  'api-error': {
    versions: [6],
    when: '`useGuardedChat` without a transport: the response is not ok',
    theirs: 'an `Error` with the text of the response',
    ours: 'an `AI_APICallError` with the same text, the status code and `isRetryable`, as in version 7',
    reason: 'An app can distinguish 401 from 429.',
    isHidden: true,
  },
  'header-case': {
    versions: [6],
    when: '`useGuardedChat` without a transport sends a request, in Svelte and Vue',
    theirs: 'the header is written `Content-Type`',
    ours: '`content-type`, as in the newest version',
    reason: 'Every framework sends the same requests. HTTP does not distinguish the two.',
  },
  'raw-input': {
    versions: [6, 7],
    when: 'The input of a call is streaming, in Svelte and Vue',
    theirs: 'no `rawInput`: `@ai-sdk/svelte` and `@ai-sdk/vue` contain an older `ai`',
    ours: '`rawInput`, as in the newest version',
    reason: 'Every framework gets the same messages.',
  },
  'call-waits': {
    versions: [6, 7],
    when: '`useGuardedChat`: a method is called directly after the component was mounted',
    theirs: 'calls the transport at once',
    ours: 'calls the transport when the core is loaded, at the earliest in a later task',
    reason: 'The core is loaded with the first component, and calls wait for it.',
  },
} as const satisfies Record<string, ChatDifference>;

/** Ids of the entries. */
export type ChatDifferenceId = keyof typeof chatDifferences;
