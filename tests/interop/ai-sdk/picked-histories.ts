/**
 * Handpicked histories for `assemble`: each form of history that AI SDK 6, AI SDK 7 or Toolgate may handle differently.
 * If an entry names no difference, Toolgate's model messages must equal those of the package `ai`.
 */
import type { DifferenceId } from './differences';
import type { Message, Part } from './peers';

/** One history with a name. */
export interface PickedHistory {
  readonly name: string;
  readonly messages: readonly Message[];
  /** The intended differences that it shows; see `differences.ts` for the versions they apply to. */
  readonly shows?: readonly DifferenceId[];
}

const user = (text: string, id = `u-${text}`): Message => ({ id, role: 'user', parts: [{ type: 'text', text }] });
const assistant = (id: string, ...parts: Part[]): Message => ({
  id,
  role: 'assistant',
  parts: [{ type: 'step-start' }, ...parts],
});
const said = (text: string): Part => ({ type: 'text', text, state: 'done' });
const boundary: Part = { type: 'step-start' };

const call = (toolCallId: string, state: string, more: object = {}): Part => ({
  type: 'tool-edit',
  toolCallId,
  state,
  input: { path: 'a' },
  ...more,
});
const ran = (id: string, output: unknown = 'done', more: object = {}): Part =>
  call(id, 'output-available', { output, ...more });
const failed = (id: string, errorText = 'no such file', more: object = {}): Part =>
  call(id, 'output-error', { errorText, ...more });
const denied = (id: string, reason?: string, more: object = {}): Part =>
  call(id, 'output-denied', {
    approval: { id: `ask-${id}`, approved: false, ...(reason === undefined ? {} : { reason }) },
    ...more,
  });
const asked = (id: string, more: object = {}): Part =>
  call(id, 'approval-requested', { approval: { id: `ask-${id}` }, ...more });
const answered = (id: string, approved: boolean, more: object = {}): Part =>
  call(id, 'approval-responded', {
    approval: { id: `ask-${id}`, approved, ...(approved ? {} : { reason: 'no' }) },
    ...more,
  });

