/**
 * A record that fails after a tool has run: all results are returned, the failure is reported, and a repeated request
 * gets an unknown outcome only for calls whose results were not stored.
 */
import {
  MemoryRecord,
  ResolveError,
  resolveApprovals,
  resolveApprovalsStream,
  type CallResult,
  type ResolveChunk,
  type ResolveOptions,
} from 'toolgate/server';
import { describe, expect, test } from 'vitest';

import { forms, historyOf, type Call } from '../seeds/resolve-backends';

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Data = any;

const UNKNOWN = 'Error: Tool execution was interrupted. It may have run; its outcome is unknown.';

const calls: Call[] = ['call_1', 'call_2', 'call_3'].map((id, i) => ({
  id,
  name: 'run',
  input: { n: i + 1 },
  approved: true,
}));

/** A record that cannot store the results of these calls. */
class FailingRecord extends MemoryRecord {
  readonly fails: ReadonlySet<string>;
  readonly how: 'throws' | 'rejects';

  constructor(how: 'throws' | 'rejects', ...fails: string[]) {
    super();
    this.how = how;
    this.fails = new Set(fails);
    for (const { id, name, input } of calls)
      this.request({ approvalId: `appr_${id.slice(-1)}`, toolCallId: id, toolName: name, input });
  }

  override finish(key: string, result: CallResult): void | Promise<void> {
    if (!this.fails.has(result.toolCallId)) return super.finish(key, result);
    const error = new Error(`no room for ${result.toolCallId}`);
    if (this.how === 'rejects') return Promise.reject(error) as never;
    throw error;
  }
}

const given = (form: (typeof forms)[number]): Data[] => JSON.parse(JSON.stringify(historyOf(form, calls)));

describe.each(forms)('%s', (form) => {
  test.each(['throws', 'rejects'] as const)(
    'finish %s: every result is returned, and the failure is reported with them',
    async (how) => {
      for (const options of [{}, { concurrency: 1 }, { failureMode: 'throw' }] as ResolveOptions[]) {
        let ran = 0;
        const toolkit = { run: ({ n }: { n: number }) => (ran++, n * 10) };
        const record = new FailingRecord(how, 'call_1', 'call_3');
        const first = await resolveApprovals(given(form), { toolkit, record, ...options });
        expect(first.results.map(({ outcome, output }) => [outcome, output])).toEqual([
          ['executed', 10],
          ['executed', 20],
          ['executed', 30],
        ]);
        expect(first.unresolved).toEqual([]);
        expect(
          first.unrecorded?.map(({ code, toolCallId, approvalId, toolName }) => [
            code,
            toolCallId,
            approvalId,
            toolName,
          ]),
        ).toEqual([
          ['record-failed', 'call_1', 'appr_1', 'run'],
          ['record-failed', 'call_3', 'appr_3', 'run'],
        ]);
        for (const error of first.unrecorded ?? []) {
          expect(error).toBeInstanceOf(ResolveError);
          expect((error.cause as Error).message).toBe(`no room for ${error.toolCallId}`);
        }

        const again = await resolveApprovals(given(form), { toolkit, record });
        expect(ran).toBe(3);
        expect(again.results.map(({ output, errorText }) => output ?? errorText)).toEqual([UNKNOWN, 20, UNKNOWN]);
        expect(again).not.toHaveProperty('unrecorded');
      }
    },
  );

  test('a failed call whose error cannot be stored remains failed', async () => {
    const toolkit = { run: () => Promise.reject(new Error('disk full')) };
    const { results, unrecorded } = await resolveApprovals(given(form), {
      toolkit,
      record: new FailingRecord('rejects', 'call_2'),
    });
    expect(results.map(({ outcome, errorText }) => [outcome, errorText])).toEqual(
      Array(3).fill(['failed', 'disk full']),
    );
    expect(unrecorded).toMatchObject([{ code: 'record-failed', toolCallId: 'call_2' }]);
  });

  test('the stream emits every result and does not fail', async () => {
    const record = new FailingRecord('rejects', 'call_1');
    const { stream, resolved } = resolveApprovalsStream(given(form), { toolkit: { run: () => 'done' }, record });
    const told: string[] = [];
    const chunks = stream as unknown as AsyncIterable<ResolveChunk>;
    for await (const chunk of chunks) told.push(`${chunk.type} ${'toolCallId' in chunk && chunk.toolCallId}`);
    expect(told.sort()).toEqual(calls.map(({ id }) => `tool-output-available ${id}`));
    expect((await resolved).unrecorded).toMatchObject([{ toolCallId: 'call_1' }]);
  });
});

test('nothing is reported for a working record, and without one', async () => {
  const record = new FailingRecord('throws');
  for (const options of [{ record }, {}]) {
    const resolved = await resolveApprovals(given('UI messages'), { toolkit: { run: () => 1 }, ...options });
    expect(resolved).not.toHaveProperty('unrecorded');
  }
});

test('an output that cannot be converted does not affect other results', async () => {
  const toolkit = {
    run: ({ n }: { n: number }) => (n === 1 ? 10n : n),
  };
  const { messages, results } = await resolveApprovals(given('model messages'), { toolkit });
  const written = (messages.at(-1) as Data).content
    .filter(({ type }: Data) => type === 'tool-result')
    .map(({ output }: Data) => output);
  expect(written).toEqual([
    {
      type: 'error-text',
      value: expect.stringMatching(/^Error: The tool ran, but its output cannot be given to the model: .*BigInt/),
    },
    { type: 'json', value: 2 },
    { type: 'json', value: 3 },
  ]);
  expect(results.map(({ outcome }) => outcome)).toEqual(['executed', 'executed', 'executed']);

  const toModelOutput = ({ toolCallId }: Data): object => {
    if (toolCallId === 'call_2') throw new Error('no words');
    return { type: 'text', value: toolCallId };
  };
  const throwing = { run: { execute: () => 'ok', toModelOutput } };
  const second = await resolveApprovals(given('model messages'), { toolkit: throwing });
  expect(JSON.stringify((second.messages.at(-1) as Data).content)).toContain('cannot be given to the model: no words');
});
