/** The pages in Svelte and Vue: the same scenarios with the same backend and the same cards as in React. */
import { expect, test } from 'vitest';
import { callsOf, resultsOf, useDemo } from './demo';

const demo = useDemo('server', 'cut');

const PAGES = ['Svelte', 'Vue'] as const;

test.each(PAGES)(
  '%s: three edits, one denied with a reason; one request is sent when all are decided',
  async (page) => {
    const chat = await demo.open('three-edits', { page });
    await chat.begin(3);
    await chat.denyWithReason('Edit menu.md', 'There is no ice machine');
    await chat.approve('Edit hours.md');
    await chat.waiting(1);
    await chat.page.getByText('2 of 3 decided.').waitFor();
    await chat.idle();
    expect((await chat.record()).requests).toHaveLength(1);

    await chat.approve('Edit prices.json');
    await chat.says('I did not change menu.md, as you asked: “There is no ice machine”.');
    await chat.status('Edit hours.md', 'done');
    await chat.status('Edit menu.md', 'denied');
    await chat.status('Edit prices.json', 'done');
    const record = await chat.record();
    expect(record.requests).toHaveLength(2);
    expect(record.requests[1]?.decisions.map(({ approved, reason }) => [approved, reason])).toEqual([
      [true, undefined],
      [false, 'There is no ice machine'],
      [true, undefined],
    ]);
    expect(callsOf(record)).toHaveLength(3);
    expect(resultsOf(record).map(({ output }) => output)).toContainEqual({
      type: 'execution-denied',
      reason: 'There is no ice machine',
    });
    expect(record.toolRuns.map(({ toolCallId }) => toolCallId)).toEqual(['call1-edit_file-1', 'call1-edit_file-3']);
  },
);

test.each(PAGES)('%s: a reload restores the chat, and “Start over” ends it', async (page) => {
  const chat = await demo.open('three-edits', { page });
  await chat.begin(3);
  await chat.approve('Edit hours.md');
  await chat.waiting(2);
  await chat.kept();
  await chat.reload();
  await chat.waiting(2);
  await chat.status('Edit hours.md', 'approved');
  const before = await chat.id();
  await chat.press('Start over');
  await chat.page.locator('.opening').waitFor();
  await chat.page.waitForFunction(() => document.activeElement?.matches('.opening'));
  expect(await chat.id()).not.toBe(before);
  expect(await (await fetch(`${demo.url}api/record?id=${before}`)).json()).toBeNull();
});

test.each(PAGES)('%s: a failed request is not lost, and Retry sends it once', async (page) => {
  const chat = await demo.open('network-failure', { page });
  await chat.begin(3);
  await chat.approveAll();
  await chat.page.getByText('No usable reply came: the request may have arrived.').waitFor();
  await chat.page.getByLabel('Your answers').getByRole('button', { name: 'Retry' }).click();
  await chat.says('Done: edited hours.md, edited menu.md, edited prices.json.');
  const sent = await chat.sent();
  expect(sent.map(({ attempt }) => attempt)).toEqual([1, 1, 2]);
  expect((await chat.record()).toolRuns).toHaveLength(3);
});

test.each(PAGES)(
  '%s: Cancel cancels the calls, a suggestion is sent, a remembered decision applies until it is deleted',
  async (page) => {
    const chat = await demo.open('cancel', { page });
    await chat.begin(2);
    await chat.approve('Edit menu.md');
    await chat.press('Cancel');
    await chat.status('Edit menu.md', 'cancelled');
    await chat.press('Show me menu.md');
    await chat.says('- Flat white');
    expect((await chat.record()).toolRuns.map(({ toolName }) => toolName)).toEqual(['read_file']);

    await chat.page.getByLabel('Scenario').selectOption('remembered');
    await chat.page.getByRole('heading', { name: 'A remembered answer' }).waitFor();
    await chat.begin(1);
    await chat.card('Write board.md').getByRole('combobox').selectOption('chatInput');
    await chat.approve('Write board.md');
    await chat.replies(1);
    await chat.press('Tomato again, please.');
    await chat.replies(2);
    expect((await chat.record()).toolRuns).toHaveLength(2);

    // A deleted decision is not applied any more.
    await chat.press('Forget: “Write board.md” with the same input');
    await chat.page.waitForFunction(() => document.activeElement?.matches('textarea'));
    expect(await chat.page.getByRole('region', { name: 'Remembered decisions' }).count()).toBe(0);
    await chat.write('Tomato, please.');
    await chat.waiting(1);
  },
);

