/** No script: the user writes, the model answers. */
import { CAFE_FILES } from './cafe-files';
import type { Scenario } from './types';

export const freeChat: Scenario = {
  id: 'free-chat',
  name: 'A free chat',
  summary: 'Write what you like. The model reads files at once, and asks before it changes one.',
  steps: [
    'Try “show me menu.md”, “add Scones to menu.md” or “change Sunday: closed to Sunday: 10:00 to 14:00 in hours.md”.',
    'Try “delete prices.json”, and write another message while a call waits for you: the open call is denied, and the model reads why.',
  ],
  opening: 'What can you do?',
  files: CAFE_FILES,
  remembers: true,
};
