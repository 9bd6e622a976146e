/** axe-core finds no violation in both colour schemes, on wide and narrow screens, at each stage of a chat. */
import { expect, test } from 'vitest';
import { violations as violationsOf } from '../element-browser/checks';
import { SCREENS } from '../lib/screens';
import { useDemo, type DemoPage } from './demo';

const demo = useDemo('server', 'cut');

let chat: DemoPage;

const violations = (): Promise<string[]> => violationsOf(chat.page);

test.each(SCREENS)('a chat from beginning to end: %s, %i pixels wide', async (colorScheme, width) => {
  chat = await demo.open('network-failure', { colorScheme, viewport: { width, height: 860 } });
  expect(await violations()).toEqual([]);

  await chat.begin(3);
  await chat.decide('Edit menu.md', 'Reason…');
  expect(await violations()).toEqual([]);

  await chat.page.getByLabel('Why not?').fill('No ice');
  await chat.page.keyboard.press('Enter');
  await chat.approve('Edit hours.md');
  expect(await violations()).toEqual([]);

  await chat.approve('Edit prices.json');
  await chat.page.getByText('No usable reply came: the request may have arrived.').waitFor();
  expect(await violations()).toEqual([]);

  await chat.press('Retry');
  await chat.says('I did not change menu.md');
  expect(await violations()).toEqual([]);

  if (width < 860) await chat.page.getByRole('button', { name: 'Record' }).click();
  for (const tab of ['Sent requests', 'What the model saw', 'Presses']) {
    await chat.page.getByRole('tab', { name: tab }).click();
    for (const summary of await chat.page.locator('.tab-panel summary').all()) await summary.click();
    expect(await violations()).toEqual([]);
  }
  if (width < 860) await chat.page.getByRole('button', { name: 'Files' }).click();
  for (const summary of await chat.page.locator('.files summary').all()) await summary.click();
  await chat.page.locator('.how summary').click();
  expect(await violations()).toEqual([]);
});

test.each(SCREENS)('the inspector: %s, %i pixels wide', async (colorScheme, width) => {
  chat = await demo.open('network-failure', { colorScheme, viewport: { width, height: 860 } });
  const inspector = await chat.inspect();
  expect(await violations()).toEqual([]);
  await chat.begin(3);
  for (const tab of ['Timeline', 'Outgoing', 'Messages', 'Approvals']) {
    if (tab === 'Outgoing') {
      await chat.approve('Edit hours.md');
      await chat.approve('Edit menu.md');
      await chat.approve('Edit prices.json');
      await chat.page.getByText('No usable reply came: the request may have arrived.').waitFor();
    }
    if (tab === 'Approvals') {
      await chat.press('Give up');
      await chat.write('add Scones to menu.md');
      await chat.waiting(1);
    }
    await inspector.getByRole('tab', { name: tab }).click();
    for (const summary of await inspector.locator('.body summary').all()) await summary.click();
    expect(await violations()).toEqual([]);
  }
  await inspector.getByRole('button', { name: 'Collapse' }).click();
  expect(await violations()).toEqual([]);
});

const PAGES = (['Svelte', 'Vue'] as const).flatMap((page) =>
  SCREENS.map(([colorScheme, width]) => [page, colorScheme, width] as const),
);

test.each(PAGES)('%s, from beginning to end: %s, %i pixels wide', async (page, colorScheme, width) => {
  chat = await demo.open('network-failure', { page, colorScheme, viewport: { width, height: 860 } });
  expect(await violations()).toEqual([]);
  await chat.begin(3);
  await chat.decide('Edit menu.md', 'Reason…');
  expect(await violations()).toEqual([]);
  await chat.page.keyboard.type('No ice');
  await chat.page.keyboard.press('Enter');
  await chat.waiting(2);
  expect(await violations()).toEqual([]);
  await chat.approveAll();
  await chat.page.getByText('No usable reply came: the request may have arrived.').waitFor();
  expect(await violations()).toEqual([]);
  await chat.page.getByLabel('Your answers').getByRole('button', { name: 'Retry' }).click();
  await chat.says('I did not change menu.md');
  await chat.inspect();
  expect(await violations()).toEqual([]);
  if (width < 860) await chat.page.getByRole('button', { name: 'Code' }).click();
  for (const summary of (await chat.page.locator('.code summary').all()).slice(1, 4)) await summary.click();
  expect(await violations()).toEqual([]);

  await chat.close();
  chat = await demo.open('remembered', { page, colorScheme, viewport: { width, height: 860 } });
  await chat.begin(1);
  expect(await violations()).toEqual([]);
  await chat.card('Write board.md').getByRole('combobox').selectOption('chatTool');
  await chat.approve('Write board.md');
  // A decision about later calls is confirmed in words.
  expect(await violations()).toEqual([]);
  await chat.decide('Write board.md', 'Approve: every write_file call in this chat');
  await chat.replies(1);
  expect(await violations()).toEqual([]);
});

test.each(SCREENS)(
  'policies, remembered decisions, deadlines, tabs and failures: %s, %i pixels wide',
  async (colorScheme, width) => {
    const openings: readonly (readonly [scenario: string, act: () => Promise<unknown>])[] = [
      [
        'one-denied',
        async () => {
          await chat.page.getByRole('radio', { name: 'End the turn' }).check();
          expect(await violations()).toEqual([]);
          await chat.begin(3);
          await chat.deny('Edit menu.md');
          await chat.page.getByText('Your denial ended the turn.').waitFor();
        },
      ],
      [
        'remembered',
        async () => {
          await chat.begin(1);
          await chat.card('Write board.md').getByRole('combobox').selectOption('chatTool');
          await chat.approve('Write board.md');
          expect(await violations()).toEqual([]);
          await chat.decide('Write board.md', 'Approve: every write_file call in this chat');
          await chat.replies(1);
          await chat.write('Tomato again, please.');
          await chat.replies(2);
        },
      ],
      ['deadline', () => chat.begin(2)],
      [
        'cancel',
        async () => {
          await chat.begin(2);
          await chat.press('Cancel');
          await chat.status('Edit menu.md', 'cancelled');
        },
      ],
      ['two-tabs', () => chat.begin(3)],
      [
        'network-cut',
        async () => {
          await chat.begin(2);
          await chat.approveAll();
          await chat.page.getByText('The connection was lost.').waitFor();
        },
      ],
      [
        'reload-in-flight',
        async () => {
          await chat.begin(1);
          await chat.approve('Delete menu-2019.md');
          await chat.status('Delete menu-2019.md', 'sending');
          await chat.reload();
          await chat.page.getByRole('button', { name: 'Retry' }).waitFor();
        },
      ],
    ];
    for (const [index, [scenario, act]] of openings.entries()) {
      if (index > 0) await chat.close();
      chat = await demo.open(scenario, { colorScheme, viewport: { width, height: 860 } });
      await act();
      expect(await violations()).toEqual([]);
    }
  },
);
