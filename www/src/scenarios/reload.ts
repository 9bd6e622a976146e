/** The page is reloaded while an approval is pending, and while a decision is in flight. */
import type { ScriptedReply } from '../backend/model';
import { CAFE_FILES } from './cafe-files';
import type { Scenario } from './types';

const TERRACE: ScriptedReply = {
  text: 'The terrace needs two edits.',
  calls: [
    {
      tool: 'edit_file',
      input: { path: 'hours.md', old_text: 'Sunday: closed', new_text: 'Sunday: 10:00 to 17:00, terrace only' },
    },
    { tool: 'write_file', input: { path: 'terrace.md', content: '# Terrace\n\nSix tables, no reservations.\n' } },
  ],
};

export const reloadPending: Scenario = {
  id: 'reload-pending',
  name: 'Reload while it waits',
  summary: 'The page is reloaded while the chat waits for you. It is restored with your answers.',
  steps: [
    'Approve one of the two calls, and reload the page.',
    'The same chat is shown: one call is approved, and one still waits.',
    'Decide it. One request is sent, and each approved tool runs once.',
  ],
  opening: 'We open the terrace on Sundays. Please write that down.',
  files: CAFE_FILES,
  needsServer: true,
  reply: ({ continues, userCount }) => (continues || userCount > 1 ? undefined : TERRACE),
};

export const reloadInFlight: Scenario = {
  id: 'reload-in-flight',
  name: 'Reload while it is sent',
  summary: 'The page is reloaded while your answer is sent to a slow server. It is not sent again automatically.',
  steps: [
    'Approve the call. The server runs it, but is slow to reply. Reload the page meanwhile.',
    'The page does not know whether the server received your answer, and the bar says so.',
    'Press Retry: the same key is sent. The server knows it, repeats its reply, and runs nothing again.',
  ],
  opening: 'Please delete the old menu, menu-2019.md.',
  files: { ...CAFE_FILES, 'menu-2019.md': '# Menu 2019\n\n- Filter coffee\n- Scone\n' },
  needsServer: true,
  faults: { fault: 'slow-reply', on: 'decisions', times: 1 },
  reply: ({ continues, userCount }) =>
    continues || userCount > 1
      ? undefined
      : {
          text: 'This cannot be undone, so I ask first.',
          calls: [{ tool: 'delete_file', input: { path: 'menu-2019.md' } }],
        },
};
