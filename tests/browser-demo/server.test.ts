/** The demo's backend as a Node server: the page sends it requests over HTTP, and behaves in the same way. */
import { expect, test } from 'vitest';
import { resultsOf, startServer, useDemo } from './demo';

const demo = useDemo('server', 'cut');

test('without an API key the scripted model answers', async () => {
  const server = await startServer();
  expect(server.model).toBe('scripted');
  await server.close();
});

test('a denial and an approval are sent over HTTP once, with their key', async () => {
  const chat = await demo.open('three-edits');
  await chat.begin(3);
  await chat.denyWithReason('Edit menu.md', 'No ice');
  await chat.approveAll();
  await chat.says('I did not change menu.md');
  await chat.page.locator('[data-file="hours.md"][data-state="changed"]').waitFor();
  const record = await chat.recordWith(({ requests }) => requests[1]?.reply === 'finished');
  expect(record.requests).toHaveLength(2);
  expect(record.requests[1]?.key).toMatch(/\S/);
  expect(record.requests[1]?.decisions.map(({ approved }) => approved)).toEqual([true, false, true]);
  expect(resultsOf(record)).toHaveLength(3);
  expect(record.toolRuns).toHaveLength(2);
});

test('a cut connection is a failure for the page, and a retry succeeds', async () => {
  const chat = await demo.open('network-failure');
  await chat.begin(3);
  await chat.approveAll();
  await chat.page.getByText('No usable reply came: the request may have arrived.').waitFor();
  await chat.press('Retry');
  await chat.says('Done: edited hours.md, edited menu.md, edited prices.json.');
  const sent = await chat.sent();
  expect(sent.map(({ attempt }) => attempt)).toEqual([1, 1, 2]);
  expect(sent[2]?.key).toBe(sent[1]?.key);
});

test('the server rejects other content types, invalid messages, other methods and unknown paths', async () => {
  const post = (headers: Record<string, string>, body: string): Promise<Response> =>
    fetch(`${demo.url}api/chat?scenario=three-edits`, { method: 'POST', headers, body });
  expect((await post({ 'content-type': 'text/plain' }, '{}')).status).toBe(415);
  expect((await post({ 'content-type': 'application/json' }, '{"id":"x","messages":"none"}')).status).toBe(400);
  expect(await (await fetch(`${demo.url}api/record?id=nobody`)).json()).toBeNull();
  expect((await fetch(`${demo.url}api/record`, { method: 'PUT' })).status).toBe(405);
  expect((await fetch(`${demo.url}api/stop?id=nobody`)).status).toBe(405);
  expect((await fetch(`${demo.url}../package.json`)).status).toBe(404);
});
