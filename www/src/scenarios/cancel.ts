/** The user cancels the open calls, which is not a decision about them. */
import { CAFE_FILES } from './cafe-files';
import type { Scenario } from './types';

export const cancel: Scenario = {
  id: 'cancel',
  name: 'Cancel is not deny',
  summary: 'Cancel cancels the open calls. Nothing is sent, nothing counts as denied, and the chat continues.',
  steps: [
    'Approve one edit, and then press Cancel: both are cancelled, and no request is sent.',
    'Continue with another message.',
  ],
  recordStep:
    'Look at “What the model saw”: both calls are in the history, and the result of each says that it was cancelled.',
  opening: 'Rename the flat white to “café latte” on the menu and in the prices.',
  next: ['Show me menu.md'],
  files: CAFE_FILES,
  reply: ({ continues, userCount }) =>
    continues || userCount > 1
      ? undefined
      : {
          text: 'That takes two edits.',
          calls: [
            { tool: 'edit_file', input: { path: 'menu.md', old_text: '- Flat white', new_text: '- Café latte' } },
            { tool: 'edit_file', input: { path: 'prices.json', old_text: '"flat white"', new_text: '"café latte"' } },
          ],
        },
};
