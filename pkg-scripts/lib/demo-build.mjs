/** Builds the demo page: www/ becomes the static files of www/dist. pkg/ must have been built. */
import { buildRegistry } from './registry.mjs';
import { at, run, say } from './shell.mjs';

/** Where the static files are. */
export const demoDir = at('www/dist');

/** Builds the page with Vite, and the registry; prints Vite's warnings and errors, but not its list of files. */
export async function buildDemo() {
  say('vite build www');
  await run(at('node_modules/.bin/vite'), ['build', 'www', '--logLevel', 'warn']);
  buildRegistry();
}
