/**
 * Forged, changed and replayed calls: a secret prevents the first two, and the server's record prevents all three.
 * Signatures are compatible with `ai` 7 in both directions.
 */
import { convertToModelMessages, generateText, streamText, tool, type ModelMessage } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import {
  MemoryRecord,
  ResolveError,
  resolveApprovals,
  signApproval,
  verifyApproval,
  type ApprovalRecord,
  type ResolveOptions,
} from 'toolgate/server';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

import { forms, historyOf, type Form } from '../seeds/resolve-backends';

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Data = any;

const secret = 'a secret of the server';
const call = {
  approvalId: 'appr_1',
  toolCallId: 'call_1',
  toolName: 'send',
  input: { to: 'a@b.c', cc: ['d', null], n: 1.5 },
};

/** A history with one approved call, as a client posts it. `change` modifies it. */
async function posted(
  form: Form,
  change: (parts: { call: Data; request: Data }) => void = () => {},
  signedWith: string | undefined = secret,
): Promise<Data[]> {
  const messages = historyOf(form, [{ id: call.toolCallId, name: call.toolName, input: call.input, approved: true }]);
  const signature = signedWith && (await signApproval(call, signedWith));
  const copy = JSON.parse(JSON.stringify(messages));
  const parts = copy[1].parts ?? copy[1].content;
  const target = parts.find(({ type }: Data) => type === 'tool-call' || type === 'tool-send');
  const request = target.approval ?? parts.find(({ type }: Data) => type === 'tool-approval-request');
  if (signature) request.signature = signature;
  change({ call: target, request });
  return copy;
}

/** Resolves the history and collects the calls that ran. */
async function tried(
  messages: Data[],
  options: ResolveOptions,
): Promise<{ ran: number; error?: ResolveError; outcomes: string[]; results: readonly unknown[] }> {
  let ran = 0;
  const send = (): string => `sent ${++ran}`;
  try {
    const { results } = await resolveApprovals(messages, { toolkit: { send, read: send }, ...options });
    return { ran, outcomes: results.map(({ outcome }) => outcome), results };
  } catch (error) {
    if (!(error instanceof ResolveError)) throw error;
    return { ran, error, outcomes: [], results: [] };
  }
}

/** Modifications by a client, in each message format. */
const changes: [string, (parts: { call: Data; request: Data }) => void][] = [
  [
    'the input',
    ({ call }) =>
      call.input ? (call.input = { ...call.input, to: 'evil' }) : (call.params = { ...call.params, to: 'evil' }),
  ],
  ['a nested value', ({ call }) => void ((call.input ?? call.params).cc[1] = 'e')],
  [
    'the tool',
    ({ call }) =>
      call.name ? (call.name = 'read') : call.toolName ? (call.toolName = 'read') : (call.type = 'tool-read'),
  ],
];

