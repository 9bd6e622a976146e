/** The user presses a button more than once: one decision, one request. */
import { CAFE_FILES } from './cafe-files';
import type { Scenario } from './types';

export const doubleClick: Scenario = {
  id: 'double-click',
  name: 'A double click',
  summary: 'Impatient clicks are no second answer. The first one counts, and is sent once.',
  steps: [
    'Double-click Approve, or press it as often as you like. The second click of a double click decides nothing.',
    'One decision is made, and one request is sent. The file is deleted once.',
  ],
  recordStep: 'Look at “Presses” for the decision, and at “Sent requests” for the one request.',
  opening: 'Please delete the old menu, menu-2019.md.',
  files: { ...CAFE_FILES, 'menu-2019.md': '# Menu 2019\n\n- Filter coffee\n- Scone\n' },
  reply: ({ continues, userCount }) =>
    continues || userCount > 1
      ? undefined
      : {
          text: 'This cannot be undone, so I ask first.',
          calls: [{ tool: 'delete_file', input: { path: 'menu-2019.md' } }],
        },
};
