/**
 * All known defects of stored histories, through the public API and with the real AI SDK: each repair is
 * reported with a sentence, and both versions of the AI SDK accept the repaired request and model messages.
 * tests/host/load_*.rs has more cases.
 */
import * as ai7 from 'ai';
import * as ai6 from 'ai6';
import { describe, expect, it } from 'vitest';

import type { RepairCode } from 'toolgate';

import { peers, type Message } from '../interop/ai-sdk/peers';
import './support';
import { ToolGate } from 'toolgate';

type Json = Record<string, unknown>;

const text = (words: string): Json => ({ type: 'text', text: words });
const user = (id: string): Json => ({ id, role: 'user', parts: [text(id)] });
const assistant = (id: string, ...parts: unknown[]): Json => ({
  id,
  role: 'assistant',
  parts: [{ type: 'step-start' }, ...parts],
});
const call = (id: string, state: unknown, more: Json = {}): Json => ({
  type: 'tool-edit',
  toolCallId: id,
  state,
  input: { path: id },
  ...more,
});
const ran = (id: string, more: Json = {}): Json => call(id, 'output-available', { output: 'done', ...more });
const answered = (id: string, approved: boolean, reason?: unknown): Json =>
  call(id, 'approval-responded', { approval: { id: `ask-${id}`, approved, ...(reason !== undefined && { reason }) } });
const asked = (id: string): Json => call(id, 'approval-requested', { approval: { id: `ask-${id}` } });

const said = (...content: unknown[]): Json => ({ role: 'assistant', content });
const told = (...content: unknown[]): Json => ({ role: 'tool', content });
const toolCall = (id: string): Json => ({ type: 'tool-call', toolCallId: id, toolName: 'edit', input: { path: id } });
const request = (id: string): Json => ({ type: 'tool-approval-request', approvalId: `ask-${id}`, toolCallId: id });
const response = (id: string, approved: boolean): Json => ({
  type: 'tool-approval-response',
  approvalId: `ask-${id}`,
  approved,
});
const result = (id: string): Json => ({
  type: 'tool-result',
  toolCallId: id,
  toolName: 'edit',
  output: { type: 'text', value: 'done' },
});

interface Defect {
  readonly name: string;
  readonly history: unknown;
  readonly mends: readonly RepairCode[];
}

/** Cases for a defect of one call: the call is the last content, or a message follows it. */
const ofCall = (name: string, part: unknown, mends: readonly RepairCode[], behind = mends): Defect[] => [
  { name, history: [user('m1'), assistant('r1', part)], mends },
  { name: `${name}, before a message`, history: [user('m1'), assistant('r1', part), user('m2')], mends: behind },
];

