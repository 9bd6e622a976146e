/** Builds the demo page: www/ becomes the static files of www/dist. pkg/ must have been built. */
import { at, run, say } from './shell.mjs';

/** Where the static files are. */
export const demoDir = at('www/dist');

/** Builds the page with Vite; warnings and errors are shown, the list of files is not. */
export async function buildDemo() {
  say('vite build www');
  await run(at('node_modules/.bin/vite'), ['build', 'www', '--logLevel', 'warn']);
}
