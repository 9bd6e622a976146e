/**
 * The connection is lost after the first tool output: the results are kept, the turn is incomplete, nothing is sent
 * automatically, and the request with the user's next message contains the results once. The tests read the backend's
 * own record.
 */
import { expect, test } from 'vitest';
import { callsOf, resultsOf, useDemo, type DemoPage } from './demo';

const demo = useDemo('server', 'cut');

let chat: DemoPage;

const [HOURS, MENU] = ['call1-edit_file-1', 'call1-edit_file-2'] as const;

/** Approves both edits, and waits for the cut. */
async function cut(): Promise<void> {
  chat = await demo.open('network-cut');
  await chat.begin(2);
  await Promise.all([chat.announces('edit_file: Outcome unknown. It may have run'), chat.approveAll()]);
  await chat.page.getByText('The connection was lost. Finished calls stay done.').waitFor();
  await chat.status('Edit hours.md', 'done');
  await chat.status('Edit menu.md', 'unknown');
}

/** Presses “continue”, and expects that the model reads the results once and that no tool runs twice. */
async function goOn(): Promise<void> {
  await chat.press('continue');
  await chat.says('Both edits are done, and nothing was done twice.');
  const record = await chat.record();
  expect(record.requests.map(({ handling, decisions }) => [handling, decisions.length])).toEqual([
    ['model', 0],
    ['model', 2],
    ['model', 0],
  ]);
  expect(
    record.toolRuns.map(({ toolCallId, toolName, result }) => [
      toolName,
      toolName === 'read_file' ? '' : toolCallId,
      result,
    ]),
  ).toEqual([
    ['edit_file', HOURS, 'ok'],
    ['edit_file', MENU, 'ok'],
    ['read_file', '', 'ok'],
  ]);
  expect(record.files['hours.md']).toContain('8:00 to 20:00');
  expect(record.files['menu.md']?.match(/Lemonade/g)).toHaveLength(1);

  // The first prompt after the lost connection: the results once, before the user's new message.
  const prompt = record.modelCalls.find(({ request }) => request === 3)!.prompt;
  const seen = { ...record, modelCalls: [{ n: 1, request: 3, prompt }] };
  expect(callsOf(seen).map(({ toolCallId }) => toolCallId)).toEqual([HOURS, MENU]);
  expect(resultsOf(seen).map(({ toolCallId, output }) => [toolCallId, output?.type, output?.value])).toEqual([
    [HOURS, 'text', 'Edited hours.md.'],
    [MENU, 'error-text', 'Error: Tool execution was interrupted. It may have run; its outcome is unknown.'],
  ]);
  expect(prompt.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'user']);
  await chat.status('Edit menu.md', 'interrupted');
}

test('finished work is not lost, nothing is sent automatically, and the request for “continue” contains it once', async () => {
  await cut();
  await chat.idle();
  expect((await chat.record()).requests.map(({ reply }) => reply)).toEqual(['finished', 'cut']);
  expect((await chat.sent()).map(({ state }) => state)).toEqual(['answered', 'cut']);
  await goOn();
});

test('after a reload, too, finished work is not lost and is sent once', async () => {
  await cut();
  await chat.kept();
  await chat.reload();
  await chat.page.getByText('The connection was lost. Finished calls stay done.').waitFor();
  await chat.status('Edit hours.md', 'done');
  await chat.status('Edit menu.md', 'unknown');
  await chat.idle();
  expect((await chat.record()).requests).toHaveLength(2);
  await goOn();
});

test('with another task instead of “continue”, too, the model reads the results once', async () => {
  await cut();
  await chat.write('Which files are there?');
  await chat.says('I do not know whether menu.md was changed');
  await chat.says('nothing was done twice');
  const record = await chat.record();
  expect(
    record.toolRuns.filter(({ toolName }) => toolName === 'edit_file').map(({ toolCallId }) => toolCallId),
  ).toEqual([HOURS, MENU]);
  expect(callsOf(record).filter(({ toolCallId }) => toolCallId === HOURS)).toHaveLength(1);
  expect(resultsOf(record).filter(({ toolCallId }) => toolCallId === HOURS)).toHaveLength(1);
});
