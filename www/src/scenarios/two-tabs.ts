/** The same chat in two tabs: one of them sends, the other follows. */
import { CAFE_FILES } from './cafe-files';
import { SUMMER_EDITS } from './three-edits';
import type { Scenario } from './types';

export const twoTabs: Scenario = {
  id: 'two-tabs',
  name: 'Two tabs',
  summary: 'The chat is open in two tabs. Both show the same, you can answer in either, and one request is sent.',
  steps: [
    'Begin, and open a second tab with the link above the chat.',
    'Answer some calls here and some there. Each tab follows the other.',
    'Give the same call different answers in both: the first one counts, and is sent once.',
  ],
  opening:
    'Summer is coming: stay open until 22:00 on weekdays, put iced coffee on the menu, and make the flat white 3.60.',
  files: CAFE_FILES,
  opensTab: true,
  needsServer: true,
  reply: ({ continues, userCount }) => (continues || userCount > 1 ? undefined : SUMMER_EDITS),
};
