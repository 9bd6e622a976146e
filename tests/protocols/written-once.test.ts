/**
 * A protocol writes an entry of the history once: as long as the entry is the same object, its messages are the same
 * objects in the next request. What is written this way equals what is written from scratch, whatever changed between
 * two requests.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { Call, Codec, Context, Entry, Part, RequestContext } from '../../src/ts/protocols/shared/codec';
import { PROTOCOL_NAMES } from './all.js';
import { codecFor } from './codecs';
import { gateFor, type Data } from './support';

const CODECS = PROTOCOL_NAMES.filter((name) => name !== 'ai-sdk');

/** Ids and names that repeat, and an id that no provider accepts. */
const ids = fc.constantFrom('call_0', 'call_1', 'item_0', 'a call, by name');
const texts = fc.constantFrom('Yes.', 'No.', '');

const metadata = fc.constantFrom<Data>(
  undefined,
  { 'ag-ui': { id: 'm1' } },
  { 'ag-ui': { id: 'message-1', isQuestion: true } },
  { openai: { itemId: 'item_0' } },
  { openai: { type: 'mcp_call', serverLabel: 'files' } },
  { anthropic: { signature: 'signed' } },
  { toolgate: { outcome: 'interrupted', mayHaveRun: true } },
);

const parts: fc.Arbitrary<Part> = fc
  .record({ type: fc.constantFrom('text', 'reasoning', 'file'), text: texts, providerOptions: metadata })
  .map(({ type, ...part }) =>
    type === 'file' ? { type, mediaType: 'image/png', data: 'data:image/png;base64,AA==' } : { type, ...part },
  );

const outputs = fc.constantFrom<Data>(
  { type: 'text', value: 'Done.' },
  { type: 'json', value: { done: 1 } },
  { type: 'error-text', value: 'It failed.' },
  {
    type: 'content',
    value: [
      { type: 'text', text: 'See:' },
      { type: 'image-data', data: 'AA==', mediaType: 'image/png' },
    ],
  },
  { type: 'execution-denied', reason: 'No.' },
);

const calls: fc.Arbitrary<Call> = fc
  .record({
    id: ids,
    input: fc.constantFrom<Data>({ path: 'a' }, 'a'),
    output: fc.option(outputs),
    asks: fc.boolean(),
    options: metadata,
    hosted: fc.boolean(),
  })
  .map(({ id, input, output, asks, options, hosted }) => {
    const isDenial = output?.type === 'execution-denied';
    const isAsked = asks || isDenial;
    return {
      type: 'tool-call',
      toolCallId: id,
      toolName: 'edit',
      input,
      ...(hosted && { providerExecuted: true }),
      ...(options && { providerOptions: options }),
      ...(isAsked && { request: { type: 'tool-approval-request', approvalId: `ask-${id}` } }),
      ...(isAsked && {
        response: { type: 'tool-approval-response', approved: !isDenial, ...(isDenial && { reason: 'No.' }) },
      }),
      ...(output && { result: { type: 'tool-result', output, ...(options && { providerOptions: options }) } }),
    };
  });

const entries: fc.Arbitrary<Entry> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<Entry>({ role: 'system', content: [{ type: 'text', text: 'Be brief.' }] }) },
  {
    weight: 3,
    arbitrary: fc
      .array(
        parts.filter(({ type }) => type !== 'reasoning'),
        { minLength: 1, maxLength: 2 },
      )
      .map((content): Entry => ({ role: 'user', content })),
  },
  {
    weight: 5,
    arbitrary: fc
      .array(fc.oneof(parts, calls), { minLength: 1, maxLength: 4 })
      .map((content): Entry => ({ role: 'assistant', content })),
  },
);

/** What happens to the history between two requests. */
type Change = { readonly drop: number; readonly replaced: number | undefined; readonly added: readonly Entry[] };

const changes: fc.Arbitrary<Change> = fc.record({
  drop: fc.nat(2),
  replaced: fc.option(fc.nat(9), { nil: undefined }),
  added: fc.array(entries, { maxLength: 4 }),
});

/** The history after a change: unchanged entries stay the same objects. */
function changed(history: readonly Entry[], { drop, replaced, added }: Change): Entry[] {
  const kept = history.slice(0, Math.max(0, history.length - drop));
  return [
    ...kept.map((entry, at) => (at === replaced ? { ...entry, content: entry.content.slice(0, 1) } : entry)),
    ...added,
  ];
}

function contextFor(written?: Context['written']): Context {
  return {
    chatId: 'chat',
    texts: undefined,
    reportLoss: () => undefined,
    reportRepair: () => undefined,
    ...(written && { written }),
  };
}