const defects: readonly Defect[] = [
  ...ofCall('no state', call('c1', undefined), ['missing-state'], ['missing-state', 'unanswered-call']),
  ...ofCall('an unknown state', ran('c1', { state: 'finished' }), ['missing-state']),
  ...ofCall('a request', asked('c1'), [], ['stale-approval']),
  ...ofCall('an approval without a result', answered('c1', true), [], ['unanswered-call']),
  ...ofCall('a denial that was not sent to a server', answered('c1', false, 'no'), [], ['unanswered-call']),
  ...ofCall('an approved call that its provider runs', { ...answered('c1', true), providerExecuted: true }, []),
  ...ofCall('an open call that its provider runs', call('c1', 'input-available', { providerExecuted: true }), []),
  ...ofCall('an open call', call('c1', 'input-available'), [], ['unanswered-call']),
  ...ofCall('an input that never completed', call('c1', 'input-streaming'), ['incomplete-input']),
  ...ofCall('a preliminary output', ran('c1', { preliminary: true }), [], ['unanswered-call']),
  ...ofCall('`approval: null`', ran('c1', { approval: null }), ['invalid-value']),
  ...ofCall('`reason: null`', answered('c1', true, null), ['invalid-value'], ['invalid-value', 'unanswered-call']),
  ...ofCall(
    '`signature: null`',
    call('c1', 'output-denied', { approval: { id: 'a', approved: false, signature: null } }),
    ['invalid-value'],
  ),
  ...ofCall('`title: null`', ran('c1', { title: null, providerExecuted: null, callProviderMetadata: null }), [
    'invalid-value',
  ]),
  ...ofCall(
    'a decision that is a string',
    answered('c1', 'true' as never),
    ['missing-state', 'invalid-value'],
    ['missing-state', 'invalid-value', 'stale-approval'],
  ),
  ...ofCall('an output without a decision', ran('c1', { approval: { id: 'a' } }), ['invalid-value']),
  ...ofCall('an output, and a denial', ran('c1', { approval: { id: 'a', approved: false } }), ['denied-output']),
  ...ofCall(
    'an error, and a denial',
    call('c1', 'output-error', { errorText: 'e', approval: { id: 'a', approved: false } }),
    ['denied-output'],
  ),
  ...ofCall('an error without a text', call('c1', 'output-error'), ['invalid-value']),
  ...ofCall('a denial without an approval', call('c1', 'output-denied'), ['missing-approval']),
  ...ofCall(
    'a denial with an output',
    call('c1', 'output-denied', { output: 1, approval: { id: 'a', approved: false } }),
    ['invalid-value'],
  ),
  ...ofCall(
    'an open call with an approval',
    call('c1', 'input-available', { approval: { id: 'a' } }),
    ['missing-state'],
    ['missing-state', 'stale-approval'],
  ),
  ...ofCall(
    'an unfinished input with an approval',
    call('c1', 'input-streaming', { approval: { id: 'a', approved: true } }),
    ['invalid-value', 'incomplete-input'],
  ),
  ...ofCall(
    'a request without an approval',
    call('c1', 'approval-requested'),
    ['missing-state'],
    ['missing-state', 'unanswered-call'],
  ),
  ...ofCall('an output that JSON lost', call('c1', 'output-available'), ['invalid-value']),
  ...ofCall('an id that is a number', call(7 as never, 'input-available'), ['malformed']),
  ...ofCall('a dynamic tool without a name', { ...ran('c1'), type: 'dynamic-tool' }, ['malformed']),
  ...ofCall('values in `parts` that are not parts', null, ['malformed']),
  ...ofCall('a text without a text', { type: 'text' }, ['malformed']),

  {
    name: 'entries that are not messages',
    history: [null, 7, [], {}, user('m1')],
    mends: ['malformed', 'malformed', 'malformed', 'malformed'],
  },
  {
    name: 'parts that are not an array',
    history: [user('m1'), { id: 'r1', role: 'assistant', parts: 'x' }],
    mends: ['malformed'],
  },
  {
    name: 'a message without parts',
    history: [user('m1'), { id: 'm2', role: 'user', parts: [] }],
    mends: ['malformed'],
  },
  { name: 'a message without an id', history: [{ ...user('m1'), id: 7 }], mends: ['invalid-value'] },

  {
    name: 'a repeated message',
    history: [user('m1'), user('m1'), assistant('r1', ran('c1')), assistant('r1', ran('c1'))],
    mends: ['duplicate-message', 'duplicate-message', 'duplicate-call'],
  },
  {
    name: 'a repeated message with two ids',
    history: [user('m1'), assistant('r1', text('x'), ran('c1')), assistant('r2', text('x'), ran('c1'))],
    mends: ['duplicate-call'],
  },
  {
    name: 'a repeated response',
    history: [user('m1'), assistant('r1', text('x')), assistant('r2', text('x'))],
    mends: ['duplicate-message'],
  },
  {
    name: 'a call with the id of a call that ran in an earlier turn',
    history: [user('m1'), assistant('r1', ran('c1')), user('m2'), assistant('r2', answered('c1', true))],
    mends: [],
  },
  {
    name: 'a call in two messages',
    history: [user('m1'), assistant('r1', answered('c1', true)), assistant('r2', ran('c1'), text('x'))],
    mends: ['duplicate-call'],
  },
  {
    name: 'a call with the id of an open call of an earlier turn',
    history: [user('m1'), assistant('r1', answered('c1', true)), user('m2'), assistant('r2', ran('c1'), text('x'))],
    mends: ['unanswered-call'],
  },
  {
    name: 'one approval for two calls',
    history: [user('m1'), assistant('r1', asked('c1'), { ...asked('c1'), toolCallId: 'c2' })],
    mends: ['duplicate-approval'],
  },

  {
    name: 'a model call without a result',
    history: [user('m1'), said(toolCall('c1')), { role: 'user', content: 'm2' }],
    mends: ['unanswered-call'],
  },
  { name: 'a result without a call', history: [user('m1'), said(text('x')), told(result('c9'))], mends: ['orphaned'] },
  { name: 'a tool message first', history: [told(result('c9')), user('m1')], mends: ['orphaned'] },
  {
    name: 'a result after a message',
    history: [user('m1'), said(toolCall('c1')), { role: 'user', content: 'm2' }, told(result('c1'))],
    mends: ['orphaned'],
  },
  {
    name: 'a response without a request',
    history: [user('m1'), said(toolCall('c1')), told(response('c9', true), result('c1'))],
    mends: ['orphaned'],
  },
  {
    name: 'two responses to one approval',
    history: [user('m1'), said(toolCall('c1'), request('c1')), told(response('c1', true), response('c1', false))],
    mends: ['duplicate-approval'],
  },
  {
    name: 'two results of one call',
    history: [user('m1'), said(toolCall('c1')), told(result('c1'), result('c1'))],
    mends: ['duplicate-call'],
  },
  {
    name: 'a result without an output',
    history: [
      user('m1'),
      said(toolCall('c1')),
      told({ ...result('c1'), output: 'done' }),
      { role: 'user', content: 'm2' },
    ],
    mends: ['malformed', 'unanswered-call'],
  },
];

