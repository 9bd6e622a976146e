/** Empty replies, lost requests, lost replies, and double clicks. */
import { expect, test } from 'vitest';
import { useDemo, type DemoPage } from './demo';

const demo = useDemo('static');

let chat: DemoPage;

test('an empty reply: nothing is sent again automatically, and Retry sends it once', async () => {
  chat = await demo.open('empty-reply');
  await chat.begin(2);
  await chat.approve('Edit hours.md');
  await chat.deny('Edit menu.md');
  await chat.page.getByText('The server’s answer was empty.').waitFor();
  await chat.idle();
  expect((await chat.sent()).map(({ attempt }) => attempt)).toEqual([1, 1]);
  const stalled = await chat.record();
  expect(stalled.requests.map(({ handling }) => handling)).toEqual(['model', 'nothing']);
  expect(stalled.toolRuns).toEqual([]);
  await chat.page.locator('[data-request="2"]').getByText('Stalled', { exact: true }).waitFor();

  await chat.press('Retry');
  await chat.says('Done: edited hours.md.');
  await chat.idle();
  const sent = await chat.sent();
  expect(sent.map(({ attempt }) => attempt)).toEqual([1, 1, 2]);
  expect(sent[2]?.key).toBe(sent[1]?.key);
  expect(sent[2]?.body).toEqual(sent[1]?.body);
  const record = await chat.record();
  expect(record.requests.map(({ handling }) => handling)).toEqual(['model', 'nothing', 'model']);
  expect(record.toolRuns.map(({ toolCallId }) => toolCallId)).toEqual(['call1-edit_file-1']);
  expect(await chat.page.getByRole('button', { name: 'Retry' }).count()).toBe(0);
});

test('an empty reply to denials alone: no second request is sent automatically', async () => {
  chat = await demo.open('empty-reply');
  await chat.begin(2);
  await chat.denyAll();
  await chat.page.getByText('The server’s answer was empty.').waitFor();
  await chat.idle();
  expect((await chat.record()).requests).toHaveLength(2);
  await chat.press('Retry');
  await chat.says('I did not change hours.md. I did not change menu.md.');
  await chat.idle();
  expect((await chat.record()).requests).toHaveLength(3);
});

test('an empty reply, then “Give up”: the calls are cancelled without a request, and the chat continues', async () => {
  chat = await demo.open('empty-reply');
  await chat.begin(2);
  await chat.approveAll();
  await chat.page.getByText('The server’s answer was empty.').waitFor();
  await chat.press('Give up');
  await chat.status('Edit hours.md', 'cancelled');
  await chat.idle();
  expect(await chat.sent()).toHaveLength(2);
  await chat.page.getByLabel('Message').fill('Show me hours.md');
  await chat.page.keyboard.press('Enter');
  await chat.says('Sunday: closed');
  expect((await chat.record()).toolRuns.map(({ toolName }) => toolName)).toEqual(['read_file']);
});

test('a network failure: the answers are not lost, Retry sends them with the same key, each tool runs once', async () => {
  chat = await demo.open('network-failure');
  await chat.begin(3);
  await chat.approve('Edit hours.md');
  await chat.deny('Edit menu.md');
  await chat.approve('Edit prices.json');
  await chat.page.getByText('No usable reply came: the request may have arrived.').waitFor();
  for (const file of ['hours.md', 'menu.md', 'prices.json']) await chat.status(`Edit ${file}`, 'undelivered');
  await chat.card('Edit menu.md').getByText('Denied · No reply', { exact: true }).waitFor();
  await chat.idle();
  expect((await chat.sent()).map(({ state }) => state)).toEqual(['answered', 'failed']);
  expect((await chat.record()).requests).toHaveLength(1);
  await chat.page.locator('[data-request="2"]').getByText('never', { exact: true }).waitFor();

  await chat.press('Retry');
  await chat.says('Done: edited hours.md, edited prices.json.');
  const sent = await chat.sent();
  expect(sent.map(({ attempt }) => attempt)).toEqual([1, 1, 2]);
  expect(sent[2]?.key).toBe(sent[1]?.key);
  expect(sent[2]?.body).toEqual(sent[1]?.body);
  const record = await chat.record();
  expect(record.requests).toHaveLength(2);
  expect(record.requests[1]?.key).toBe(sent[1]?.key);
  expect(record.toolRuns.map(({ toolCallId, result }) => [toolCallId, result])).toEqual([
    ['call1-edit_file-1', 'ok'],
    ['call1-edit_file-3', 'ok'],
  ]);
});

test('a lost reply: the server has run the tools, and the idempotency key prevents a retry from running them again', async () => {
  chat = await demo.open('lost-reply');
  await chat.begin(1);
  await chat.approve('Edit hours.md');
  await chat.page.getByText('No usable reply came: the request may have arrived.').waitFor();
  await chat.page.locator('[data-file="hours.md"][data-state="changed"]').waitFor();
  await chat.press('Retry');
  await chat.says('Done: edited hours.md.');
  await chat.status('Edit hours.md', 'done');
  const record = await chat.record();
  expect(record.requests.map(({ handling }) => handling)).toEqual(['model', 'model', 'replayed']);
  expect(record.requests[2]?.key).toBe(record.requests[1]?.key);
  expect(record.toolRuns).toHaveLength(1);
  expect(record.modelCalls).toHaveLength(2);
});

test('a double click, and more clicks by scripts and keys: one decision, one request', async () => {
  chat = await demo.open('double-click');
  await chat.begin(1);
  const card = chat.card('Delete menu-2019.md');
  await card.evaluate((host: HTMLElement) => {
    const button = (act: string) => host.shadowRoot!.querySelector<HTMLElement>(`[data-act=${act}]`)!;
    const [approve, deny] = [button('approve'), button('deny')];
    addEventListener('click', () => [approve, deny, approve].forEach((each) => each.click()), { once: true });
  });
  await card.getByRole('button', { name: /^Approve/ }).dblclick();
  await chat.says('Done: deleted menu-2019.md.');
  await chat.idle();

  const presses = (await chat.log())
    .filter(({ event }) => event['type'] === 'press')
    .map(({ event }) => event['result']);
  expect(presses).toEqual(['accepted']);
  const record = await chat.record();
  expect(record.requests).toHaveLength(2);
  expect(record.requests[1]?.decisions.map(({ approved }) => approved)).toEqual([true]);
  expect(record.toolRuns).toHaveLength(1);
  expect(await chat.sent()).toHaveLength(2);
});

test('a double click on the first of three cards decides only that one', async () => {
  chat = await demo.open('three-edits');
  await chat.begin(3);
  await chat
    .card('Edit hours.md')
    .getByRole('button', { name: /^Approve/ })
    .dblclick();
  await chat.waiting(2);
  await chat.idle();
  expect((await chat.log()).filter(({ event }) => event['type'] === 'press')).toHaveLength(1);
  expect(await chat.sent()).toHaveLength(1);
});
