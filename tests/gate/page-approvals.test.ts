/**
 * `needsApproval`: the gate asks before the page runs a call, and never runs one unasked.
 * tests/protocols/page-approvals has what each backend receives.
 */
import { describe, expect, it } from 'vitest';
import { ToolGate, type ToolGateOptions } from 'toolgate';
import { record, replay } from 'toolgate/inspector';
import { agUi } from 'toolgate/protocols/ag-ui';
import { openaiChat } from 'toolgate/protocols/openai-chat';
import { registerTools } from 'toolgate/tools';

import { quiet } from '../persist/support.js';
import { asked, called, ends, replying, states } from '../tools/picker.js';
import { expectAccepted } from './backends.js';
import { reply, send } from './support.js';

const ASKS: ToolGateOptions = { browserTools: ['pick'], needsApproval: () => true };

/** Registers `pick`, and returns the ids of the calls that ran. */
function running(gate: ToolGate, tool: object = {}): string[] {
  const runs: string[] = [];
  registerTools(gate, { pick: { execute: (_: never, { toolCallId }) => (runs.push(toolCallId), 7), ...tool } });
  return runs;
}

const pendingCalls = (gate: ToolGate): string[] => gate.pending().map(({ toolCallId }) => toolCallId);

describe('a TypeError, because nothing would be asked', () => {
  it.each([{}, { browserTools: [] }, { protocol: agUi }])('the option without tools of the page: %j', (options) => {
    const create = (): ToolGate => new ToolGate({ chatId: 'chat', needsApproval: () => true, ...options });
    expect(create).toThrow(TypeError);
    expect(create).toThrow(/`needsApproval`.*`browserTools`/);
  });

  it('not with the API of a model, whose tools all run in the page', () => {
    expect(() => new ToolGate({ protocol: openaiChat, needsApproval: () => true })).not.toThrow();
  });

  it('a registered tool that needs approval and is not in `browserTools`, in the same words', () => {
    const gate = new ToolGate({ chatId: 'chat', browserTools: ['other'] });
    expect(() => running(gate, { needsApproval: true })).toThrow(/"pick".*`browserTools`/);
    expect(() => running(gate)).not.toThrow();
    expect(() => running(new ToolGate({ ...ASKS, browserTools: ['other'] }))).toThrow(TypeError);
    expect(() => running(new ToolGate({ protocol: openaiChat }), { needsApproval: true })).not.toThrow();
  });
});

