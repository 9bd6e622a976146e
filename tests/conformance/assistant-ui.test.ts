/** What the kit does not see of the page of docs/assistant-ui.md: its requests have the id of its chat. */
import { expect, test } from 'vitest';
import { guardedAssistantUiAdapter } from './adapters/assistant-ui';
import { runScenarios, scenarios } from './kit/src/index';

test('two chats have two ids', async () => {
  const chosen = scenarios.filter(({ id }) => ['approval-runs-once', 'denial-of-all'].includes(id));
  const results = await runScenarios(guardedAssistantUiAdapter, chosen);
  const ids = results.map(({ requests }) => requests.map(({ body }) => (JSON.parse(body) as { id: string }).id));
  expect(ids.map(([first]) => first)).toEqual([expect.stringMatching(/^chat-/), expect.stringMatching(/^chat-/)]);
  expect(new Set(ids.flat()).size).toBe(2);
});
