/** How approved calls run: errors, invalid inputs, abort, arguments of tools, and the stream to the page. */
import {
  createUIMessageStream,
  convertToModelMessages,
  jsonSchema,
  streamText,
  tool,
  type ModelMessage,
  type UIMessage,
} from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import type { AiSdkBody } from 'toolgate';
import { resolveApprovals, resolveApprovalsStream, type ResolveOptions, type Toolkit } from 'toolgate/server';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

import { asking, anomalies, send } from '../gate/support.js';
import { latch } from '../persist/support.js';
import { historyOf, type Call } from '../seeds/resolve-backends';
import { read } from './judge';

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Data = any;

const calls = (...names: string[]): Call[] =>
  names.map((name, i) => ({ id: `call_${i + 1}`, name, input: { n: i + 1 }, approved: true }));
const history = (...names: string[]): Data[] => historyOf('model messages', calls(...names));
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('arguments of a tool', () => {
  test('the call, the messages, the signal and its context, as in the AI SDK', async () => {
    const given: unknown[] = [];
    const messages = history('run', 'other');
    const run = (...args: unknown[]): void => void given.push(args);
    const { signal } = new AbortController();
    await resolveApprovals(messages, {
      toolkit: { run, other: run },
      abortSignal: signal,
      toolsContext: { run: { user: 'u' } },
    });
    expect(given).toEqual([
      [{ n: 1 }, { toolCallId: 'call_1', messages, abortSignal: signal, context: { user: 'u' } }],
      [{ n: 2 }, { toolCallId: 'call_2', messages, abortSignal: signal, context: undefined }],
    ]);
  });

  test('a copy of the input: a tool that changes it does not change the messages', async () => {
    const run = (input: Data): void => void (input.n = 'changed');
    const messages = history('run');
    const { messages: written } = await resolveApprovals(messages, { toolkit: { run } });
    expect(written.slice(0, 3)).toEqual(history('run'));
    expect(messages).toEqual(history('run'));
  });

  test('the tool as `this`, and toModelOutput', async () => {
    const counter = {
      count: 0,
      execute(): number {
        return ++this.count;
      },
      toModelOutput: ({ output, toolCallId, input }: Data) => ({
        type: 'text',
        value: `${toolCallId} ${input.n}: ${output}`,
      }),
    };
    const { messages, results } = await resolveApprovals(history('counter'), { toolkit: { counter } });
    expect(messages.at(-1).content[0].output).toEqual({ type: 'text', value: 'call_1 1: 1' });
    expect(results).toMatchObject([{ output: 1 }]);
  });
});

describe('errors', () => {
  test.each([
    [new Error('full'), 'full'],
    [new TypeError(), 'TypeError'],
    ['a text', 'a text'],
    [{ code: 7 }, '{"code":7}'],
    [undefined, 'undefined'],
    [1n, '1'],
  ])('%s is reported as %s', async (thrown, text) => {
    const toolkit = { run: () => Promise.reject(thrown as Error) };
    const { results } = await resolveApprovals(history('run'), { toolkit });
    expect(results).toMatchObject([{ outcome: 'failed', errorText: text }]);
  });

  test('the app can replace the error text', async () => {
    const toolkit = { run: () => Promise.reject(new Error('password wrong: hunter2')) };
    const { messages } = await resolveApprovals(history('run'), {
      toolkit,
      errorText: (_, { toolName }) => `${toolName} failed`,
    });
    expect(messages.at(-1).content[0].output).toEqual({ type: 'error-text', value: 'run failed' });
  });

  test('with failureMode `throw`, running calls are awaited, and no further call starts', async () => {
    const slow = latch();
    const ran: string[] = [];
    const toolkit = {
      slow: () => slow.opened.then(() => ran.push('slow')),
      fails: () => Promise.reject(new Error('no')),
      never: () => ran.push('never'),
    };
    let ended = false;
    const reply = resolveApprovals(history('slow', 'fails', 'never'), {
      toolkit,
      concurrency: 2,
      failureMode: 'throw',
    }).finally(() => (ended = true));
    reply.catch(() => {});
    await turn();
    expect(ended).toBe(false);
    slow.open();
    await expect(reply).rejects.toThrow('no');
    expect(ran).toEqual(['slow']);
  });

  test('invalid options throw before any call runs', async () => {
    const ran: unknown[] = [];
    const toolkit = { run: () => ran.push(1) };
    const misspelt = [{ secrets: 'x' }, { recrod: {} }, { Verify: () => false }] as object[];
    for (const options of [
      { concurrency: 0 },
      { concurrency: 1.5 },
      { concurrency: NaN },
      { failureMode: 'throws' },
      ...misspelt,
    ] as ResolveOptions[]) {
      await expect(resolveApprovals(history('run'), { toolkit, ...options })).rejects.toThrow(TypeError);
    }
    await expect(resolveApprovals(history('run'), { toolkit, recrod: {} } as never)).rejects.toThrow(
      'resolveApprovals: unknown option `recrod`. Expected one of: toolkit,',
    );
    expect(ran).toEqual([]);
  });
});