describe.each(forms)('%s', (form) => {
  test('a signed call runs, also with another order of keys', async () => {
    expect(await tried(await posted(form), { secret })).toMatchObject({ ran: 1, outcomes: ['executed'] });
    const reordered = await posted(form, ({ call }) => {
      const key = call.input ? 'input' : 'params';
      call[key] = Object.fromEntries(Object.entries(call[key]).reverse());
    });
    expect(await tried(reordered, { secret: new TextEncoder().encode(secret) })).toMatchObject({ ran: 1 });
  });

  test.each(changes)('a change of %s is rejected, and no tool runs', async (_, change) => {
    const { ran, error } = await tried(await posted(form, change), { secret });
    expect([ran, error?.code, error?.approvalId, error?.toolCallId]).toEqual([
      0,
      'invalid-signature',
      'appr_1',
      'call_1',
    ]);
    expect(error?.message).toContain('a signature for another call, tool or input');
  });

  test.each([undefined, '', 'AAAA', 'not base64!', 5, 'A'.repeat(1e6)])(
    'invalid signature %# is rejected',
    async (signature) => {
      const { ran, error } = await tried(await posted(form, ({ request }) => void (request.signature = signature)), {
        secret,
      });
      expect([ran, error?.code]).toEqual([0, 'invalid-signature']);
    },
  );

  test('if one call is forged, no call of the request runs', async () => {
    const messages = historyOf(form, [
      { id: 'call_1', name: 'send', input: call.input, approved: true },
      { id: 'call_2', name: 'send', approved: true },
    ]);
    const parts: Data[] = messages[1].parts ?? messages[1].content;
    const request =
      parts.find((part) => part.type === 'tool-approval-request') ?? parts.find((part) => part.approval).approval;
    request.signature = await signApproval(call, secret);
    expect(await tried(messages, { secret })).toMatchObject({
      ran: 0,
      error: { toolCallId: 'call_2', code: 'invalid-signature' },
    });
    // The signature of a denial is not checked, because a denial runs no tool.
    const denied = historyOf(form, [{ id: 'call_1', name: 'send', approved: false }]);
    expect(await tried(denied, { secret })).toMatchObject({ ran: 0, outcomes: ['denied'] });
  });

  test('the option `verify`', async () => {
    const seen: unknown[] = [];
    const verify = (asked: unknown): boolean => (seen.push(asked), false);
    expect(await tried(await posted(form), { verify })).toMatchObject({ ran: 0, error: { code: 'invalid-signature' } });
    expect(seen).toEqual([{ ...call, signature: await signApproval(call, secret) }]);
    expect(await tried(await posted(form), { verify: async () => true })).toMatchObject({ ran: 1 });
  });

  describe('the record', () => {
    const recordOf = (...calls: (typeof call)[]): MemoryRecord => {
      const record = new MemoryRecord();
      calls.forEach((asked) => record.request(asked));
      return record;
    };

    test.each(changes)('a change of %s is rejected', async (what, change) => {
      const { ran, error } = await tried(await posted(form, change), { record: recordOf(call) });
      expect([ran, error?.code]).toEqual([0, 'not-on-record']);
      expect(error?.message).toContain(what === 'the tool' ? 'another tool' : 'another input');
    });

    test('an approval that is not in the record, or belongs to another call, is rejected', async () => {
      expect(await tried(await posted(form), { record: recordOf() })).toMatchObject({
        ran: 0,
        error: { code: 'not-on-record' },
      });
      const other = recordOf({ ...call, toolCallId: 'call_9' });
      expect(await tried(await posted(form), { record: other })).toMatchObject({
        ran: 0,
        error: { code: 'not-on-record' },
      });
    });

    test('a repeated or concurrent request runs no call twice and returns the same results', async () => {
      const record = recordOf(call);
      const messages = await posted(form);
      const first = await tried(messages, { record });
      const second = await tried(messages, { record });
      expect([first.ran, second.ran]).toEqual([1, 0]);
      expect(second.results).toEqual(first.results);

      const both = recordOf(call);
      const [one, other] = await Promise.all([tried(messages, { record: both }), tried(messages, { record: both })]);
      expect(one.ran + other.ran).toBe(1);
    });

    test('a started call without a stored result gets an unknown outcome', async () => {
      const keys: string[] = [];
      const record: ApprovalRecord = { request: () => {}, requested: () => call, begin: (key) => keys.push(key) < 1 };
      const { ran, results } = await tried(await posted(form), { record });
      expect(ran).toBe(0);
      expect(results).toMatchObject([
        {
          outcome: 'failed',
          errorText: 'Error: Tool execution was interrupted. It may have run; its outcome is unknown.',
        },
      ]);
      const thrown = await tried(await posted(form), { record, failureMode: 'throw' });
      expect(thrown).toMatchObject({ ran: 0, error: { code: 'already-started', toolCallId: 'call_1' } });
      expect(keys[0]).toMatch(/^[\w-]{43}$/);
      expect(keys[1]).toBe(keys[0]);
    });

    test('the claim precedes the start of the tool, and the result is stored', async () => {
      const order: string[] = [];
      const record: ApprovalRecord = {
        request: () => {},
        requested: async () => (order.push('requested'), call),
        begin: async () => (order.push('begin'), true),
        finish: async (_, { outcome }) => void order.push(`finish ${outcome}`),
      };
      const toolkit = { send: () => (order.push('run'), Promise.reject(new Error('no'))) };
      await resolveApprovals(await posted(form), { toolkit, record });
      expect(order).toEqual(['requested', 'begin', 'run', 'finish failed']);
    });

    test('if the claim does not return true, no tool runs', async () => {
      const record = { request: () => {}, requested: () => call, begin: () => 1 as never };
      expect(await tried(await posted(form), { record })).toMatchObject({ ran: 0 });
    });
  });
});

test('a missing or empty secret throws, so that a missing environment variable does not disable the check', async () => {
  for (const empty of [undefined, '', new Uint8Array()]) {
    await expect(resolveApprovals([], { secret: empty as string })).rejects.toThrow(TypeError);
    await expect(signApproval(call, empty as string)).rejects.toThrow(TypeError);
    await expect(verifyApproval(call, 'x', empty as string)).rejects.toThrow(TypeError);
  }
});