/** The list; names are unique. */
export const pickedHistories: readonly PickedHistory[] = [
  { name: 'an empty history', messages: [] },
  { name: 'one user message', messages: [user('hi')] },
  {
    name: 'a user message without parts',
    messages: [{ id: 'u', role: 'user', parts: [] }, assistant('a', said('x'))],
    shows: ['empty-message'],
  },
  {
    name: 'system texts are joined, their metadata merged',
    messages: [
      {
        id: 's',
        role: 'system',
        parts: [
          { type: 'text', text: 'a', providerMetadata: { p: { x: 1 } } },
          { type: 'text', text: 'b', providerMetadata: { q: { y: 2 } } },
        ],
      },
      user('hi'),
    ],
  },
  { name: 'an assistant message without parts', messages: [user('hi'), { id: 'a', role: 'assistant', parts: [] }] },
  { name: 'empty steps', messages: [user('hi'), assistant('a', boundary, said('x'), boundary)] },
  {
    name: 'sources and data are omitted',
    messages: [
      user('hi'),
      assistant('a', { type: 'source-url', sourceId: 's', url: 'https://example.com' }, { type: 'data-w', data: 1 }),
    ],
  },
  {
    name: 'files',
    messages: [
      {
        id: 'u',
        role: 'user',
        parts: [{ type: 'file', mediaType: 'image/png', url: 'https://example.com/a b.png', filename: 'a.png' }],
      },
      assistant('a', { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AA==' }),
    ],
    shows: ['v7-file-data'],
  },
  {
    name: 'a file by provider reference',
    messages: [
      {
        id: 'u',
        role: 'user',
        parts: [
          {
            type: 'file',
            mediaType: 'image/png',
            url: 'https://example.com/a.png',
            providerReference: { openai: 'file-1' },
          },
        ],
      },
    ],
    shows: ['v6-unknown-parts'],
  },
  {
    name: 'custom content and a reasoning file',
    messages: [
      user('hi'),
      assistant(
        'a',
        { type: 'custom', kind: 'p.k' },
        { type: 'reasoning-file', mediaType: 'text/plain', url: 'data:,a' },
        said('x'),
      ),
    ],
    shows: ['v6-unknown-parts', 'v7-file-data'],
  },
  {
    name: 'a steering message',
    messages: [
      user('hi'),
      assistant(
        'a',
        said('x'),
        { type: 'steering-message', id: 's', parts: [{ type: 'text', text: 'not so' }] },
        said('y'),
      ),
    ],
    shows: ['v6-unknown-parts'],
  },
  {
    name: 'reasoning with metadata',
    messages: [
      user('hi'),
      assistant('a', { type: 'reasoning', text: 'hm', providerMetadata: { p: { signature: 's' } } }, said('x')),
    ],
  },

  {
    name: 'outputs of every kind',
    messages: [
      user('hi'),
      assistant('a', ran('c1', 'text'), ran('c2', { a: [1] }), ran('c3', null), ran('c4', ''), failed('c5')),
    ],
  },
  { name: 'an output that is absent', messages: [user('hi'), assistant('a', call('c1', 'output-available'))] },
  {
    name: 'a dynamic tool',
    messages: [
      user('hi'),
      assistant('a', {
        type: 'dynamic-tool',
        toolName: 'x',
        toolCallId: 'c1',
        state: 'output-available',
        input: 1,
        output: 2,
      }),
    ],
  },
  {
    name: 'a dynamic tool whose static tool no longer exists',
    messages: [
      user('hi'),
      assistant('a', {
        type: 'dynamic-tool',
        dynamic: false,
        toolName: 'x',
        toolCallId: 'c1',
        state: 'output-available',
        input: 1,
        output: 'secret',
      }),
    ],
  },
  {
    name: 'provider-executed results are in the message itself',
    messages: [
      user('hi'),
      assistant(
        'a',
        ran('c1', 1, {
          providerExecuted: true,
          callProviderMetadata: { p: { a: 1 } },
          resultProviderMetadata: { p: { b: 2 } },
        }),
        failed('c2', '{"code":1}', { providerExecuted: true }),
        said('x'),
      ),
    ],
  },
  {
    name: 'metadata of call and result',
    messages: [
      user('hi'),
      assistant(
        'a',
        ran('c1', 1, { callProviderMetadata: { p: { a: 1 } }, resultProviderMetadata: { p: { b: 2 } } }),
        failed('c2', 'e', { resultProviderMetadata: { p: { b: 2 } } }),
      ),
    ],
  },
  {
    name: 'a raw input and an error',
    messages: [
      user('hi'),
      assistant('a', {
        type: 'tool-edit',
        toolCallId: 'c1',
        state: 'output-error',
        rawInput: '{"pa',
        errorText: 'bad',
      }),
    ],
  },
  {
    name: 'an error without an input',
    messages: [
      user('hi'),
      assistant('a', { type: 'tool-edit', toolCallId: 'c1', state: 'output-error', errorText: 'bad' }),
    ],
    shows: ['lost-input'],
  },
  {
    name: 'a call that was approved and ran',
    messages: [
      user('hi'),
      assistant('a', ran('c1', 1, { approval: { id: 'ask-c1', approved: true, reason: 'fine', signature: 's' } })),
    ],
  },

  {
    name: 'approval requested, in the last step',
    messages: [user('hi'), assistant('a', asked('c1'), ran('c2'))],
    shows: ['open-call'],
  },
  { name: 'approved, in the last step', messages: [user('hi'), assistant('a', answered('c1', true), ran('c2'))] },
  {
    name: 'denied, in the last step',
    messages: [user('hi'), assistant('a', answered('c1', false), ran('c2'))],
    shows: ['v6-fresh-denial'],
  },
  {
    name: 'denied on an earlier turn',
    messages: [user('hi'), assistant('a', denied('c1', 'no')), user('ok')],
    shows: ['denial-shape'],
  },
  {
    name: 'denied without a reason',
    messages: [user('hi'), assistant('a', denied('c1')), user('ok')],
    shows: ['denial-shape'],
  },
  {
    name: 'denials between results, in call order',
    messages: [user('hi'), assistant('a', ran('c1'), denied('c2', 'no'), failed('c3'), denied('c4'))],
    shows: ['denial-shape'],
  },
  {
    name: 'a browser tool that waits, in the last step',
    messages: [user('hi'), assistant('a', call('c1', 'input-available'))],
    shows: ['open-call'],
  },
  {
    name: 'an input that never completed',
    messages: [
      user('hi'),
      assistant('a', said('x'), {
        type: 'tool-edit',
        toolCallId: 'c1',
        state: 'input-streaming',
        input: { path: 'a' },
        rawInput: '{"path":"a',
      }),
    ],
  },

  {
    name: 'approval requested, then another user message',
    messages: [user('hi'), assistant('a', asked('c1'), said('?')), user('never mind')],
    shows: ['left-open'],
  },
  {
    name: 'approval requested, then two more user messages',
    messages: [user('hi'), assistant('a', asked('c1')), user('never mind'), assistant('b', said('ok')), user('and?')],
    shows: ['left-open'],
  },
  {
    name: 'approved, then another user message',
    messages: [user('hi'), assistant('a', answered('c1', true)), user('wait')],
    shows: ['left-open'],
  },
  {
    name: 'denied, then another user message',
    messages: [user('hi'), assistant('a', answered('c1', false)), user('wait')],
    shows: ['v6-fresh-denial'],
  },
  {
    name: 'a browser tool without a result before a later message',
    messages: [user('hi'), assistant('a', call('c1', 'input-available')), user('wait')],
    shows: ['left-open'],
  },
  {
    name: 'approval requested, in a step before the last',
    messages: [user('hi'), assistant('a', asked('c1'), boundary, said('x'))],
    shows: ['left-open'],
  },
  {
    name: 'a preliminary output, then another user message',
    messages: [user('hi'), assistant('a', ran('c1', 'half', { preliminary: true })), user('wait')],
    shows: ['left-open'],
  },
  {
    name: 'a preliminary output, in the last step',
    messages: [user('hi'), assistant('a', ran('c1', 'half', { preliminary: true }))],
    shows: ['open-call'],
  },

  {
    name: 'a message twice',
    messages: [user('hi'), assistant('a', ran('c1')), assistant('a2', ran('c1')), user('ok')],
    shows: ['one-call'],
  },
  {
    name: 'a call twice, the second with more progress',
    messages: [
      user('hi'),
      assistant('a', answered('c1', true)),
      assistant('a2', ran('c1', 'done', { approval: { id: 'ask-c1', approved: true } }), said('x')),
      user('ok'),
    ],
    shows: ['one-call'],
  },

  {
    name: 'a denied call with an output',
    messages: [
      user('hi'),
      assistant('a', ran('c1', 'fake', { approval: { id: 'ask-c1', approved: false, reason: 'no' } })),
      user('ok'),
    ],
    shows: ['mended', 'denial-shape'],
  },
  {
    name: 'an undecided approval and an output',
    messages: [user('hi'), assistant('a', ran('c1', 'done', { approval: { id: 'ask-c1' } })), user('ok')],
    shows: ['mended'],
  },
  {
    name: 'a denied call without an approval',
    messages: [user('hi'), assistant('a', call('c1', 'output-denied')), user('ok')],
    shows: ['mended', 'denial-shape'],
  },
  {
    name: 'a call without a state',
    messages: [user('hi'), assistant('a', { type: 'tool-edit', toolCallId: 'c1', input: 1, output: 2 }), user('ok')],
    shows: ['mended'],
  },
];
