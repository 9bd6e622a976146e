/**
 * Installs the chat transports of vendors for the tests that use them, once and in the versions below. They are
 * installed under node_modules/.cache without their peers, which are whole frameworks of servers.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { at, Failure, run, say } from './shell.mjs';

const PACKAGES = ['@ai-sdk/workflow@2.0.43', '@trigger.dev/sdk@4.8.3', 'zod@4.6.7'];
const HOME = at('node_modules/.cache/toolgate/transports');
const stamp = join(HOME, PACKAGES.join(' ').replaceAll('/', '+'));

/** The address of a file of the installed packages, for `import()`. */
export const transportFile = (path) => pathToFileURL(join(HOME, 'node_modules', path)).href;

/** Installs the packages, unless they are installed already. Throws a `Failure` that says what is missing. */
export async function setUpTransports() {
  if (existsSync(stamp)) return;
  say(`installing ${PACKAGES.join(', ')} for the tests`);
  mkdirSync(HOME, { recursive: true });
  writeFileSync(join(HOME, 'package.json'), '{ "private": true }\n');
  const options = [
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--no-save',
    '--legacy-peer-deps',
    '--loglevel=error',
  ];
  try {
    await run('npm', ['install', '--prefix', HOME, ...options, ...PACKAGES], { quiet: true });
  } catch {
    throw new Failure(
      "the packages of pkg-scripts/lib/transports.mjs could not be installed; see npm's message above.",
    );
  }
  writeFileSync(stamp, '');
}
