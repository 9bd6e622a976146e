/** What docs/conformance.md and docs/assistant-ui.md say about clients beside the tables. */
import { expect, test } from 'vitest';
import { guardedAssistantUiAdapter } from './adapters/assistant-ui';
import { copilotKit } from './adapters/copilotkit';
import { runScenarios, scenarios } from './kit/src/index';

const chosen = (...ids: string[]) => scenarios.filter(({ id }) => ids.includes(id));

test('assistant-ui: two chats have two ids', async () => {
  const results = await runScenarios(guardedAssistantUiAdapter, chosen('approval-runs-once', 'denial-of-all'));
  const ids = results.map(({ requests }) => requests.map(({ body }) => (JSON.parse(body) as { id: string }).id));
  expect(ids.map(([first]) => first)).toEqual([expect.stringMatching(/^chat-/), expect.stringMatching(/^chat-/)]);
  expect(new Set(ids.flat()).size).toBe(2);
});

test('CopilotKit: an interrupt with the reason `tool_call` gives its call a second result', async () => {
  const known = { known: ['denial-is-a-decision'] };
  const [result] = await runScenarios(copilotKit('tool_call'), chosen('denial-is-a-decision'), known);
  expect(result!.requests.map(({ faults }) => faults)).toEqual([[], ['result c1 is there twice']]);
  const answer = 'result c1: output "{\\"approved\\":false,\\"reason\\":\\"keep it\\"}"';
  expect(result!.requests.at(-1)!.prompt).toContain(answer);
});

test('CopilotKit: after a failed reply no message can be sent', async () => {
  const known = { known: ['error-after-approval'] };
  const [result] = await runScenarios(copilotKit('langgraph:interrupt'), chosen('error-after-approval'), known);
  expect(result!.requests).toHaveLength(2);
  expect(result!.thrown).toEqual([expect.stringContaining('pending interrupt(s) not addressed by resume')]);
});