/** The context of a request that carries the decisions of the last step. */
function requestFor(history: readonly Entry[], written?: Context['written']): RequestContext {
  const step = history.at(-1)?.role === 'assistant' ? (history.at(-1) as Entry) : undefined;
  const decisions = (step?.content ?? [])
    .filter((part): part is Call => part.type === 'tool-call' && part['request'] !== undefined)
    .map(({ toolCallId, toolName, input, response, request }) => ({
      approvalId: request?.['approvalId'] as string,
      toolCallId,
      toolName,
      input,
      outcome: response?.['approved'] === true ? ('approved' as const) : ('denied' as const),
      approval: { asked: { id: request?.['approvalId'] } },
      metadata: undefined,
    }));
  const newMessages = history.slice(history.findLastIndex(({ role }) => role === 'assistant') + 1);
  return {
    ...contextFor(written),
    history: 'client',
    item: { id: 'out-1', key: 'key', kind: 'submission', approvalIds: [], attempt: 1 },
    request: { id: 'chat', messages: [], trigger: 'submit-message' },
    metadata: undefined,
    decisions,
    newMessages,
  };
}

describe.each(CODECS)('%s', (name) => {
  const plans = fc.array(fc.tuple(changes, fc.boolean()), { minLength: 2, maxLength: 8 });

  test('a history that was written before is written like a new one, whatever changed in it', async () => {
    const codec: Codec = await codecFor(name);
    fc.assert(
      fc.property(plans, (plan) => {
        const written: NonNullable<Context['written']> = new Map();
        let history: Entry[] = [];
        for (const [change, isRequest] of plan) {
          history = changed(history, change);
          const before = JSON.stringify(history);
          const write = (kept?: Context['written']): unknown =>
            isRequest ? codec.body(history, requestFor(history, kept)) : codec.write(history, contextFor(kept));
          expect(write(written)).toEqual(write());
          expect(JSON.stringify(history), 'the codec changed the history').toBe(before);
        }
      }),
      { numRuns: 60 },
    );
  });
});

/** The protocols whose requests contain the whole history. */
const WHOLE = [
  'openai-chat',
  'openai-responses',
  'gemini',
  'anthropic',
  'vscode',
  'effect',
  'genkit',
  'pydantic-ai',
  'ag-ui',
  'tanstack',
] as const;

/** A chat of two turns. Where the backend takes no message while it waits, the second one is over. */
const chatOf = (name: (typeof WHOLE)[number]): Data[] => [
  { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Look' }] },
  {
    id: 'a1',
    role: 'assistant',
    parts: [
      { type: 'step-start' },
      { type: 'tool-read', toolCallId: 'c1', state: 'output-available', input: { path: 'a' }, output: 'A text' },
      { type: 'step-start' },
      { type: 'text', text: 'Done.' },
    ],
  },
  { id: 'u2', role: 'user', parts: [{ type: 'text', text: 'Edit' }] },
  {
    id: 'a2',
    role: 'assistant',
    parts: [
      { type: 'step-start' },
      {
        type: 'tool-edit',
        toolCallId: 'c2',
        input: { path: 'b' },
        ...(/ag-ui|tanstack/.test(name)
          ? { state: 'output-available', output: 'B' }
          : { state: 'approval-requested', approval: { id: 'c2' } }),
      },
    ],
  },
];

/** The messages of a body. */
const messagesOf = (body: Data): Data[] => body.messages ?? body.input ?? body.contents ?? body.prompt;

test.each(WHOLE)('%s: unchanged messages of a request are the same objects in the next one', (name) => {
  const gate = gateFor(name, { history: 'client', onUserMessage: 'cancel-pending' });
  gate.load(chatOf(name));
  const send = (text: string): Data[] => {
    gate.sendUserMessage({ text });
    const [item] = gate.outgoing();
    const body = item?.body as Data;
    expect(gate.claim(item?.id ?? '')).toBe(true);
    gate.streamEnded({ status: 'error', error: 'offline' });
    return messagesOf(body);
  };
  const first = send('One');
  const copy = JSON.stringify(first);
  const second = send('Two');
  expect(first.length).toBeGreaterThan(4);
  expect(second.length).toBeGreaterThan(first.length);
  first.forEach((message, at) => expect(second[at], `message ${at}`).toBe(message));
  expect(JSON.stringify(first), 'a request that was claimed has changed').toBe(copy);
  // Another history has nothing in common with it.
  gate.load(chatOf(name).slice(0, 2));
  expect(JSON.stringify(gate.assemble())).not.toContain('Edit');
});