describe('abort', () => {
  test('before the start: nothing runs', async () => {
    const ran: unknown[] = [];
    const reply = resolveApprovals(history('run'), {
      toolkit: { run: () => ran.push(1) },
      abortSignal: AbortSignal.abort(new Error('gone')),
    });
    await expect(reply).rejects.toThrow('gone');
    expect(ran).toEqual([]);
  });

  test('while calls run: they are awaited, no further call starts, and the promise rejects', async () => {
    const controller = new AbortController();
    const ran: string[] = [];
    const toolkit = {
      run: async (_: unknown, { toolCallId, abortSignal }: Data) => {
        controller.abort(new Error('gone'));
        await turn();
        ran.push(`${toolCallId} ${abortSignal.aborted}`);
        throw new Error('because of it');
      },
    };
    await expect(
      resolveApprovals(history('run', 'run'), { toolkit, concurrency: 1, abortSignal: controller.signal }),
    ).rejects.toThrow('because of it');
    expect(ran).toEqual(['call_1 true']);
    const late = new AbortController();
    const done = resolveApprovals(history('run'), {
      toolkit: { run: () => late.abort(new Error('late')) },
      abortSignal: late.signal,
    });
    await expect(done).rejects.toThrow('late');
  });
});

describe('inputs', () => {
  const ran: unknown[] = [];
  const execute = (input: unknown): void => void ran.push(input);
  const toolkitOf = (inputSchema: unknown): Toolkit => ({ run: { inputSchema, execute } });
  const tried = async (
    input: unknown,
    inputSchema: unknown,
    more: object = {},
    options: ResolveOptions = {},
  ): Promise<string | undefined> => {
    ran.length = 0;
    const messages = historyOf('model messages', [{ id: 'call_1', name: 'run', input, approved: true }]);
    Object.assign(messages[1].content[1], more);
    const { results } = await resolveApprovals(messages, { toolkit: toolkitOf(inputSchema), ...options });
    expect(ran).toEqual(results[0]?.outcome === 'executed' ? [input] : []);
    return results[0]?.errorText;
  };
  const sdk = jsonSchema<{ n: number }>(
    { type: 'object' },
    {
      validate: (value: Data) =>
        typeof value?.n === 'number' ? { success: true, value } : { success: false, error: new Error('n is missing') },
    },
  );
  const standard = {
    '~standard': {
      version: 1,
      vendor: 'own',
      validate: async (value: Data) =>
        value?.n ? { value } : { issues: [{ message: 'n?', path: ['a', { key: 0 }] }] },
    },
  };

  test.each([
    ['Zod', z.object({ n: z.number() })],
    ['a schema of the AI SDK', sdk],
    ['a function that returns a schema of the AI SDK', () => sdk],
    ['a Standard Schema', standard],
  ])('%s: valid inputs run; an invalid input is a failed result of its call only, or is thrown', async (_, schema) => {
    expect(await tried({ n: 1 }, schema)).toBeUndefined();
    expect(await tried({ m: 1 }, schema)).toMatch(/^Invalid input of call "call_1" for tool "run": .*n/);
    await expect(tried({ m: 1 }, schema, {}, { failureMode: 'throw' })).rejects.toMatchObject({
      code: 'invalid-input',
      toolCallId: 'call_1',
      toolName: 'run',
    });
    expect(ran).toEqual([]);
  });

  test('a schema that transforms the approved input rejects it', async () => {
    const doubled = z.object({ n: z.number().transform((n) => n * 2) });
    expect(await tried({ n: 1 }, doubled)).toMatch('the tool would not run with the approved one');
    expect(await tried({ n: 1, extra: true }, z.object({ n: z.number() }))).toMatch(
      'the tool would not run with the approved one',
    );
    // The AI SDK stores the model's input as `inputSchemaInput`, beside the parsed one. The model's input is validated.
    expect(await tried({ n: 2 }, doubled, { inputSchemaInput: { n: 1 } })).toBeUndefined();
    expect(await tried({ n: 2 }, doubled, { inputSchemaInput: { n: 5 } })).toMatch(
      'the tool would not run with the approved one',
    );
    const when = z.object({ at: z.coerce.date() });
    expect(await tried({ at: '2026-01-01T00:00:00.000Z' }, when)).toBeUndefined();
  });

  test('a validator that mutates its argument does not change the input', async () => {
    const careless = {
      '~standard': { version: 1, vendor: 'own', validate: (value: Data) => ((value.n = 9), { value }) },
    };
    expect(await tried({ n: 1 }, careless)).toMatch('the tool would not run with the approved one');
  });

  test('without a schema or validator, any input is valid', async () => {
    expect(await tried({ any: 1 }, undefined)).toBeUndefined();
    expect(await tried({ any: 1 }, jsonSchema({ type: 'object' }))).toBeUndefined();
  });
});