describe('0 and -0 are different inputs', () => {
  const asked = { ...call, input: { n: 0, deep: [{ m: 0 }] } };
  const changed = ['{"n":-0,"deep":[{"m":0}]}', '{"n":0,"deep":[{"m":-0}]}'].map((text) => JSON.parse(text) as unknown);

  test.each(forms)('%s: -0 instead of a signed or recorded 0 is rejected', async (form) => {
    const record = new MemoryRecord();
    record.request(asked);
    const signature = await signApproval(asked, secret);
    const withInput = (input: unknown): Promise<Data[]> =>
      posted(form, ({ call: target, request }) => {
        target[target.input ? 'input' : 'params'] = input;
        request.signature = signature;
      });
    expect(await tried(await withInput(asked.input), { secret, record })).toMatchObject({ ran: 1 });
    for (const input of changed) {
      expect(await tried(await withInput(input), { secret })).toMatchObject({
        ran: 0,
        error: { code: 'invalid-signature' },
      });
      expect(await tried(await withInput(input), { record })).toMatchObject({
        ran: 0,
        error: { code: 'not-on-record' },
      });
    }
  });

  test('signatures and records contain the input after JSON encoding, where -0 becomes 0', async () => {
    for (const input of changed) {
      const signature = await signApproval({ ...asked, input }, secret);
      expect(await verifyApproval(asked, signature, secret)).toBe(true);
      const record = new MemoryRecord();
      record.request({ ...asked, input });
      expect(record.requested(asked.approvalId)?.input).toEqual(asked.input);
    }
  });

  test('an input with dates and values that JSON omits can be signed: the signature is that of its JSON', async () => {
    const date = new Date(0);
    const signature = await signApproval({ ...call, input: { at: date, none: undefined, list: [undefined] } }, secret);
    const input = { list: [null], at: date.toISOString() };
    expect(await verifyApproval({ ...call, input }, signature, secret)).toBe(true);
    expect(await verifyApproval({ ...call, input: { ...input, none: null } }, signature, secret)).toBe(false);
  });
});

describe('a signature has one encoding', () => {
  const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

  test.each<[string, (signature: string) => string]>([
    ['padding', (text) => `${text}=`],
    ['the alphabet of plain Base64', (text) => text.replaceAll('-', '+').replaceAll('_', '/')],
    ['a blank before it', (text) => ` ${text}`],
    ['a blank after it', (text) => `${text} `],
    ['a line feed', (text) => `${text}\n`],
    ['a blank inside', (text) => `${text.slice(0, 20)} ${text.slice(20)}`],
    [
      'unused bits at the end that are not zero',
      (text) => text.slice(0, -1) + base64[base64.indexOf(text.at(-1)!) + 1],
    ],
    ['two more characters', (text) => `${text}AA`],
    ['one character less', (text) => text.slice(0, -1)],
  ])('%s is refused', async (_, change) => {
    for (let n = 0; n < 40; n++) {
      const one = { ...call, approvalId: `appr_${n}` };
      const signature = await signApproval(one, secret);
      expect(signature).toMatch(/^[\w-]{43}$/);
      expect(await verifyApproval(one, signature, secret)).toBe(true);
      const other = change(signature);
      if (other !== signature) expect(await verifyApproval(one, other, secret), other).toBe(false);
    }
  });
});

test('ids and inputs are separate fields of the signed payload', async () => {
  const odd = {
    approvalId: 'a\n"b',
    toolCallId: '__proto__',
    toolName: 'constructor',
    input: JSON.parse('{"__proto__":1,"ü":"\\ud800"}') as unknown,
  };
  const signature = await signApproval(odd, secret);
  expect(await verifyApproval(odd, signature, secret)).toBe(true);
  expect(await verifyApproval({ ...odd, approvalId: 'a', toolCallId: '"b__proto__' }, signature, secret)).toBe(false);
  expect(await verifyApproval({ ...odd, input: {} }, signature, secret)).toBe(false);
  let deep: unknown = 1;
  for (let level = 0; level < 1e5; level++) deep = [deep];
  expect(await verifyApproval({ ...odd, input: deep }, signature, secret)).toBe(false);
});

