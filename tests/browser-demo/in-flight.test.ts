/**
 * The page is reloaded while a decision is in flight, and while a reply arrives: nothing is sent again automatically,
 * the status bar reports the unconfirmed request, and a retry with the same key runs no tool twice.
 */
import { expect, test } from 'vitest';
import { resultsOf, useDemo, type DemoPage } from './demo';

const demo = useDemo('server', 'cut');

let chat: DemoPage;

/** Approves, waits until the server has run the tool but has not replied yet, and reloads. */
async function reloadInFlight(): Promise<void> {
  chat = await demo.open('reload-in-flight');
  await chat.begin(1);
  await chat.approve('Delete menu-2019.md');
  await chat.status('Delete menu-2019.md', 'sending');
  await chat.recordWith(({ toolRuns }) => toolRuns[0]?.result === 'ok');
  await chat.reload();
  await chat.page.getByText('We don’t know whether the server received the request.').waitFor();
  await chat.status('Delete menu-2019.md', 'unconfirmed');
}

test('a decision in flight: nothing is sent automatically, and a retry does not run the tool again', async () => {
  await reloadInFlight();
  await chat.idle();
  expect((await chat.record()).requests).toHaveLength(2);
  expect(await chat.sent()).toEqual([]);

  await chat.press('Retry');
  await chat.says('Done: deleted menu-2019.md.');
  await chat.status('Delete menu-2019.md', 'done');
  const { requests, toolRuns, modelCalls } = await chat.record();
  expect(requests.map(({ handling }) => handling)).toEqual(['model', 'model', 'replayed']);
  expect(requests[2]?.key).toBe(requests[1]?.key);
  expect(requests[2]?.body).toEqual(requests[1]?.body);
  expect(toolRuns.map(({ toolCallId, result }) => [toolCallId, result])).toEqual([['call1-delete_file-1', 'ok']]);
  expect(modelCalls).toHaveLength(2);
  expect(await chat.page.getByRole('button', { name: 'Retry' }).count()).toBe(0);
});

test('a decision in flight and two reloads: a retry does not run the tool again', async () => {
  await reloadInFlight();
  await chat.reload();
  await chat.press('Retry');
  await chat.says('Done: deleted menu-2019.md.');
  await chat.kept();
  await chat.reload();
  await chat.says('Done: deleted menu-2019.md.');
  await chat.status('Delete menu-2019.md', 'done');
  await chat.idle();
  const { requests, toolRuns } = await chat.record();
  expect(requests.map(({ handling }) => handling)).toEqual(['model', 'model', 'replayed']);
  expect(toolRuns).toHaveLength(1);
});

test('“Give up” instead of a retry: the model reads that the call may have run; nothing runs again', async () => {
  await reloadInFlight();
  await chat.press('Give up');
  await chat.status('Delete menu-2019.md', 'cancelled');
  await chat.notes('Delete menu-2019.md', 'It may have run');
  await chat.write('Which files are there?');
  await chat.says('prices.json');
  const record = await chat.record();
  expect(record.requests).toHaveLength(3);
  expect(record.toolRuns.map(({ toolName }) => toolName)).toEqual(['delete_file', 'list_files']);
  expect(String(resultsOf(record)[0]?.output?.value)).toContain('may have run');
});

test('a message instead of a retry is sent at once, and the model reads that the outcome is unknown', async () => {
  await reloadInFlight();
  await chat.write('Which files are there?');
  await chat.says('prices.json');
  await chat.status('Delete menu-2019.md', 'interrupted');
  const record = await chat.record();
  expect(record.requests).toHaveLength(3);
  expect(record.toolRuns.map(({ toolName }) => toolName)).toEqual(['delete_file', 'list_files']);
  expect(String(resultsOf(record)[0]?.output?.value)).toContain('may have run');
});

test('a reply that was streaming: a retry shows it once, and the model is not asked again', async () => {
  chat = await demo.open('three-edits', { pace: 'natural' });
  await chat.page.locator('.opening').click();
  await chat.page.locator('.prose', { hasText: 'Three small' }).waitFor();
  await chat.reload();
  await chat.page.getByText('We don’t know whether the server received the request.').waitFor();
  await chat.idle();
  expect((await chat.record()).requests).toHaveLength(1);

  await chat.press('Retry');
  await chat.waiting(3);
  expect(await chat.page.locator('.prose').allTextContents()).toEqual([
    'Three small changes for the summer. I need your approval for each.',
  ]);
  expect(await chat.page.locator('tool-approval').count()).toBe(3);
  const { requests, modelCalls } = await chat.record();
  expect(requests.map(({ handling }) => handling)).toEqual(['model', 'replayed']);
  expect(modelCalls).toHaveLength(1);

  await chat.approveAll();
  await chat.says('Done: edited hours.md, edited menu.md, edited prices.json.');
  expect((await chat.record()).toolRuns).toHaveLength(3);
});

test('Stop differs from a reload: the backend stops, and a tool that had not begun does not run', async () => {
  chat = await demo.open('three-edits', { pace: 'natural' });
  await chat.page.locator('.opening').click();
  await chat.page.locator('.prose', { hasText: 'Three small' }).waitFor();
  await chat.press('Stop the reply');
  const record = await chat.recordWith(({ requests }) => requests[0]?.reply === 'finished');
  expect(record.requests).toHaveLength(1);
  expect(record.toolRuns).toEqual([]);
});
