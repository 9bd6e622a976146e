/** `applyRules` on real gates: which approvals it answers, and which it leaves to the user. */
import { beforeAll, expect, test, vi } from 'vitest';
import { ToolGate, type GateEvent, type ToolGateError } from 'toolgate';
import { acp } from 'toolgate/protocols/acp';
import { applyRules, RulesError, type ApprovalRule } from 'toolgate/rules';
import { asks, begun, decisions, finish, init, inSrc, receive } from './support.js';

beforeAll(() => init());

const inside = { path: 'src/a.ts' };

/** A gate with rules, whose backend asks about the calls. */
function ruled(rules: readonly ApprovalRule[], ...calls: readonly object[][]) {
  const gate = begun();
  const onAnswer = vi.fn();
  const onError = vi.fn();
  const handle = applyRules(gate, rules, { onAnswer, onError });
  receive(gate, ...calls.flat());
  return { gate, handle, onAnswer, onError };
}

test('answers what matches, once and as the user would, and leaves the rest to the user', () => {
  const { gate, onAnswer, onError } = ruled([inSrc()], asks('c1', inside), asks('c2', { path: 'docs/a.md' }));
  const events: GateEvent[] = [];
  gate.onEvent((event) => events.push(event));
  finish(gate);
  expect(decisions(gate)).toEqual(['c1 approved', 'c2 asked']);
  expect(onAnswer.mock.calls.map(([rule, approval]) => [rule.id, approval.approvalId])).toEqual([['src', 'ask-c1']]);
  expect(gate.outgoing(), 'the step waits for the user').toEqual([]);
  gate.respond('ask-c2', { approved: false });
  expect(gate.outgoing()).toHaveLength(1);
  const decided = gate.auditLog().filter(({ type }) => type === 'decided');
  expect(decided).toMatchObject([
    { approvalId: 'ask-c1', by: 'user', inputDigest: expect.stringMatching(/^[0-9a-f]{64}$/) },
    { approvalId: 'ask-c2', by: 'user' },
  ]);
  expect(onError).not.toHaveBeenCalled();
});

test('an approval that waits is answered when its rule is added, and a revoked rule decides nothing more', () => {
  const { gate, handle } = ruled([], asks('c1', inside));
  expect(decisions(gate)).toEqual(['c1 asked']);
  handle.rules = [inSrc()];
  expect(decisions(gate)).toEqual(['c1 approved']);
  handle.rules = [];
  receive(gate, ...asks('c2', inside));
  expect(decisions(gate)).toEqual(['c1 approved', 'c2 asked']);
  handle.rules = [inSrc()];
  handle.stop();
  receive(gate, ...asks('c3', inside));
  expect(decisions(gate).at(-1)).toBe('c3 asked');
  handle.rules = [inSrc({ id: 'other' })];
  expect(decisions(gate).at(-1), 'ended').toBe('c3 asked');
});

test('what waited before, and what was loaded, is answered too', () => {
  const gate = begun();
  receive(gate, ...asks('c1', inside));
  applyRules(gate, [inSrc()]);
  expect(decisions(gate)).toEqual(['c1 approved']);

  const loaded = new ToolGate({ chatId: 'other' });
  applyRules(loaded, [inSrc()]);
  const call = {
    type: 'tool-edit',
    toolCallId: 'c2',
    state: 'approval-requested',
    input: inside,
    approval: { id: 'x' },
  };
  const user = { id: 'u', role: 'user', parts: [{ type: 'text', text: 'tidy up' }] };
  loaded.load([user, { id: 'a', role: 'assistant', parts: [{ type: 'step-start' }, call] }]);
  expect(decisions(loaded)).toEqual(['c2 approved']);
});

test('of rules that match, one that denies counts', () => {
  const denies = inSrc({ id: 'no', approved: false, reason: 'not on Fridays' });
  const { gate, onAnswer } = ruled([inSrc(), denies], asks('c1', inside));
  expect(decisions(gate)).toEqual(['c1 denied']);
  expect(gate.part('c1')?.approval).toMatchObject({ approved: false, reason: 'not on Fridays' });
  expect(onAnswer.mock.calls[0]?.[0].id).toBe('no');
});

test('rules end in time by the clock of the gate', () => {
  let now = 1_000;
  const gate = begun({ now: () => now });
  applyRules(gate, [inSrc({ expiresAt: 2_000 })]);
  receive(gate, ...asks('c1', inside));
  now = 2_000;
  receive(gate, ...asks('c2', inside));
  expect(decisions(gate)).toEqual(['c1 approved', 'c2 asked']);
});

test('an approval that has expired is not answered, also before the gate’s timer has run', () => {
  let now = 1_000;
  const gate = begun({ now: () => now, approvalTimeoutMs: 50 });
  const handle = applyRules(gate, []);
  receive(gate, ...asks('c1', inside));
  now = 1_050;
  handle.rules = [inSrc()];
  expect(decisions(gate)).toEqual(['c1 asked']);
});

