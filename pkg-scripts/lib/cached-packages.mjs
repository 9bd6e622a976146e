/**
 * Installs npm packages for the tests into a folder under node_modules/.cache, without their peers: they find those of
 * the project.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { at, Failure, run, say } from './shell.mjs';

/** The folder of a set of packages. */
export const cacheHome = (name) => at('node_modules/.cache/toolgate', name);

/**
 * Installs these versions of packages (`name@version`), unless they are installed already. `bare` packages are unpacked
 * without their dependencies. Throws a `Failure` that says what is missing.
 */
export async function installCached(name, packages, bare = []) {
  const home = cacheHome(name);
  const all = [...packages, ...bare];
  const stamp = join(home, all.join(' ').replaceAll('/', '+'));
  if (existsSync(stamp)) return;
  say(`installing ${all.join(', ')} for the tests`);
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'package.json'), '{ "private": true }\n');
  const options = [
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--no-save',
    '--legacy-peer-deps',
    '--loglevel=error',
  ];
  try {
    await run('npm', ['install', '--prefix', home, ...options, ...packages], { quiet: true });
    for (const one of bare) await unpack(home, one);
  } catch {
    throw new Failure(`${all.join(', ')} could not be installed; see npm's message above.`);
  }
  writeFileSync(stamp, '');
}

/** Unpacks a package. */
async function unpack(home, versioned) {
  const folder = join(home, 'node_modules', versioned.slice(0, versioned.lastIndexOf('@')));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await run('npm', ['pack', versioned, '--pack-destination', folder, '--loglevel=error'], { cwd: home, quiet: true });
  const [archive] = readdirSync(folder);
  await run('tar', ['xzf', archive, '--strip-components=1'], { cwd: folder, quiet: true });
  rmSync(join(folder, archive));
}
