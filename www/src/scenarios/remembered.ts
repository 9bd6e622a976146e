/** A decision that also answers later calls, until it is deleted. */
import { CAFE_FILES } from './cafe-files';
import type { Scenario } from './types';

const SOUPS = ['tomato', 'pumpkin', 'leek', 'lentil'] as const;

/** The soup that the user's words name, else the usual one. */
function soupIn(words: string): string {
  return SOUPS.find((soup) => words.toLowerCase().includes(soup)) ?? SOUPS[0];
}

export const remembered: Scenario = {
  id: 'remembered',
  name: 'A remembered answer',
  summary:
    'An approval can be saved for the same input, or for every call of a tool. It is listed, and can be deleted.',
  steps: [
    'Beside the buttons, choose that your answer applies to the same input in this chat, and approve.',
    'Ask for tomato again: the call is approved automatically. Ask for pumpkin: the input differs, so you are asked.',
    'Choose every call of the tool, and confirm it. Try one more soup, and press Forget above the chat.',
  ],
  opening: 'Put today’s soup on the board: tomato.',
  next: ['Tomato again, please.', 'Make it pumpkin.', 'Make it leek.'],
  files: CAFE_FILES,
  remembers: true,
  reply: ({ continues, userText }) =>
    continues
      ? undefined
      : {
          calls: [
            { tool: 'write_file', input: { path: 'board.md', content: `# Soup of the day\n\n${soupIn(userText)}\n` } },
          ],
        },
};
