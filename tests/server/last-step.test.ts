/**
 * All of the last step is checked before its first tool runs: a problem is a typed error, and nothing has run or been
 * recorded. Older steps are not checked. Once a tool has begun, only the tools themselves can fail.
 */
import {
  collectApprovals,
  MemoryRecord,
  resolveApprovals,
  resolveApprovalsStream,
  ResolveError,
  type CallResult,
  type ResolveChunk,
  type ResolveOptions,
} from 'toolgate/server';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

import type { Message } from '../interop/ai-sdk/peers';
import { forms, historyOf, requestOf, type Call, type Form } from '../seeds/resolve-backends';
import { defectsOf } from './defects';
import { read, refusals, shownBy, writtenCall, type Data } from './judge';

const approved: Call = { id: 'call_1', name: 'run', input: { n: 1 }, approved: true };
const second: Call = { id: 'call_2', name: 'run', input: { n: 2 }, approved: true };

/** A record of these calls that counts what is written into it. */
class CountingRecord extends MemoryRecord {
  writes = 0;

  constructor(...calls: Call[]) {
    super();
    for (const call of calls) this.request(requestOf(call));
  }

  override begin(key: string, result?: CallResult): boolean {
    this.writes++;
    return super.begin(key, result);
  }

  override finish(key: string, result: CallResult): void {
    this.writes++;
    super.finish(key, result);
  }
}

/** Resolves the messages, streamed or not. `ran` counts the tool's runs. */
async function posted(messages: readonly Data[], options: ResolveOptions = {}, streamed = false) {
  let ran = 0;
  const toolkit = { run: () => `ran ${++ran}` };
  try {
    const given = { toolkit, ...options };
    const resolution = streamed ? resolveApprovalsStream(messages, given) : undefined;
    const chunks: ResolveChunk[] = [];
    const [written] = await Promise.all([
      resolution?.resolved ?? resolveApprovals(messages, given),
      resolution && read(resolution.stream, chunks),
    ]);
    return { ...written, chunks, ran };
  } catch (error) {
    return { error: error as ResolveError, messages: [], results: [], chunks: [], ran };
  }
}

const stepOf = (form: Form, ...calls: Call[]): Data[] => JSON.parse(JSON.stringify(historyOf(form, calls).slice(1)));
const user = (form: Form): Data => historyOf(form, [])[0];