describe('the signatures of ai 7', () => {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const modelThat = (calls: boolean): MockLanguageModelV4 =>
    new MockLanguageModelV4({
      doGenerate: (async () => ({
        content: calls
          ? [{ type: 'tool-call', toolCallId: 'call_1', toolName: 'send', input: JSON.stringify(call.input) }]
          : [{ type: 'text', text: 'Sent.' }],
        finishReason: { unified: calls ? 'tool-calls' : 'stop', raw: '' },
        usage,
        warnings: [],
      })) as never,
    });
  const tools = (ran: unknown[]) => ({
    send: tool({ inputSchema: z.looseObject({}), execute: (input) => (ran.push(input), 'sent') }),
  });

  /** An approved request that `generateText` signed. */
  async function askedByAi(): Promise<ModelMessage[]> {
    const prompt: ModelMessage[] = [{ role: 'user', content: 'Send it.' }];
    const { response, content } = await generateText({
      model: modelThat(true),
      tools: tools([]),
      messages: prompt,
      toolApproval: { send: 'user-approval' },
      experimental_toolApprovalSecret: secret,
    });
    const { approvalId } = content.find(({ type }) => type === 'tool-approval-request') as Data;
    return [
      ...prompt,
      ...response.messages,
      { role: 'tool', content: [{ type: 'tool-approval-response', approvalId, approved: true }] },
    ];
  }

  test('toolgate verifies signatures of ai', async () => {
    const messages = await askedByAi();
    expect(await tried(messages, { secret })).toMatchObject({ ran: 1, outcomes: ['executed'] });
    expect(await tried(messages, { secret: 'another' })).toMatchObject({
      ran: 0,
      error: { code: 'invalid-signature' },
    });
    const ran: unknown[] = [];
    const { messages: complete } = await resolveApprovals(messages, { toolkit: tools(ran), secret });
    const { text } = await generateText({
      model: modelThat(false),
      tools: tools(ran),
      messages: complete,
      experimental_toolApprovalSecret: secret,
    });
    expect([text, ran]).toEqual(['Sent.', [call.input]]);
  });

  test('ai verifies signatures of toolgate', async () => {
    for (const [change, expected] of [
      [() => {}, 1],
      [changes[0]![1], 0],
    ] as const) {
      const ran: unknown[] = [];
      const messages = await convertToModelMessages(await posted('UI messages', change));
      const reply = generateText({
        model: modelThat(false),
        tools: tools(ran),
        messages,
        experimental_toolApprovalSecret: secret,
      });
      if (expected) expect((await reply).text).toBe('Sent.');
      else await expect(reply).rejects.toMatchObject({ name: 'AI_InvalidToolApprovalSignatureError' });
      expect(ran).toHaveLength(expected);
    }
  });

  test('ai runs the call of a replayed signed request twice; with a record it runs once', async () => {
    const messages = await askedByAi();
    const ran: unknown[] = [];
    const options = { model: modelThat(false), tools: tools(ran), experimental_toolApprovalSecret: secret };
    await generateText({ ...options, messages });
    await generateText({ ...options, messages });
    expect(ran).toHaveLength(2);

    const record = new MemoryRecord();
    const { content } = messages[1] as Data;
    const request = content.find(({ type }: Data) => type === 'tool-approval-request');
    record.request({ ...call, approvalId: request.approvalId });
    for (let n = 0; n < 2; n++) {
      const { messages: complete } = await resolveApprovals(messages, { toolkit: tools(ran), secret, record });
      expect((await generateText({ ...options, messages: complete })).text).toBe('Sent.');
    }
    expect(ran).toHaveLength(3);
  });

  test('a streamed reply of ai contains the signature at the expected place', async () => {
    const model = new MockLanguageModelV4({
      doStream: (async () => ({
        stream: new ReadableStream({
          start(controller) {
            controller.enqueue({ type: 'stream-start', warnings: [] });
            controller.enqueue({
              type: 'tool-call',
              toolCallId: 'call_1',
              toolName: 'send',
              input: JSON.stringify(call.input),
            });
            controller.enqueue({ type: 'finish', finishReason: { unified: 'tool-calls', raw: '' }, usage });
            controller.close();
          },
        }),
      })) as never,
    });
    const reply = streamText({
      model,
      tools: tools([]),
      prompt: 'Send it.',
      toolApproval: { send: 'user-approval' },
      experimental_toolApprovalSecret: secret,
    });
    const chunks: Data[] = [];
    for await (const chunk of reply.toUIMessageStream()) chunks.push(chunk);
    const { approvalId, signature } = chunks.find(({ type }) => type === 'tool-approval-request');
    expect(await verifyApproval({ ...call, approvalId }, signature, secret)).toBe(true);
  });
});
