/** The React page without a mouse: which element has the focus, and what is announced. */
import { expect, test } from 'vitest';
import { useDemo, type DemoPage } from './demo';

const demo = useDemo();

let chat: DemoPage;

/** Presses Tab until an element with this name has the focus. */
async function tabTo(name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    await chat.page.keyboard.press('Tab');
    if ((await focused()) === name) return;
  }
  throw new Error(`Tab does not reach ${name}`);
}

/** The name of the focused element: its label, or else its text. */
function focused(): Promise<string> {
  return chat.page.evaluate(() => {
    const element = document.activeElement;
    return (
      element?.getAttribute('aria-label') ??
      (element as HTMLElement & { labels?: NodeList })?.labels?.[0]?.textContent ??
      element?.textContent ??
      ''
    );
  });
}

/** The title of the card that has the focus itself, or an empty string. */
function focusedCard(): Promise<string> {
  return chat.page.evaluate(() => {
    const element = document.activeElement;
    return element?.matches('.card') ? (element.querySelector('h3')?.firstChild?.textContent ?? '') : '';
  });
}

test('three decisions by keyboard: the focus moves to the next waiting card, and finally to the text box', async () => {
  chat = await demo.open('three-edits');
  await chat.page.locator('.opening').focus();
  await chat.page.keyboard.press('Enter');
  await chat.waiting(3);
  expect(await focused()).toBe('Message');

  // The first card gets the focus without keys; Tab moves to its buttons.
  await chat.page.locator('.card').first().focus();
  await tabTo('Approve edit of hours.md');
  await chat.page.keyboard.press('Enter');
  await chat.waiting(2);
  expect(await focusedCard()).toBe('Edit menu.md');

  // Pressing a key twice does not decide the next card, because the card has the focus, not its button.
  await chat.page.keyboard.press('Enter');
  await chat.page.keyboard.press('Space');
  await chat.waiting(2);

  await tabTo('Reason… for denying edit of menu.md');
  await chat.page.keyboard.press('Enter');
  expect(await focused()).toContain('Why not?');
  await chat.page.keyboard.type('No ice');

  // Escape closes the field, returns the focus to the “Reason…” button and keeps the text.
  await chat.page.keyboard.press('Escape');
  expect(await focused()).toBe('Reason… for denying edit of menu.md');
  await chat.page.keyboard.press('Enter');
  expect(await chat.page.getByLabel('Why not?').inputValue()).toBe('No ice');
  await chat.page.keyboard.press('Enter');
  await chat.waiting(1);
  expect(await focusedCard()).toBe('Edit prices.json');

  await tabTo('Approve edit of prices.json');
  await chat.page.keyboard.press('Space');
  await expect.poll(focused).toBe('Message');
  await chat.says('I did not change menu.md, as you asked: “No ice”.');
  expect((await chat.record()).requests).toHaveLength(2);
});

test('on a touch screen the text box does not take the focus, which would open the keyboard', async () => {
  chat = await demo.open('three-edits', { hasTouch: true, isMobile: true, viewport: { width: 380, height: 780 } });
  await chat.begin(3);
  expect(await focused()).toBe('Conversation');
  await chat.press('Approve all');
  await chat.says('Done: edited hours.md');
  expect(await focused()).toBe('Conversation');
});

test('the policy is chosen by arrow keys, and stays focused while the chat starts over', async () => {
  chat = await demo.open('one-denied');
  await chat.begin(3);
  await chat.page.getByRole('radio', { name: 'Continue' }).focus();
  await chat.page.keyboard.press('ArrowRight');
  await chat.page.locator('.opening').waitFor();
  expect(await focused()).toBe('Skip the rest');
  await chat.page.keyboard.press('ArrowRight');
  await chat.page.getByText('All unsent decisions are skipped').waitFor();
  expect(await focused()).toBe('End the turn');
});

