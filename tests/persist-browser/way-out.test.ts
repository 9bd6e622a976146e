/**
 * A guarded chat with nothing but the AI SDK's interface. Something goes wrong, then the user acts, and afterwards the
 * chat can always go on: by messages and decisions alone, without `retry`, `resume` or `cancel`. An approval that was
 * held runs only because the user approves again.
 */
import type { ServerResponse } from 'node:http';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { write } from './backend.js';
import { ready, stage } from './tabs.js';

const test = stage('bare.tsx');

type Trouble = 'stop' | 'disconnect' | 'failure';
type Act = 'message' | 'denial' | 'approval' | 'reload';

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const approvals = (page: Page) => page.getByRole('button', { name: /^Approve/ });
const isReady = (page: Page) => page.locator('#status', { hasText: /^(ready|error)$/ }).waitFor();

/** What a server does to a reply that it has begun, or not. `Stop` is pressed in the page. */
function disturb(response: ServerResponse, trouble: Trouble): void {
  // Not before its headers: a browser may repeat such a request itself.
  if (trouble === 'disconnect') response.write(': lost\n\n', () => response.destroy());
  if (trouble !== 'failure') return;
  if (!response.headersSent) return void response.writeHead(500).end('out of order');
  write(response, [{ type: 'error', errorText: 'out of order' }]);
  response.end();
}

/** Asks for another reply, approves what it asks, and reads its end. A message may first have to give up a request. */
async function goOn(page: Page): Promise<void> {
  test.backend.onReply = undefined;
  const [count, open] = [test.backend.requests.length, await approvals(page).count()];
  for (let tries = 0; tries < 2 && test.backend.requests.length === count; tries++) {
    await press(page, 'Send');
    await page.waitForTimeout(500);
    await isReady(page);
  }
  expect(test.backend.requests.length, `${open} were open`).toBeGreaterThan(count);
  while ((await approvals(page).count()) > 0) await approvals(page).first().click();
  await page.locator('#texts', { hasText: /All done\.$/ }).waitFor();
  await page.waitForFunction(() => !/:(approval|input)/.test(document.querySelector('#calls')!.textContent));
  await isReady(page);
  expect(await page.locator('#status').textContent()).toBe('ready');
}

async function act(page: Page, by: Act, name: string): Promise<void> {
  test.backend.onReply = undefined;
  if (by === 'message') await press(page, 'Send');
  if (by === 'denial') await press(page, `Deny ${name}-c2`);
  if (by === 'approval') await press(page, `Approve ${name}-c2`);
  if (by === 'reload') {
    // What happened last is stored.
    await page.waitForTimeout(300);
    await page.reload();
    await ready(page);
    await page.locator('#calls', { hasText: `${name}-c1` }).waitFor();
  }
  await page.waitForTimeout(300);
  await isReady(page);
}

const troubles: readonly Trouble[] = ['stop', 'disconnect', 'failure'];
const acts: readonly Act[] = ['message', 'denial', 'approval', 'reload'];

it.each(troubles.flatMap((trouble) => acts.map((by) => [trouble, by] as const)))(
  '%s while a reply asks, with one call approved; then: %s',
  async (trouble, by) => {
    const name = `asks-${trouble}-${by}`;
    test.backend.calls = 2;
    let reply!: ServerResponse;
    test.backend.onReply = (response, chunks) => write((reply = response), chunks.slice(0, -2));
    const page = await test.open(name, 'indexeddb');
    await press(page, 'Send');
    await press(page, `Approve ${name}-c1`);
    await page.locator('#calls', { hasText: `${name}-c1:approval-responded` }).waitFor();
    if (trouble === 'stop') await press(page, 'Stop');
    disturb(reply, trouble);
    await isReady(page);
    await act(page, by, name);
    const runs = by === 'approval' ? 1 : undefined;
    await goOn(page);
    expect([test.backend.ran[`${name}-c1`], test.backend.ran[`${name}-c2`]]).toEqual([runs, runs]);
  },
  60_000,
);

it.each(troubles.flatMap((trouble) => (['message', 'reload'] as const).map((by) => [trouble, by] as const)))(
  '%s while approved calls run; then: %s',
  async (trouble, by) => {
    const name = `runs-${trouble}-${by}`;
    test.backend.calls = 2;
    const page = await test.open(name, 'indexeddb');
    await press(page, 'Send');
    await press(page, `Approve ${name}-c1`);
    const reply = new Promise<ServerResponse>((resolve) => (test.backend.onReply = resolve));
    await press(page, `Approve ${name}-c2`);
    const response = await reply;
    if (trouble === 'stop') await press(page, 'Stop');
    disturb(response, trouble);
    await isReady(page);
    await act(page, by, name);
    await goOn(page);
    expect([test.backend.ran[`${name}-c1`], test.backend.ran[`${name}-c2`]]).toEqual([1, 1]);
  },
  60_000,
);
