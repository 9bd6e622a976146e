/**
 * Handpicked streams: every edge case of the package's stream processing that a generator is unlikely to produce, or
 * that the two versions of the package, or the package and Toolgate, handle differently. Each stream names the
 * differences that it shows. If it names none, our message equals the package's after every chunk.
 */
import type { DifferenceId } from './differences';
import type { Chunk } from './peers';
import type { Answer } from './streams';

/** One stream with a name. */
export interface PickedStream {
  readonly name: string;
  readonly chunks: readonly Chunk[];
  /** The previous reply and the user's answers. The stream continues the message of that reply. */
  readonly before?: { readonly chunks: readonly Chunk[]; readonly answers: readonly Answer[] };
  /** The versions that support its chunks. Default: both. */
  readonly versions?: readonly (6 | 7)[];
  /** The intended differences that it shows; see `differences.ts` for the versions they apply to. */
  readonly shows?: readonly DifferenceId[];
  /** How the stream ends; default `finished`. */
  readonly ends?: 'finished' | 'disconnected';
}

const start: Chunk = { type: 'start', messageId: 'm1' };
const step: Chunk = { type: 'start-step' };
const stepEnd: Chunk = { type: 'finish-step' };
const finish: Chunk = { type: 'finish', finishReason: 'stop' };

const citation = {
  source: { type: 'source', sourceType: 'url', id: 's', url: 'https://example.com' },
  startIndex: 0,
  endIndex: 1,
};

/** A reply of one step. */
const reply = (...chunks: Chunk[]): Chunk[] => [start, step, ...chunks, stepEnd, finish];

const text = (id: string, ...deltas: string[]): Chunk[] => [
  { type: 'text-start', id },
  ...deltas.map((delta) => ({ type: 'text-delta', id, delta })),
  { type: 'text-end', id },
];
const call = (toolCallId: string, more: object = {}): Chunk => ({
  type: 'tool-input-available',
  toolCallId,
  toolName: 'edit',
  input: { path: 'a' },
  ...more,
});
const begin = (toolCallId: string, more: object = {}): Chunk => ({
  type: 'tool-input-start',
  toolCallId,
  toolName: 'edit',
  ...more,
});
const delta = (toolCallId: string, inputTextDelta: string): Chunk => ({
  type: 'tool-input-delta',
  toolCallId,
  inputTextDelta,
});
const ask = (toolCallId: string, more: object = {}): Chunk => ({
  type: 'tool-approval-request',
  toolCallId,
  approvalId: `ask-${toolCallId}`,
  ...more,
});
const said = (toolCallId: string, approved: boolean, more: object = {}): Chunk => ({
  type: 'tool-approval-response',
  approvalId: `ask-${toolCallId}`,
  approved,
  ...more,
});
const output = (toolCallId: string, value: unknown, more: object = {}): Chunk => ({
  type: 'tool-output-available',
  toolCallId,
  output: value,
  ...more,
});
const failed = (toolCallId: string, errorText: string, more: object = {}): Chunk => ({
  type: 'tool-output-error',
  toolCallId,
  errorText,
  ...more,
});
const denied = (toolCallId: string): Chunk => ({ type: 'tool-output-denied', toolCallId });
/** The deltas of a text, one character each. */
const typed = (toolCallId: string, json: string): Chunk[] => [...json].map((character) => delta(toolCallId, character));

/** A reply that requests approval of one call, and the decision. */
const answered = (approved: boolean, more: object = {}): PickedStream['before'] => ({
  chunks: reply(call('c1', more), ask('c1')),
  answers: [approved ? { approvalId: 'ask-c1', approved } : { approvalId: 'ask-c1', approved, reason: 'no' }],
});

