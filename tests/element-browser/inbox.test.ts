/** An inbox over three chats in a browser, and the notifications of docs/inbox.md. */
import { describe, expect, test } from 'vitest';
import { SCREENS } from '../lib/screens';
import { fits, shoot, violations } from './checks';
import { stage } from './stage';
// For the type of `window.inboxPage`.
import type {} from './page/inbox.js';

const { open } = stage('inbox');

describe.each(SCREENS)('%s, %i px', (colorScheme, width) => {
  test('axe finds no problem, and no element is wider than the screen', async () => {
    const page = await open('', { colorScheme, viewport: { width, height: 900 } });
    expect(await violations(page)).toEqual([]);
    expect(await fits(page)).toBe(true);
    await shoot(page, `inbox-${colorScheme}-${width}`);
  });
});

test('a decision in a card of the list goes to its chat; the others with the same call id stay', async () => {
  const page = await open('');
  const heading = page.getByRole('heading', { level: 2, name: /^Inbox/ });
  expect(await heading.textContent()).toBe('Inbox (4)');
  await page.getByRole('button', { name: 'Approve: delete_file' }).click();
  await page.getByRole('button', { name: 'Approve: send_mail' }).waitFor();
  expect(await heading.textContent()).toBe('Inbox (3)');
  const pending = await page.evaluate(() => {
    const { mail, files } = window.inboxPage;
    return [mail, files].map((gate) => gate.pending().map(({ toolName }) => toolName));
  });
  expect(pending).toEqual([['send_mail'], ['edit_file']]);
  // The focused button was removed with its card.
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Inbox (3)');
  expect(await page.getByRole('link', { name: /^Tidy/ }).getAttribute('href')).toBe('#/files/ask-call_1');
  await page.evaluate(() => window.inboxPage.mail.free());
  await expect.poll(() => heading.textContent()).toBe('Inbox (2)');
});

test('keyboard alone: from the link of an entry to its card', async () => {
  const page = await open('');
  await page.getByRole('link', { name: 'Invitation' }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => window.inboxPage.mail.pending().length)).toBe(0);
});

test('the notifications of the documentation: title, badge, only while hidden, closed when answered elsewhere', async () => {
  const page = await open('');
  const state = () =>
    page.evaluate(() => {
      const { shown, badges } = window.inboxPage;
      return {
        title: document.title,
        badge: badges.at(-1),
        shown: shown().map(({ title, body }) => `${title}: ${body}`),
      };
    });
  const ask = (id: string, tool: string) =>
    page.evaluate(
      ([call = '', name = '']) => {
        const { deploy, request } = window.inboxPage;
        request(deploy, call, name, { secret: 'never shown' });
      },
      [id, tool],
    );
  expect(await state()).toEqual({ title: '(4) ready', badge: 4, shown: [] });
  // The page is visible: the user sees the list.
  await ask('d1', 'run_tests');
  expect(await state()).toEqual({ title: '(5) ready', badge: 5, shown: [] });
  await page.evaluate(() => window.inboxPage.hide(true));
  await ask('d2', 'deploy');
  await ask('d3', 'announce');
  expect(await state()).toEqual({ title: '(7) ready', badge: 7, shown: ['Deploy: deploy', 'Deploy: announce'] });
  // Answered elsewhere: in another component, in another tab, or by its deadline.
  await page.evaluate(() => window.inboxPage.deploy.respond('ask-d2', { approved: false }));
  expect(await state()).toEqual({ title: '(6) ready', badge: 6, shown: ['Deploy: announce'] });
  await page.evaluate(() => {
    document.title = '(6) another page';
    window.inboxPage.shown()[0]!.click();
  });
  expect(await page.evaluate(() => window.inboxPage.opened)).toEqual(['deploy']);
  expect((await state()).shown).toEqual([]);
  await ask('d4', 'announce_again');
  expect(await state()).toEqual({ title: '(7) another page', badge: 7, shown: ['Deploy: announce_again'] });
  await page.evaluate(() => window.inboxPage.hide(false));
  expect((await state()).shown).toEqual([]);
  await page.evaluate(() => window.inboxPage.end());
  expect(await state()).toEqual({ title: 'another page', badge: 0, shown: [] });
  await ask('d5', 'late');
  expect(await state()).toEqual({ title: 'another page', badge: 0, shown: [] });
});
