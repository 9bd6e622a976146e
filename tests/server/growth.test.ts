/**
 * The work of `resolveApprovals` is linear in the history. (A history of 2.2 MB, in which each of 8,000 steps had a
 * denial, blocked a server for 15 seconds.) Work is counted, not timed.
 */
import { workOf } from '../lib/work.js'; // first: it counts what is imported after it

import { collectApprovals, MemoryRecord, resolveApprovals, resolveApprovalsStream } from 'toolgate/server';
import { expect, test } from 'vitest';

type Messages = readonly object[];

/** `count` values. */
const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

const part = (id: string, approved: boolean, more: object = {}): object => ({
  type: 'tool-run',
  toolCallId: id,
  state: 'approval-responded',
  input: { id },
  approval: { id: `ask-${id}`, approved },
  ...more,
});
const ui = (id: string, ...parts: object[]): object => ({ id, role: 'assistant', parts });
const step = { type: 'step-start' };
const user = (i: number): object => ({ id: `u${i}`, role: 'user', parts: [{ type: 'text', text: 'go on' }] });
const ran = { state: 'output-available', output: 'done' };

/** A step in the form of `ModelMessage`, with its decision. */
const modelStep = (id: string, approved: boolean): object[] => [
  {
    role: 'assistant',
    content: [
      { type: 'tool-call', toolCallId: id, toolName: 'run', input: { id } },
      { type: 'tool-approval-request', approvalId: `ask-${id}`, toolCallId: id },
    ],
  },
  { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: `ask-${id}`, approved }] },
];

/** Histories of about `n` calls. */
const HISTORIES: Record<string, (n: number) => Messages> = {
  'messages with a denial each': (n) => times(n, (i) => ui(`a${i}`, part(`c${i}`, false))),
  'turns with a result each, and an approval': (n) => [
    ...times(n, (i) => [user(i), ui(`a${i}`, part(`c${i}`, true, ran))]).flat(),
    ui('last', part('last', true)),
  ],
  'turns with an approval that was superseded': (n) =>
    times(n, (i) => [user(i), ui(`a${i}`, part(`c${i}`, true))]).flat(),
  'steps of one message, with a denial each': (n) => [ui('a', ...times(n, (i) => [step, part(`c${i}`, false)]).flat())],
  'one step with approvals': (n) => [ui('a', ...times(n, (i) => part(`c${i}`, true)))],
  'one id in each turn': (n) => times(n, (i) => [user(i), ui(`a${i}`, part('c', true, ran))]).flat(),
  'model messages with a denial each': (n) => times(n, (i) => modelStep(`c${i}`, false)).flat(),
  'one step of model messages with approvals': (n) => {
    const steps = times(n, (i) => modelStep(`c${i}`, true));
    const contentOf = (at: number) => steps.flatMap((messages) => (messages[at] as { content: object[] }).content);
    return [
      { role: 'assistant', content: contentOf(0) },
      { role: 'tool', content: contentOf(1) },
    ];
  },
};

const N = 200;

/** The record has requested all calls of the history. */
function recordOf(messages: Messages): MemoryRecord {
  const record = new MemoryRecord();
  for (const { approvalId, toolCallId } of collectApprovals(messages).approved)
    record.request({ approvalId, toolCallId, toolName: 'run', input: { id: toolCallId } });
  return record;
}

const FUNCTIONS: Record<string, (messages: Messages) => Promise<unknown>> = {
  resolveApprovals: (messages) => resolveApprovals(messages, { toolkit: { run: () => 'done' } }),
  'resolveApprovals with strip': (messages) =>
    resolveApprovals(messages, { toolkit: { run: () => 'done' }, strip: true }),
  'resolveApprovals with a record': (messages) =>
    resolveApprovals(messages, { toolkit: { run: () => 'done' }, record: recordOf(messages) }),
  resolveApprovalsStream: async (messages) => {
    const { stream, resolved } = resolveApprovalsStream(messages, { toolkit: { run: () => 'done' } });
    for await (const chunk of stream as unknown as AsyncIterable<unknown>) void chunk;
    return resolved;
  },
};

test.each(Object.keys(HISTORIES).flatMap((history) => Object.keys(FUNCTIONS).map((name) => [name, history] as const)))(
  '%s: twice as much work for twice as many %s',
  async (name, history) => {
    const [short, long] = [HISTORIES[history]!(N), HISTORIES[history]!(2 * N)];
    // What is done once for a process is done before.
    await FUNCTIONS[name]!(short);
    const [once, twice] = [await workOf(() => FUNCTIONS[name]!(short)), await workOf(() => FUNCTIONS[name]!(long))];
    expect(once).toBeGreaterThan(10 * N);
    expect(twice / once).toBeLessThan(2.1);
    expect(twice / once).toBeGreaterThan(1.9);
  },
);
