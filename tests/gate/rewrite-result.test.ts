/**
 * `rewriteResult`: the app can change each result that Toolgate writes, and requests wait for the changed text.
 */
import { describe, expect, it, vi } from 'vitest';
import { ToolGate, type AiSdkBody, type SavedGate, type SynthesizedResult, type ToolGateOptions } from 'toolgate';

import { expectAccepted, resultsOf, served, VERSIONS } from './backends.js';
import { ask, asking, reply, send } from './support.js';
import { uncaughtIn } from '../lib/uncaught';

type Rewrite = NonNullable<ToolGateOptions['rewriteResult']>;

/** A gate with pending approvals of these calls, and the content of its `tool-result` events. */
function rewriting(
  calls: string[],
  rewriteResult: Rewrite,
  options: ToolGateOptions = {},
): { gate: ToolGate; told: unknown[][] } {
  const { gate } = asking(calls, { rewriteResult, ...options });
  const told: unknown[][] = [];
  gate.onEvent(
    (event) => event.type === 'tool-result' && told.push([event.toolCallId, event.outcome.kind, event.result]),
  );
  return { gate, told };
}

/** The result of a call in the one request of `outgoing()`. */
function sentReason(gate: ToolGate, call: number): unknown {
  const { messages } = gate.outgoing()[0]?.body as AiSdkBody;
  const part = messages[1]?.parts[call] as { approval?: { reason?: string }; errorText?: string };
  return part.errorText ?? part.approval?.reason;
}

it('synchronously: sends the rewritten text, and emits it once', async () => {
  const seen: SynthesizedResult[] = [];
  const { gate, told } = rewriting(
    ['c1', 'c2', 'c3'],
    (result) => {
      seen.push(result);
      return `${result.toolName}: ${result.text}`;
    },
    { onDeny: 'skip-rest' },
  );
  gate.respond('approve-c1', { approved: true });
  gate.respond('approve-c2', { approved: false, reason: 'not today' });
  const denied = 'edit: Error: Tool execution was denied by user. not today';
  const skipped = 'edit: Error: Tool execution was skipped due to previous tool denial.';
  expect(seen).toEqual([
    {
      toolCallId: 'c2',
      toolName: 'edit',
      input: { path: 'c2' },
      outcome: { kind: 'denied', reason: 'not today' },
      text: 'Error: Tool execution was denied by user. not today',
    },
    { toolCallId: 'c3', toolName: 'edit', input: { path: 'c3' }, outcome: { kind: 'skipped' }, text: skipped.slice(6) },
  ]);
  expect(told).toEqual([
    ['c2', 'denied', denied],
    ['c3', 'skipped', skipped],
  ]);
  expect([sentReason(gate, 2), sentReason(gate, 3)]).toEqual([denied, skipped]);
  await expectAccepted(gate.outgoing()[0]);
  expect(JSON.stringify(gate.assemble())).toContain(denied);
});

it('asynchronously: sends nothing until the last rewrite has resolved', async () => {
  const answers = new Map<string, (text: string) => void>();
  const { gate, told } = rewriting(
    ['c1', 'c2'],
    ({ toolCallId }) => new Promise((resolve) => answers.set(toolCallId, resolve)),
  );
  const changed = vi.fn();
  gate.subscribe(changed);
  gate.respondAll({ approved: false });
  expect([gate.outgoing(), told, gate.getSnapshot().status]).toEqual([[], [], 'submitted']);
  const sending = vi.fn(async () => {});
  const delivered = gate.deliver(sending);
  answers.get('c2')?.('second');
  await Promise.resolve();
  expect([gate.outgoing(), told]).toEqual([[], [['c2', 'denied', 'second']]]);
  changed.mockClear();
  answers.get('c1')?.('first');
  await Promise.resolve();
  expect(changed).toHaveBeenCalled();
  await vi.waitFor(() => expect(sending).toHaveBeenCalledOnce());
  expect(told).toEqual([
    ['c2', 'denied', 'second'],
    ['c1', 'denied', 'first'],
  ]);
  expect(JSON.stringify(sending.mock.calls)).toMatch(/first.*second/);
  gate.streamEnded({ status: 'disconnected' });
  await delivered;
});

it.each<[string, Rewrite]>([
  [
    'throws',
    () => {
      throw new Error('of the app');
    },
  ],
  [
    'rejects',
    async () => {
      throw new Error('of the app');
    },
  ],
])('a function that %s changes nothing, and its failure is reported', async (_, rewrite) => {
  const { gate, told } = rewriting(['c1'], rewrite);
  const errors = await uncaughtIn(() => gate.respond('approve-c1', { approved: false, reason: 'no' }));
  expect(errors).toMatchObject([{ message: 'of the app' }]);
  expect(told).toEqual([['c1', 'denied', 'Error: Tool execution was denied by user. no']]);
  expect(sentReason(gate, 1)).toBe('no');
  expect(gate.getSnapshot().status).not.toBe('crashed');
});

it.each<[string, unknown]>([
  ['undefined', undefined],
  ['null', null],
  ['a number', 7],
  ['a promise of undefined', Promise.resolve()],
  ['the original text', 'Error: Tool execution was denied by user. no'],
])('%s does not change the result', async (_, made) => {
  const { gate, told } = rewriting(['c1'], () => made as string);
  gate.respond('approve-c1', { approved: false, reason: 'no' });
  await vi.waitFor(() => expect(told).toEqual([['c1', 'denied', 'Error: Tool execution was denied by user. no']]));
  expect(sentReason(gate, 1)).toBe('no');
});

