/**
 * The same chat in two tabs that answer at the same moment: one decision for each approval, one request, each tool at
 * most once, for all combinations of buttons; and both tabs show the same.
 */
import type { BackendRecord } from '../../www/src/backend/record';
import type { ToolApprovalElement } from 'toolgate/element';
import { expect, test, vi } from 'vitest';
import { useDemo, type DemoPage } from './demo';

const demo = useDemo();

let chat: DemoPage;

const CALLS = ['call1-edit_file-1', 'call1-edit_file-2', 'call1-edit_file-3'] as const;

/** The chat in two tabs, with three pending calls. */
async function twoTabs(): Promise<DemoPage> {
  chat = await demo.open('two-tabs');
  await chat.begin(3);
  const other = await chat.tab();
  await other.waiting(3);
  await chat.page.locator('[data-tab="sends"]').waitFor();
  await other.page.locator('[data-tab="follows"]').waitFor();
  return other;
}

/** The calls that a tab shows, with their statuses. Both tabs must show the same ones. */
function shown(tab: DemoPage): Promise<string[]> {
  return tab.page
    .locator('tool-approval')
    .evaluateAll((cards) =>
      (cards as ToolApprovalElement[]).map(({ toolCallId, status }) => `${toolCallId} ${status}`),
    );
}

/** Presses a button, or does nothing if it has just disappeared: the other tab may have been faster. */
async function pressIfThere(tab: DemoPage, act: string, call: string): Promise<void> {
  await tab.page.evaluate(
    ([wanted, id]) =>
      [...document.querySelectorAll('tool-approval')]
        .find(({ toolCallId }) => toolCallId === id)
        ?.shadowRoot?.querySelector<HTMLElement>(`[data-act=${wanted}]`)
        ?.click(),
    [act, call] as const,
  );
}

/** One request with one answer for each call, and each tool ran once if it was approved and never if not. */
function expectOnce(record: BackendRecord): void {
  expect(record.requests).toHaveLength(2);
  const decisions = record.requests[1]!.decisions;
  expect(decisions.map(({ toolCallId }) => toolCallId)).toEqual(CALLS);
  const approved = decisions.filter((decision) => decision.approved).map(({ toolCallId }) => toolCallId);
  expect(record.toolRuns.map(({ toolCallId }) => toolCallId).sort()).toEqual(approved.sort());
  expect(record.toolRuns.every(({ result }) => result === 'ok')).toBe(true);
}

/** Waits until both tabs show the end of the turn, and expects the same content. */
async function expectSame(other: DemoPage): Promise<void> {
  await Promise.all([chat, other].map((tab) => tab.replies(2)));
  expect(await shown(other)).toEqual(await shown(chat));
  expect(await other.page.locator('.prose').allTextContents()).toEqual(
    await chat.page.locator('.prose').allTextContents(),
  );
}

test('the second tab shows the same, and each shows the other’s answers', async () => {
  const other = await twoTabs();
  expect(await shown(other)).toEqual(await shown(chat));
  await other.denyWithReason('Edit menu.md', 'No ice machine');
  await chat.status('Edit menu.md', 'denied');
  await chat.notes('Edit menu.md', 'Reason: No ice machine');
  await chat.approve('Edit hours.md');
  await other.status('Edit hours.md', 'approved');
  expect((await chat.record()).requests).toHaveLength(1);

  await other.approve('Edit prices.json');
  await expectSame(other);
  const record = await chat.record();
  expectOnce(record);
  expect(record.requests[1]?.decisions.map(({ approved }) => approved)).toEqual([true, false, true]);
  expect(record.requests[1]?.decisions[1]?.reason).toBe('No ice machine');
  // The leader sent the request; the other tab only shows it.
  expect(await chat.sent()).toHaveLength(2);
  expect(await other.sent()).toEqual([]);
  await other.page.locator('[data-elsewhere="2"]').getByText('3 decisions').waitFor();
});

test.each([
  ['the same answers', 'approve', 'approve'],
  ['opposite answers', 'approve', 'deny'],
  ['opposite answers, the other way round', 'deny', 'approve'],
])('both tabs answer at the same moment: %s', async (_, here, there) => {
  const other = await twoTabs();
  const each = (tab: DemoPage, act: string): Promise<void[]> =>
    Promise.all(CALLS.map((call) => pressIfThere(tab, act, call)));
  await Promise.all([each(chat, here), each(other, there)]);
  await expectSame(other);
  const record = await chat.record();
  expectOnce(record);
  if (here === there) expect(record.toolRuns).toHaveLength(3);
  await chat.idle();
  expect((await chat.record()).requests).toHaveLength(2);
});

test('both tabs decide in opposite order and differently: one decision for each call', async () => {
  const other = await twoTabs();
  const inTurn = async (tab: DemoPage, act: string, calls: readonly string[]): Promise<void> => {
    for (const call of calls) await pressIfThere(tab, act, call);
  };
  await Promise.all([inTurn(chat, 'approve', CALLS), inTurn(other, 'deny', [...CALLS].reverse())]);
  await expectSame(other);
  expectOnce(await chat.record());
});

test('the leader is closed: the other tab sends from then on', async () => {
  const other = await twoTabs();
  await chat.approve('Edit hours.md');
  await other.status('Edit hours.md', 'approved');
  await chat.page.close();
  await other.page.locator('[data-tab="sends"]').waitFor();
  await other.approveAll();
  await other.says('Done: edited hours.md, edited menu.md, edited prices.json.');
  expectOnce(await other.record());
  expect(await other.sent()).toHaveLength(1);
  chat = other;
});

test('“Start over” in one tab also restarts the other one', async () => {
  const other = await twoTabs();
  await other.press('Start over');
  await chat.page.locator('.opening').waitFor();
  await other.page.locator('.opening').waitFor();
  await vi.waitFor(async () => expect(await chat.id()).toBe(await other.id()));
  await other.begin(3);
  await chat.waiting(3);
});

test('the link above the chat opens the same chat', async () => {
  chat = await demo.open('two-tabs');
  await chat.begin(3);
  const opened = chat.page.context().waitForEvent('page');
  await chat.page.getByRole('link', { name: 'Open a second tab' }).click();
  const page = await opened;
  await page.locator('[data-tab="follows"]').waitFor();
  await expect.poll(() => page.locator('[data-status="waiting"]').count()).toBe(3);
  expect(await page.evaluate(() => window.__backend!.id)).toBe(await chat.id());
});