test('the menu beside Approve: arrow keys, Escape, Enter; then the focus moves to the next card', async () => {
  chat = await demo.open('remembered');
  await chat.begin(1);
  const button = 'Approve writing of board.md and remember…';
  await chat.page.locator('.card').first().focus();
  await tabTo(button);
  const entry = chat.page.locator('[role="menuitem"]:focus');
  await chat.page.keyboard.press('Enter');
  await entry.getByText('Once').waitFor();
  await chat.page.keyboard.press('ArrowUp');
  expect(await focused()).toContain('This chat, this tool');
  await chat.page.keyboard.press('Escape');
  expect(await focused()).toBe(button);
  expect(await chat.page.getByRole('menuitem').count()).toBe(0);

  await chat.page.keyboard.press('ArrowDown');
  await entry.getByText('Once').waitFor();
  await chat.page.keyboard.press('ArrowDown');
  expect(await focused()).toContain('This chat, this input');
  await chat.page.keyboard.press('Enter');
  await chat.replies(1);
  expect(await focused()).toBe('Message');

  await chat.page.getByRole('button', { name: /^Forget/ }).focus();
  await chat.page.keyboard.press('Enter');
  await chat.page.waitForFunction(() => document.activeElement?.matches('textarea'));
  expect(await chat.page.getByRole('button', { name: /^Forget/ }).count()).toBe(0);
});

test('Cancel, a suggestion and “Start over” move the focus to where the user continues', async () => {
  chat = await demo.open('cancel');
  await chat.begin(2);
  await chat.page.locator('.card').first().focus();
  await tabTo('Cancel');
  await chat.page.keyboard.press('Enter');
  await chat.status('Edit menu.md', 'cancelled');
  expect(await focused()).toBe('Message');
  await chat.page.getByRole('button', { name: 'Show me menu.md' }).focus();
  await chat.page.keyboard.press('Enter');
  await chat.says('- Flat white');
  expect(await focused()).toBe('Message');
  await chat.page.getByRole('button', { name: 'Start over' }).focus();
  await chat.page.keyboard.press('Enter');
  await chat.page.waitForFunction(() => document.activeElement?.matches('.opening'));
});

test('Escape does not clear a half-written message', async () => {
  chat = await demo.open('three-edits');
  const field = chat.page.getByLabel('Message');
  await field.fill('Half a thou');
  await field.press('Escape');
  expect(await field.inputValue()).toBe('Half a thou');
  await field.press('Shift+Enter');
  expect(await field.inputValue()).toBe('Half a thou\n');
  expect(await chat.sent()).toEqual([]);
});

test('the record’s tabs move by arrow keys', async () => {
  chat = await demo.open('three-edits');
  await chat.page.getByRole('tab', { name: 'Sent requests' }).focus();
  await chat.page.keyboard.press('ArrowRight');
  expect(await chat.page.getByRole('tab', { selected: true }).textContent()).toBe('What the model saw');
  await chat.page.keyboard.press('End');
  expect(await chat.page.getByRole('tab', { selected: true }).textContent()).toBe('Presses');
  await chat.page.keyboard.press('ArrowRight');
  expect(await chat.page.getByRole('tab', { selected: true }).textContent()).toBe('Sent requests');
});

test('requests and outcomes are announced', async () => {
  chat = await demo.open('three-edits');
  const announced = chat.page.getByTestId('announcer');
  await chat.begin(3);
  await announced.getByText('Approval needed: edit of menu.md.').waitFor();
  await chat.denyWithReason('edit of menu.md', 'No ice');
  await announced.getByText('Denied: edit of menu.md. Reason: No ice').waitFor();
  await chat.press('Approve the rest');
  await announced.getByText('Done: edit of hours.md.').waitFor();
  await announced
    .getByText('Assistant: Three small changes for the summer. I need your approval for each.', { exact: true })
    .waitFor();
  await announced.getByText('I did not change menu.md, as you asked: “No ice”.').waitFor();
});
