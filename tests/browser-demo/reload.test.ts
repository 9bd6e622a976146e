/** The page is reloaded while an approval is pending: the same chat, the same answers, one request, each tool once. */
import { expect, test } from 'vitest';
import { useDemo, type DemoPage } from './demo';

const demo = useDemo();

let chat: DemoPage;

test('one call decided, one pending: both are restored, and one request has both answers', async () => {
  chat = await demo.open('reload-pending');
  await chat.begin(2);
  await chat.approve('Edit hours.md');
  await chat.waiting(1);
  await chat.reload();

  await chat.waiting(1);
  await chat.status('Edit hours.md', 'approved');
  await chat.page.getByText('1 of 2 decided.').waitFor();
  await chat.idle();
  expect((await chat.record()).requests).toHaveLength(1);
  expect((await chat.record()).toolRuns).toEqual([]);

  await chat.approve('Write terrace.md');
  await chat.says('Done: edited hours.md, wrote terrace.md.');
  const record = await chat.record();
  expect(record.requests.map(({ decisions }) => decisions.map(({ approved }) => approved))).toEqual([[], [true, true]]);
  expect(record.toolRuns.map(({ toolCallId, result }) => [toolCallId, result])).toEqual([
    ['call1-edit_file-1', 'ok'],
    ['call1-write_file-2', 'ok'],
  ]);
});

test('several reloads with a decision in between: the approved tool runs once', async () => {
  chat = await demo.open('reload-pending');
  await chat.begin(2);
  await chat.reload();
  await chat.waiting(2);
  await chat.denyWithReason('Write terrace.md', 'Ten tables');
  await chat.waiting(1);
  await chat.reload();
  await chat.status('Write terrace.md', 'denied');
  await chat.notes('Write terrace.md', 'Reason: Ten tables');
  await chat.reload();
  await chat.approve('Edit hours.md');
  await chat.says('I did not change terrace.md, as you asked: “Ten tables”.');
  await chat.kept();
  await chat.reload();
  await chat.says('I did not change terrace.md, as you asked: “Ten tables”.');
  await chat.status('Edit hours.md', 'done');
  await chat.status('Write terrace.md', 'denied');
  const record = await chat.record();
  expect(record.requests.map(({ decisions }) => decisions.map(({ approved }) => approved))).toEqual([
    [],
    [true, false],
  ]);
  expect(record.toolRuns.map(({ toolCallId }) => toolCallId)).toEqual(['call1-edit_file-1']);
});

test('requests from before the reload are still listed with the content that the server received', async () => {
  chat = await demo.open('reload-pending');
  await chat.begin(2);
  await chat.reload();
  await chat.waiting(2);
  await chat.page.locator('[data-elsewhere="1"]').getByText('sent before it was loaded').waitFor();
  await chat.denyAll();
  await chat.page.locator('[data-request="1"]').getByText('2 decisions').waitFor();
  expect(await chat.page.locator('.sheet[data-elsewhere]').count()).toBe(1);
});

test('switching to another scenario and back: each has its own chat', async () => {
  chat = await demo.open('reload-pending');
  await chat.begin(2);
  const first = await chat.id();
  const choose = (name: string): Promise<void> => chat.page.getByRole('button', { name, exact: true }).click();
  await choose('Two tabs');
  await chat.page.locator('.opening').waitFor();
  expect(await chat.id()).not.toBe(first);
  await choose('Reload while it waits');
  await chat.waiting(2);
  expect(await chat.id()).toBe(first);
  await chat.approveAll();
  await chat.says('Done: edited hours.md, wrote terrace.md.');
  expect((await chat.record()).toolRuns).toHaveLength(2);
});

test('“Start over” deletes the chat, its stored copy, and the backend’s record', async () => {
  chat = await demo.open('reload-pending');
  await chat.begin(2);
  const before = await chat.id();
  await chat.kept();
  await chat.press('Start over');
  await chat.page.locator('.opening').waitFor();
  expect(await chat.id()).not.toBe(before);
  expect(await (await fetch(`${demo.url}api/record?id=${before}`)).json()).toBeNull();
  expect((await chat.record()).requests).toEqual([]);
  const stored = await chat.page.evaluate(
    () =>
      new Promise<string[]>((resolve, reject) => {
        const opening = indexedDB.open('toolgate');
        opening.onerror = () => reject(new Error('no database'));
        opening.onsuccess = () => {
          const keys = opening.result.transaction('kept').objectStore('kept').getAllKeys();
          keys.onsuccess = () => resolve(keys.result.map(String));
        };
      }),
  );
  // The note on which tab leads stays: it has nothing of the chat, and lets an open chat be stored again.
  expect(stored.filter((key) => key.includes(before) && !key.endsWith(',leader'))).toEqual([]);
  await chat.reload();
  await chat.page.locator('.opening').waitFor();
  await chat.begin(2);
});

test('a chat that the server does not know starts over', async () => {
  chat = await demo.open('reload-pending');
  await chat.begin(2);
  const before = await chat.id();
  await chat.kept();
  await fetch(`${demo.url}api/record?id=${before}`, { method: 'DELETE' });
  await chat.reload();
  await chat.page.locator('.opening').waitFor();
  expect(await chat.id()).not.toBe(before);
  await chat.begin(2);
});
