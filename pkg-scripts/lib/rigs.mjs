/**
 * Installs the rigs: sets of npm packages with lockfiles of their own. Most rigs are the frameworks and runtimes of the
 * packaging tests, locked in tests/packaging/<rig>. They are installed under node_modules/.cache/toolgate, because
 * together they are four times as large as the project's other packages. They are installed once, and again when a
 * lockfile changes. Install scripts are disabled. The tests link to these packages (support/rig.ts). The packages that
 * build the documentation (www/docs) are a rig too, because they need an older TypeScript and an older Vite than the
 * project has.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { at, Failure, run, say } from './shell.mjs';

const RIGS = [
  ...['webpack', 'next', 'sveltekit', 'vite', 'vite-older', 'react-18', 'nuxt', 'types', 'runtimes', 'shadcn'],
  'libsql',
];
const LOCK = ['package.json', 'package-lock.json'];

/** Rigs that are not in tests/packaging. */
const FOLDERS = { docs: 'www/docs', 'ai-sdk-suite': 'tests/ai-sdk-suite/packages' };

/** Rigs whose packages use those of the project as their peers. */
const WITHOUT_PEERS = ['ai-sdk-suite'];

/** The folder of a rig's manifest and lockfile. */
const folderOf = (rig) => FOLDERS[rig] ?? `tests/packaging/${rig}`;

/** The folder of a rig's packages. */
export const rigHome = (rig) => at('node_modules/.cache/toolgate', rig);

/** A program of the `runtimes` rig: `node` (newer than the one that runs the tests), `deno` or `bun`. */
export function runtime(name) {
  const { platform, arch } = process;
  const place = {
    node: `node-${platform}-${arch}/bin/node`,
    deno: `@deno/${platform}-${arch}${platform === 'linux' ? '-glibc' : ''}/deno`,
    bun: `@oven/bun-${platform}-${arch === 'arm64' ? 'aarch64' : 'x64-baseline'}/bin/bun`,
  }[name];
  const program = join(rigHome('runtimes'), 'node_modules', place);
  if (!existsSync(program))
    throw new Failure(`the packages of tests/packaging/runtimes do not include ${name} for ${platform}-${arch}.`);
  return program;
}

/** Installs the rigs that are not installed yet. Throws a `Failure` that says what is missing. */
export async function setUpRigs() {
  const left = [...RIGS];
  const lane = async () => {
    for (let rig; (rig = left.shift());) await setUpRig(rig);
  };
  // Two at a time: npm waits for the network, then for the disk.
  await Promise.all([lane(), lane()]);
}

/** Installs one rig, unless it is installed already. Throws a `Failure` that says what is missing. */
export async function setUpRig(rig) {
  const folder = folderOf(rig);
  const home = rigHome(rig);
  const hash = createHash('sha256');
  for (const name of LOCK) hash.update(readFileSync(at(folder, name)));
  const stamp = join(home, 'installed');
  const wanted = hash.digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  say(`installing the packages of ${folder}`);
  mkdirSync(home, { recursive: true });
  for (const name of LOCK) copyFileSync(at(folder, name), join(home, name));
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline', '--loglevel=error'];
  if (WITHOUT_PEERS.includes(rig)) quiet.push('--legacy-peer-deps');
  try {
    // Not `npm ci`: a lockfile made on one system need not name the optional packages of the others.
    await run('npm', ['install', ...quiet], { cwd: home, quiet: true });
  } catch {
    throw new Failure(`the packages of ${folder} could not be installed; see npm's message above.`);
  }
  writeFileSync(stamp, wanted);
}