describe('which calls are asked about', () => {
  it('those for which the option does not return false, or that are registered to need approval', async () => {
    const needsApproval = ({ input }: { input: unknown }): boolean => (input as { id: string }).id !== 'c2';
    const gate = new ToolGate({ chatId: 'chat', ...ASKS, needsApproval });
    const runs = running(gate);
    replying([called('c1'), called('c2'), called('c3', 'read')], {}, gate);
    ends(gate);
    await quiet();
    expect([pendingCalls(gate), runs]).toEqual([['c1'], ['c2']]);
    const both = replying([called('c1'), called('c2')], { ...ASKS, needsApproval });
    expect(running(both, { needsApproval: true })).toEqual([]);
    ends(both);
    expect(pendingCalls(both)).toEqual(['c1', 'c2']);
  });

  it.each([
    [
      'that throws',
      () => {
        throw new Error('no');
      },
    ],
    ['that returns no boolean', () => undefined as never],
  ])('all, with a function %s', (_, needsApproval) => {
    expect(pendingCalls(replying([called('c1')], { ...ASKS, needsApproval }))).toEqual(['c1']);
  });

  it('not calls of the server or of the provider', () => {
    const chunks = [called('c1', 'read'), { ...called('c2'), providerExecuted: true }];
    expect(pendingCalls(replying(chunks, ASKS))).toEqual([]);
  });

  it('a call once: a request of the backend replaces the one of the gate', () => {
    const gate = replying([called('c1'), asked('c1')], ASKS);
    expect(gate.pending().map(({ approvalId }) => approvalId)).toEqual(['ask-c1']);
  });

  it('a call that was complete before its tool was registered', async () => {
    const gate = replying([called('c1')]);
    ends(gate);
    const runs = running(gate, { needsApproval: true });
    await quiet();
    expect([pendingCalls(gate), runs]).toEqual([['c1'], []]);
    gate.respond('c1', { approved: true });
    await quiet();
    expect(runs).toEqual(['c1']);
  });

  it('no call of another tool, after a tool was registered', async () => {
    const gate = replying([], { browserTools: ['pick', 'read'] });
    running(gate, { needsApproval: true });
    const reads: unknown[] = [];
    registerTools(gate, { read: { execute: (input) => reads.push(input) } });
    gate.receive(called('c1'));
    gate.receive(called('c2', 'read'));
    ends(gate);
    await quiet();
    expect([pendingCalls(gate), reads]).toEqual([['c1'], [{ id: 'c2' }]]);
  });

  it('an effect that registers its tools again asks once, and after the last registration nobody asks', () => {
    const gate = new ToolGate({ chatId: 'chat', browserTools: ['pick'] });
    const tool = { pick: { execute: () => 7, needsApproval: true } };
    registerTools(gate, tool)();
    const dispose = registerTools(gate, tool);
    replying([called('c1')], {}, gate);
    expect(pendingCalls(gate)).toEqual(['c1']);
    dispose();
    gate.receive(called('c2'));
    expect(pendingCalls(gate)).toEqual(['c1']);
  });

  it('open calls of a loaded history, also one that is not in the form of the protocol', () => {
    const part = { type: 'tool-pick', toolCallId: 'c1', state: 'input-available', input: { id: 'c1' } };
    const history = [
      { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Go.' }] },
      { id: 'a', role: 'assistant', parts: [{ type: 'step-start' }, part] },
    ];
    for (const options of [ASKS, { ...ASKS, protocol: agUi }, { protocol: openaiChat }]) {
      const gate = new ToolGate({ chatId: 'chat', ...options });
      gate.load(history);
      expect(pendingCalls(gate)).toEqual(['c1']);
    }
  });
});

it('both versions of the AI SDK accept the requests with an output and with a denial', async () => {
  const gate = replying([called('c1'), called('c2')], ASKS);
  ends(gate);
  gate.respond('c1', { approved: false, reason: 'not that one' });
  gate.respond('c2', { approved: true });
  gate.addToolOutput('c2', { output: 7 });
  const [item] = gate.outgoing();
  await expectAccepted(item);
  const { messages } = item!.body as { messages: { parts: Record<string, unknown>[] }[] };
  expect(messages.at(-1)?.parts.slice(1)).toEqual([
    {
      type: 'tool-pick',
      toolCallId: 'c1',
      state: 'output-error',
      input: { id: 'c1' },
      errorText: 'Error: Tool execution was denied by user. not that one',
      callProviderMetadata: { toolgate: { outcome: 'denied', reason: 'not that one' } },
    },
    { type: 'tool-pick', toolCallId: 'c2', state: 'output-available', input: { id: 'c2' }, output: 7 },
  ]);
  const later = new ToolGate(ASKS);
  expect(later.load(messages)).toEqual({ repairs: [] });
  expect(later.part('c1')).toMatchObject({ outcome: { kind: 'denied', reason: 'not that one' } });
});

it('remembered decisions, policies and texts apply, and rewriteResult rewrites the denial', async () => {
  const options: ToolGateOptions = {
    ...ASKS,
    onDeny: 'skip-rest',
    texts: { denied: 'No.' },
    rewriteResult: ({ text, outcome }) => `${outcome.kind}: ${text}`,
  };
  const gate = replying([called('c1', 'pick', { id: 'x' }), called('c2'), called('c3')], options);
  ends(gate);
  gate.respond('c1', { approved: true, remember: 'chat' });
  gate.addToolOutput('c1', { output: 7 });
  gate.respond('c2', { approved: false });
  await quiet();
  expect(states(gate)).toEqual(['c1 output-available executed', 'c2 output-denied denied', 'c3 output-denied skipped']);
  const { messages } = gate.outgoing()[0]!.body as { messages: { parts: { errorText?: string }[] }[] };
  expect(
    messages
      .at(-1)
      ?.parts.map((part) => part.errorText)
      .slice(2),
  ).toEqual(['denied: No.', 'skipped: Error: Tool execution was skipped due to previous tool denial.']);
  send(gate);
  reply(gate, [{ type: 'start', messageId: 'm' }, { type: 'start-step' }, called('c4', 'pick', { id: 'x' })]);
  expect([pendingCalls(gate), gate.getSnapshot().turn.runnable]).toEqual([[], ['c4']]);
});

it('a recording contains the answers of the option and of registered tools', async () => {
  for (const [options, tool] of [
    [ASKS, {}],
    [{ browserTools: ['pick'] }, { needsApproval: true }],
  ] as const) {
    const gate = new ToolGate({ chatId: 'chat', ...options });
    const recorder = record(gate);
    replying([], {}, gate);
    running(gate, tool);
    gate.receive(called('c1'));
    ends(gate);
    gate.respond('c1', { approved: false });
    const { difference } = await replay(JSON.parse(JSON.stringify(recorder.recording())), { ToolGate });
    expect(difference).toBeUndefined();
  }
});
