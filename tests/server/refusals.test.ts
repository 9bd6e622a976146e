/** What the server says about requests that it refuses, and the signatures of `ai` 6. */
import { generateText, tool, type ModelMessage } from 'ai6';
import { MockLanguageModelV3 } from 'ai6/test';
import { resolveApprovals, resolveApprovalsStream, verifyApproval, type ResolveError } from 'toolgate/server';
import { afterEach, expect, test, vi } from 'vitest';
import { z } from 'zod';

import { historyOf, type Call } from '../seeds/resolve-backends';

const secret = 'a secret of the test';
const call: Call = { id: 'call_1', name: 'send', input: { to: 'ann' }, approved: true };

afterEach(() => void vi.restoreAllMocks());

test('a refusal is written to the console once, also if the stream hides its error', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  const refused = resolveApprovals(historyOf('UI messages', [call]), { toolkit: { send: () => 1 }, secret });
  await expect(refused).rejects.toMatchObject({ code: 'invalid-signature' });
  const { stream } = resolveApprovalsStream(historyOf('UI messages', [call]), { toolkit: { other: () => 1 } });
  await expect(stream.getReader().read()).rejects.toMatchObject({ code: 'unknown-tool' });
  expect(log.mock.calls.map((said) => said.join(' '))).toEqual([
    expect.stringMatching(/^toolgate: invalid-signature: toolCallId "call_1".* no signature/),
    expect.stringMatching(/^toolgate: unknown-tool: toolCallId "call_1".* Expected one of: "other"/),
  ]);
});

test('an app logs refusals itself', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  const refusals: ResolveError[] = [];
  const options = { toolkit: { other: () => 1 }, onError: (error: ResolveError) => void refusals.push(error) };
  const error = await resolveApprovals(historyOf('UI messages', [call]), options).catch((caught: unknown) => caught);
  expect([refusals, log.mock.calls]).toEqual([[error], []]);
  expect(error).toMatchObject({ code: 'unknown-tool' });
});

/** A request that `generateText` of `ai` 6 has signed. */
async function askedByAi6() {
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
  const content = [{ type: 'tool-call', toolCallId: 'call_1', toolName: 'send', input: JSON.stringify(call.input) }];
  const model = new MockLanguageModelV3({
    doGenerate: (async () => ({ content, finishReason: { unified: 'tool-calls' }, usage, warnings: [] })) as never,
  });
  const prompt: ModelMessage[] = [{ role: 'user', content: 'Send it.' }];
  const tools = { send: tool({ inputSchema: z.looseObject({}), needsApproval: true, execute: () => 'sent' }) };
  const reply = await generateText({ model, tools, messages: prompt, experimental_toolApprovalSecret: secret });
  const request = reply.content.find(({ type }) => type === 'tool-approval-request') as { approvalId: string };
  const { approvalId } = request;
  const answer: ModelMessage = {
    role: 'tool',
    content: [{ type: 'tool-approval-response', approvalId, approved: true }],
  };
  return { approvalId, messages: [...prompt, ...reply.response.messages, answer] };
}

test('an approval that ai 6 has signed is accepted; with another input or secret it is not', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const { messages } = await askedByAi6();
  const run = (given: unknown[], key: string) =>
    resolveApprovals(given, { toolkit: { send: (input: unknown) => input }, secret: key });
  expect((await run(messages, secret)).results).toMatchObject([{ outcome: 'executed', output: call.input }]);
  await expect(run(messages, 'another')).rejects.toMatchObject({ code: 'invalid-signature' });
  const changed = JSON.parse(JSON.stringify(messages).replace('"to":"ann"', '"to":"bob"')) as unknown[];
  await expect(run(changed, secret)).rejects.toMatchObject({ code: 'invalid-signature' });
});

test('the older signature is not accepted for names with a newline, which two calls could share', async () => {
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']);
  const base64url = (bytes: ArrayBuffer): string => Buffer.from(bytes).toString('base64url');
  const digest = base64url(await crypto.subtle.digest('SHA-256', encoder.encode('{}')));
  const sign = async (text: string): Promise<string> =>
    base64url(await crypto.subtle.sign('HMAC', key, encoder.encode(text)));
  const plain = { approvalId: 'a', toolCallId: 'b', toolName: 'c', input: {} };
  expect(await verifyApproval(plain, await sign(`a\nb\nc\n${digest}`), secret)).toBe(true);
  for (const names of [
    { approvalId: 'a\nb', toolCallId: 'c', toolName: 'd' },
    { approvalId: 'a', toolCallId: 'b\nc', toolName: 'd' },
    { approvalId: 'a', toolCallId: 'b', toolName: 'c\nd' },
  ])
    expect(await verifyApproval({ ...names, input: {} }, await sign(`a\nb\nc\nd\n${digest}`), secret)).toBe(false);
});
