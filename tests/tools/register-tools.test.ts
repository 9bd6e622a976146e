/** Browser tools on a real gate: when calls run, how they end, and errors. */
import { ToolGate } from 'toolgate';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { registerTools } from 'toolgate/tools';
import { z } from 'zod';

import { send } from '../gate/support.js';
import { quiet } from '../persist/support.js';
import { asked, called, ends, picker, replying, resultsIn, states } from './picker.js';
import { cloudflare } from 'toolgate/protocols/cloudflare';
import { openaiChat } from 'toolgate/protocols/openai-chat';

afterEach(() => void vi.useRealTimers());

describe('when a call runs', () => {
  test('once when it is approved; its result is sent with the step', async () => {
    const gate = new ToolGate({ chatId: 'chat', browserTools: ['pick'] });
    const { runs, kinds, dispose } = picker(gate);
    replying([called('c1'), asked('c1')], {}, gate);
    ends(gate);
    await quiet();
    expect(runs).toHaveLength(0);
    gate.respond('ask-c1', { approved: true });
    gate.respond('ask-c1', { approved: true });
    await quiet();
    expect(dispose.running).toEqual(['c1']);
    expect(gate.outgoing()).toEqual([]);
    runs[0]?.ends({ picked: 7 });
    await quiet();
    expect(runs).toHaveLength(1);
    expect(gate.outgoing()).toHaveLength(1);
    expect(resultsIn(gate)).toEqual([{ type: 'json', value: { picked: 7 } }]);
    expect(kinds()).toEqual(['started c1', 'ended c1 executed']);
    expect(dispose.running).toEqual([]);
  });

  test('never if it is denied', async () => {
    const gate = new ToolGate({ chatId: 'chat', browserTools: ['pick'] });
    const { runs } = picker(gate);
    replying([called('c1'), asked('c1')], {}, gate);
    ends(gate);
    gate.respond('ask-c1', { approved: false });
    await quiet();
    expect([runs, states(gate)]).toEqual([[], ['c1 approval-responded denied']]);
  });

  test('without an approval: when the reply has ended, not before', async () => {
    const gate = new ToolGate({ chatId: 'chat', browserTools: ['pick'] });
    const { ran, runs } = picker(gate);
    replying([called('c1'), called('c2')], {}, gate);
    await quiet();
    expect(ran()).toEqual([]);
    gate.receive(asked('c2'));
    ends(gate);
    await quiet();
    expect(ran()).toEqual(['c1']);
    runs[0]?.ends(1);
    await quiet();
    expect(states(gate)).toEqual(['c1 output-available executed', 'c2 approval-requested']);
    expect(gate.outgoing()).toEqual([]);
  });

  test('with needsApproval: false, at once during the reply', async () => {
    const gate = new ToolGate({ chatId: 'chat', browserTools: ['pick'] });
    const { ran } = picker(gate, { tool: { needsApproval: false } });
    replying([called('c1')], {}, gate);
    await quiet();
    expect(ran()).toEqual(['c1']);
  });

  test('never after an incomplete reply, for other tools, or for calls of the provider', async () => {
    const gate = new ToolGate({ chatId: 'chat', browserTools: ['pick'] });
    const { runs, kinds } = picker(gate);
    replying([called('c1'), called('c2', 'other'), { ...called('c3'), providerExecuted: true }], {}, gate);
    gate.streamEnded({ status: 'disconnected' });
    await quiet();
    expect([runs, kinds()]).toEqual([[], []]);
  });

  test('never while the page reconnects, because the replay may request approval', async () => {
    const gate = new ToolGate({ chatId: 'chat', browserTools: ['pick'] });
    const { runs } = picker(gate);
    replying([called('c1')], {}, gate);
    gate.reconnecting();
    await quiet();
    expect(runs).toHaveLength(0);
    const again = [{ type: 'start', messageId: 'm' }, { type: 'start-step' }, called('c1'), asked('c1')];
    for (const chunk of again) gate.receive(chunk, { reconnect: 'start' });
    ends(gate);
    await quiet();
    expect([runs, states(gate)]).toEqual([[], ['c1 approval-requested']]);
  });

  test('never if the tool is not in `browserTools`: the server runs the approved call', async () => {
    const gate = new ToolGate({ chatId: 'chat' });
    const { runs } = picker(gate);
    replying([called('c1'), asked('c1')], {}, gate);
    ends(gate);
    gate.respond('ask-c1', { approved: true });
    await quiet();
    expect([runs, gate.outgoing().map(({ approvalIds }) => approvalIds)]).toEqual([[], [['ask-c1']]]);
  });

  test('after its approval was sent, with a protocol that sends each decision at once', async () => {
    const gate = new ToolGate({ chatId: 'chat', protocol: cloudflare, browserTools: ['pick'] });
    let claimed!: (mine: boolean) => void;
    const { ran, runs } = picker(gate, { claim: () => new Promise((claims) => (claimed = claims)) });
    gate.sendUserMessage({ text: 'pick one' });
    send(gate);
    for (const chunk of [{ type: 'start', messageId: 'm' }, { type: 'start-step' }, called('c1'), asked('c1')])
      gate.receive({ type: 'cf_agent_use_chat_response', id: 'r', body: JSON.stringify(chunk) });
    gate.respond('ask-c1', { approved: true });
    await quiet();
    for (const { id } of gate.outgoing()) gate.markSent(id);
    claimed(true);
    await quiet();
    expect(ran()).toEqual(['c1']);
    runs[0]?.ends(7);
    await quiet();
    expect(states(gate)).toEqual(['c1 output-available executed']);
  });

  test('at most `concurrency` calls at a time, in order', async () => {
    const gate = new ToolGate({ chatId: 'chat', browserTools: ['pick'] });
    const { ran, runs } = picker(gate, { concurrency: 2 });
    replying([called('c1'), called('c2'), called('c3')], {}, gate);
    ends(gate);
    await quiet();
    expect(ran()).toEqual(['c1', 'c2']);
    runs[1]?.ends(2);
    await quiet();
    expect(ran()).toEqual(['c1', 'c2', 'c3']);
    runs[0]?.ends(1);
    runs[2]?.ends(3);
    await quiet();
    expect(resultsIn(gate)).toEqual([1, 2, 3].map((value) => ({ type: 'json', value })));
  });

  test('with a model API: every call runs in the browser after an approval', async () => {
    const gate = new ToolGate({ chatId: 'chat', protocol: openaiChat });
    const { ran, runs } = picker(gate);
    gate.sendUserMessage({ text: 'pick one' });
    send(gate);
    const tool_calls = [{ index: 0, id: 'c1', type: 'function', function: { name: 'pick', arguments: '{"id":"c1"}' } }];
    gate.receive({ choices: [{ index: 0, delta: { role: 'assistant', tool_calls } }] });
    gate.receive({ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] });
    gate.streamEnded({ status: 'finished' });
    await quiet();
    expect(ran()).toEqual([]);
    gate.respondAll({ approved: true });
    await quiet();
    runs[0]?.ends('seven');
    await quiet();
    expect(gate.assemble().at(-1)).toMatchObject({ role: 'tool', tool_call_id: 'c1', content: 'seven' });
  });

  test('a later turn can repeat a call id', async () => {
    const gate = new ToolGate({ chatId: 'chat', browserTools: ['pick'] });
    const { runs } = picker(gate);
    replying([called('c1')], {}, gate);
    ends(gate);
    await quiet();
    gate.cancel();
    gate.regenerate();
    send(gate);
    for (const chunk of [{ type: 'start', messageId: 'n' }, { type: 'start-step' }, called('c1')]) gate.receive(chunk);
    ends(gate);
    await quiet();
    expect(runs.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  });
});