test.each(['React', ...PAGES] as const)(
  '%s: a focus that the user has moved before the next frame stays where it is',
  async (page) => {
    const chat = await demo.open('three-edits', { page });
    await chat.begin(3);
    // A busy page: its frames come late.
    await chat.page.evaluate(() => {
      const next = window.requestAnimationFrame.bind(window);
      window.requestAnimationFrame = (call) => Number(setTimeout(() => next(call), 600));
    });
    await chat
      .card('Edit hours.md')
      .getByRole('button', { name: /^Approve/ })
      .focus();
    await chat.page.keyboard.press('Enter');
    await chat.card('Edit prices.json').getByRole('button', { name: /^Deny/ }).focus();
    await chat.page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 900)));
    await chat.page.keyboard.press('Enter');
    await chat.status('Edit prices.json', 'denied');
    // A focus that is where it was goes to the next card.
    const next = await chat.card('Edit menu.md').elementHandle();
    await chat.page.waitForFunction((card) => document.activeElement === card, next);
  },
);

test.each(['React', ...PAGES] as const)('%s: nothing that a model writes becomes markup', async (page) => {
  const chat = await demo.open('free-chat', { page });
  await chat.write('create page.md with <img src="x" onerror="document.title = 1"><b>bold</b>');
  await chat.waiting(1);
  await chat.approve('Write page.md');
  await chat.says('Done: wrote page.md.');
  await chat.write('show me page.md');
  await chat.says('<img src="x" onerror="document.title = 1"><b>bold</b>');
  expect(await chat.page.locator('.page :is(img, b)').count()).toBe(0);
  expect(await chat.page.locator('meta[http-equiv="Content-Security-Policy"]').count()).toBe(1);
});

test('the switch in the header keeps the scenario and the chat', async () => {
  const chat = await demo.open('three-edits');
  const { page } = chat;
  await chat.begin(3);
  await chat.approve('Edit hours.md');
  await chat.waiting(2);
  await chat.kept();
  const id = await chat.id();
  const site = page.getByRole('navigation', { name: 'Site' });
  for (const name of ['Svelte', 'Vue', 'React'] as const) {
    await site.getByRole('link', { name }).click();
    await page.waitForURL((url) =>
      url.pathname.endsWith(name === 'React' ? '/demo.html' : `${name.toLowerCase()}.html`),
    );
    await chat.waiting(2);
    expect(await site.locator('[aria-current="page"]').allTextContents()).toEqual([name]);
    expect(await chat.id()).toBe(id);
    await chat.status('Edit hours.md', 'approved');
    await chat.kept();
  }
  await chat.approveAll();
  await chat.says('Done: edited hours.md');
  expect((await chat.record()).requests).toHaveLength(2);
});

test.each(PAGES)('%s: the page shows its own code', async (page) => {
  const chat = await demo.open('three-edits', { page });
  const code = chat.page.getByRole('region', { name: 'The code of this page' });
  const [file, words] =
    page === 'Svelte'
      ? ['www/src/svelte/Chat.svelte', "from 'toolgate/svelte'"]
      : ['www/src/vue/Chat.vue', "from 'toolgate/vue'"];
  await code.getByRole('group', { name: file, exact: true }).getByText(words).waitFor();
  await code.getByText('www/src/session/session.ts', { exact: true }).click();
  await code
    .getByRole('group', { name: 'www/src/session/session.ts', exact: true })
    .getByText("from 'toolgate/ai-sdk'")
    .waitFor();
});

test.each(PAGES)('%s: the first scenario is shown instead of one that the page does not have', async (page) => {
  const chat = await demo.open('one-denied', { page });
  await chat.page.getByRole('heading', { name: 'Three edits at once' }).waitFor();
  await chat.begin(3);
});