const received = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

function loaded(history: unknown): { gate: ToolGate; repairs: ReturnType<ToolGate['load']>['repairs'] } {
  const gate = new ToolGate({ chatId: 'chat' });
  return { gate, repairs: gate.load(history as unknown[]).repairs };
}

/** The next request: decides pending approvals first and cancels open calls. */
function goOn(gate: ToolGate): readonly Message[] {
  gate.respondAll({ approved: false, reason: 'not now' });
  gate.cancel();
  expect(gate.sendUserMessage({ text: 'And then?' })).toBe('sent');
  const [item] = gate.outgoing();
  return received((item?.body as { messages: readonly Message[] }).messages);
}

describe('stored histories with defects', () => {
  it.each(defects)('$name', async ({ history, mends }) => {
    const before = structuredClone(history);
    const { gate, repairs } = loaded(history);
    expect(history).toEqual(before);
    expect(repairs.map(({ code }) => code)).toEqual(mends);
    for (const { code, toolCallId, detail } of repairs) {
      expect(detail).toMatch(toolCallId === undefined ? /^\w/ : new RegExp(`^Call "${toolCallId}" `));
      expect(detail, code).not.toContain('undefined');
    }
    expect(gate.outgoing()).toEqual([]);

    // A repaired history needs no more repairs, also after JSON, and is the same history.
    const kept = gate.getSnapshot().messages;
    for (const again of [loaded(kept), loaded(received(kept))]) {
      expect(again.repairs).toEqual([]);
      expect(again.gate.assemble('ai-sdk')).toEqual(gate.assemble('ai-sdk'));
    }
    expect(loaded(gate.assemble('ai-sdk')).gate.assemble('ai-sdk')).toEqual(gate.assemble('ai-sdk'));

    // Both versions read the model messages and accept the next request.
    const assembled = gate.assemble('ai-sdk') as never[];
    for (const ai of [ai7, ai6 as unknown as typeof ai7]) {
      const checked = assembled.map((message) => ai.modelMessageSchema.safeParse(message));
      expect(checked.filter(({ success }) => !success)).toEqual([]);
    }
    const messages = goOn(gate);
    for (const peer of peers) {
      expect(await peer.validates(messages), peer.release).toBe(true);
      expect(await peer.refuses(messages), peer.release).toBeUndefined();
    }
  });

  it('the cases contain all repair codes', () => {
    const shown = new Set(defects.flatMap(({ mends }) => mends));
    const codes: Record<RepairCode, true> = {
      'duplicate-call': true,
      'missing-state': true,
      'missing-approval': true,
      'stale-approval': true,
      'unanswered-call': true,
      'incomplete-input': true,
      'denied-output': true,
      malformed: true,
      'duplicate-message': true,
      'duplicate-approval': true,
      orphaned: true,
      'invalid-value': true,
    };
    expect([...shown].toSorted()).toEqual(Object.keys(codes).toSorted());
  });

  it('an output that is `undefined` stays `undefined` in the view, and is `null` in a request', async () => {
    const { gate, repairs } = loaded([
      user('m1'),
      assistant('r1', { ...ran('c1'), output: undefined, approval: undefined, title: undefined }),
    ]);
    expect(repairs).toEqual([]);
    expect(gate.getSnapshot().messages[1]?.parts[1]).not.toHaveProperty('output', null);
    const messages = goOn(gate);
    for (const peer of peers) expect(await peer.refuses(messages), peer.release).toBeUndefined();
  });
});
