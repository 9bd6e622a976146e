/** Installs packages of Debian. On other systems the scripts print what to install. */
import { existsSync, readFileSync } from 'node:fs';
import { ask, run, say } from './shell.mjs';

/** The path of a program, or `null`. */
export const onPath = (name) => ask('sh', ['-c', 'command -v "$1"', 'sh', name]) || null;

/** Installs packages. `what` is their name in the output. */
export async function install(what, packages) {
  say(`installing ${what}`);
  await run('apt-get', ['update', '-qq']);
  await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], {
    env: { DEBIAN_FRONTEND: 'noninteractive' },
    quiet: true,
  });
}

/**
 * Whether the script can install packages: as root on Debian. On other systems apt's `chromium` package is missing, or
 * it only refers to another package system.
 */
export function canInstall() {
  if (process.getuid?.() !== 0 || !existsSync('/etc/os-release')) return false;
  return /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));
}
