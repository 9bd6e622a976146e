/** Remembered decisions: they apply to later calls with the same input or of the same tool, until they are deleted. */
import { expect, test } from 'vitest';
import { useDemo, type DemoPage } from './demo';

const demo = useDemo();

let chat: DemoPage;

/** Approves the waiting call, for the chosen calls. A decision about every call of a tool is confirmed in words. */
async function approveFor(choice: 'once' | 'chatInput' | 'chatTool'): Promise<void> {
  await chat.card('Write board.md').last().getByRole('combobox').selectOption(choice);
  await chat.approve('Write board.md');
  if (choice === 'chatTool') await chat.decide('Write board.md', 'Approve: every write_file call in this chat');
}

/** The soups that the tool runs wrote, in order: the last line of each run's input. */
async function soups(): Promise<string[]> {
  return (await chat.record()).toolRuns.map(({ input }) =>
    String((input as { content: string }).content)
      .trim()
      .split('\n')
      .at(-1)!,
  );
}

/** Sends a message, and waits for the reply to its tool call. */
async function ask(text: string, replies: number): Promise<void> {
  await chat.write(text);
  await chat.replies(replies);
}

const remembered = () => chat.page.getByRole('region', { name: 'Remembered decisions' });

test('for this input: the same call is approved automatically, another input needs an approval', async () => {
  chat = await demo.open('remembered');
  await chat.begin(1);
  await approveFor('chatInput');
  await chat.replies(1);
  await remembered().getByText('“Write board.md” with the same input').waitFor();

  await ask('Tomato again, please.', 2);
  expect(await soups()).toEqual(['tomato', 'tomato']);
  await chat.lastCard().getByText('Answered by a decision you saved.').waitFor();
  await chat.page.locator('[data-request="4"]').getByText('(remembered)').waitFor();

  await chat.write('Make it pumpkin.');
  await chat.waiting(1);
  await chat.idle();
  expect(await soups()).toEqual(['tomato', 'tomato']);
  await chat.deny('Write board.md');
  await chat.replies(3);
  expect(await soups()).toEqual(['tomato', 'tomato']);

  // An automatic answer is sent once, in one request, like any other.
  const { requests } = await chat.record();
  expect(requests.map(({ decisions }) => decisions.map(({ approved }) => approved))).toEqual([
    [],
    [true],
    [],
    [true],
    [],
    [false],
  ]);
  expect(new Set(requests.map(({ key }) => key)).size).toBe(6);
});

test('for this tool: any input, until the decision is deleted, after a reload too', async () => {
  chat = await demo.open('remembered');
  await chat.begin(1);
  await approveFor('chatTool');
  await chat.replies(1);
  await remembered().getByText('every write_file').waitFor();
  await ask('Make it pumpkin.', 2);
  await chat.kept();
  await chat.reload();
  await remembered().getByText('every write_file').waitFor();
  await ask('Make it leek.', 3);
  expect(await soups()).toEqual(['tomato', 'pumpkin', 'leek']);

  await chat.press('Forget: every write_file');
  expect(await remembered().count()).toBe(0);
  await chat.write('Make it lentil, please.');
  await chat.waiting(1);
  await chat.idle();
  expect(await soups()).toEqual(['tomato', 'pumpkin', 'leek']);
});

test('once: nothing is remembered', async () => {
  chat = await demo.open('remembered');
  await chat.begin(1);
  await approveFor('once');
  await chat.replies(1);
  expect(await remembered().count()).toBe(0);
  await chat.write('Tomato again, please.');
  await chat.waiting(1);
  expect(await soups()).toEqual(['tomato']);
});
