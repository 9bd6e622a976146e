/** An approval that expires: the card, the requests, and the prompt of the model. */
import { expect, test } from 'vitest';
import { resultsOf, useDemo, type DemoPage } from './demo';

const demo = useDemo();

let chat: DemoPage;

const EXPIRED = 'Error: Tool execution was not approved in time. It did not run.';

/** Opens the scenario with a clock that the test controls. */
async function open(): Promise<void> {
  chat = await demo.open('deadline');
  await chat.page.clock.install();
  await chat.reload();
  await chat.begin(2);
}

/** Advances the clock of the page. */
async function pass(seconds: number): Promise<void> {
  await chat.page.clock.fastForward(seconds * 1000);
}

test('one call is approved in time, the other expires: one request, one tool run, and the model reads why', async () => {
  await open();
  await chat
    .card('Edit menu.md')
    .getByText(/Expires in 0:(30|2\d)/)
    .waitFor();
  await chat.approve('Edit prices.json');
  await pass(15);
  await chat
    .card('Edit menu.md')
    .getByText(/Expires in 0:1\d/)
    .waitFor();
  await pass(6);
  await chat
    .card('Edit menu.md')
    .getByText(/^edit_file: \d+ seconds left\.$/)
    .waitFor({ state: 'attached' });
  await chat.waiting(1);
  expect((await chat.record()).requests).toHaveLength(1);

  await pass(10);
  await chat.status('Edit menu.md', 'expired');
  await chat.says('Done: edited prices.json. The change of menu.md was not approved in time');
  const record = await chat.record();
  expect(record.requests).toHaveLength(2);
  expect(
    record.requests[1]?.decisions.map(({ toolCallId, approved, reason }) => [toolCallId, approved, reason]),
  ).toEqual([
    ['call1-edit_file-1', true, undefined],
    ['call1-edit_file-2', false, EXPIRED],
  ]);
  expect(record.toolRuns.map(({ toolCallId }) => toolCallId)).toEqual(['call1-edit_file-1']);
  const results = new Map(resultsOf(record).map(({ toolCallId, output }) => [toolCallId, output]));
  expect(results.size).toBe(2);
  expect(results.get('call1-edit_file-2')).toEqual({ type: 'execution-denied', reason: EXPIRED });
  await chat.page.getByRole('tab', { name: 'What the model saw' }).click();
  await chat.page.locator('[data-model-call="2"]').getByText(EXPIRED, { exact: true }).waitFor();
});

test('after the deadline no call can be approved, one request is sent, and no tool runs', async () => {
  await open();
  await pass(31);
  await chat.says(
    'The change of prices.json was not approved in time, so I did not change it. The change of menu.md was not approved',
  );
  expect(await chat.page.getByRole('button', { name: /^Approve/ }).count()).toBe(0);
  const record = await chat.record();
  expect(record.requests).toHaveLength(2);
  expect(record.toolRuns).toEqual([]);
});

test('a reload after the deadline: the undecided call expires, and only the approved tool runs', async () => {
  await open();
  await chat.approve('Edit prices.json');
  await chat.kept();
  const later = Date.now() + 60_000;
  await chat.page.clock.setSystemTime(later);
  await chat.reload();
  await chat.status('Edit menu.md', 'expired');
  await chat.says('The change of menu.md was not approved in time');
  const record = await chat.record();
  expect(record.requests).toHaveLength(2);
  expect(record.toolRuns.map(({ toolCallId }) => toolCallId)).toEqual(['call1-edit_file-1']);
});

test('without a deadline there is no countdown', async () => {
  chat = await demo.open('cancel');
  await chat.begin(2);
  expect(await chat.page.getByRole('timer').count()).toBe(0);
});