const choice = [{ id: 'a', kind: 'choice', label: 'A' }];
const once = { id: 'one', kind: 'allow-once', label: 'One' };

test.each<[string, object]>([
  ['a text', { approvalDescriptor: { display: 'text' } }],
  ['a text beside the decision', { approvalDescriptor: { allowFreeform: true } }],
  ['a choice', { approvalDescriptor: { options: choice } }],
  ['one of two ways to allow', { approvalDescriptor: { options: [once, { ...once, id: 'two' }] } }],
  ['only ways to refuse', { approvalDescriptor: { options: [{ id: 'n', kind: 'reject-once', label: 'No' }] } }],
  ['the backend itself', { isAutomatic: true }],
])('a request that needs more than yes or no is the user’s: %s', (_, more) => {
  for (const approved of [true, false]) {
    const { gate, onAnswer, onError } = ruled([inSrc({ approved })], asks('c1', inside, { ...more }));
    expect(onAnswer).not.toHaveBeenCalled();
    expect(onError).not.toHaveBeenCalled();
    expect(decisions(gate)[0]).toBe('c1 asked');
  }
  const { gate } = ruled([inSrc()], asks('c1', inside, { approvalDescriptor: { prompt: 'Edit?', options: [once] } }));
  expect(decisions(gate), 'one way to allow is a yes').toEqual(['c1 approved']);
});

test('a reason that would select an option of the backend is not sent', () => {
  const options = [once, { id: 'never', kind: 'reject-always', label: 'Never' }];
  const rule = inSrc({ approved: false, reason: 'never' });
  expect(decisions(ruled([rule], asks('c1', inside, { approvalDescriptor: { options } })).gate)).toEqual(['c1 asked']);
  const other = inSrc({ approved: false, reason: 'no' });
  expect(decisions(ruled([other], asks('c1', inside, { approvalDescriptor: { options } })).gate)).toEqual([
    'c1 denied',
  ]);
});

test('a tool whose decisions are never remembered has no rules', () => {
  const gate = begun({ neverRemember: ['edit'] });
  const onError = vi.fn();
  applyRules(gate, [inSrc()], { onError });
  receive(gate, ...asks('c1', inside), ...asks('c2', {}, { toolName: 'read' }));
  expect(decisions(gate)).toEqual(['c1 asked', 'c2 asked']);
  expect(onError).not.toHaveBeenCalled();
});

test('an input that changes after a rule has decided about another is the user’s', () => {
  const { gate, onAnswer, onError } = ruled([inSrc()], asks('c1', inside));
  expect(decisions(gate)).toEqual(['c1 approved']);
  receive(gate, ...asks('c1', { path: 'src/b.ts' }));
  expect(gate.pending().map(({ input }) => input)).toEqual([{ path: 'src/b.ts' }]);
  expect(onAnswer).toHaveBeenCalledTimes(1);
  expect(onError).not.toHaveBeenCalled();
});

test('an input that comes to match while the approval waits is answered as it is now', () => {
  const { gate, onAnswer } = ruled([inSrc()], asks('c1', { path: 'docs/a.md' }));
  receive(gate, ...asks('c1', inside));
  expect(onAnswer.mock.calls.map(([, { input }]) => input)).toEqual([inside]);
  expect(gate.pending()).toEqual([]);
});

test('a listener that changes the request first makes the answer void', () => {
  const gate = begun();
  let isFirst = true;
  gate.subscribe(() => {
    if (gate.pending().length === 0 || !isFirst) return;
    isFirst = false;
    receive(gate, ...asks('c1', { path: '/etc/passwd' }));
  });
  const onAnswer = vi.fn();
  applyRules(gate, [inSrc()], { onAnswer });
  receive(gate, ...asks('c1', inside));
  expect(gate.pending().map(({ input }) => input)).toEqual([{ path: '/etc/passwd' }]);
  expect(onAnswer).not.toHaveBeenCalled();
});

test('after Stop, nothing is decided, so nothing that the user stopped is sent', () => {
  const { gate, handle } = ruled([], asks('c1', inside), asks('c2', inside));
  finish(gate);
  gate.respond('ask-c1', { approved: true });
  gate.stop();
  handle.rules = [inSrc()];
  expect(decisions(gate)).toEqual(['c1 approved', 'c2 asked']);
  expect(gate.outgoing()).toEqual([]);
  gate.resume();
  gate.respond('ask-c2', { approved: true });
  expect(gate.outgoing()).toHaveLength(1);
});

test.each(['error', 'aborted', 'disconnected'] as const)('after a reply that ended %s, the user is asked', (status) => {
  const { gate, handle } = ruled([], asks('c1', inside));
  gate.streamEnded({ status });
  handle.rules = [inSrc()];
  expect(decisions(gate)).toEqual(['c1 asked']);
});

