/**
 * One of three calls is denied. The tests check the effect of each policy on the other calls: what the cards and the
 * bar show, which tools ran, which answers were sent, and that the model saw one result for each call.
 */
import { expect, test } from 'vitest';
import { callsOf, resultsOf, useDemo, type DemoPage } from './demo';

const demo = useDemo();

let chat: DemoPage;

const [HOURS, MENU, PRICES] = ['call1-edit_file-1', 'call1-edit_file-2', 'call1-edit_file-3'] as const;
const SKIPPED = 'Error: Tool execution was skipped due to previous tool denial.';

/** Opens the scenario under a policy, and asks for the three edits. */
async function under(policy: string): Promise<void> {
  chat = await demo.open('one-denied');
  await chat.page.getByRole('radio', { name: policy }).check();
  await chat.begin(3);
}

/** The answers of a request, by call. */
async function answers(request: number): Promise<unknown[]> {
  const { requests } = await chat.record();
  return requests[request - 1]!.decisions.map(({ toolCallId, approved, reason }) => [toolCallId, approved, reason]);
}

/** Expects that the model's last prompt has each call once, with one result. */
async function expectOneResultEach(): Promise<void> {
  const record = await chat.record();
  expect(callsOf(record).map(({ toolCallId }) => toolCallId)).toEqual([HOURS, MENU, PRICES]);
  expect(
    resultsOf(record)
      .map(({ toolCallId }) => toolCallId)
      .sort(),
  ).toEqual([HOURS, MENU, PRICES]);
  await chat.page.getByRole('tab', { name: 'What the model saw' }).click();
  await chat.page
    .locator(`[data-model-call="${record.modelCalls.length}"] .balance`, {
      hasText: '3 calls, 3 results: exactly one each',
    })
    .waitFor();
}

/** The tool runs, each with its result. */
async function runs(): Promise<unknown[]> {
  return (await chat.record()).toolRuns.map(({ toolCallId, result }) => [toolCallId, result]);
}

test('“Continue”: the user still decides the third call', async () => {
  await under('Continue');
  await chat.approve('Edit hours.md');
  await chat.deny('Edit menu.md');
  await chat.waiting(1);
  await chat.idle();
  expect((await chat.record()).requests).toHaveLength(1);

  await chat.approve('Edit prices.json');
  await chat.says('Done: edited hours.md, edited prices.json. I did not change menu.md.');
  expect(await answers(2)).toEqual([
    [HOURS, true, undefined],
    [MENU, false, undefined],
    [PRICES, true, undefined],
  ]);
  expect(await runs()).toEqual([
    [HOURS, 'ok'],
    [PRICES, 'ok'],
  ]);
  await expectOneResultEach();
});

test('“Skip the rest”: approved calls run, undecided ones are skipped, and the model continues', async () => {
  await under('Skip the rest');
  await chat.approve('Edit hours.md');
  await chat.deny('Edit menu.md');
  await chat.says('Done: edited hours.md. I did not change menu.md. The change of prices.json was skipped');
  await chat.status('Edit hours.md', 'done');
  await chat.status('Edit menu.md', 'denied');
  await chat.status('Edit prices.json', 'skipped');
  await chat.notes('Edit prices.json', 'because another call was denied');

  expect((await chat.record()).requests).toHaveLength(2);
  expect(await answers(2)).toEqual([
    [HOURS, true, undefined],
    [MENU, false, undefined],
    [PRICES, false, SKIPPED],
  ]);
  expect(await runs()).toEqual([[HOURS, 'ok']]);
  await expectOneResultEach();
  await chat.page.getByRole('tab', { name: 'Sent requests' }).click();
  await chat.page.locator('[data-request="2"] li', { hasText: 'Skipped edit of prices.json' }).waitFor();
});

test('“End the turn”: not even the approved call runs, and nothing is sent until the user writes', async () => {
  await under('End the turn');
  await chat.approve('Edit hours.md');
  await chat.deny('Edit menu.md');
  await chat.page.getByText('Your denial ended the turn.').waitFor();
  await chat.status('Edit hours.md', 'skipped');
  await chat.status('Edit menu.md', 'denied');
  await chat.status('Edit prices.json', 'skipped');
  await chat.page.getByRole('region', { name: 'Held' }).getByText('Sent with your next message.').waitFor();
  await chat.idle();
  expect((await chat.record()).requests).toHaveLength(1);
  expect(await runs()).toEqual([]);

  await chat.write('What did you do?');
  await chat.says('I look after the files');
  expect((await chat.record()).requests).toHaveLength(2);
  expect(await runs()).toEqual([]);
  await expectOneResultEach();
  const texts = new Map(
    resultsOf(await chat.record()).map(({ toolCallId, output }) => [
      toolCallId,
      String(output?.value ?? output?.reason ?? ''),
    ]),
  );
  expect([texts.get(HOURS), texts.get(PRICES)]).toEqual([SKIPPED, SKIPPED]);
  expect(texts.get(MENU)).not.toBe(SKIPPED);
  expect(await chat.page.getByText('Your denial ended the turn.').count()).toBe(0);
});

test('“By reason” without a reason ends the turn', async () => {
  await under('By reason');
  await chat.approve('Edit hours.md');
  await chat.deny('Edit menu.md');
  await chat.page.getByText('Your denial ended the turn.').waitFor();
  await chat.idle();
  expect((await chat.record()).requests).toHaveLength(1);
  expect(await runs()).toEqual([]);
});

test('“By reason” with a reason skips the rest, and the model continues with the reason', async () => {
  await under('By reason');
  await chat.approve('Edit hours.md');
  await chat.denyWithReason('Edit menu.md', 'No ice machine');
  await chat.says('I did not change menu.md, as you asked: “No ice machine”. The change of prices.json was skipped');
  expect(await answers(2)).toEqual([
    [HOURS, true, undefined],
    [MENU, false, 'No ice machine'],
    [PRICES, false, SKIPPED],
  ]);
  expect(await runs()).toEqual([[HOURS, 'ok']]);
  await expectOneResultEach();
});

test('“Deny all” denies every call, with any policy', async () => {
  await under('Skip the rest');
  await chat.denyAll();
  await chat.says('I did not change hours.md. I did not change menu.md. I did not change prices.json.');
  expect(await answers(2)).toEqual([
    [HOURS, false, undefined],
    [MENU, false, undefined],
    [PRICES, false, undefined],
  ]);
  expect(await runs()).toEqual([]);
});

test('choosing another policy starts the chat over, and the choice survives a reload', async () => {
  await under('Skip the rest');
  const before = await chat.id();
  await chat.page.getByRole('radio', { name: 'End the turn' }).check();
  await chat.page.locator('.opening').waitFor();
  expect(await chat.id()).not.toBe(before);
  await chat.begin(3);
  await chat.reload();
  await chat.waiting(3);
  expect(await chat.page.getByRole('radio', { name: 'End the turn' }).isChecked()).toBe(true);
  await chat.deny('Edit menu.md');
  await chat.page.getByText('Your denial ended the turn.').waitFor();
  expect((await chat.record()).requests).toHaveLength(1);
});
