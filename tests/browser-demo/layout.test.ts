/**
 * The page fits on screens of the supported widths, in one colour scheme each: no element is wider than the screen, and
 * the text box and the buttons of pending calls are visible. The tests save screenshots in the folder that
 * `TOOLGATE_SHOTS` names, or in the system's folder for temporary files.
 */
import { mkdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useDemo, type DemoPage } from './demo';

const folder = process.env['TOOLGATE_SHOTS'] ?? join(tmpdir(), 'toolgate-demo');

const demo = useDemo('server', 'cut');

let chat: DemoPage;

mkdirSync(folder, { recursive: true });

/** No colour depends on the width: see tests/lib/screens.ts. */
const SCREENS = [
  [380, 780, 'dark'],
  [1000, 760, 'light'],
  [1400, 900, 'dark'],
] as const;

/** The first button that approves a call. */
const APPROVE = '[part=approve]';

/** Whether the centre of the first element that the selector matches is visible and not covered. */
function inSight(selector: string): Promise<boolean> {
  return chat.page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const root = element.getRootNode() as Document | ShadowRoot;
      return element.contains(root.elementFromPoint(left + width / 2, top + height / 2));
    });
}

/** Takes a picture, and expects that no element is wider than the screen. */
async function shoot(name: string): Promise<void> {
  const tooWide = await chat.page.evaluate(() =>
    [document, ...[...document.querySelectorAll('tool-approval, tool-approvals')].map((host) => host.shadowRoot!)]
      .flatMap((root) => [...root.querySelectorAll('html, .page *, [part], [part] *')])
      .filter((element) => {
        const box = element.getBoundingClientRect();
        return box.width > 0 && box.right > innerWidth + 1 && !element.closest('.tab-strip, .hidden, pre');
      })
      .map((element) => element.className),
  );
  expect(tooWide).toEqual([]);
  const path = join(folder, `${name}.png`);
  await chat.page.screenshot({ path });
  expect(statSync(path).size).toBeGreaterThan(5000);
}

test.each(SCREENS)('a chat from beginning to end: %i × %i, %s', async (width, height, colorScheme) => {
  const shot = (name: string): Promise<void> => shoot(`${width}-${colorScheme}-${name}`);
  chat = await demo.open('three-edits', { colorScheme, viewport: { width, height } });
  await shot('1-intro');
  await chat.begin(3);
  expect(await inSight(APPROVE)).toBe(true);
  expect(await inSight('textarea')).toBe(true);
  await shot('2-asked');
  await chat.approve('Edit hours.md');
  await chat.denyWithReason('Edit menu.md', 'There is no ice machine');
  await chat.waiting(1);
  await shot('3-held');
  await chat.approve('Edit prices.json');
  await chat.says('I did not change menu.md');
  await chat.page.locator('[data-file="hours.md"][data-state="changed"]').waitFor({ state: 'attached' });
  await shot('4-done');
  if (width < 860) {
    await chat.page.getByRole('button', { name: 'Record' }).click();
    await shot('5-record');
  }
  for (const [name, tab] of [
    ['6-saw', 'What the model saw'],
    ['7-pressed', 'Presses'],
  ] as const) {
    await chat.page.getByRole('tab', { name: tab }).click();
    await shot(name);
  }
  if (width < 860) {
    await chat.page.getByRole('button', { name: 'Files' }).click();
    await shot('8-files');
  }
});

test.each(SCREENS)('Svelte, Vue and the inspector: %i × %i, %s', async (width, height, colorScheme) => {
  for (const page of ['React', 'Svelte', 'Vue'] as const) {
    const shot = (name: string): Promise<void> => shoot(`${width}-${colorScheme}-${page}-${name}`);
    chat = await demo.open('three-edits', { page, colorScheme, viewport: { width, height } });
    await shot('1-intro');
    await chat.begin(3);
    expect(await inSight(APPROVE)).toBe(true);
    expect(await inSight('textarea')).toBe(true);
    await shot('2-asked');
    await chat.inspect();
    expect(await inSight('textarea')).toBe(true);
    expect(await inSight('toolgate-inspector')).toBe(true);
    await shot('3-inspector');
    if (width < 860 && page !== 'React') {
      await chat.page.getByRole('button', { name: 'Code' }).click();
      await shot('4-code');
    }
    await chat.close();
  }
});

/** The state of each scenario that is hardest to fit on a screen. */
const TIGHT: readonly (readonly [scenario: string, act: () => Promise<void>])[] = [
  [
    'one-denied',
    async () => {
      await chat.page.getByRole('radio', { name: 'Skip the rest' }).check();
      await chat.begin(3);
      expect(await inSight(APPROVE)).toBe(true);
      await chat.approve('Edit hours.md');
      await chat.deny('Edit menu.md');
      await chat.says('was skipped');
    },
  ],
  [
    'remembered',
    async () => {
      await chat.begin(1);
      expect(await inSight('[part~=remember]')).toBe(true);
      await chat.card('Write board.md').getByRole('combobox').selectOption('chatInput');
      await chat.approve('Write board.md');
      await chat.replies(1);
      await chat.write('Tomato again, please.');
      await chat.replies(2);
      expect(await inSight('.memories button')).toBe(true);
    },
  ],
  [
    'deadline',
    async () => {
      await chat.begin(2);
      expect(await inSight('[part=countdown]')).toBe(true);
    },
  ],
  [
    'cancel',
    async () => {
      await chat.begin(2);
      expect(await inSight('.gate-bar .plain')).toBe(true);
      await chat.press('Cancel');
      await chat.status('Edit menu.md', 'cancelled');
    },
  ],
  [
    'two-tabs',
    async () => {
      await chat.begin(3);
      expect(await inSight('.tab-status a')).toBe(true);
    },
  ],
  [
    'network-cut',
    async () => {
      await chat.begin(2);
      await chat.approveAll();
      await chat.page.getByText('The connection was lost.').waitFor();
      expect(await inSight('.next button')).toBe(true);
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
      expect(await inSight('.gate-bar .primary')).toBe(true);
    },
  ],
];

test.each(SCREENS)(
  'policies, remembered decisions, deadlines, tabs and failures: %i × %i, %s',
  async (width, height, colorScheme) => {
    for (const [index, [scenario, act]] of TIGHT.entries()) {
      if (index > 0) await chat.close();
      chat = await demo.open(scenario, { colorScheme, viewport: { width, height } });
      await act();
      expect(await inSight('textarea')).toBe(true);
      await shoot(`${width}-${colorScheme}-${scenario}`);
    }
  },
);
