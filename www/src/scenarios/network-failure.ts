/** The request with the decisions never reaches the backend; the user sends it again. */
import { CAFE_FILES } from './cafe-files';
import { SUMMER_EDITS } from './three-edits';
import type { Scenario } from './types';

export const networkFailure: Scenario = {
  id: 'network-failure',
  name: 'A network failure',
  summary: 'The request with your decisions fails. They are not lost, and are sent again only if you retry.',
  steps: [
    'Decide the three edits. The network fails, and the bar above the text box says so.',
    'Open the inspector: “Outgoing” has the request, with its key.',
    'Press Retry. The same key and the same body are sent, as attempt 2. Each tool runs once.',
  ],
  recordStep: 'Look at “Sent requests”: the server received the key once.',
  opening:
    'Summer is coming: stay open until 22:00 on weekdays, put iced coffee on the menu, and make the flat white 3.60.',
  files: CAFE_FILES,
  faults: { fault: 'unreachable', on: 'decisions', times: 1 },
  reply: ({ continues, userCount }) => (continues || userCount > 1 ? undefined : SUMMER_EDITS),
};
