/** opencode's server in every scenario. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { opencode, startOpencode } from './opencode.rig';
import { runInterruptions } from './interruptions';
import type { Reply, Session } from './rig';
import { runScenarios } from './scenarios';

// Each of opencode's turns takes a second or two.
vi.setConfig({ testTimeout: 30_000 });

let server: Awaited<ReturnType<typeof startOpencode>>;
beforeAll(async () => {
  server = await startOpencode();
}, 60_000);
afterAll(() => server.close());

runScenarios(opencode(() => server));
runInterruptions(opencode(() => server));

/** A session in which the model has asked the user, and the id of its question. */
async function asked(): Promise<[Session, string]> {
  const question: Reply = { calls: [{ id: 'q1', tool: 'question', path: 'Which wood?' }] };
  const session = await server.open([question, { text: 'So be it.' }], {});
  session.gate.sendUserMessage({ text: 'Build a table.' });
  await session.gate.deliver(session.send);
  const [waiting] = session.gate.getSnapshot().turn.waitingFor;
  if (waiting?.kind !== 'tool') throw new Error('expected a question');
  return [session, waiting.toolCallIds[0]!];
}

const isQuiet = ({ gate }: Session): void =>
  expect([gate.outgoing(), gate.getSnapshot().turn.waitingFor]).toEqual([[], []]);

test('a question of the model is answered in the page: the model reads the answer', async () => {
  const [session, id] = await asked();
  const { gate, prompts } = session;
  expect(gate.part(id)?.input).toMatchObject({ questions: [{ question: 'Which wood?', options: [{ label: 'Oak' }] }] });
  gate.addToolOutput(id, { output: { action: 'accept', content: { 0: 'Oak' } } });
  await gate.deliver(session.send);
  expect(prompts[1]?.at(-1)).toMatchObject({ kind: 'result', text: expect.stringContaining('Oak') as string });
  isQuiet(session);
  await session.close?.();
});

test('a question that is declined ends the turn, as in opencode, and the model reads it with the next message', async () => {
  const [session, id] = await asked();
  const { gate, prompts } = session;
  gate.addToolOutput(id, { output: { action: 'decline' } });
  await gate.deliver(session.send);
  expect(prompts).toHaveLength(1);
  isQuiet(session);
  gate.sendUserMessage({ text: 'Any wood.' });
  await gate.deliver(session.send);
  expect(prompts[1]?.find(({ kind }) => kind === 'result')).toMatchObject({
    text: expect.stringMatching(/dismissed/i) as string,
  });
  isQuiet(session);
  await session.close?.();
});