describe('how a call ends', () => {
  async function running(options: Parameters<typeof picker>[1] = {}) {
    const gate = new ToolGate({ chatId: 'chat', browserTools: ['pick'] });
    const tools = picker(gate, options);
    replying([called('c1'), asked('c1')], {}, gate);
    ends(gate);
    gate.respond('ask-c1', { approved: true });
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    return { gate, ...tools, run: tools.runs[0]! };
  }

  test('a thrown error becomes its error text', async () => {
    const { gate, run, kinds } = await running();
    run.fails(new Error('no camera'));
    await quiet();
    expect(resultsIn(gate)).toEqual([{ type: 'error-text', value: 'no camera' }]);
    expect(kinds()).toEqual(['started c1', 'ended c1 failed']);
  });

  test('progress is emitted until the call ends, and is not sent to the model', async () => {
    const { gate, run, events } = await running();
    run.progress('half');
    run.ends('all');
    await quiet();
    run.progress('late');
    expect(events.filter(({ type }) => type === 'progress')).toEqual([
      { type: 'progress', toolCallId: 'c1', toolName: 'pick', output: 'half' },
    ]);
    expect(resultsIn(gate)).toEqual([{ type: 'text', value: 'all' }]);
  });

  test('an async iterable emits progress, and its last value is the result', async () => {
    const gate = new ToolGate({ chatId: 'chat', browserTools: ['pick'] });
    async function* execute() {
      yield 1;
      yield 2;
    }
    const { events } = picker(gate, { tool: { execute } });
    replying([called('c1')], {}, gate);
    ends(gate);
    await quiet();
    expect(events.flatMap((event) => (event.type === 'progress' ? [event.output] : []))).toEqual([1, 2]);
    expect(resultsIn(gate)).toEqual([{ type: 'json', value: 2 }]);
  });

  test('a timeout aborts the call, and the model reads an unknown outcome', async () => {
    vi.useFakeTimers();
    const { gate, run, kinds } = await running({ tool: { timeoutMs: 1000 } });
    await vi.advanceTimersByTimeAsync(999);
    expect(run.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect([run.signal.aborted, run.signal.reason.name]).toEqual([true, 'TimeoutError']);
    run.ends('too late');
    await vi.advanceTimersByTimeAsync(0);
    expect(resultsIn(gate)).toEqual([
      {
        type: 'error-text',
        value:
          'Error: Tool execution was interrupted. It may have run; its outcome is unknown. It took longer than 1000 ms.',
      },
    ]);
    expect(kinds()).toEqual(['started c1', 'ended c1 failed']);
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each([
    ['cancel', 'cancelled', (gate: ToolGate) => gate.cancel()],
    ['a message of the user', 'interrupted', (gate: ToolGate) => void gate.sendUserMessage({ text: 'never mind' })],
  ])('%s aborts the call, and its result is dropped', async (_, kind, act) => {
    const { gate, run, kinds } = await running();
    act(gate);
    expect(run.signal.aborted).toBe(true);
    run.ends('late');
    await quiet();
    expect(states(gate)).toEqual([`c1 output-error ${kind}`]);
    expect(kinds()).toEqual(['started c1', 'ended c1 aborted']);
  });

  test('stop aborts the call, and nothing is sent; the next request says that the call may have run', async () => {
    const { gate, run, kinds } = await running();
    gate.stop();
    expect(run.signal.aborted).toBe(true);
    run.ends('late');
    await quiet();
    expect([states(gate), gate.outgoing()]).toEqual([['c1 approval-responded'], []]);
    expect(kinds()).toEqual(['started c1', 'ended c1 aborted']);
    gate.sendUserMessage({ text: 'go on' });
    expect(JSON.stringify(resultsIn(gate))).toContain('may have run');
  });

  test('stop does not start queued calls', async () => {
    const gate = new ToolGate({ chatId: 'chat', browserTools: ['pick'] });
    const { ran, kinds } = picker(gate, { concurrency: 1 });
    replying([called('c1'), called('c2')], {}, gate);
    ends(gate);
    await quiet();
    gate.stop();
    await quiet();
    expect(ran()).toEqual(['c1']);
    expect(kinds()).toEqual(['started c1', 'interrupted c2', 'ended c1 aborted']);
  });

  test('disposal aborts the call; tools registered later emit `interrupted` once, and `retry` runs it', async () => {
    const { gate, run, dispose, kinds } = await running();
    dispose();
    dispose();
    await Promise.resolve();
    expect([run.signal.aborted, run.signal.reason.name]).toEqual([true, 'AbortError']);
    run.ends('late');
    await quiet();
    expect([states(gate), kinds(), dispose.running]).toEqual([
      ['c1 approval-responded'],
      ['started c1', 'ended c1 aborted'],
      [],
    ]);
    const again = picker(gate);
    await quiet();
    expect([again.ran(), again.kinds(), again.dispose.interrupted]).toEqual([[], ['interrupted c1'], ['c1']]);
    again.dispose();
    const third = picker(gate);
    await quiet();
    expect([third.kinds(), third.dispose.interrupted]).toEqual([[], ['c1']]);
    third.dispose.retry('c1');
    third.dispose.retry('c1');
    third.dispose.retry('nothing');
    await quiet();
    expect([again.ran(), third.ran(), third.dispose.interrupted]).toEqual([[], ['c1'], []]);
    third.runs[0]?.ends('done');
    await quiet();
    expect(resultsIn(gate)).toEqual([{ type: 'text', value: 'done' }]);
    expect(kinds()).toEqual(['started c1', 'ended c1 aborted']);
  });

  test('tools that are registered again in the same task continue running calls', async () => {
    const { gate, run, runs, dispose, kinds } = await running();
    let [last, disposeLast] = [picker, dispose] as [unknown, () => void];
    const listeners: (() => string[])[] = [];
    for (let render = 0; render < 3; render++) {
      disposeLast();
      const next = picker(gate);
      [last, disposeLast] = [next, next.dispose];
      listeners.push(next.kinds);
      await quiet();
      expect([next.ran(), next.dispose.running, next.dispose.interrupted]).toEqual([[], ['c1'], []]);
    }
    expect([run.signal.aborted, runs.length]).toEqual([false, 1]);
    run.progress('half');
    run.ends('done');
    await quiet();
    expect(resultsIn(gate)).toEqual([{ type: 'text', value: 'done' }]);
    expect([kinds(), ...listeners.map((kindsOf) => kindsOf())]).toEqual([
      ['started c1'],
      [],
      [],
      ['progress c1', 'ended c1 executed'],
    ]);
    expect((last as ReturnType<typeof picker>).dispose.running).toEqual([]);
  });

  test('disposing a registration does not end a later one of the same tools', async () => {
    const gate = new ToolGate({ chatId: 'chat', browserTools: ['pick'] });
    const signals: AbortSignal[] = [];
    const tools = {
      pick: {
        execute: (_: unknown, { signal }: { signal: AbortSignal }) => new Promise(() => void signals.push(signal)),
      },
    };
    const first = registerTools(gate, tools);
    replying([called('c1')], {}, gate);
    ends(gate);
    await quiet();
    first();
    const second = registerTools(gate, tools);
    first();
    await quiet();
    expect([signals.map(({ aborted }) => aborted), first.running, second.running]).toEqual([[false], [], ['c1']]);
    expect(() => registerTools(gate, tools)).toThrow(TypeError);
  });

  test('a call with a pending claim is started once, by the current registration', async () => {
    const gate = new ToolGate({ chatId: 'chat', browserTools: ['pick'] });
    let grant!: (isOurs: boolean) => void;
    const claims: string[] = [];
    const claim = ({ toolCallId }: { toolCallId: string }): Promise<boolean> => {
      claims.push(toolCallId);
      return new Promise((resolve) => (grant = resolve));
    };
    const first = picker(gate, { claim });
    replying([called('c1')], {}, gate);
    ends(gate);
    await quiet();
    first.dispose();
    const second = picker(gate, { claim });
    await quiet();
    grant(true);
    await quiet();
    expect([claims, first.ran(), second.ran()]).toEqual([['c1'], [], ['c1']]);
    second.runs[0]?.ends(1);
    await quiet();
    expect(resultsIn(gate)).toEqual([{ type: 'json', value: 1 }]);
  });

  test('only calls of tools that are registered again continue', async () => {
    const gate = new ToolGate({ chatId: 'chat', browserTools: ['pick', 'draw'] });
    const signals: Record<string, AbortSignal> = {};
    const execute = (_: unknown, { toolCallId, signal }: { toolCallId: string; signal: AbortSignal }): Promise<never> =>
      new Promise(() => (signals[toolCallId] = signal));
    const dispose = registerTools(gate, { pick: { execute }, draw: { execute } });
    replying([called('c1'), called('c2', 'draw')], {}, gate);
    ends(gate);
    await quiet();
    dispose();
    registerTools(gate, { draw: { execute } });
    await quiet();
    expect([signals['c1']?.aborted, signals['c2']?.aborted]).toEqual([true, false]);
  });

  test.each([0, 1, 2, 3, 4, 5, 6, 7, 8])(
    'a result that came %i microtasks earlier does not settle another call with the same id',
    async (steps) => {
      const { gate, run, runs } = await running();
      run.ends('of the first');
      for (let step = 0; step < steps; step++) await Promise.resolve();
      if (states(gate)[0] !== 'c1 approval-responded') return;
      gate.cancel();
      gate.regenerate();
      send(gate);
      for (const chunk of [{ type: 'start', messageId: 'n' }, { type: 'start-step' }, called('c1')])
        gate.receive(chunk);
      ends(gate);
      await quiet();
      expect(states(gate)).toEqual(['c1 input-available']);
      expect(runs).toHaveLength(2);
      runs[1]?.ends('of the second');
      await quiet();
      expect(resultsIn(gate)).toEqual([{ type: 'text', value: 'of the second' }]);
    },
  );

  test('queued calls run with the tools that are registered again', async () => {
    const gate = new ToolGate({ chatId: 'chat', browserTools: ['pick'] });
    const first = picker(gate, { concurrency: 1 });
    replying([called('c1'), called('c2')], {}, gate);
    ends(gate);
    await quiet();
    first.dispose();
    const second = picker(gate);
    await quiet();
    expect([first.ran(), second.ran()]).toEqual([['c1'], ['c2']]);
  });
});

describe('errors', () => {
  test('an invalid input does not run', async () => {
    const gate = new ToolGate({ chatId: 'chat', browserTools: ['pick'] });
    const { runs } = picker(gate, { tool: { inputSchema: z.object({ id: z.number() }) } });
    replying([called('c1')], {}, gate);
    ends(gate);
    await quiet();
    expect(runs).toEqual([]);
    expect(resultsIn(gate)).toMatchObject([{ type: 'error-text', value: expect.stringContaining('id: ') as unknown }]);
  });

  test('a rejected claim: the call is interrupted until the user retries it', async () => {
    const gate = new ToolGate({ chatId: 'chat', browserTools: ['pick'] });
    const claims: string[] = [];
    const { ran, kinds, dispose } = picker(gate, { claim: ({ toolCallId }) => claims.push(toolCallId) > 1 });
    replying([called('c1')], {}, gate);
    ends(gate);
    await quiet();
    expect([ran(), kinds()]).toEqual([[], ['interrupted c1']]);
    dispose.retry('c1');
    await quiet();
    expect([ran(), claims]).toEqual([['c1'], ['c1', 'c1']]);
  });

  test('a failed claim: emits an error, and the call is interrupted', async () => {
    const gate = new ToolGate({ chatId: 'chat', browserTools: ['pick'] });
    const { ran, kinds } = picker(gate, { claim: () => Promise.reject(new Error('no disk')) });
    replying([called('c1')], {}, gate);
    ends(gate);
    await quiet();
    expect([ran(), kinds()]).toEqual([[], ['error c1', 'interrupted c1']]);
  });

  test('a repeated name, and invalid options', () => {
    const gate = new ToolGate({ chatId: 'chat', browserTools: ['pick'] });
    const { dispose } = picker(gate);
    expect(() => picker(gate)).toThrow(TypeError);
    dispose();
    picker(gate).dispose();
    expect(() => picker(gate, { concurency: 1 } as never)).toThrow(
      'registerTools: unknown option `concurency`. Expected one of: concurrency, onEvent, claim',
    );
    for (const concurrency of [0, 1.5, NaN]) expect(() => picker(gate, { concurrency })).toThrow(TypeError);
    for (const timeoutMs of [0, -1, NaN]) expect(() => picker(gate, { tool: { timeoutMs } })).toThrow(TypeError);
    picker(gate).dispose();
  });
});
