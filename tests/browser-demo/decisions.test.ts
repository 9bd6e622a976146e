/**
 * The requests and prompts of the backend when the user decides three calls, read from the backend's own record.
 */
import { expect, test } from 'vitest';
import { callsOf, resultsOf, useDemo, type DemoPage } from './demo';

const demo = useDemo('static');

let chat: DemoPage;

test('three edits: one denied with a reason, one approved, one undecided at first', async () => {
  chat = await demo.open('three-edits');
  await chat.begin(3);
  await chat.denyWithReason('Edit menu.md', 'There is no ice machine');
  await chat.approve('Edit hours.md');
  await chat.waiting(1);
  await chat.idle();

  // Two of three are decided: nothing was sent, and nothing ran.
  expect(await chat.sent()).toHaveLength(1);
  const half = await chat.record();
  expect(half.requests).toHaveLength(1);
  expect(half.toolRuns).toEqual([]);
  expect(half.modelCalls).toHaveLength(1);

  await chat.approve('Edit prices.json');
  await chat.says('I did not change menu.md');
  await chat.idle();

  // One request for the step, with one answer for each call.
  const record = await chat.record();
  expect(record.requests).toHaveLength(2);
  const [, step] = record.requests;
  expect(step?.decisions.map(({ toolCallId, approved, reason }) => ({ toolCallId, approved, reason }))).toEqual([
    { toolCallId: 'call1-edit_file-1', approved: true, reason: undefined },
    { toolCallId: 'call1-edit_file-2', approved: false, reason: 'There is no ice machine' },
    { toolCallId: 'call1-edit_file-3', approved: true, reason: undefined },
  ]);
  expect(new Set(step?.decisions.map(({ approvalId }) => approvalId)).size).toBe(3);
  expect(step?.key).toMatch(/\S/);
  expect(step?.key).not.toBe(record.requests[0]?.key);

  // No request contains an output of the denied call.
  const parts = record.requests.flatMap(({ body }) =>
    (body as { messages: { parts: Record<string, unknown>[] }[] }).messages.flatMap(({ parts }) => parts),
  );
  const denied = parts.filter(({ toolCallId }) => toolCallId === 'call1-edit_file-2');
  expect(denied.map(({ state }) => state)).toEqual(['approval-responded']);
  expect(denied[0]).not.toHaveProperty('output');
  expect(denied[0]).not.toHaveProperty('errorText');

  // The model read every call once and one result for each, the denial with the user's reason.
  expect(record.modelCalls).toHaveLength(2);
  expect(callsOf(record).map(({ toolCallId }) => toolCallId)).toEqual([
    'call1-edit_file-1',
    'call1-edit_file-2',
    'call1-edit_file-3',
  ]);
  const results = new Map(resultsOf(record).map(({ toolCallId, output }) => [toolCallId, output]));
  expect(resultsOf(record)).toHaveLength(3);
  expect(results.get('call1-edit_file-1')).toEqual({ type: 'text', value: 'Edited hours.md.' });
  expect(results.get('call1-edit_file-2')).toEqual({ type: 'execution-denied', reason: 'There is no ice machine' });
  expect(results.get('call1-edit_file-3')).toEqual({ type: 'text', value: 'Edited prices.json.' });

  // The approved tools ran once, the denied one never.
  expect(record.toolRuns.map(({ toolCallId, result }) => [toolCallId, result])).toEqual([
    ['call1-edit_file-1', 'ok'],
    ['call1-edit_file-3', 'ok'],
  ]);
  expect(record.files['hours.md']).toContain('8:00 to 22:00');
  expect(record.files['menu.md']).not.toContain('Iced coffee');
  expect(record.files['prices.json']).toContain('3.6');

  // The page shows the same.
  await chat.status('Edit hours.md', 'done');
  await chat.status('Edit menu.md', 'denied');
  await chat.status('Edit prices.json', 'done');
  await chat.page.locator('[data-file="menu.md"][data-state="unchanged"]').waitFor();
  await chat.page.locator('[data-file="hours.md"][data-state="changed"]').waitFor();
});

