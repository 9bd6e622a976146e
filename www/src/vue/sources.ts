/** The files of this folder, for the panel that shows them. */
import { sourcesOf } from '../session/sources';

/** The source files; `Chat.vue` is the first. */
export const sources = sourcesOf(
  'www/src/vue',
  import.meta.glob(['./*.vue', './main.ts'], { query: '?raw', import: 'default' }),
);
