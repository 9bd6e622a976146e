/**
 * Packs pkg/ once for all the packaging tests, exactly as `npm publish` would. The tests see only this tarball.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { at, run } from '../../../pkg-scripts/lib/shell.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** The path of the packed tarball. */
    tarball: string;
  }
}

export default async function setup(project: TestProject): Promise<void> {
  const { version } = JSON.parse(readFileSync(at('pkg/package.json'), 'utf8')) as { version: string };
  const folder = at('target/packed');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await run('npm', ['pack', '--pack-destination', folder, '--loglevel=error'], { cwd: at('pkg'), quiet: true });
  project.provide('tarball', `${folder}/toolgate-${version}.tgz`);
}
