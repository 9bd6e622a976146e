/** The backend executes the decisions, but its reply is lost: the key prevents the tools from running twice. */
import { CAFE_FILES } from './cafe-files';
import type { Scenario } from './types';

export const lostReply: Scenario = {
  id: 'lost-reply',
  name: 'A lost reply',
  summary:
    'The server does its work, but its reply never arrives. The page cannot know that, but the key makes a retry safe.',
  steps: [
    'Approve the edit. The request fails for the page, yet the file changes: the server had received it.',
    'Press Retry. The same key arrives a second time.',
    'The server knows the key and repeats its reply. The tool does not run again.',
  ],
  opening: 'Saturdays are busy. Open at 8:00 on Saturday.',
  files: CAFE_FILES,
  faults: { fault: 'lost-reply', on: 'decisions', times: 1 },
  reply: ({ continues, userCount }) =>
    continues || userCount > 1
      ? undefined
      : {
          text: 'That is one edit.',
          calls: [
            {
              tool: 'edit_file',
              input: { path: 'hours.md', old_text: 'Saturday: 9:00 to 17:00', new_text: 'Saturday: 8:00 to 17:00' },
            },
          ],
        },
};
