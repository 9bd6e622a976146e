/**
 * Tools that run in the browser: registered on a real gate, they run once they may, once, and end when nobody needs them.
 */
import { init, ToolGate, type ToolGateOptions } from 'toolgate';
import { registerTools, type BrowserToolEvent, type RegisterOptions } from 'toolgate/resolve';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';

import { freshName, keptGate, latch, MemoryStorage, quiet, tab, until } from '../keeper/support.js';
import { chatOn } from '../seeds/app.js';
import { send } from '../gate/support.js';

// One of the gates speaks another protocol than the AI SDK's.
await init();

afterEach(() => void vi.useRealTimers());

const called = (id: string, toolName = 'pick', input: unknown = { id }): object => ({ type: 'tool-input-available', toolCallId: id, toolName, input });
const asked = (id: string): object => ({ type: 'tool-approval-request', toolCallId: id, approvalId: `ask-${id}` });

/** A gate in the middle of a reply that holds these chunks. */
function replying(chunks: readonly object[], options: ToolGateOptions = {}, gate = new ToolGate({ chatId: 'chat', browserTools: ['pick'], ...options })): ToolGate {
  gate.sendUserMessage({ text: 'pick one' });
  send(gate);
  for (const chunk of [{ type: 'start', messageId: 'm' }, { type: 'start-step' }, ...chunks]) gate.receive(chunk);
  return gate;
}

function ends(gate: ToolGate): void {
  gate.receive({ type: 'finish' });
  gate.streamEnded({ status: 'finished' });
}

/** A tool `pick` that runs until it is told how to end, and what happened. */
function picker(gate: ToolGate, options: RegisterOptions & { readonly tool?: object } = {}) {
  const { tool, ...rest } = options;
  const runs: { id: string; signal: AbortSignal; progress: (output: unknown) => void; ends: (output: unknown) => void; fails: (error: unknown) => void }[] = [];
  const events: BrowserToolEvent[] = [];
  const execute = (input: { id: string }, { signal, onProgress }: { signal: AbortSignal; onProgress: (output: unknown) => void }): Promise<unknown> =>
    new Promise((ends, fails) => void runs.push({ id: input.id, signal, progress: onProgress, ends, fails }));
  const dispose = registerTools(gate, { pick: { execute, ...tool } }, { onEvent: event => void events.push(event), ...rest });
  const kinds = (): string[] => events.map(event => `${event.type} ${event.toolCallId}${event.type === 'ended' ? ` ${event.how}` : ''}`);
  return { dispose, runs, events, kinds, ran: () => runs.map(({ id }) => id) };
}

/** The states of the last message's calls. */
const states = (gate: ToolGate): string[] =>
  (gate.getSnapshot().messages.findLast(({ role }) => role === 'assistant')?.parts ?? []).flatMap(part =>
    'toolCallId' in part ? [`${part.toolCallId} ${part.state}${part.outcome ? ` ${part.outcome.kind}` : ''}`] : [],
  );

const resultsIn = (gate: ToolGate): unknown =>
  JSON.parse(JSON.stringify(gate.assemble())).flatMap(({ role, content }: { role: string; content: { type: string; output: unknown }[] }) =>
    role === 'tool' ? content.filter(({ type }) => type === 'tool-result').map(({ output }) => output) : [],
  );

