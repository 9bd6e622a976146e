/**
 * Effect's own `LanguageModel` as the server, with a scripted model: request bodies, and the prompts of the model,
 * in addition to the tests for every backend (`tests/interop/effect.test.ts`).
 */
import { Schema } from 'effect';
import { Prompt } from 'effect/ai';
import { expect, onTestFinished, test } from 'vitest';
import { openEffect } from '../interop/effect.rig';
import type { Reply } from '../interop/rig';
import { rules } from './pairing';
import { loaded, type Data } from './support';

const say = (text: string): Reply => ({ text });
const ask: Reply = { calls: ['a', 'b', 'c'].map((id) => ({ id, tool: 'remove', path: id })) };

async function asked(script: readonly Reply[]) {
  const server = await openEffect([ask, ...script], {});
  onTestFinished(async () => server.close?.());
  const { gate, send } = server;
  const deliver = (): Promise<void> => gate.deliver(send);
  gate.sendUserMessage({ text: 'Tidy up.' });
  await deliver();
  return { gate, deliver, server };
}

const results = (prompt: Data): Data[] =>
  prompt.content
    .flatMap(({ content }: Data) => (Array.isArray(content) ? content : []))
    .filter(({ type }: Data) => type === 'tool-result');

test('mixed decisions: approved calls run on the server, the model gets the reasons of denied ones', async () => {
  const { gate, deliver, server } = await asked([say('Done.'), say('Bye.')]);
  expect(server.ran).toEqual([]);
  const [a, b, c] = gate.pending().map(({ approvalId }) => approvalId) as [string, string, string];
  gate.respond(b, { approved: false, reason: 'Not that one.' });
  gate.respond(a, { approved: true });
  gate.respond(c, { approved: true });
  const body: Data = gate.outgoing()[0]?.body;
  expect(body.prompt.at(-1).content.map(({ type }: Data) => type)).toEqual([
    'tool-approval-response',
    'tool-approval-response',
    'tool-approval-response',
  ]);
  await deliver();
  expect(server.ran).toEqual(['remove a', 'remove c']);
  expect(results(server.raw[1]).map(({ id, result, isFailure }) => [id, result, isFailure])).toEqual([
    ['a', 'remove a: done', false],
    ['c', 'remove c: done', false],
    ['b', { type: 'execution-denied', reason: 'Not that one.' }, true],
  ]);
  const parts: Data[] = gate.getSnapshot().messages[1]!.parts.filter((part) => 'toolCallId' in part);
  expect(parts.map(({ state, outcome }) => [state, outcome.kind])).toEqual([
    ['output-available', 'executed'],
    ['output-denied', 'denied'],
    ['output-available', 'executed'],
  ]);
  gate.sendUserMessage({ text: 'Thanks.' });
  await deliver();
  expect(server.ran).toEqual(['remove a', 'remove c']);
  expect(results(server.raw[2]).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  expect(rules.effect(gate.assemble())).toEqual([]);
});

test('all denied: nothing runs, and the model continues', async () => {
  const { gate, deliver, server } = await asked([say('As you wish.')]);
  gate.respondAll({ approved: false });
  await deliver();
  expect(server.ran).toEqual([]);
  expect(results(server.raw[1]).map(({ result }) => result)).toEqual(
    // Effect's schema rejects a denied result without a reason, so a reason is always sent.
    Array.from({ length: 3 }, () => ({
      type: 'execution-denied',
      reason: 'Error: Tool execution was denied by user.',
    })),
  );
  const part: Data = gate.getSnapshot().messages[1]!.parts.find((one) => 'toolCallId' in one);
  expect(part.outcome).toEqual({ kind: 'denied' });
  expect(gate.getSnapshot().turn.status).toBe('done');
});

test('a message after `cancel()`: the model reads that the calls were cancelled, and nothing runs', async () => {
  const { gate, deliver, server } = await asked([say('Oh.')]);
  gate.cancel();
  gate.sendUserMessage({ text: 'Something else.' });
  await deliver();
  expect(server.ran).toEqual([]);
  expect(results(server.raw[1]).map(({ result, isFailure }) => [result, isFailure])).toEqual(
    Array.from({ length: 3 }, () => ['Error: Tool execution was cancelled by user. It did not run.', true]),
  );
});

test('a message instead of a decision denies the calls with that reason', async () => {
  const { gate, deliver, server } = await asked([say('Oh.')]);
  gate.sendUserMessage({ text: 'Wait.' });
  await deliver();
  expect(server.ran).toEqual([]);
  expect(results(server.raw[1]).map(({ result }) => result.reason)).toEqual(
    Array.from({ length: 3 }, () => 'The user sent a new message instead of answering.'),
  );
});

test('the prompt can be decoded by Effect, and survives a round trip', async () => {
  const { gate, deliver } = await asked([say('Done.')]);
  gate.respondAll({ approved: true });
  await deliver();
  gate.cancel();
  const prompt = gate.assemble();
  expect(() => Schema.decodeUnknownSync(Prompt.Prompt)({ content: prompt })).not.toThrow();
  expect(loaded('effect', prompt).assemble()).toEqual(prompt);
});
