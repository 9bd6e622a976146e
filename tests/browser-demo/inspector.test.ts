/** The inspector in the demo: its content while scenarios run, and the replay of its exports. */
import { readFileSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { init, ToolGate } from 'toolgate';
import { replay, type Recording } from 'toolgate/inspector';
import { beforeAll, expect, test } from 'vitest';
import { SCREENS } from '../lib/screens';
import { useDemo, type DemoPage } from './demo';
import { PROTOCOL_NAMES } from '../protocols/all.js';

const demo = useDemo('server', 'cut');

beforeAll(() => init());

const tab = (inspector: Locator, name: RegExp): Promise<void> => inspector.getByRole('tab', { name }).click();

/** The lines of a kind in the timeline. */
const lines = async (inspector: Locator, kind: string): Promise<string[]> =>
  (await inspector.locator(`.line.${kind} > div`).allInnerTexts()).map((text) => text.replace(/\n+/, ': '));

/** Saves the recording, and returns the file's content. */
async function exported(chat: DemoPage, inspector: Locator): Promise<Recording> {
  const [download] = await Promise.all([
    chat.page.waitForEvent('download'),
    inspector.getByRole('button', { name: 'Export recording' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^toolgate-.*\.json$/);
  return JSON.parse(readFileSync(await download.path(), 'utf8')) as Recording;
}

/** Replays a recording, and expects the same view after each step. */
async function expectSame(recording: Recording): Promise<ToolGate> {
  const { difference, gate } = await replay(recording, { ToolGate });
  expect(difference?.message).toBeUndefined();
  return gate;
}

test('the timeline of three edits, and a recording of them whose replay has the same view', async () => {
  const chat = await demo.open('three-edits');
  const inspector = await chat.inspect();
  await chat.begin(3);
  await inspector.getByRole('tab', { name: /^Approvals 3/ }).click();
  expect(await inspector.locator('.card').count()).toBe(3);

  await chat.denyWithReason('Edit menu.md', 'There is no ice machine');
  await chat.approve('Edit hours.md');
  await inspector.getByRole('tab', { name: /^Approvals 1/ }).waitFor();
  await chat.approve('Edit prices.json');
  await chat.says('I did not change menu.md');

  await tab(inspector, /^Timeline/);
  const moves = (await lines(inspector, 'transition')).join('\n');
  for (const call of ['call1-edit_file-1', 'call1-edit_file-2', 'call1-edit_file-3'])
    expect(moves).toContain(`edit_file ${call}`);
  expect(moves).toContain('→ approval-requested');
  expect(moves).toContain('approval-requested → approval-responded');
  expect(await lines(inspector, 'decision')).toEqual([
    'edit_file call1-edit_file-2: denied, by user: There is no ice machine',
    'edit_file call1-edit_file-1: approved, by user',
    'edit_file call1-edit_file-3: approved, by user',
  ]);
  // One request for the message and one for the decisions: each was sent and acknowledged.
  expect((await lines(inspector, 'delivery')).map((line) => line.replace(/^Request out-\d: /, ''))).toEqual([
    'new → ready',
    'ready → in-flight',
    'in-flight → acknowledged',
    'new → ready',
    'ready → in-flight',
    'in-flight → acknowledged',
  ]);
  expect(await lines(inspector, 'anomaly')).toEqual([]);

  const shown = await chat.page.locator('.prose').allTextContents();
  const gate = await expectSame(await exported(chat, inspector));
  const parts = gate.getSnapshot().messages.flatMap((message) => (message.role === 'assistant' ? message.parts : []));
  expect(parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))).toEqual(shown);
  expect(gate.getSnapshot()).toMatchObject({ status: 'idle', turn: { status: 'done' } });
});

test.each(SCREENS)('the lanes keep their place while a chat goes on: %s, %i pixels', async (colorScheme, width) => {
  const chat = await demo.open('three-edits', { colorScheme, viewport: { width, height: 860 } });
  const inspector = await chat.inspect();
  const place = async (selector: string): Promise<number[]> => {
    // In the inspector: the page may be scrolled.
    const [box, around] = [(await inspector.locator(selector).boundingBox())!, (await inspector.boundingBox())!];
    return [box.x - around.x, box.y - around.y, box.width].map(Math.round);
  };
  const shot = async (name: string): Promise<void> => {
    const folder = process.env['TOOLGATE_SHOTS'];
    if (folder) await inspector.screenshot({ path: `${folder}/lanes-${width}-${colorScheme}-${name}.png` });
  };
  const lanes = await place('.lanes');
  await chat.begin(3);
  await inspector.getByText(/^Waits for the user \(edit_file call1-edit_file-1, /).waitFor();
  const toTop = (): Promise<unknown> => inspector.getByRole('tabpanel').evaluate((body) => (body.scrollTop = 0));
  await toTop();
  const list = await place('.lines');
  await shot('1-waiting');
  await chat.denyWithReason('Edit menu.md', 'There is no ice machine');
  await chat.approveAll();
  await chat.says('I did not change menu.md');
  await inspector.getByText('Waits for nothing.').waitFor();
  expect(await inspector.locator('.names li').count()).toBe(4);
  expect(await inspector.locator('.crossing.in-flight').last().locator('circle').count()).toBe(3);
  await toTop();
  await shot('2-done');
  expect([await place('.lanes'), await place('.lines')]).toEqual([lanes, list]);

  // The drawing is scrolled by keyboard, and a sign leads to its line.
  const drawn = inspector.getByRole('group', { name: 'Lanes of the calls' });
  await drawn.focus();
  await chat.page.keyboard.press('End');
  await inspector.locator('.mark.decision.denied').click();
  await inspector.locator('.line.decision[data-chosen]', { hasText: 'There is no ice machine' }).waitFor();
});

test('“Outgoing” lists an undelivered request with its key, and sends it again', async () => {
  const chat = await demo.open('network-failure');
  const inspector = await chat.inspect();
  await tab(inspector, /^Outgoing/);
  await inspector.getByText('No outgoing or undelivered requests.').waitFor();
  await chat.begin(3);
  await chat.approveAll();
  await inspector.getByRole('tab', { name: /^Outgoing 1/ }).waitFor();
  const item = inspector.locator('.card');
  await item.getByText('failed', { exact: true }).waitFor();
  const [, failed] = await chat.sent();
  await item.getByText(failed!.key!, { exact: true }).waitFor();
  await item.getByText('Body').click();
  expect(await item.locator('pre').innerText()).toContain('"approval-responded"');

  await item.getByRole('button', { name: /^Retry/ }).click();
  await chat.says('Done: edited hours.md');
  expect((await chat.sent()).map(({ attempt }) => attempt)).toEqual([1, 1, 2]);
  await tab(inspector, /^Timeline/);
  const deliveries = (await lines(inspector, 'delivery')).map((line) => line.replace(/^Request out-\d: /, ''));
  expect(deliveries.some((line) => line.startsWith('in-flight → failed'))).toBe(true);
  expect(deliveries.at(-1)).toBe('in-flight → acknowledged, attempt 2');
  await expectSame(await exported(chat, inspector));
});

test('every backend gets the denial in its own format', async () => {
  const chat = await demo.open('three-edits');
  await chat.begin(3);
  await chat.denyWithReason('Edit menu.md', 'There is no ice machine');
  await chat.approveAll();
  await chat.says('I did not change menu.md');
  // The inspector can be opened at any time, and also shows earlier events.
  const inspector = await chat.inspect();
  await tab(inspector, /^Messages/);
  await inspector.locator('.choice summary').click();
  for (const box of await inspector.getByRole('checkbox').all()) await box.check();
  for (const protocol of PROTOCOL_NAMES) {
    const column = inspector.getByRole('region', { name: protocol, exact: true });
    await column.locator('pre').first().waitFor();
    const text = await column.innerText();
    // The request contains the user's reason if the backend accepts one, and the outcomes of all three calls.
    for (const words of ['menu.md', 'hours.md', 'prices.json']) expect(text, protocol).toContain(words);
    if (text.includes('supports reasons')) expect(text, protocol).toContain('There is no ice machine');
    // The outcomes of the calls are found by their colour.
    expect((await column.locator('.no').allInnerTexts()).join('\n'), protocol).toMatch(
      /call1-edit_file-2|denied|reject/,
    );
    expect(await column.locator('.yes').count(), protocol).toBeGreaterThan(0);
  }
});

test('a backend that contradicts itself is an anomaly, in the timeline and in the recording', async () => {
  const chat = await demo.open('three-edits');
  const inspector = await chat.inspect();
  // The server's reply, with an added output of an unknown call.
  await chat.page.route('**/api/chat?*', async (route) => {
    const response = await route.fetch();
    const stray = 'data: {"type":"tool-output-available","toolCallId":"nobody","output":"?"}\n\n';
    await route.fulfill({ response, body: (await response.text()).replace('data: [DONE]', `${stray}data: [DONE]`) });
  });
  await chat.begin(3);
  const [anomaly] = await lines(inspector, 'anomaly');
  expect(anomaly).toContain('Anomaly: unknown-call');
  const recording = await exported(chat, inspector);
  expect(recording.auditLog.filter(({ type }) => type === 'anomaly')).toMatchObject([
    { code: 'unknown-call', toolCallId: 'nobody' },
  ]);
  await expectSame(recording);
});

test('the inspector switches to another scenario, collapses, and is removed when it is closed', async () => {
  const chat = await demo.open('three-edits');
  const inspector = await chat.inspect();
  await chat.begin(3);
  await inspector.locator('.line.transition').first().waitFor();
  await chat.page.getByRole('button', { name: 'A denial with a reason' }).click();
  await chat.page.getByRole('heading', { name: 'A denial with a reason' }).waitFor();
  await inspector.getByText('No events yet.').waitFor();
  await chat.begin(1);
  await inspector.locator('.line.transition').first().waitFor();

  await inspector.getByRole('button', { name: 'Collapse' }).click();
  expect(await inspector.locator('.line').first().isVisible()).toBe(false);
  await inspector.getByRole('button', { name: 'Close' }).click();
  await inspector.waitFor({ state: 'detached' });
  await chat.page.getByRole('button', { name: 'Inspector', expanded: false }).waitFor();
  await chat.page.waitForFunction(() => document.activeElement?.id === 'inspector-button');
});

test.each(['Svelte', 'Vue'] as const)('%s: the inspector also records there', async (page) => {
  const chat = await demo.open('three-edits', { page });
  const inspector = await chat.inspect();
  await chat.begin(3);
  await chat.approveAll();
  await chat.says('Done: edited hours.md');
  const gate = await expectSame(await exported(chat, inspector));
  expect(gate.getSnapshot().messages).toHaveLength(2);
});
