/** The files of this folder, for the panel that shows them. */
import { sourcesOf } from '../session/sources';

/** The source files; `Chat.svelte` is the first. */
export const sources = sourcesOf(
  'www/src/svelte',
  import.meta.glob(['./*.svelte', './main.ts'], { query: '?raw', import: 'default' }),
);
