/**
 * The OpenAI Agents SDK in every scenario.
 */
import { expect, test } from 'vitest';
import { openaiAgents } from './openai-agents.rig';
import { runInterruptions } from './interruptions';
import { runScenarios } from './scenarios';
import { THREE_CALLS } from './support';

runScenarios(openaiAgents());
runInterruptions(openaiAgents());
runScenarios(openaiAgents(true));

test('a turn with pending approvals is in the server’s history, and its user message stays there after a cancel', async () => {
  const session = await openaiAgents().open([THREE_CALLS, { text: 'As you wish.' }], {});
  session.gate.sendUserMessage({ text: 'Tidy up.' });
  await session.gate.deliver(session.send);
  const input = [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Never mind.' }] }];
  await session.send({
    id: 'out-1',
    key: 'x',
    kind: 'submission',
    approvalIds: [],
    attempt: 1,
    body: { chatId: 'chat', input },
  });
  const prompt = session.prompts.at(-1) ?? [];
  expect(prompt.filter(({ kind }) => kind === 'user').map(({ text }) => text)).toEqual(['Tidy up.', 'Never mind.']);
  // The history has every executed call with its result, and no call without one.
  expect(prompt.filter(({ kind }) => kind === 'call').map(({ call }) => call)).toEqual(['read /r']);
  expect(prompt.filter(({ kind }) => kind === 'result').map(({ call }) => call)).toEqual(['read /r']);
  await session.close?.();
});
