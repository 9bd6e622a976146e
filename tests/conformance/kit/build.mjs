/**
 * Writes `dist/`, or the folder that is its argument: the kit and its command as JavaScript, with declarations. It uses
 * the repository's packages.
 */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';

const here = import.meta.dirname;
const dist = resolve(process.argv[2] ?? join(here, 'dist'));
rmSync(dist, { recursive: true, force: true });
await build({
  entryPoints: [join(here, 'src/index.ts'), join(here, 'src/cli.ts')],
  outdir: dist,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'error',
});
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
execFileSync(process.execPath, [compiler, '-p', join(here, 'tsconfig.build.json'), '--outDir', dist], {
  stdio: 'inherit',
});
