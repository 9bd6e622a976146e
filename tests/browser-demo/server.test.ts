/** The same backend as a Node server: the page talks to it over HTTP, and behaves the same. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { resultsOf, startDemo, type Demo } from './demo';

interface DemoServer {
  url: string;
  model: string;
  close(): Promise<void>;
}

let server: DemoServer;
let demo: Demo;

beforeAll(async () => {
  for (const name of ['AI_GATEWAY_API_KEY', 'OPENAI_API_KEY', 'ANTHROPIC_API_KEY']) delete process.env[name];
  const start: string = '../../www/server/start.mjs';
  const { startDemoServer } = (await import(start)) as { startDemoServer(options: { port: number }): Promise<DemoServer> };
  server = await startDemoServer({ port: 0 });
  demo = await startDemo(server.url);
});
afterAll(async () => {
  await demo.close();
  await server.close();
});

test('without a key the scripted model answers', () => {
  expect(server.model).toBe('scripted');
});

test('a denial and an approval go over HTTP once, with their key', async () => {
  const chat = await demo.open('three-edits');
  await chat.begin(3);
  await chat.denyWithReason('edit of menu.md', 'No ice');
  await chat.press('Approve the rest');
  await chat.says('I left menu.md as it is');
  await chat.page.locator('[data-file="hours.md"][data-state="changed"]').waitFor();
  await chat.page.waitForFunction(() => (window.__backend!.record() as { requests: { reply: string }[] }).requests[1]?.reply === 'finished');
  const record = await chat.record();
  expect(record.requests).toHaveLength(2);
  expect(record.requests[1]?.key).toMatch(/\S/);
  expect(record.requests[1]?.decisions.map(({ approved }) => approved)).toEqual([true, false, true]);
  expect(resultsOf(record)).toHaveLength(3);
  expect(record.toolRuns).toHaveLength(2);
  expect(chat.problems).toEqual([]);
  await chat.close();
});

test('a connection that is cut is a failure for the page, and a retry goes through', async () => {
  const chat = await demo.open('network-failure');
  await chat.begin(3);
  await chat.press('Approve all');
  await chat.page.getByText('The request did not get through.').waitFor();
  await chat.press('Retry');
  await chat.says('Done: edited hours.md, edited menu.md, edited prices.json.');
  const sent = await chat.sent();
  expect(sent.map(({ attempt }) => attempt)).toEqual([1, 1, 2]);
  expect(sent[2]?.key).toBe(sent[1]?.key);
  // The browser itself reports the cut connection; nothing else may be wrong.
  expect(chat.problems.filter((problem) => !problem.includes('net::ERR_'))).toEqual([]);
  await chat.close();
});

test('it answers only its own address, and only JSON', async () => {
  const post = (headers: Record<string, string>, body: string): Promise<Response> =>
    fetch(`${server.url}api/chat?scenario=three-edits`, { method: 'POST', headers, body });
  expect((await post({ 'content-type': 'text/plain' }, '{}')).status).toBe(415);
  expect((await post({ 'content-type': 'application/json' }, '{"id":"x","messages":"none"}')).status).toBe(400);
  expect((await fetch(`${server.url}api/record?id=nobody`)).status).toBe(404);
  expect((await fetch(`${server.url}../package.json`)).status).toBe(404);
});