test('the record shows held decisions, and then that they were sent', async () => {
  chat = await demo.open('three-edits');
  await chat.begin(3);
  await chat.approve('Edit hours.md');
  await chat.deny('Edit menu.md');
  const held = chat.page.getByRole('region', { name: 'Held' });
  await held.getByText('edit of menu.md').waitFor();
  expect(await held.getByRole('listitem').count()).toBe(2);

  await chat.approve('Edit prices.json');
  await chat.says('I did not change menu.md');
  expect(await held.count()).toBe(0);
  const sheet = chat.page.locator('[data-request="2"]');
  await sheet.getByText('Acknowledged', { exact: true }).waitFor();
  expect(await sheet.getByRole('listitem').count()).toBe(3);
  const [, entry] = await chat.sent();
  await sheet.getByText(entry!.key!, { exact: true }).waitFor();
  await sheet.getByText('once', { exact: true }).waitFor();

  await chat.page.getByRole('tab', { name: 'What the model saw' }).click();
  await chat.page.locator('[data-model-call="2"] .tag', { hasText: 'execution-denied' }).waitFor();
  await chat.page.getByRole('tab', { name: 'Presses' }).click();
  expect(await chat.page.locator('.move code').allTextContents()).toEqual(['accepted', 'accepted', 'accepted']);
});

test('a denial with a reason: the model reads it and requests another call, which can be denied too', async () => {
  chat = await demo.open('denial-with-reason');
  await chat.begin(1);
  await chat.denyWithReason('Edit prices.json', 'Not before June');
  await chat.says('the price stays: “Not before June”');
  await chat.waiting(1);
  await chat.deny('Write reminders.md');
  await chat.says('I did not change reminders.md');
  const record = await chat.record();
  expect(record.requests.map(({ decisions }) => decisions.length)).toEqual([0, 1, 1]);
  expect(record.toolRuns).toEqual([]);
  expect(callsOf(record)).toHaveLength(2);
  expect(resultsOf(record)).toHaveLength(2);
  await chat.status('Edit prices.json', 'denied');
  await chat.notes('Edit prices.json', 'Reason: Not before June');
});

test('a message sent before pending calls are decided denies them, gives the model the reason, and is sent', async () => {
  chat = await demo.open('three-edits');
  await chat.begin(3);
  await chat.page.getByLabel('Message').fill('Never mind. Show me menu.md');
  await chat.page.keyboard.press('Enter');
  await chat.says('- Cheese toast');
  const record = await chat.record();
  expect(record.requests).toHaveLength(2);
  const changed = record.toolRuns.filter(({ toolName }) => toolName !== 'read_file');
  expect(changed).toEqual([]);
  // Every call in the model's prompt has a result.
  const calls = callsOf(record).map(({ toolCallId }) => toolCallId);
  const results = resultsOf(record).map(({ toolCallId }) => toolCallId);
  expect(calls).toHaveLength(4);
  expect([...results].sort()).toEqual([...calls].sort());
  await chat.waiting(0);
});

test('in a free conversation, a file is read without an approval and edited after one', async () => {
  chat = await demo.open('free-chat');
  const field = chat.page.getByLabel('Message');
  await field.fill('add Scones to menu.md');
  await field.press('Enter');
  await chat.waiting(1);
  await chat.approve('Edit menu.md');
  await chat.says('Done: edited menu.md.');
  const record = await chat.record();
  expect(record.files['menu.md']).toBe('# Menu\n\n- Espresso\n- Flat white\n- Cheese toast\n- Scones\n');
  expect(record.toolRuns.map(({ toolName }) => toolName)).toEqual(['read_file', 'edit_file']);
});

test('a backend inside the page ends with it: a reload starts a new chat, and scenarios about reloads are omitted', async () => {
  chat = await demo.open('two-tabs');
  await chat.page.getByRole('heading', { name: 'Three edits at once' }).waitFor();
  expect(await chat.page.getByRole('button', { name: 'Two tabs', includeHidden: true }).count()).toBe(0);
  await chat.begin(3);
  await chat.reload();
  await chat.page.locator('.opening').waitFor();
  await chat.begin(3);
});
