/**
 * `./pkg-scripts/reproduce`: builds the last commit twice, here and in a new folder that has no earlier output, and
 * compares the two pkg/ folders byte for byte. Both builds use the same npm packages, which the lockfile determines.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filesOf } from './files.mjs';
import { build } from './make.mjs';
import { ask, at, Failure, main, run, say } from './shell.mjs';

await main(async () => {
  if (ask('git', ['status', '--porcelain']) !== '')
    throw new Failure('some changes are not committed. Commit them first: only the last commit is built and compared.');
  await build();
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-again-'));
  try {
    say('building the last commit in another folder');
    await run('git', ['clone', '--quiet', at('.'), folder]);
    symlinkSync(at('node_modules'), join(folder, 'node_modules'));
    await run(join(folder, 'pkg-scripts/build'), [], { cwd: folder, quiet: true });
    const [here, there] = [filesOf(at('pkg')), filesOf(join(folder, 'pkg'))];
    const different = [...new Set([...here.keys(), ...there.keys()])].filter(
      (path) => !here.get(path)?.equals(there.get(path) ?? Buffer.of()),
    );
    if (different.length) throw new Failure(`two builds of one commit differ: ${different.join(', ')}`);
    const wasm = createHash('sha256')
      .update(readFileSync(at('pkg/dist/toolgate.wasm')))
      .digest('hex');
    say(`both builds have the same ${here.size} files; toolgate.wasm has SHA-256 ${wasm}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
