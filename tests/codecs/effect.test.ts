/**
 * Effect's own `LanguageModel` on the other side, with a scripted model: which tools ran, and what the model was told.
 */
import { Effect, Schema, Stream } from 'effect';
import { LanguageModel, Prompt, Response, Tool, Toolkit } from 'effect/ai';
import type { ToolGate } from 'toolgate';
import { expect, test } from 'vitest';
import { rules } from './pairing';
import { gateFor, loaded, type Data } from './support';

const Edit = Tool.make('edit', { parameters: Schema.Struct({ path: Schema.String }), success: Schema.String, needsApproval: true });
const toolkit = Toolkit.make(Edit);

/** A backend of Effect: what it ran, what its model was told, and its replies as they go over the wire. */
function backend(script: readonly Data[][]) {
  const ran: string[] = [];
  const prompts: Data[] = [];
  let step = 0;
  const decode = Schema.decodeUnknownSync(Prompt.Prompt);
  const encode = Schema.encodeSync(Response.StreamPart(toolkit) as unknown as Schema.Codec<Data, Data>);
  const model = LanguageModel.make({
    generateText: () => Effect.succeed([]),
    streamText: ({ prompt }) => {
      prompts.push(JSON.parse(JSON.stringify(Schema.encodeSync(Prompt.Prompt)(prompt))));
      return Stream.fromIterable(script[step++] ?? []);
    },
  });
  const handlers = toolkit.toLayer({
    edit: ({ path }) =>
      Effect.sync(() => {
        ran.push(path);
        return `changed ${path}`;
      }),
  });
  return {
    ran,
    prompts,
    async deliver(gate: ToolGate): Promise<void> {
      await gate.deliver(async ({ id: requestId, body }) => {
        const content = JSON.parse(JSON.stringify((body as Data).prompt));
        const stream = Stream.unwrap(Effect.map(model, (service) => service.streamText({ prompt: decode({ content }), toolkit })));
        const parts = await Effect.runPromise(stream.pipe(Stream.runCollect, Effect.provide(handlers), Effect.orDie) as unknown as Effect.Effect<Iterable<Data>>);
        for (const part of parts) gate.receive(JSON.parse(JSON.stringify(encode(part))), { requestId });
        gate.streamEnded({ status: 'finished' }, { requestId });
      });
    },
  };
}

const finish = { type: 'finish', reason: 'stop', usage: { inputTokens: {}, outputTokens: {} } };
const say = (text: string): Data[] => [{ type: 'text-start', id: '1' }, { type: 'text-delta', id: '1', delta: text }, { type: 'text-end', id: '1' }, finish];
const ask = (...ids: string[]): Data[] => [
  ...ids.flatMap((id) => [
    { type: 'tool-params-start', id, name: 'edit' },
    { type: 'tool-params-delta', id, delta: JSON.stringify({ path: id }) },
    { type: 'tool-params-end', id },
    { type: 'tool-call', id, name: 'edit', params: { path: id } },
  ]),
  { ...finish, reason: 'tool-calls' },
];

async function asked(script: readonly Data[][]) {
  const server = backend([ask('a', 'b', 'c'), ...script]);
  const gate = gateFor('effect');
  gate.sendUserMessage({ text: 'Tidy up.' });
  await server.deliver(gate);
  return { gate, server };
}

const results = (prompt: Data): Data[] => prompt.content.flatMap(({ content }: Data) => (Array.isArray(content) ? content : [])).filter(({ type }: Data) => type === 'tool-result');

test('a mixed answer: the approved run there, the denied reach the model with their reasons', async () => {
  const { gate, server } = await asked([say('Done.'), say('Bye.')]);
  expect(server.ran).toEqual([]);
  const [a, b, c] = gate.pending().map(({ approvalId }) => approvalId) as [string, string, string];
  gate.respond(b, { approved: false, reason: 'Not that one.' });
  gate.respond(a, { approved: true });
  gate.respond(c, { approved: true });
  const body: Data = gate.outgoing()[0]?.body;
  expect(body.prompt.at(-1).content.map(({ type }: Data) => type)).toEqual(['tool-approval-response', 'tool-approval-response', 'tool-approval-response']);
  await server.deliver(gate);
  expect(server.ran).toEqual(['a', 'c']);
  expect(results(server.prompts[1]).map(({ id, result, isFailure }) => [id, result, isFailure])).toEqual([
    ['a', 'changed a', false],
    ['c', 'changed c', false],
    ['b', { type: 'execution-denied', reason: 'Not that one.' }, true],
  ]);
  const parts: Data[] = gate.getSnapshot().messages[1]!.parts.filter((part) => 'toolCallId' in part);
  expect(parts.map(({ state, outcome }) => [state, outcome.kind])).toEqual([
    ['output-available', 'executed'],
    ['output-denied', 'denied'],
    ['output-available', 'executed'],
  ]);
  gate.sendUserMessage({ text: 'Thanks.' });
  await server.deliver(gate);
  expect(server.ran).toEqual(['a', 'c']);
  expect(results(server.prompts[2]).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  expect(rules.effect(gate.assemble())).toEqual([]);
});

test('all denied: nothing runs, and the model goes on', async () => {
  const { gate, server } = await asked([say('As you wish.')]);
  gate.respondAll({ approved: false });
  await server.deliver(gate);
  expect(server.ran).toEqual([]);
  expect(results(server.prompts[1]).map(({ result }) => result)).toEqual(
    // Effect's schema refuses its own result without a reason: there always is one.
    Array.from({ length: 3 }, () => ({ type: 'execution-denied', reason: 'Error: Tool execution was denied by user.' })),
  );
  const part: Data = gate.getSnapshot().messages[1]!.parts.find((one) => 'toolCallId' in one);
  expect(part.outcome).toEqual({ kind: 'denied' });
  expect(gate.getSnapshot().turn.status).toBe('done');
});

test('cancelled, then a message: the model reads what became of the calls, and nothing runs', async () => {
  const { gate, server } = await asked([say('Oh.')]);
  gate.cancel();
  gate.sendUserMessage({ text: 'Something else.' });
  await server.deliver(gate);
  expect(server.ran).toEqual([]);
  expect(results(server.prompts[1]).map(({ result, isFailure }) => [result, isFailure])).toEqual(
    Array.from({ length: 3 }, () => ['Error: Tool execution was cancelled by user. It did not run.', true]),
  );
});

test('a message instead of an answer: denied, with that reason', async () => {
  const { gate, server } = await asked([say('Oh.')]);
  gate.sendUserMessage({ text: 'Wait.' });
  await server.deliver(gate);
  expect(server.ran).toEqual([]);
  expect(results(server.prompts[1]).map(({ result }) => result.reason)).toEqual(Array.from({ length: 3 }, () => 'The user sent a new message instead of answering.'));
});

test('its prompt decodes, and is read back as the same', async () => {
  const { gate, server } = await asked([say('Done.')]);
  gate.respondAll({ approved: true });
  await server.deliver(gate);
  gate.cancel();
  const prompt = gate.assemble();
  expect(() => Schema.decodeUnknownSync(Prompt.Prompt)({ content: prompt })).not.toThrow();
  expect(loaded('effect', prompt).assemble()).toEqual(prompt);
});
