/** An approval that expires. */
import { CAFE_FILES } from './cafe-files';
import type { Scenario } from './types';

export const deadline: Scenario = {
  id: 'deadline',
  name: 'A deadline',
  summary: 'A request for approval is open for thirty seconds. Then it expires, and the model reads that.',
  steps: [
    'Approve one edit in time, and do not decide the other.',
    'When its time is over, one request is sent: with one approval and one expiry.',
  ],
  recordStep: 'Look at “What the model saw”: the result says expired, not denied.',
  opening: 'Happy hour today: espresso at 2.00, and a note about it on the menu, quickly please.',
  next: ['Show me menu.md'],
  files: CAFE_FILES,
  approvalTimeoutMs: 30_000,
  reply: ({ continues, userCount }) =>
    continues || userCount > 1
      ? undefined
      : {
          text: 'Two edits, for as long as the hour lasts.',
          calls: [
            {
              tool: 'edit_file',
              input: { path: 'prices.json', old_text: '  "espresso": 2.4,', new_text: '  "espresso": 2.0,' },
            },
            {
              tool: 'edit_file',
              input: { path: 'menu.md', old_text: '- Espresso\n', new_text: '- Espresso (happy hour!)\n' },
            },
          ],
        },
};
