/**
 * A clone of the AI SDK's repository (github.com/vercel/ai), and copies of its releases. Its files are copied into a
 * temporary folder outside the repository and are never committed.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ask, at, Failure, run } from './shell.mjs';

/** What the tests of the chats need. */
const FOLDERS = [
  'packages/ai/src/ui',
  'packages/ai/src/util',
  'packages/react/src',
  'packages/svelte/src',
  'packages/vue/src',
  'packages/provider-utils/src/test',
  'packages/test-server/src',
];

/**
 * The git folder of the clone: `folder`, or the value of AI_SDK_CHECKOUT, which name a clone or its git folder. Throws
 * a `Failure` if there is none.
 */
export function checkoutOf(folder = process.env.AI_SDK_CHECKOUT) {
  if (!folder)
    throw new Failure(
      'name a clone of https://github.com/vercel/ai: `AI_SDK_CHECKOUT=<folder> ./pkg-scripts/ai-sdk-suite`.',
    );
  const git = [resolve(folder, '.git'), resolve(folder)].find((path) => existsSync(join(path, 'HEAD')));
  if (!git) throw new Failure(`${folder} is not a clone of https://github.com/vercel/ai.`);
  return git;
}

/** The version of `ai` that this project has installed under a name. */
export const installedVersion = (name) =>
  JSON.parse(readFileSync(at('node_modules', name, 'package.json'), 'utf8')).version;

/**
 * Copies the newest release of the clone that has the installed major version, and is not newer than it. Returns its
 * version and the folder of the copy. Throws a `Failure` if the clone has no such release.
 */
export async function releaseFor(git, installed) {
  const [major] = installed.split('.');
  const found = (ask('git', ['--git-dir', git, 'tag', '--list', `ai@${major}.*`]) ?? '')
    .split('\n')
    .map((tag) => tag.replace('ai@', ''))
    .filter((version) => /^\d+\.\d+\.\d+$/.test(version) && compare(version, installed) <= 0)
    .sort(compare)
    .at(-1);
  if (!found) throw new Failure(`${git} has no tag for version ${major} of \`ai\`. Fetch its tags.`);
  const folder = join(tmpdir(), 'toolgate-ai-sdk-suite', found);
  if (!existsSync(join(folder, 'packages/test-server/src'))) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const archive = join(folder, 'packages.tar');
    await run('git', ['--git-dir', git, 'archive', '-o', archive, `ai@${found}`, ...FOLDERS]);
    await run('tar', ['-xf', archive, '-C', folder]);
    rmSync(archive);
  }
  return { version: found, folder };
}

function compare(a, b) {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  return left.map((part, index) => part - right[index]).find((difference) => difference !== 0) ?? 0;
}