/** The list; names are unique. */
export const pickedStreams: readonly PickedStream[] = [
  // Text and reasoning
  { name: 'text in one delta', chunks: reply(...text('t', 'Hello')) },
  { name: 'text without deltas', chunks: reply(...text('t')) },
  { name: 'an empty delta', chunks: reply(...text('t', '', 'a', '')) },
  { name: 'a surrogate pair cut in two', chunks: reply(...text('t', 'a\ud83d', '\ude00b')) },
  {
    name: 'text that never ends',
    chunks: reply({ type: 'text-start', id: 't' }, { type: 'text-delta', id: 't', delta: 'a' }),
  },
  {
    name: 'two texts interleaved',
    chunks: reply(
      { type: 'text-start', id: 'a' },
      { type: 'text-start', id: 'b' },
      { type: 'text-delta', id: 'b', delta: 'B' },
      { type: 'text-delta', id: 'a', delta: 'A' },
      { type: 'text-end', id: 'a' },
      { type: 'text-end', id: 'b' },
    ),
  },
  { name: 'a text id used again after its end', chunks: reply(...text('t', 'one'), ...text('t', 'two')) },
  {
    name: 'a text id started again before its end',
    chunks: reply({ type: 'text-start', id: 't' }, { type: 'text-delta', id: 't', delta: 'one' }, ...text('t', 'two')),
  },
  {
    name: 'text and reasoning under the same id',
    chunks: reply(
      { type: 'text-start', id: 'x' },
      { type: 'reasoning-start', id: 'x' },
      { type: 'text-delta', id: 'x', delta: 't' },
      { type: 'reasoning-delta', id: 'x', delta: 'r' },
      { type: 'reasoning-end', id: 'x' },
      { type: 'text-end', id: 'x' },
    ),
  },
  {
    name: 'provider metadata on start, delta and end: the last value counts',
    chunks: reply(
      { type: 'reasoning-start', id: 'r', providerMetadata: { p: { n: 1 } } },
      { type: 'reasoning-delta', id: 'r', delta: 'a', providerMetadata: { p: { n: 2 } } },
      { type: 'reasoning-delta', id: 'r', delta: 'b' },
      { type: 'reasoning-end', id: 'r', providerMetadata: { p: { n: 3 } } },
    ),
  },
  { name: 'an empty id', chunks: reply(...text('', 'a')) },
  { name: '__proto__ as text id', chunks: reply(...text('__proto__', 'a')) },
  {
    name: 'citations on text-end',
    chunks: reply({ type: 'text-start', id: 't' }, { type: 'text-end', id: 't', citations: [citation] }),
    shows: ['v6-unknown-chunks'],
  },
  {
    name: 'text after finish-step',
    chunks: [
      start,
      step,
      { type: 'text-start', id: 't' },
      stepEnd,
      { type: 'text-delta', id: 't', delta: 'late' },
      { type: 'text-end', id: 't' },
      finish,
    ],
    shows: ['v6-step-ends-texts'],
  },
  {
    name: 'a delta for a text that was never started',
    chunks: reply({ type: 'text-delta', id: 'gone', delta: 'x' }, ...text('t', 'after')),
    shows: ['unknown-id'],
  },
  {
    name: 'the end of a text that was never started',
    chunks: reply({ type: 'text-end', id: 'gone' }, ...text('t', 'after')),
    shows: ['unknown-id'],
  },
  {
    name: 'a delta for a reasoning that has ended',
    chunks: reply(
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-end', id: 'r' },
      { type: 'reasoning-delta', id: 'r', delta: 'x' },
      ...text('t', 'after'),
    ),
    shows: ['unknown-id'],
  },

  // Files, sources, data, metadata
  {
    name: 'a file with unknown fields',
    chunks: reply({ type: 'file', url: 'data:,a', mediaType: 'text/plain', filename: 'a.txt', size: 3 }),
    shows: ['extra-fields'],
  },
  {
    name: 'a file without metadata',
    chunks: reply({ type: 'file', url: 'https://example.com/a.png', mediaType: 'image/png' }),
  },
  {
    name: 'sources',
    chunks: reply(
      { type: 'source-url', sourceId: 's', url: 'https://example.com' },
      { type: 'source-document', sourceId: 'd', mediaType: 'text/html', title: 'T' },
    ),
  },
  {
    name: 'a data part keeps every field',
    chunks: reply({ type: 'data-w', id: '1', data: { a: 1 }, transient: false, extra: true }),
  },
  {
    name: 'a data part replaces the part with the same type and id',
    chunks: reply(
      { type: 'data-w', id: '1', data: 1 },
      { type: 'data-v', id: '1', data: 2 },
      { type: 'data-w', id: '1', data: 3, extra: true },
    ),
  },
  {
    name: 'data parts without an id are all kept',
    chunks: reply({ type: 'data-w', data: 1 }, { type: 'data-w', data: 1 }),
  },
  {
    name: 'a data part replaces that of an earlier step',
    chunks: [
      start,
      step,
      { type: 'data-w', id: '1', data: 1 },
      stepEnd,
      step,
      { type: 'data-w', id: '1', data: 2 },
      stepEnd,
      finish,
    ],
  },
  { name: 'transient data adds no part', chunks: reply({ type: 'data-w', id: '1', data: 1, transient: true }) },
  {
    name: 'transient data does not change the part with its id',
    chunks: reply({ type: 'data-w', id: '1', data: 1 }, { type: 'data-w', id: '1', data: 2, transient: true }),
  },
  {
    name: 'metadata merges deeply, arrays are replaced',
    chunks: [
      { ...start, messageMetadata: { a: { b: 1, c: [1, 2] }, d: 1 } },
      { type: 'message-metadata', messageMetadata: { a: { c: [3], e: null }, d: { f: 1 } } },
      { type: 'finish', messageMetadata: { g: 1 } },
    ],
  },
  {
    name: 'metadata that is null is ignored',
    chunks: [{ ...start, messageMetadata: { a: 1 } }, { type: 'message-metadata', messageMetadata: null }, finish],
  },
  { name: 'metadata that is a string', chunks: [{ ...start, messageMetadata: 'ab' }, finish] },
  {
    name: 'metadata skips constructor and prototype',
    chunks: [
      { ...start, messageMetadata: { a: 1 } },
      { type: 'message-metadata', messageMetadata: { constructor: 1, prototype: 2, b: 3 } },
      finish,
    ],
  },
  {
    name: 'custom content',
    chunks: reply({ type: 'custom', kind: 'p.k', providerMetadata: { p: { a: 1 } } }),
    shows: ['v6-unknown-chunks'],
  },
  {
    name: 'a reasoning file',
    chunks: reply({ type: 'reasoning-file', url: 'data:,a', mediaType: 'text/plain' }),
    shows: ['v6-unknown-chunks'],
  },
  {
    name: 'a steering message',
    chunks: reply({ type: 'steering-message', id: 's1', parts: [{ type: 'text', text: 'stop that' }] }),
    shows: ['v6-unknown-chunks'],
  },
  {
    name: 'chunks of an unknown type',
    chunks: reply({ type: 'brand-new', id: 'x' }, ...text('t', 'a'), { type: 'tool-brand-new', toolCallId: 'c' }),
  },

  // Steps
  { name: 'no steps at all', chunks: [start, ...text('t', 'a'), finish] },
  { name: 'a step without content', chunks: reply() },
  { name: 'two steps', chunks: [start, step, ...text('t', 'a'), stepEnd, step, ...text('t', 'b'), stepEnd, finish] },
  {
    name: 'reset-step removes the step',
    chunks: reply(...text('t', 'wrong'), { type: 'reset-step' }, ...text('t', 'right')),
    shows: ['v6-unknown-chunks'],
  },
  {
    name: 'reset-step keeps the previous step',
    chunks: [
      start,
      step,
      ...text('t', 'kept'),
      stepEnd,
      step,
      begin('c1'),
      delta('c1', '{"a"'),
      { type: 'reset-step' },
      ...text('u', 'new'),
      stepEnd,
      finish,
    ],
    shows: ['v6-unknown-chunks'],
  },
  { name: 'reset-step in an empty step', chunks: reply({ type: 'reset-step' }, ...text('t', 'a')) },
  {
    name: 'reset-step forgets open texts',
    chunks: reply(
      { type: 'text-start', id: 't' },
      { type: 'reset-step' },
      { type: 'text-delta', id: 't', delta: 'x' },
      ...text('u', 'after'),
    ),
    shows: ['v6-unknown-chunks', 'unknown-id'],
  },
  {
    name: 'a second start in the middle of a text',
    chunks: [
      start,
      step,
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'a' },
      start,
      { type: 'text-delta', id: 't', delta: 'b' },
      { type: 'text-end', id: 't' },
      stepEnd,
      finish,
    ],
  },
  { name: 'no finish', chunks: [start, step, ...text('t', 'a')] },
  { name: 'only start', chunks: [start] },

  // Tool input
  {
    name: 'input one character at a time',
    chunks: reply(
      begin('c1'),
      ...typed('c1', '{"path":"a\\u00e9\\"b","n":[-1.5e3,true,null,{"x":{}}]}'),
      call('c1', { input: { path: 'aé"b', n: [-1.5e3, true, null, { x: {} }] } }),
    ),
    shows: ['v6-lone-minus'],
  },
  { name: 'input that is a string', chunks: reply(begin('c1'), ...typed('c1', '"ab"'), call('c1', { input: 'ab' })) },
  {
    name: 'input that is a negative number',
    chunks: reply(begin('c1'), ...typed('c1', '-12'), call('c1', { input: -12 })),
  },
  {
    name: 'a number with a signed exponent',
    chunks: reply(begin('c1'), ...typed('c1', '{"n":-2.5E+2,"m":1}'), call('c1', { input: { n: -250, m: 1 } })),
    shows: ['signed-exponent'],
  },
  {
    name: 'a key with an escaped quote',
    chunks: reply(
      begin('c1'),
      ...typed('c1', '{"a\\":b":{"c":1},"d":2}'),
      call('c1', { input: { 'a":b': { c: 1 }, d: 2 } }),
    ),
    shows: ['escaped-key'],
  },
  {
    name: 'input text that is not JSON',
    chunks: reply(begin('c1'), ...typed('c1', 'hello'), {
      type: 'tool-input-error',
      toolCallId: 'c1',
      toolName: 'edit',
      input: 'hello',
      errorText: 'bad',
    }),
    shows: ['v6-raw-input'],
  },
  {
    name: 'input as text',
    chunks: reply(begin('c1', { inputEncoding: 'text' }), ...typed('c1', '{"a'), call('c1', { input: '{"a' })),
  },
  { name: 'input start without deltas', chunks: reply(begin('c1'), call('c1')) },
  {
    name: 'input started, never completed',
    chunks: reply(begin('c1'), delta('c1', '{"path":"a'), ...text('t', 'x')),
    shows: ['unfinished-input'],
  },
  {
    name: 'input cut off by a disconnect',
    chunks: [start, step, begin('c1'), delta('c1', '{"path":"a')],
    ends: 'disconnected',
  },
  {
    name: 'two inputs interleaved',
    chunks: reply(
      begin('c1'),
      begin('c2', { dynamic: true, toolName: 'x' }),
      delta('c2', '{"b":'),
      delta('c1', '{"a":'),
      delta('c1', '1}'),
      delta('c2', '2}'),
      call('c2', { dynamic: true, toolName: 'x', input: { b: 2 } }),
      call('c1', { input: { a: 1 } }),
      output('c1', 1),
      output('c2', 2),
    ),
  },
  {
    name: 'title and tool metadata are kept, and replaced',
    chunks: reply(
      begin('c1', { title: 'A', toolMetadata: { a: 1 } }),
      delta('c1', '{'),
      call('c1', { title: 'B' }),
      output('c1', 1, { toolMetadata: { b: 2 } }),
    ),
  },
  {
    name: 'provider metadata of call and result',
    chunks: reply(
      begin('c1', { providerMetadata: { p: { n: 1 } } }),
      call('c1', { providerMetadata: { p: { n: 2 } } }),
      output('c1', 1, { providerMetadata: { p: { n: 3 } } }),
    ),
  },
  {
    name: 'providerExecuted stays once set',
    chunks: reply(begin('c1', { providerExecuted: true }), call('c1'), output('c1', 1)),
  },
  {
    name: 'the tool name changes between start and input',
    chunks: reply(begin('c1', { toolName: 'old' }), call('c1', { toolName: 'new' })),
  },
  {
    name: 'the start again after the input',
    chunks: reply(begin('c1'), call('c1'), begin('c1'), output('c1', 1)),
    shows: ['never-back'],
  },
  {
    name: 'two inputs under one id',
    chunks: reply(call('c1'), call('c1', { input: { path: 'b' } }), output('c1', 1)),
    shows: ['another-call'],
  },
  {
    name: 'dynamic start, static input',
    chunks: reply(begin('c1', { dynamic: true }), call('c1')),
    shows: ['one-part-a-call'],
  },
  {
    name: 'input error without start',
    chunks: reply({
      type: 'tool-input-error',
      toolCallId: 'c1',
      toolName: 'edit',
      input: { bad: 1 },
      errorText: 'bad input',
    }),
    shows: ['v6-raw-input'],
  },
  {
    name: 'input error of a dynamic tool',
    chunks: reply(begin('c1', { dynamic: true }), {
      type: 'tool-input-error',
      toolCallId: 'c1',
      toolName: 'edit',
      input: 'x',
      errorText: 'bad input',
    }),
  },
  {
    name: 'input error with a title',
    chunks: reply({
      type: 'tool-input-error',
      toolCallId: 'c1',
      toolName: 'edit',
      dynamic: true,
      title: 'Edit a file',
      input: { bad: 1 },
      errorText: 'bad input',
    }),
    shows: ['error-title'],
  },
  {
    name: 'input error, then the same error as output',
    chunks: reply(
      { type: 'tool-input-error', toolCallId: 'c1', toolName: 'edit', input: { bad: 1 }, errorText: 'bad input' },
      failed('c1', 'bad input'),
    ),
    shows: ['v6-raw-input'],
  },
  {
    name: 'output error for an input that never completed',
    chunks: reply(begin('c1'), delta('c1', '{"a'), failed('c1', 'gone')),
    shows: ['half-input'],
  },
  {
    name: 'a delta for an unknown call',
    chunks: reply(delta('gone', '{'), ...text('t', 'after')),
    shows: ['unknown-id'],
  },
  {
    name: '__proto__ in an input',
    chunks: reply(
      begin('c1'),
      delta('c1', '{"__proto__":{"a":1}'),
      call('c1', { input: JSON.parse('{"__proto__":{"a":1}}') }),
    ),
    shows: ['proto-key'],
  },
  {
    name: '__proto__ as call id and tool name',
    chunks: reply(
      begin('__proto__', { toolName: '__proto__' }),
      delta('__proto__', '{}'),
      call('__proto__', { toolName: '__proto__', input: {} }),
      output('__proto__', 1),
    ),
  },

  // Outputs
  {
    name: 'outputs of every kind of value',
    chunks: reply(call('c1'), output('c1', null), call('c2'), output('c2', ''), call('c3'), output('c3', [0, false])),
  },
  {
    name: 'preliminary outputs, then the final one',
    chunks: reply(
      call('c1'),
      output('c1', 1, { preliminary: true }),
      output('c1', 2, { preliminary: true }),
      output('c1', 3),
    ),
  },
  {
    name: 'a preliminary output, then an error',
    chunks: reply(call('c1'), output('c1', 1, { preliminary: true }), failed('c1', 'no')),
  },
  {
    name: 'only a preliminary output',
    chunks: reply(call('c1'), output('c1', 1, { preliminary: true })),
    shows: ['preliminary-at-end'],
  },
  {
    name: 'an output in a later step',
    chunks: [
      start,
      step,
      call('c1', { providerExecuted: true }),
      stepEnd,
      step,
      output('c1', 1, { providerExecuted: true }),
      stepEnd,
      finish,
    ],
  },
  {
    name: 'an output for an unknown call',
    chunks: reply(output('gone', 1), ...text('t', 'after')),
    shows: ['unknown-id'],
  },
  { name: 'a second output', chunks: reply(call('c1'), output('c1', 1), output('c1', 2)), shows: ['settled-absorbs'] },
  {
    name: 'an error after an output',
    chunks: reply(call('c1'), output('c1', 1), failed('c1', 'no')),
    shows: ['settled-absorbs'],
  },
  {
    name: 'the input again after the output',
    chunks: reply(call('c1'), output('c1', 1), call('c1', { input: { path: 'b' } })),
    shows: ['another-call'],
  },
  {
    name: 'the start again after the output',
    chunks: reply(call('c1'), output('c1', 1), begin('c1')),
    shows: ['settled-absorbs'],
  },
  {
    name: 'a denial of a call that has run',
    chunks: reply(call('c1'), output('c1', 1), denied('c1')),
    shows: ['settled-absorbs'],
  },
  {
    name: 'the same call in two steps',
    chunks: [start, step, call('c1'), output('c1', 1), stepEnd, step, call('c1'), output('c1', 1), stepEnd, finish],
  },

  // Approvals
  {
    name: 'a request with all fields',
    chunks: reply(
      call('c1'),
      ask('c1', { signature: 's', approvalDescriptor: { a: 1 }, reason: 'danger', inputSchemaInput: { raw: 1 } }),
    ),
    shows: ['v6-unknown-chunks'],
  },
  {
    name: 'a request whose schema input is null',
    chunks: reply(call('c1'), ask('c1', { inputSchemaInput: null, approvalDescriptor: null, signature: null })),
  },
  {
    name: 'an automatic approval',
    chunks: reply(
      call('c1'),
      ask('c1', { isAutomatic: true }),
      said('c1', true, { reason: 'policy' }),
      output('c1', 1),
    ),
    shows: ['v6-unknown-chunks'],
  },
  {
    name: 'an automatic denial, with its event',
    chunks: reply(call('c1'), ask('c1', { isAutomatic: true }), said('c1', false, { reason: 'policy' }), denied('c1')),
    shows: ['v6-unknown-chunks'],
  },
  {
    name: 'an automatic denial, without its event',
    chunks: reply(call('c1'), ask('c1', { isAutomatic: true }), said('c1', false, { reason: 'policy' })),
    shows: ['v6-unknown-chunks', 'denied-at-end'],
  },
  {
    name: 'a response with metadata and providerExecuted',
    chunks: reply(
      call('c1'),
      ask('c1', { isAutomatic: true }),
      said('c1', true, { providerExecuted: true, providerMetadata: { p: { a: 1 } } }),
      output('c1', 1),
    ),
    shows: ['v6-unknown-chunks'],
  },
  {
    name: 'a response for an unknown approval',
    chunks: reply(said('gone', true), ...text('t', 'after')),
    versions: [7],
    shows: ['unknown-id'],
  },
  { name: 'a request for an unknown call', chunks: reply(ask('gone'), ...text('t', 'after')), shows: ['unknown-id'] },
  {
    name: 'a request before the input is complete',
    chunks: reply(begin('c1'), delta('c1', '{"a":1}'), ask('c1')),
    shows: ['early-request'],
  },
  { name: 'the same request twice', chunks: reply(call('c1'), ask('c1'), ask('c1')) },
  {
    name: 'an output while the approval is pending',
    chunks: reply(call('c1'), ask('c1'), output('c1', 'ran')),
    shows: ['request-withdrawn'],
  },
  {
    name: 'approved, then run',
    before: answered(true),
    chunks: [start, output('c1', 'done'), step, ...text('t', 'ok'), stepEnd, finish],
  },
  {
    name: 'approved, then failed',
    before: answered(true),
    chunks: [start, failed('c1', 'disk full'), step, ...text('t', 'sorry'), stepEnd, finish],
  },
  {
    name: 'denied, with its event',
    before: answered(false),
    chunks: [start, denied('c1'), step, ...text('t', 'ok'), stepEnd, finish],
  },
  {
    name: 'denied, without its event',
    before: answered(false),
    chunks: [start, step, ...text('t', 'ok'), stepEnd, finish],
    shows: ['denied-at-end'],
  },
  {
    name: 'the request again after a denial',
    before: answered(false),
    chunks: [start, ask('c1'), denied('c1'), step, ...text('t', 'ok'), stepEnd, finish],
    shows: ['decision-stands'],
  },
  {
    name: 'the input again after an approval',
    before: answered(true),
    chunks: [start, call('c1'), output('c1', 'done'), step, ...text('t', 'ok'), stepEnd, finish],
    shows: ['decision-stands'],
  },
  {
    name: 'an output after a denial',
    before: answered(false),
    chunks: [start, output('c1', 'ran anyway'), step, ...text('t', 'ok'), stepEnd, finish],
    shows: ['denied-stands'],
  },
  {
    name: 'approved, then no result',
    before: answered(true),
    chunks: [start, step, ...text('t', 'ok'), stepEnd, finish],
  },
  {
    name: 'a provider tool is approved and runs',
    before: answered(true, { providerExecuted: true }),
    chunks: [start, step, output('c1', 'done', { providerExecuted: true }), ...text('t', 'ok'), stepEnd, finish],
  },
  {
    name: 'a continuation without message id',
    before: answered(true),
    chunks: [{ type: 'start' }, output('c1', 'done'), step, ...text('t', 'ok'), stepEnd, finish],
  },
  {
    name: 'an error in the stream',
    chunks: [start, step, ...text('t', 'a'), { type: 'error', errorText: 'overloaded' }],
    ends: 'finished',
  },
  { name: 'abort', chunks: [start, step, ...text('t', 'a'), { type: 'abort', reason: 'user' }], ends: 'disconnected' },
];