describe('when a call runs', () => {
  test('once its approval is given: once, and its result leaves with the step', async () => {
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

  test('a denied one never', async () => {
    const gate = new ToolGate({ chatId: 'chat', browserTools: ['pick'] });
    const { runs } = picker(gate);
    replying([called('c1'), asked('c1')], {}, gate);
    ends(gate);
    gate.respond('ask-c1', { approved: false });
    await quiet();
    expect([runs, states(gate)]).toEqual([[], ['c1 approval-responded denied']]);
  });

  test('without an approval: when the reply has ended without asking, not while it may still ask', async () => {
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

  test('needsApproval: false, at once, while the reply goes on', async () => {
    const gate = new ToolGate({ chatId: 'chat', browserTools: ['pick'] });
    const { ran } = picker(gate, { tool: { needsApproval: false } });
    replying([called('c1')], {}, gate);
    await quiet();
    expect(ran()).toEqual(['c1']);
  });

  test('not when the reply broke off, nor calls of other tools or of the provider', async () => {
    const gate = new ToolGate({ chatId: 'chat', browserTools: ['pick'] });
    const { runs, kinds } = picker(gate);
    replying([called('c1'), called('c2', 'other'), { ...called('c3'), providerExecuted: true }], {}, gate);
    gate.streamEnded({ status: 'disconnected' });
    await quiet();
    expect([runs, kinds()]).toEqual([[], []]);
  });

  test('at most so many at a time, in order', async () => {
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
    expect(resultsIn(gate)).toEqual([1, 2, 3].map(value => ({ type: 'json', value })));
  });

  test('a model’s own API: every call is the browser’s, and asks first', async () => {
    const gate = new ToolGate({ chatId: 'chat', protocol: 'openai-chat' });
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

  test('a later turn may use the same call id', async () => {
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

  test('what it throws is its error text', async () => {
    const { gate, run, kinds } = await running();
    run.fails(new Error('no camera'));
    await quiet();
    expect(resultsIn(gate)).toEqual([{ type: 'error-text', value: 'no camera' }]);
    expect(kinds()).toEqual(['started c1', 'ended c1 failed']);
  });

  test('progress is told, until it has ended; nothing of it reaches the model', async () => {
    const { gate, run, events } = await running();
    run.progress('half');
    run.ends('all');
    await quiet();
    run.progress('late');
    expect(events.filter(({ type }) => type === 'progress')).toEqual([{ type: 'progress', toolCallId: 'c1', toolName: 'pick', output: 'half' }]);
    expect(resultsIn(gate)).toEqual([{ type: 'text', value: 'all' }]);
  });

  test('an async iterable tells progress, and its last value is the result', async () => {
    const gate = new ToolGate({ chatId: 'chat', browserTools: ['pick'] });
    async function* execute() {
      yield 1;
      yield 2;
    }
    const { events } = picker(gate, { tool: { execute } });
    replying([called('c1')], {}, gate);
    ends(gate);
    await quiet();
    expect(events.flatMap(event => (event.type === 'progress' ? [event.output] : []))).toEqual([1, 2]);
    expect(resultsIn(gate)).toEqual([{ type: 'json', value: 2 }]);
  });

  test('a timeout: aborted, and the model reads that nobody knows', async () => {
    vi.useFakeTimers();
    const { gate, run, kinds } = await running({ tool: { timeoutMs: 1000 } });
    await vi.advanceTimersByTimeAsync(999);
    expect(run.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect([run.signal.aborted, run.signal.reason.name]).toEqual([true, 'TimeoutError']);
    run.ends('too late');
    await vi.advanceTimersByTimeAsync(0);
    expect(resultsIn(gate)).toEqual([
      { type: 'error-text', value: 'Error: Tool execution was interrupted. It may have run; its outcome is unknown. It took longer than 1000 ms.' },
    ]);
    expect(kinds()).toEqual(['started c1', 'ended c1 failed']);
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each([
    ['cancel', 'cancelled', (gate: ToolGate) => gate.cancel()],
    ['a message of the user', 'interrupted', (gate: ToolGate) => void gate.sendUserMessage({ text: 'never mind' })],
  ])('%s aborts it, and its result is dropped', async (_, kind, act) => {
    const { gate, run, kinds } = await running();
    act(gate);
    expect(run.signal.aborted).toBe(true);
    run.ends('late');
    await quiet();
    expect(states(gate)).toEqual([`c1 output-error ${kind}`]);
    expect(kinds()).toEqual(['started c1', 'ended c1 aborted']);
  });

  test('stop aborts it, and nothing leaves; the next message says that it may have run', async () => {
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

  test('stop leaves what waits its turn', async () => {
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

  test('disposal aborts it; tools that are registered again do not run it again, and the user may', async () => {
    const { gate, run, dispose } = await running();
    dispose();
    dispose();
    expect([run.signal.aborted, run.signal.reason.name]).toEqual([true, 'AbortError']);
    run.ends('late');
    await quiet();
    expect(states(gate)).toEqual(['c1 approval-responded']);
    const again = picker(gate);
    await quiet();
    expect(again.ran()).toEqual([]);
    again.dispose.retry('c1');
    again.dispose.retry('c1');
    again.dispose.retry('nothing');
    await quiet();
    expect(again.ran()).toEqual(['c1']);
    again.runs[0]?.ends('done');
    await quiet();
    expect(resultsIn(gate)).toEqual([{ type: 'text', value: 'done' }]);
  });

  test('what waits when tools are registered anew is run by them', async () => {
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

describe('what is refused', () => {
  test('an input that is not what the tool takes: it does not run', async () => {
    const gate = new ToolGate({ chatId: 'chat', browserTools: ['pick'] });
    const { runs } = picker(gate, { tool: { inputSchema: z.object({ id: z.number() }) } });
    replying([called('c1')], {}, gate);
    ends(gate);
    await quiet();
    expect(runs).toEqual([]);
    expect(resultsIn(gate)).toMatchObject([{ type: 'error-text', value: expect.stringContaining('id: ') as unknown }]);
  });

  test('a claim that is not given: it is left, and is retried by the user alone', async () => {
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

  test('a claim that fails: told, and left', async () => {
    const gate = new ToolGate({ chatId: 'chat', browserTools: ['pick'] });
    const { ran, kinds } = picker(gate, { claim: () => Promise.reject(new Error('no disk')) });
    replying([called('c1')], {}, gate);
    ends(gate);
    await quiet();
    expect([ran(), kinds()]).toEqual([[], ['error c1', 'interrupted c1']]);
  });

  test('one name twice, and options that are none', () => {
    const gate = new ToolGate({ chatId: 'chat', browserTools: ['pick'] });
    const { dispose } = picker(gate);
    expect(() => picker(gate)).toThrow(TypeError);
    dispose();
    picker(gate).dispose();
    for (const concurrency of [0, 1.5, NaN]) expect(() => picker(gate, { concurrency })).toThrow(TypeError);
    for (const timeoutMs of [0, -1, NaN]) expect(() => picker(gate, { tool: { timeoutMs } })).toThrow(TypeError);
    picker(gate).dispose();
  });
});

describe('over reloads and tabs', () => {
  /** A gate as a page finds it after a reload. */
  const reloaded = (gate: ToolGate): ToolGate => ToolGate.restore(JSON.parse(JSON.stringify(gate)), { browserTools: ['pick'] });

  test('a call that may have run is not run again; what is approved afterwards is', async () => {
    const before = new ToolGate({ chatId: 'chat', browserTools: ['pick'] });
    const { ran } = picker(before);
    replying([called('c1'), asked('c1'), called('c2'), asked('c2'), called('c3')], {}, before);
    ends(before);
    before.respond('ask-c1', { approved: true });
    await quiet();
    expect(ran()).toEqual(['c3', 'c1']);
    const gate = reloaded(before);
    const after = picker(gate);
    await quiet();
    expect([after.ran(), after.kinds()]).toEqual([[], ['interrupted c1', 'interrupted c3']]);
    gate.respond('ask-c2', { approved: true });
    await quiet();
    expect(after.ran()).toEqual(['c2']);
    gate.addToolOutput('c1', { errorText: 'unknown' });
    after.dispose.retry('c3');
    await quiet();
    expect(after.ran()).toEqual(['c2', 'c3']);
    for (const run of after.runs) run.ends('ok');
    await quiet();
    expect(gate.outgoing()).toHaveLength(1);
  });

  test('two tabs: the one that sends runs it, whichever the user approved in', async () => {
    const [name, storage] = [freshName(), new MemoryStorage()];
    const one = await tab(name, storage, { browserTools: ['pick'] });
    const first = picker(one.gate);
    replying([called('c1'), asked('c1')], {}, one.gate);
    ends(one.gate);
    await one.kept.saved();
    const other = await tab(name, storage, { browserTools: ['pick'] });
    const second = picker(other.gate);
    await until(() => other.gate.pending().length === 1);
    expect([one.kept.isLeader, other.kept.isLeader]).toEqual([true, false]);
    other.gate.respond('ask-c1', { approved: true });
    await until(() => first.runs.length === 1);
    await quiet();
    expect([second.ran(), second.kinds()]).toEqual([[], []]);

    // The tab that runs it is closed: the other one takes over, and does not run it again.
    one.kept.close();
    await until(() => other.kept.isLeader);
    await quiet();
    expect([second.ran(), second.kinds()]).toEqual([[], ['interrupted c1']]);
    other.gate.addToolOutput('c1', { errorText: 'unknown' });
    expect(other.gate.outgoing()).toHaveLength(1);
  });

  test('a call starts when its approval is stored, not before', async () => {
    const [name, storage] = [freshName(), new MemoryStorage()];
    const { gate, kept } = await tab(name, storage, { browserTools: ['pick'] });
    const { ran } = picker(gate);
    replying([called('c1'), asked('c1')], {}, gate);
    ends(gate);
    await kept.saved();
    const held = latch();
    storage.hold = held.opened;
    gate.respond('ask-c1', { approved: true });
    await quiet();
    expect(ran()).toEqual([]);
    held.open();
    await until(() => ran().length === 1);
    const found = await tab(`${name}'`, storage.copyOf(name, `${name}'`), { browserTools: ['pick'] });
    const after = picker(found.gate);
    await quiet();
    expect([found.gate.pending(), after.kinds()]).toEqual([[], ['interrupted c1']]);
  });

  test('tools that were registered before the chat was restored find it as any other', async () => {
    const [name, storage] = [freshName(), new MemoryStorage()];
    const before = await tab(name, storage, { browserTools: ['pick'] });
    replying([called('c1'), asked('c1'), called('c2'), asked('c2')], {}, before.gate);
    ends(before.gate);
    before.gate.respond('ask-c1', { approved: true });
    await before.kept.saved();
    const gate = new ToolGate({ chatId: 'chat', browserTools: ['pick'] });
    const { ran, kinds } = picker(gate);
    await keptGate(gate, `${name}'`, storage.copyOf(name, `${name}'`));
    await until(() => kinds().length > 0);
    expect([ran(), kinds()]).toEqual([[], ['interrupted c1']]);
    gate.respond('ask-c2', { approved: true });
    await until(() => ran().length > 0);
    expect(ran()).toEqual(['c2']);
  });

  test.each([6, 7] as const)('in a guarded chat of ai %i: the server’s model reads the result', async version => {
    const { chat, gate, backend, settled } = chatOn(
      version,
      { model: [{ calls: [{ id: 'c1', tool: 'pick' }] }, { text: 'Seven it is.' }] },
      { browserTools: ['pick'] },
    );
    const { runs } = picker(gate);
    await chat.sendMessage({ text: 'pick one' });
    await quiet();
    runs[0]?.ends(7);
    await settled();
    expect(backend.saw[1]).toEqual(['user: pick one', 'call pick#c1', 'result c1: json 7']);
    expect(chat.messages.at(-1)?.parts.at(-1)).toMatchObject({ text: 'Seven it is.' });
  });
});
