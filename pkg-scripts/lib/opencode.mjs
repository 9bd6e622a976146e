/**
 * Installs opencode's own server for the tests that run it, once and in the version below. It is installed under
 * node_modules/.cache, because one lockfile cannot contain its packages for all operating systems.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { at, Failure, run, say } from './shell.mjs';

/** The version that is installed. */
export const VERSION = '1.18.33';
const HOME = at('node_modules/.cache/toolgate/opencode');
const system = `opencode-${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

/** The program that `setUpOpencode` installs. */
export const program = join(HOME, 'node_modules', system, 'bin', 'opencode');

/** Installs the program, unless it is installed already. Throws a `Failure` that says what is missing. */
export async function setUpOpencode() {
  if (existsSync(program) && existsSync(join(HOME, VERSION))) return;
  say(`installing opencode ${VERSION} for the tests`);
  mkdirSync(HOME, { recursive: true });
  writeFileSync(join(HOME, 'package.json'), '{ "private": true }\n');
  try {
    await run(
      'npm',
      [
        'install',
        '--prefix',
        HOME,
        '--no-audit',
        '--no-fund',
        '--ignore-scripts',
        '--no-save',
        '--loglevel=error',
        `${system}@${VERSION}`,
      ],
      { quiet: true },
    );
  } catch {
    throw new Failure(
      `opencode ${VERSION} could not be installed (the npm package \`${system}\`); see npm's message above.`,
    );
  }
  writeFileSync(join(HOME, VERSION), '');
}
