/** Rules in several tabs, and what a rule would have decided in a chat. */
import { beforeAll, expect, test, vi } from 'vitest';
import { ToolGate } from 'toolgate';
import { applyRules, coveredCalls } from 'toolgate/rules';
import { until } from '../lib/waiting.js';
import { begin, freshName, MemoryStorage, quiet, tab } from '../persist/support.js';
import { asks, begun, decisions, finish, init, inSrc, receive } from './support.js';

beforeAll(() => init());

const calls = (gate: ToolGate, more = {}): string[] =>
  coveredCalls(gate, inSrc(more)).map(({ toolCallId }) => toolCallId);

/** A rule for the calls that `begin` asks about: `c1` edits the file `c1`. */
const forBegin = (path: string) => inSrc({ limits: { path: { kind: 'equals', value: path } } });

test('only the leader of several tabs answers, and a follower that becomes the leader does', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const a = await tab(name, storage);
  const b = await tab(name, storage);
  const answered: string[] = [];
  begin(a.gate, ['c1', 'c2']);
  await a.persisted.flush();
  await until(() => b.gate.pending().length === 2);
  expect([a.persisted.state, b.persisted.state]).toEqual(['leader', 'follower']);
  const respond = vi.spyOn(b.gate, 'respond');
  applyRules(b.gate, [forBegin('c1')], { onAnswer: ({ id }) => answered.push(`b ${id}`) });
  await quiet();
  expect(respond).not.toHaveBeenCalled();
  expect(a.gate.pending()).toHaveLength(2);
  const ofA = applyRules(a.gate, [forBegin('c2')], { onAnswer: ({ id }) => answered.push(`a ${id}`) });
  expect(answered).toEqual(['a src']);
  ofA.stop();
  await a.persisted.flush();
  a.persisted.close();
  await until(() => b.persisted.state === 'leader' && b.gate.pending().length === 0);
  expect(answered).toEqual(['a src', 'b src']);
  expect(a.gate.pending().length, 'a tab that has closed').toBe(1);
  applyRules(a.gate, [forBegin('c1')], { onAnswer: () => answered.push('closed') });
  await quiet();
  expect(answered).toHaveLength(2);
});

test('shows which calls of the chat a rule would have decided', () => {
  const gate = begun({ neverRemember: ['pay'] });
  const options = [{ id: 'a', kind: 'choice', label: 'A' }];
  receive(gate, ...asks('c1', { path: 'src/a' }), ...asks('c2', { path: 'docs/a' }), ...asks('c3', { path: 'src/b' }));
  receive(gate, ...asks('c4', { path: 'src/c' }, { approvalDescriptor: { options } }));
  receive(gate, ...asks('c5', { path: 'src/c' }, { toolName: 'read' }), ...asks('c6', {}, { toolName: 'pay' }));
  receive(gate, { type: 'tool-input-available', toolCallId: 'c7', toolName: 'edit', input: { path: 'src/free' } });
  receive(gate, ...asks('c9', { path: 'src/auto' }, { isAutomatic: true }));
  receive(gate, { type: 'tool-input-start', toolCallId: 'c8', toolName: 'edit' });
  gate.respond('ask-c1', { approved: false });
  expect(calls(gate), 'decided or not, whether the rule has expired or not').toEqual(['c1', 'c3']);
  expect(calls(gate, { expiresAt: 1 })).toEqual(['c1', 'c3']);
  expect(calls(gate, { toolName: 'pay', limits: {} }), 'a tool that has no rules').toEqual([]);
  expect(calls(gate, { limits: 'x' })).toEqual([]);
  finish(gate);
  expect(() => coveredCalls({} as never, inSrc())).toThrow(TypeError);
});

test('what it shows is what the rule decides', () => {
  const inputs = [{ path: 'src/a' }, { path: 'src/../a' }, { path: 'src/b', force: true }, {}, null, { path: 'src/c' }];
  const events = inputs.flatMap((input, at) => asks(`c${at}`, input));
  const [shown, ruled] = [begun(), begun()];
  receive(shown, ...events);
  applyRules(ruled, [inSrc()]);
  receive(ruled, ...events);
  const decided = decisions(ruled).filter((text) => text.endsWith('approved'));
  expect(decided).toEqual(['c0 approved', 'c5 approved']);
  expect(calls(shown).map((id) => `${id} approved`)).toEqual(decided);
});
