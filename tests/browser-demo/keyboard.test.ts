/** The React page without a mouse: which element has the focus, and what is announced. */
import { expect, test } from 'vitest';
import { useDemo, type DemoPage } from './demo';

const demo = useDemo('server', 'cut');

let chat: DemoPage;

/** The title of the card that has the focus itself, or an empty string. */
function focusedCard(): Promise<string> {
  return chat.page.evaluate(() => {
    const element = document.activeElement?.shadowRoot?.activeElement;
    return element?.matches('[part~=card]') ? (element.querySelector('[part=summary]')?.textContent ?? '') : '';
  });
}

test('three decisions by keyboard: the focus moves to the next waiting card, and finally to the text box', async () => {
  chat = await demo.open('three-edits');
  await chat.page.locator('.opening').focus();
  await chat.page.keyboard.press('Enter');
  await chat.waiting(3);
  expect(await chat.focused()).toBe('Message');

  // The first card gets the focus without keys; Tab moves to its buttons.
  await chat.page
    .locator('tool-approval')
    .first()
    .evaluate((card: HTMLElement) => card.focus());
  expect(await focusedCard()).toBe('Edit hours.md');
  await chat.tabTo(/^Approve: /);
  await chat.page.keyboard.press('Enter');
  await chat.waiting(2);
  await expect.poll(focusedCard).toBe('Edit menu.md');

  // Pressing a key twice does not decide the next card, because the card has the focus, not its button.
  await chat.page.keyboard.press('Enter');
  await chat.page.keyboard.press('Space');
  await chat.waiting(2);

  await chat.tabTo(/^Reason…: /);
  await chat.page.keyboard.press('Enter');
  expect(await chat.focused()).toContain('Why not?');
  await chat.page.keyboard.type('No ice');

  // Escape closes the field, returns the focus to the “Reason…” button and keeps the text.
  await chat.page.keyboard.press('Escape');
  expect(await chat.focused()).toMatch(/^Reason…: /);
  await chat.page.keyboard.press('Enter');
  expect(await chat.page.getByLabel('Why not?').inputValue()).toBe('No ice');
  await chat.page.keyboard.press('Enter');
  await chat.waiting(1);
  await expect.poll(focusedCard).toBe('Edit prices.json');

  await chat.tabTo(/^Approve: /);
  await chat.page.keyboard.press('Space');
  await expect.poll(() => chat.focused()).toBe('Message');
  await chat.says('I did not change menu.md, as you asked: “No ice”.');
  expect((await chat.record()).requests).toHaveLength(2);
});

test('on a touch screen the text box does not take the focus, which would open the keyboard', async () => {
  chat = await demo.open('three-edits', { hasTouch: true, isMobile: true, viewport: { width: 380, height: 780 } });
  await chat.begin(3);
  expect(await chat.focused()).toBe('Conversation');
  await chat.approveAll();
  await chat.says('Done: edited hours.md');
  expect(await chat.focused()).toBe('Conversation');
});

test('the policy is chosen by arrow keys, and stays focused while the chat starts over', async () => {
  chat = await demo.open('one-denied');
  await chat.begin(3);
  await chat.page.getByRole('radio', { name: 'Continue' }).focus();
  await chat.page.keyboard.press('ArrowRight');
  await chat.page.locator('.opening').waitFor();
  expect(await chat.focused()).toBe('Skip the rest');
  await chat.page.keyboard.press('ArrowRight');
  await chat.page.getByText('All unsent decisions are skipped').waitFor();
  expect(await chat.focused()).toBe('End the turn');
});

test('what to remember is chosen by arrow keys; then the focus moves to the text box, also after “Forget”', async () => {
  chat = await demo.open('remembered');
  await chat.begin(1);
  await chat.page.locator('tool-approval').evaluate((card: HTMLElement) => card.focus());
  await chat.tabTo(/^Applies to/);
  await chat.page.keyboard.press('ArrowDown');
  expect(await chat.card('Write board.md').getByRole('combobox').inputValue()).toBe('chatInput');
  await chat.tabTo(/^Approve: /, 'Shift+Tab');
  await chat.page.keyboard.press('Enter');
  await chat.replies(1);
  await expect.poll(() => chat.focused()).toBe('Message');

  await chat.page.getByRole('button', { name: /^Forget/ }).focus();
  await chat.page.keyboard.press('Enter');
  await expect.poll(() => chat.focused()).toBe('Message');
  expect(await chat.page.getByRole('button', { name: /^Forget/ }).count()).toBe(0);
});

test('Cancel, a suggestion and “Start over” move the focus to where the user continues', async () => {
  chat = await demo.open('cancel');
  await chat.begin(2);
  await chat.page
    .locator('tool-approval')
    .first()
    .evaluate((card: HTMLElement) => card.focus());
  await chat.tabTo(/^Cancel$/);
  await chat.page.keyboard.press('Enter');
  await chat.status('Edit menu.md', 'cancelled');
  expect(await chat.focused()).toBe('Message');
  await chat.page.getByRole('button', { name: 'Show me menu.md' }).focus();
  await chat.page.keyboard.press('Enter');
  await chat.says('- Flat white');
  expect(await chat.focused()).toBe('Message');
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

test('requests, outcomes, texts and failures are announced', async () => {
  chat = await demo.open('network-failure');
  const announced = chat.page.getByTestId('announcer');
  await chat.begin(3);
  await chat.announces('3 approvals needed.');
  await chat.denyWithReason('Edit menu.md', 'No ice');
  await chat.announces('edit_file: Denied. Reason: No ice');
  await Promise.all([chat.announces('2 calls approved.'), chat.approveAll()]);
  await announced.getByText('The request failed. You can retry.').waitFor();
  await chat.press('Retry');
  await announced
    .getByText('Assistant: Three small changes for the summer. I need your approval for each.', { exact: true })
    .waitFor();
  await announced.getByText('I did not change menu.md, as you asked: “No ice”.').waitFor();
});
