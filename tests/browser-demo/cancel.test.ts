/**
 * Cancel is not deny: nothing is sent, nothing runs, the cards show `cancelled`, and the chat continues with the next
 * message.
 */
import { expect, test } from 'vitest';
import { callsOf, resultsOf, useDemo, type DemoPage } from './demo';

const demo = useDemo();

let chat: DemoPage;

const CANCELLED = 'Error: Tool execution was cancelled by user. It did not run.';
const CALLS = ['call1-edit_file-1', 'call1-edit_file-2'];

test('an approved and an undecided call are cancelled: no request, no tool run, and later the model gets one result for each', async () => {
  chat = await demo.open('cancel');
  await chat.begin(2);
  await chat.approve('Edit menu.md');
  await chat.waiting(1);
  await Promise.all([chat.announces('edit_file: Cancelled. It was cancelled.'), chat.press('Cancel')]);
  await chat.status('Edit menu.md', 'cancelled');
  await chat.status('Edit prices.json', 'cancelled');
  await chat.idle();
  expect((await chat.record()).requests).toHaveLength(1);
  expect((await chat.record()).toolRuns).toEqual([]);

  await chat.press('Show me menu.md');
  await chat.says('- Flat white');
  const record = await chat.record();
  expect(record.requests.map(({ decisions }) => decisions)).toEqual([[], []]);
  expect(record.toolRuns.map(({ toolName }) => toolName)).toEqual(['read_file']);
  expect(
    callsOf(record)
      .slice(0, 2)
      .map(({ toolCallId }) => toolCallId),
  ).toEqual(CALLS);
  expect(
    resultsOf(record)
      .slice(0, 2)
      .map(({ toolCallId, output }) => [toolCallId, output]),
  ).toEqual(CALLS.map((id) => [id, { type: 'error-text', value: CANCELLED }]));
  // No request reports the cancelled calls as denied.
  expect(JSON.stringify(record.requests)).not.toMatch(/output-denied|"approved":false/);
});

test('a cancelled call is still cancelled, not denied, after a reload', async () => {
  chat = await demo.open('cancel');
  await chat.begin(2);
  await chat.press('Cancel');
  await chat.status('Edit menu.md', 'cancelled');
  await chat.kept();
  await chat.reload();
  await chat.status('Edit menu.md', 'cancelled');
  await chat.status('Edit prices.json', 'cancelled');
  await chat.press('Show me menu.md');
  await chat.says('- Flat white');
  expect((await chat.record()).toolRuns.map(({ toolName }) => toolName)).toEqual(['read_file']);
});

test('after Cancel, an unsent denial stays a denial and is sent with the next message', async () => {
  chat = await demo.open('cancel');
  await chat.begin(2);
  await chat.denyWithReason('Edit menu.md', 'Too fancy');
  await chat.press('Cancel');
  await chat.status('Edit menu.md', 'denied');
  await chat.status('Edit prices.json', 'cancelled');
  await chat.idle();
  expect((await chat.record()).requests).toHaveLength(1);
  await chat.press('Show me menu.md');
  await chat.says('- Flat white');
  const results = new Map(
    resultsOf(await chat.record()).map(({ toolCallId, output }) => [
      toolCallId,
      String(output?.value ?? output?.reason),
    ]),
  );
  expect(results.get('call1-edit_file-1')).toContain('Too fancy');
  expect(results.get('call1-edit_file-2')).toBe(CANCELLED);
  expect((await chat.record()).toolRuns.map(({ toolName }) => toolName)).toEqual(['read_file']);
});
