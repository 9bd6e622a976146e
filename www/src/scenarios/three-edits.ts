/** Three tool calls in one step: nothing is sent before all three are decided. */
import type { ScriptedReply } from '../backend/model';
import { CAFE_FILES } from './cafe-files';
import type { Scenario } from './types';

/** The three edits, which two other scenarios use as well. */
export const SUMMER_EDITS: ScriptedReply = {
  text: 'Three small changes for the summer. I need your approval for each.',
  calls: [
    {
      tool: 'edit_file',
      input: {
        path: 'hours.md',
        old_text: 'Monday to Friday: 8:00 to 18:00',
        new_text: 'Monday to Friday: 8:00 to 22:00',
      },
    },
    {
      tool: 'edit_file',
      input: { path: 'menu.md', old_text: '- Flat white\n', new_text: '- Flat white\n- Iced coffee\n' },
    },
    {
      tool: 'edit_file',
      input: { path: 'prices.json', old_text: '  "flat white": 3.2,', new_text: '  "flat white": 3.6,' },
    },
  ],
};

export const threeEdits: Scenario = {
  id: 'three-edits',
  name: 'Three edits at once',
  summary: 'The model asks for three edits in one step. One request is sent when all three are decided.',
  steps: [
    'Approve one edit and deny another, with or without a reason.',
    'Open the inspector, “Outgoing”: nothing is sent, because one edit is still open.',
    'Decide the third. One request is sent, with one answer for each edit.',
  ],
  recordStep: 'Look at “Sent requests”: the answers are in one request, with a key.',
  opening:
    'Summer is coming: stay open until 22:00 on weekdays, put iced coffee on the menu, and make the flat white 3.60.',
  files: CAFE_FILES,
  reply: ({ continues, userCount }) => (continues || userCount > 1 ? undefined : SUMMER_EDITS),
};