it('waits for any thenable', async () => {
  const later = { then: (done: (text: string) => void): void => void setTimeout(() => done('later')) };
  const { gate } = rewriting(['c1'], () => later as unknown as Promise<string>);
  gate.respond('approve-c1', { approved: false });
  expect(gate.outgoing()).toEqual([]);
  await vi.waitFor(() => expect(sentReason(gate, 1)).toBe('later'));
});

it('also rewrites cancelled, interrupted and expired results', () => {
  const kinds: string[] = [];
  const rewriteResult: Rewrite = ({ outcome }) => {
    kinds.push(outcome.kind);
    return `it was ${outcome.kind}`;
  };
  const { gate } = rewriting(['c1'], rewriteResult, { approvalTimeoutMs: 500, now: () => 1000 });
  gate.tick(1500);
  send(gate);
  reply(gate, [{ type: 'start-step' }, ...ask('c2'), { type: 'finish' }]);
  gate.cancel('enough');
  gate.sendUserMessage({ text: 'go on' });
  send(gate);
  reply(gate, [
    { type: 'start', messageId: 'a9' },
    { type: 'tool-input-available', toolCallId: 'c3', toolName: 'edit', input: {} },
    { type: 'finish' },
  ]);
  gate.sendUserMessage({ text: 'and on' });
  expect(kinds).toEqual(['expired', 'cancelled', 'interrupted']);
  const body = JSON.stringify(gate.outgoing()[0]?.body);
  for (const kind of kinds) expect(body).toContain(`it was ${kind}`);
});

it('does not rewrite results of a tool or the backend', () => {
  const rewriteResult = vi.fn(() => 'rewritten');
  const { gate, told } = rewriting(['c1'], rewriteResult);
  gate.respond('approve-c1', { approved: true });
  send(gate);
  reply(gate, [
    { type: 'tool-output-available', toolCallId: 'c1', output: { ok: true } },
    { type: 'start-step' },
    ...ask('c2'),
    { type: 'tool-output-denied', toolCallId: 'c2' },
    { type: 'tool-input-available', toolCallId: 'c3', toolName: 'edit', input: {} },
    { type: 'tool-output-error', toolCallId: 'c3', errorText: 'disk full' },
    { type: 'finish' },
  ]);
  expect(rewriteResult).not.toHaveBeenCalled();
  expect(told.map(([call, kind]) => `${String(call)} ${String(kind)}`)).toEqual([
    'c1 executed',
    'c2 denied',
    'c3 failed',
  ]);
});

it('cancel ends the wait: the original text is emitted, and a later one is ignored', async () => {
  let answer: (text: string) => void = () => {};
  const { gate, told } = rewriting(['c1'], () => new Promise((resolve) => (answer = resolve)));
  gate.respond('approve-c1', { approved: false, reason: 'no' });
  gate.sendUserMessage({ text: 'go on' });
  expect(gate.outgoing()).toEqual([]);
  gate.cancel();
  const as = [['c1', 'denied', 'Error: Tool execution was denied by user. no']];
  expect(told).toEqual(as);
  expect(sentReason(gate, 1)).toBe('no');
  answer('too late');
  await new Promise((resolve) => setTimeout(resolve));
  expect([told, sentReason(gate, 1)]).toEqual([as, 'no']);
});

it('a restored gate calls `rewriteResult` again; without the option it sends the original texts', async () => {
  const { gate } = rewriting(['c1'], () => new Promise(() => {}));
  gate.respond('approve-c1', { approved: false, reason: 'no' });
  const saved = JSON.parse(JSON.stringify(gate)) as SavedGate;
  const again = ToolGate.restore(saved, { rewriteResult: ({ text }) => `again: ${text}` });
  expect(sentReason(again, 1)).toBe('again: Error: Tool execution was denied by user. no');
  expect(sentReason(ToolGate.restore(saved), 1)).toBe('no');
});

it('`rewriteResult` may use the gate', () => {
  let gate: ToolGate | undefined;
  const made = rewriting(['c1', 'c2'], ({ text }) => {
    gate?.respondAll({ approved: false });
    return `${gate?.pending().length}: ${text}`;
  });
  gate = made.gate;
  gate.respond('approve-c1', { approved: false });
  expect([sentReason(gate, 1), sentReason(gate, 2)].map((text) => String(text).slice(0, 8))).toEqual([
    '0: Error',
    '0: Error',
  ]);
  expect(made.told.map(([call]) => call).toSorted()).toEqual(['c1', 'c2']);
});

it('`rewriteResult` must be a function', () => {
  expect(() => new ToolGate({ rewriteResult: 'text' as never })).toThrow(TypeError);
});

describe.each(VERSIONS)('with a real server of ai %i', (version) => {
  it('the model reads the rewritten text', async () => {
    const model = [
      {
        calls: [
          { id: 'e1', tool: 'edit' },
          { id: 's1', tool: 'send' },
        ],
      },
      { text: 'Done.' },
    ];
    const { gate, backend, deliver, approvalOf } = await served(version, model, {
      rewriteResult: async ({ toolCallId }) => `the app says no to ${toolCallId}`,
    });
    gate.respond(approvalOf('e1'), { approved: true });
    gate.respond(approvalOf('s1'), { approved: false });
    await deliver();
    expect([backend.ran, backend.errors]).toEqual([['edit#e1'], []]);
    expect(resultsOf(backend, 's1')).toEqual([expect.stringContaining('the app says no to s1')]);
  });
});