describe('streamed', () => {
  test('preliminary outputs, then the last one as the result', async () => {
    async function* run() {
      yield 'a third';
      yield 'all of it';
    }
    const { stream, resolved } = resolveApprovalsStream(history('run'), { toolkit: { run } });
    const told = { type: 'tool-output-available', toolCallId: 'call_1' };
    expect(await read(stream)).toEqual([
      { ...told, output: 'a third', preliminary: true },
      { ...told, output: 'all of it', preliminary: true },
      { ...told, output: 'all of it' },
    ]);
    expect((await resolved).messages.at(-1).content[0].output).toEqual({ type: 'text', value: 'all of it' });
  });

  test('the calls start at once, and `stream` and `resolved` can each be used alone', async () => {
    const toolkit = { run: () => 'done' };
    expect((await resolveApprovalsStream(history('run'), { toolkit }).resolved).results).toHaveLength(1);
    expect(await read(resolveApprovalsStream(history('run'), { toolkit }).stream)).toHaveLength(1);
    await expect(read(resolveApprovalsStream(history('run')).stream)).rejects.toMatchObject({
      code: 'toolkit-required',
    });
    await expect(resolveApprovalsStream(history('run')).resolved).rejects.toMatchObject({ code: 'toolkit-required' });
    await turn();
  });

  test('a disconnected page does not stop the tools', async () => {
    const held = latch();
    const { stream, resolved } = resolveApprovalsStream(history('run'), {
      toolkit: { run: () => held.opened.then(() => 'done') },
    });
    await stream.cancel();
    held.open();
    expect((await resolved).results).toMatchObject([{ outcome: 'executed', output: 'done' }]);
  });

  test('results before an error are emitted', async () => {
    const toolkit = { run: () => 'done', fails: () => Promise.reject(new Error('no')) };
    const { stream } = resolveApprovalsStream(history('run', 'fails'), {
      toolkit,
      concurrency: 1,
      failureMode: 'throw',
    });
    const reader = stream.getReader();
    expect((await reader.read()).value).toMatchObject({ toolCallId: 'call_1' });
    await expect(reader.read()).rejects.toThrow('no');
  });

  test('with a page: each call settles once when its chunk arrives, and the next request is accepted', async () => {
    const { gate, events } = asking(['c1', 'c2', 'c3']);
    gate.respond('approve-c1', { approved: true });
    gate.respond('approve-c2', { approved: false, reason: 'Keep it' });
    gate.respond('approve-c3', { approved: true });
    const prompts: Data[] = [];
    const model = new MockLanguageModelV4({
      doStream: (async ({ prompt }: Data) => {
        prompts.push(prompt);
        const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
        const parts = [
          { type: 'stream-start', warnings: [] },
          { type: 'text-start', id: 't' },
          { type: 'text-delta', id: 't', delta: 'Done.' },
          { type: 'text-end', id: 't' },
        ];
        return {
          stream: new ReadableStream({
            start: (c) => (
              [...parts, { type: 'finish', finishReason: { unified: 'stop', raw: '' }, usage }].forEach((p) =>
                c.enqueue(p),
              ),
              c.close()
            ),
          }),
        };
      }) as never,
    });
    const ran: string[] = [];
    const edit = tool({
      inputSchema: z.object({ path: z.string() }),
      execute: ({ path }) => (ran.push(path), path === 'c3' ? Promise.reject(new Error('locked')) : `edited ${path}`),
    });
    const [item] = gate.outgoing();
    send(gate);
    const messages = JSON.parse(JSON.stringify((item!.body as AiSdkBody).messages)) as UIMessage[];
    const reply = createUIMessageStream({
      originalMessages: messages,
      execute: async ({ writer }) => {
        const { stream, resolved } = resolveApprovalsStream(messages, { toolkit: { edit } });
        writer.merge(stream);
        const complete = await convertToModelMessages((await resolved).messages);
        writer.merge(streamText({ model, tools: { edit }, messages: complete }).toUIMessageStream());
      },
    });
    for await (const chunk of reply as unknown as AsyncIterable<object>)
      gate.receive(JSON.parse(JSON.stringify(chunk)), { requestId: item!.id });
    gate.streamEnded({ status: 'finished' }, { requestId: item!.id });
    expect(ran).toEqual(['c1', 'c3']);
    expect(anomalies(events)).toEqual([]);
    const { messages: shown, turn } = gate.getSnapshot();
    expect(
      shown
        .at(-1)
        ?.parts.flatMap((part) =>
          'toolCallId' in part ? [`${part.toolCallId} ${part.state} ${part.outcome?.kind}`] : [],
        ),
    ).toEqual(['c1 output-available executed', 'c2 output-denied denied', 'c3 output-error failed']);
    expect(turn).toMatchObject({ status: 'done', ending: 'finished' });
    const results = prompts[0].filter(({ role }: Data) => role === 'tool').flatMap(({ content }: Data) => content);
    expect(results.map(({ toolCallId, output }: Data) => [toolCallId, output.value])).toEqual([
      ['c1', 'edited c1'],
      ['c2', 'Keep it'],
      ['c3', 'locked'],
    ]);
  });
});

test('types: accepts AI SDK messages and tools, and returns the same message type', async () => {
  const toolkit = { read: tool({ inputSchema: z.object({ path: z.string() }), execute: async ({ path }) => path }) };
  const model: ModelMessage[] = (await resolveApprovals([] as ModelMessage[], { toolkit })).messages;
  const ui: UIMessage[] = (await resolveApprovals([] as UIMessage[], { toolkit })).messages;
  // @ts-expect-error other message type
  const wrong: UIMessage[] = (await resolveApprovals([] as ModelMessage[])).messages;
  expect([model, ui, wrong]).toEqual([[], [], []]);
});
