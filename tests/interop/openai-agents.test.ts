/**
 * The OpenAI Agents SDK in every scenario.
 */
import { expect, test } from 'vitest';
import { openaiAgents } from './openai-agents.rig';
import { runScenarios } from './scenarios';
import { THREE_CALLS } from './support';

runScenarios(openaiAgents());
runScenarios(openaiAgents(true));

test('the server’s history contains a turn with pending approvals, and after a cancel the turn’s user message', async () => {
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