test('an error of the gate is reported, and the user is asked', () => {
  const gate = begun();
  const onError = vi.fn();
  const respond = vi.spyOn(gate, 'respond').mockImplementation(() => {
    throw new TypeError('refused');
  });
  applyRules(gate, [inSrc()], { onError });
  receive(gate, ...asks('c1', inside));
  expect(onError.mock.calls.map(([error, { approvalId }]) => [String(error), approvalId])).toEqual([
    ['TypeError: refused', 'ask-c1'],
  ]);
  expect(respond, 'not tried again').toHaveBeenCalledTimes(1);
  expect(respond.mock.calls[0]).toMatchObject([
    { approvalId: 'ask-c1' },
    { approved: true, inputDigest: gate.pending()[0]!.inputDigest, shownRevision: gate.pending()[0]!.shownRevision },
  ]);
});

test('without `onError`, an error is uncaught, and so is that of a callback', async () => {
  const thrown: unknown[] = [];
  vi.spyOn(globalThis, 'queueMicrotask').mockImplementation((task) => {
    try {
      task();
    } catch (error) {
      thrown.push(String(error));
    }
  });
  const gate = begun();
  applyRules(gate, [inSrc()], {
    onAnswer() {
      throw new Error('of the app');
    },
  });
  receive(gate, ...asks('c1', inside));
  vi.spyOn(gate, 'respond').mockImplementation(() => {
    throw new Error('of the gate');
  });
  receive(gate, ...asks('c2', inside));
  vi.restoreAllMocks();
  expect(thrown).toEqual(['Error: of the app', 'Error: of the gate']);
});

test('a gate has its rules once, and again after they have ended', () => {
  const gate = begun();
  const handle = applyRules(gate, []);
  expect(() => applyRules(gate, [])).toThrow(TypeError);
  handle.stop();
  const again = applyRules(gate, [inSrc()]);
  receive(gate, ...asks('c1', inside));
  expect(decisions(gate)).toEqual(['c1 approved']);
  again.stop();
});

test('rules that are refused change nothing', () => {
  const { gate, handle } = ruled([inSrc()]);
  expect(() => (handle.rules = [inSrc({ approved: 'no' as never })])).toThrow(RulesError);
  expect(handle.rules).toEqual([inSrc()]);
  receive(gate, ...asks('c1', inside));
  expect(decisions(gate)).toEqual(['c1 approved']);
  expect(() => applyRules(begun(), {} as never)).toThrow(RulesError);
  expect(() => applyRules(begun(), [], { onAsk: () => {} } as never)).toThrow(TypeError);
  expect(() => applyRules({} as never, [])).toThrow(TypeError);
});

test('a rule of the app that is changed later is the rule as it was', () => {
  const rule = JSON.parse(JSON.stringify(inSrc())) as { limits: { path: { path: string } } };
  const { gate, handle } = ruled([rule as never]);
  rule.limits.path.path = '/';
  receive(gate, ...asks('c1', { path: '/etc/passwd' }));
  expect(decisions(gate)).toEqual(['c1 asked']);
  expect(() => ((handle.rules[0] as { approved: boolean }).approved = false)).toThrow(TypeError);
});

test('a protocol with options of its own gets the single permission', () => {
  const gate = new ToolGate({ protocol: acp });
  applyRules(gate, [inSrc({ toolName: 'edit' })]);
  const errors: ToolGateError[] = [];
  gate.onEvent((event) => event.type === 'anomaly' && errors.push(event.error));
  gate.sendUserMessage({ text: 'tidy up' });
  gate.markSent(gate.outgoing()[0]!.id);
  const options = [
    { optionId: 'always', name: 'Always', kind: 'allow_always' },
    { optionId: 'once', name: 'Once', kind: 'allow_once' },
    { optionId: 'no', name: 'No', kind: 'reject_once' },
  ];
  const toolCall = { toolCallId: 'c1', title: 'Edit', kind: 'edit', rawInput: inside, status: 'pending' };
  gate.receive({
    jsonrpc: '2.0',
    id: 5,
    method: 'session/request_permission',
    params: { sessionId: 's', toolCall, options },
  });
  expect(errors).toEqual([]);
  expect(gate.pending().map(({ approvalId }) => gate.part('c1')?.approval?.id === approvalId)).toEqual([true]);
  expect(gate.part('c1')?.approval?.isKind, 'the name is that of a kind of tools: no rule').toBe(true);
});

test('thousands of approvals, in time that grows with their number', () => {
  const timeOf = (count: number): number => {
    const gate = begun();
    applyRules(gate, [inSrc()]);
    const start = performance.now();
    for (let at = 0; at < count; at++) receive(gate, ...asks(`c${at}`, { path: at % 2 ? 'src/a' : 'docs/a' }));
    const spent = performance.now() - start;
    expect(gate.pending()).toHaveLength(count / 2);
    gate.free();
    return spent;
  };
  timeOf(200);
  expect(timeOf(4_000) / timeOf(500)).toBeLessThan(60);
});
