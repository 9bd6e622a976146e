/** The user presses a button more than once: one decision, one request. */
import { CAFE_FILES } from './cafe-files';
import type { Scenario } from './types';

export const doubleClick: Scenario = {
  id: 'double-click',
  name: 'A double click',
  summary: 'Impatient clicks reach Toolgate, not the server. The first answer counts, and is sent once.',
  steps: [
    'Double-click Approve, or press it as often as you like. In this scenario the buttons stay.',
    'Press Deny as well: the first answer counts.',
    'Look at “Presses” for the result of each click, and at “Sent requests” for the one request.',
  ],
  opening: 'Please delete the old menu, menu-2019.md.',
  files: { ...CAFE_FILES, 'menu-2019.md': '# Menu 2019\n\n- Filter coffee\n- Scone\n' },
  keepButtons: true,
  reply: ({ continues, userCount }) =>
    continues || userCount > 1
      ? undefined
      : {
          text: 'This cannot be undone, so I ask first.',
          calls: [{ tool: 'delete_file', input: { path: 'menu-2019.md' } }],
        },
};