describe.each(forms)('%s', (form) => {
  describe.each(defectsOf(form))('$name', ({ add, code }) => {
    test('in the last step is a typed error, and nothing has run or been recorded', async () => {
      for (const streamed of [false, true]) {
        const step = stepOf(form, approved);
        add(step);
        const record = new CountingRecord(approved);
        const { error, ran } = await posted([user(form), ...step], { record }, streamed);
        expect(error).toBeInstanceOf(ResolveError);
        expect(error).toMatchObject({ code });
        expect([ran, record.writes]).toEqual([0, 0]);
      }
    });

    test('in an older step is left alone', async () => {
      const older = stepOf(form, { ...approved, id: 'old', result: 'old' });
      add(older);
      for (const part of older.flatMap(({ parts, content }) => parts ?? content)) {
        // The defects speak of `call_1`.
        if (part?.toolCallId === 'call_1') part.toolCallId = 'old';
        if (part?.id === 'call_1') part.id = 'old';
      }
      const before = JSON.parse(JSON.stringify([user(form), ...older]));
      const { ran, error, messages } = await posted([user(form), ...older, user(form), ...stepOf(form, approved)]);
      expect([error, ran]).toEqual([undefined, 1]);
      expect(writtenCall(messages.slice(before.length), 'call_1')).toMatchObject({ result: 'output', value: 'ran 1' });
    });
  });

  test('a malformed step in which nothing was decided is returned as it came', async () => {
    const messages = [user(form), ...stepOf(form, { ...approved, result: 1 }, { ...second, result: 2 })];
    const parts = messages[1].parts ?? messages[1].content;
    parts.push({ ...parts.at(-1) });
    expect(await posted(messages)).toMatchObject({ messages, results: [], ran: 0 });
  });

  test('the same decision twice is one decision', async () => {
    const messages = [user(form), ...stepOf(form, approved)];
    if (form !== 'UI messages') messages[2].content.push({ ...messages[2].content[0], reason: 'Yes' });
    expect(await posted(messages)).toMatchObject({ ran: 1 });
  });

  test('no denial is recorded if an approval beside it is refused', async () => {
    const other = { ...second, name: 'missing' };
    const messages = [user(form), ...stepOf(form, { ...approved, approved: false }, other)];
    const record = new CountingRecord(approved, other);
    expect(await posted(messages, { record })).toMatchObject({ error: { code: 'unknown-tool' }, ran: 0 });
    expect(record.writes).toBe(0);
    const strict = { run: { inputSchema: z.object({ n: z.literal(1) }), execute: () => 1 } };
    const invalid = [user(form), ...stepOf(form, { ...approved, approved: false }, second)];
    const both = new CountingRecord(approved, second);
    const options = { record: both, toolkit: strict, failureMode: 'throw' } as const;
    expect(await posted(invalid, options)).toMatchObject({ error: { code: 'invalid-input' } });
    expect(both.writes).toBe(0);
  });

  test('a denial of a call that the record has with another input is refused', async () => {
    const messages = [user(form), ...stepOf(form, { ...approved, approved: false })];
    const record = new CountingRecord({ ...approved, input: { n: 9 } });
    expect(await posted(messages, { record })).toMatchObject({ error: { code: 'not-on-record' } });
    expect(record.writes).toBe(0);
  });

  test('an entry of the toolkit that cannot run is refused', async () => {
    const messages = [user(form), ...stepOf(form, approved, second)];
    for (const run of [5, 'x', null, { execute: 'x' }, { execute: null }])
      expect(await posted(messages, { toolkit: { run } as never })).toMatchObject({ error: { code: 'unknown-tool' } });
  });

  describe('once a tool has begun, nothing fails but the tool', () => {
    const messages = (): Data[] => [user(form), ...stepOf(form, approved, second)];

    test.each([
      ['throws', () => Promise.reject(new Error('no'))],
      ['throws a value that has no text', () => Promise.reject(Object.create(null, { toJSON: { get: thrower } }))],
      [
        'throws an error whose message is not a text',
        () => Promise.reject(Object.assign(new Error(), { message: {} })),
      ],
    ])('a tool that %s', async (_, run: () => Promise<unknown>) => {
      const { error, results, messages: written } = await posted(messages(), { toolkit: { run } });
      expect(error).toBeUndefined();
      expect(results.map(({ outcome, errorText }) => [outcome, typeof errorText])).toEqual(
        Array(2).fill(['failed', 'string']),
      );
      expect(await refusals(form, written)).toEqual([]);
    });

    test.each([
      ['throws', thrower],
      ['returns no text', () => undefined as never],
    ])('an `errorText` that %s', async (_, errorText: () => string) => {
      const toolkit = { run: ({ n }: { n: number }) => (n === 1 ? Promise.reject(new Error('secret')) : 'done') };
      const { error, results, messages: written } = await posted(messages(), { toolkit, errorText });
      expect(error).toBeUndefined();
      expect(results).toMatchObject([{ outcome: 'failed' }, { outcome: 'executed', output: 'done' }]);
      // The app's function may hide the message.
      expect(results[0]?.errorText).toMatch(/^Error: /);
      expect(JSON.stringify(written)).not.toContain('secret');
      expect(await refusals(form, written)).toEqual([]);
    });

    test('an output that JSON cannot express', async () => {
      const toolkit = { run: ({ n }: { n: number }) => (n === 1 ? { big: 1n } : 'done') };
      const resolved = await posted(messages(), { toolkit }, true);
      expect(writtenCall(resolved.messages, 'call_1')).toMatchObject({
        result: 'error',
        value: expect.stringContaining('The tool ran, but its output cannot be given to the model:'),
      });
      expect(writtenCall(resolved.messages, 'call_2')).toMatchObject({ result: 'output', value: 'done' });
      expect(resolved.chunks.map(({ type }) => type)).toEqual(['tool-output-error', 'tool-output-available']);
      expect(await refusals(form, resolved.messages)).toEqual([]);
    });

    test('a preliminary output that JSON cannot express', async () => {
      async function* run() {
        yield 1n;
        yield 'done';
      }
      const { chunks } = await posted([user(form), ...stepOf(form, approved)], { toolkit: { run } }, true);
      expect(chunks).toMatchObject([
        { type: 'tool-output-available', output: 'done', preliminary: true },
        { type: 'tool-output-available', output: 'done' },
      ]);
    });

    test.each(['begin', 'result'] as const)('a record whose `%s` fails: that call is not started', async (method) => {
      const record = new CountingRecord(approved, second);
      // The other call is the first one to begin.
      let calls = 0;
      const fail = (): never => {
        throw new Error('the database is down');
      };
      record.begin = () => (++calls === 1 ? true : method === 'begin' ? fail() : false);
      record.result = fail;
      const options = { record, concurrency: 1 };
      const { error, ran, results, unrecorded, messages: written } = (await posted(messages(), options)) as Data;
      expect([error, ran]).toEqual([undefined, 1]);
      expect(results).toMatchObject([{ outcome: 'executed' }, { outcome: 'failed' }]);
      expect(results[1].errorText).not.toContain('database');
      expect(unrecorded).toMatchObject([{ code: 'record-failed', toolCallId: 'call_2' }]);
      expect(await refusals(form, written)).toEqual([]);
    });

    test('a record that fails before any tool has begun: the whole request fails, and can be repeated', async () => {
      const record = new CountingRecord(approved, second);
      const { begin } = record;
      record.begin = () => {
        throw new Error('the database is down');
      };
      for (const failureMode of ['result', 'throw'] as const) {
        const { error, ran } = await posted(messages(), { record, failureMode });
        expect(error).toMatchObject({ code: 'record-failed', cause: { message: 'the database is down' } });
        expect(ran).toBe(0);
      }
      record.begin = begin;
      expect(await posted(messages(), { record })).toMatchObject({ ran: 2 });
    });
  });
});

