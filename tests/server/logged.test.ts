/**
 * What goes wrong where no caller looks is on the server's log: the AI SDK ignores the errors of `onStepFinish`, and
 * the servers that people copy neither read `unrecorded` nor wait for a reply to be stored.
 */
import { streamText, tool } from 'ai';
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test';
import { MemoryRecord, recordRequests, resolveApprovals, respondOnce } from 'toolgate/server';
import { afterEach, beforeEach, expect, test, vi, type Mock } from 'vitest';
import { z } from 'zod';

import { partsOf } from '../interop/ai-sdk.server';
import { historyOf, type Call } from '../seeds/resolve-backends';
import { ClockedStore } from './records/clocked-store';

const calls: Call[] = ['call_1', 'call_2'].map((id) => ({ id, name: 'run', input: {}, approved: true }));
const posted = () => historyOf('UI messages', calls);
const toolkit = { run: () => 'done' };
const full = new Error('disk full');

/** A record that stores no results. */
class FullRecord extends MemoryRecord {
  constructor() {
    super();
    for (const { id, name, input } of calls)
      this.request({ approvalId: `appr_${id.slice(-1)}`, toolCallId: id, toolName: name, input });
  }

  override finish(): void {
    throw full;
  }
}

let log: Mock<(...said: unknown[]) => void>;
beforeEach(() => void (log = vi.spyOn(console, 'error').mockImplementation(() => {})));
afterEach(() => void vi.restoreAllMocks());
const logged = (): string[] => log.mock.calls.map((said) => said.join(' '));

const lost = (id: string) =>
  expect.stringMatching(new RegExp(`^toolgate: ResolveError: toolCallId "${id}".* could not be recorded: disk full`));

test('a result that could not be stored is on the log, or with the app', async () => {
  const { results, unrecorded } = await resolveApprovals(posted(), { toolkit, record: new FullRecord() });
  expect([results.length, logged()]).toEqual([2, [lost('call_1'), lost('call_2')]]);
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const again = await resolveApprovals(posted(), { toolkit, record: new FullRecord(), onError });
  expect(errors).toEqual(again.unrecorded);
  expect([again.unrecorded, log.mock.calls.length]).toEqual([unrecorded, 2]);
});

test('why a call did not start is on the log, and not in the message, which the page and the model may get', async () => {
  const record = new FullRecord();
  record.begin = () => {
    throw full;
  };
  await expect(resolveApprovals(posted(), { toolkit, record })).rejects.not.toThrow('disk full');
  expect(log.mock.calls).toEqual([['toolgate:', expect.objectContaining({ code: 'record-failed', cause: full })]]);
});

test('an `onError` that throws loses neither the results nor the refusal, and is on the log itself', async () => {
  const onError = (): never => {
    throw new Error('no logger');
  };
  const { results } = await resolveApprovals(posted(), { toolkit, record: new FullRecord(), onError });
  expect(results.map(({ outcome }) => outcome)).toEqual(['executed', 'executed']);
  await expect(resolveApprovals(posted(), { toolkit: { other: () => 1 }, onError })).rejects.toMatchObject({
    code: 'unknown-tool',
  });
  expect(logged()).toEqual(Array(3).fill('toolgate: Error: no logger'));
});

test('an approval request that could not be stored is on the log, although the AI SDK ignores the error', async () => {
  const record = new MemoryRecord();
  record.request = () => Promise.reject(full) as never;
  const parts = partsOf({ calls: [{ id: 'call_1', tool: 'run' as never, path: '/a' }] });
  const model = new MockLanguageModelV4({
    doStream: (async () => ({ stream: convertArrayToReadableStream(parts) })) as never,
  });
  const tools = { run: tool({ inputSchema: z.looseObject({}), needsApproval: true, execute: () => 1 }) };
  const { stream } = streamText({ model, tools, prompt: 'Run.', onStepFinish: recordRequests(record) });
  const types: string[] = [];
  for await (const { type } of stream) types.push(type);
  expect(types).toContain('tool-approval-request');
  expect(types).not.toContain('error');
  expect(logged()).toEqual(['toolgate: Error: disk full']);
});

test.each([
  ['by default', {}],
  [
    'if the app’s function throws',
    {
      onError: () => {
        throw new Error('no logger');
      },
    },
  ],
])(
  // prettier-ignore
  'a reply that could not be stored is on the log %s, and the client has it',
  async (_, options) => {
    const store = new ClockedStore();
    const put = store.put.bind(store);
    store.put = (key, value, ttlMs) => (value.startsWith('{') ? Promise.reject(full) : put(key, value, ttlMs));
    let work: Promise<unknown> | undefined;
    const waitUntil = (given: Promise<unknown>): void => void (work = given);
    const request = { user: 'ann', key: 'key' };
    const response = await respondOnce(store, request, () => new Response('sent'), { ...options, waitUntil });
    expect(await response.text()).toBe('sent');
    await work;
    expect(logged()).toEqual([`toolgate: Error: ${'onError' in options ? 'no logger' : 'disk full'}`]);
  },
);
