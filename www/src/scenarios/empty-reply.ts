/** The backend answers the decisions with an empty reply: nothing may be sent again automatically. */
import { CAFE_FILES } from './cafe-files';
import type { Scenario } from './types';

export const emptyReply: Scenario = {
  id: 'empty-reply',
  name: 'An empty reply',
  summary: 'The server accepts your decisions, and its answer is empty. The chat stalls, and does not send them again.',
  steps: [
    'Decide both edits. The request gets an empty answer.',
    'Wait as long as you like: no second request is sent.',
    'Press Retry. The same request is sent once more, and this time the server runs the tools.',
  ],
  opening: 'We now open on Sundays too, from 10:00 to 16:00. Please add it, and put pancakes on the menu.',
  files: CAFE_FILES,
  faults: { fault: 'nothing', on: 'decisions', times: 1 },
  reply: ({ continues, userCount }) =>
    continues || userCount > 1
      ? undefined
      : {
          text: 'Two edits, then.',
          calls: [
            {
              tool: 'edit_file',
              input: { path: 'hours.md', old_text: 'Sunday: closed', new_text: 'Sunday: 10:00 to 16:00' },
            },
            {
              tool: 'edit_file',
              input: { path: 'menu.md', old_text: '- Cheese toast\n', new_text: '- Cheese toast\n- Pancakes\n' },
            },
          ],
        },
};