function thrower(): never {
  throw new Error('this fails');
}

test.each(['model messages', 'Effect prompt'] as const)(
  '%s: tool messages without content after an older step do not disturb the results',
  async (form) => {
    const older = stepOf(form, { ...approved, id: 'old', approved: false });
    const broken = [{ role: 'tool' }, { role: 'tool', content: 'x' }];
    const { ran, messages } = await posted([user(form), ...older, ...broken, user(form), ...stepOf(form, approved)]);
    expect(ran).toBe(1);
    expect(messages.slice(3, 5)).toEqual(broken);
    expect(
      writtenCall(
        messages.filter(({ content }) => Array.isArray(content)),
        'old',
      ),
    ).toMatchObject({ result: 'denied' });
  },
);

test('a decision that cannot be read is not a decision in an older step, and `collectApprovals` still refuses it', () => {
  const [, older] = historyOf('UI messages', [{ ...approved, id: 'old' }]);
  older.parts[1].approval.approved = 'true';
  expect(() => collectApprovals([older])).toThrow(ResolveError);
});

describe('chunks are only about calls that the page can find in its message', () => {
  const chunksFor = async (messages: Data[]): Promise<ResolveChunk[]> => {
    const { chunks } = await posted(messages, {}, true);
    for (const version of [6, 7] as const) await shownBy(version, messages as Message[], chunks);
    return chunks;
  };
  const [asked, message] = historyOf('UI messages', [approved]);

  test('none about calls of an earlier message', async () => {
    expect(await chunksFor([asked, message, { ...asked, id: 'u2' }])).toEqual([]);
    const denied = historyOf('UI messages', [{ ...approved, id: 'old', approved: false }])[1];
    const next = { ...message, id: 'a2' };
    expect(await chunksFor([asked, { ...denied, id: 'a1' }, { ...asked, id: 'u2' }, next])).toMatchObject([
      { type: 'tool-output-available', toolCallId: 'call_1' },
    ]);
  });

  test('none about a call whose id a later call of the message has', async () => {
    const [step, part] = message.parts;
    const again = { ...part, input: { n: 2 }, approval: { id: 'appr_2', approved: false } };
    const both = { ...message, parts: [step, part, step, again] };
    expect(await chunksFor([asked, both])).toEqual([{ type: 'tool-output-denied', toolCallId: 'call_1' }]);
  });
});
