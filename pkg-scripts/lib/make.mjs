/** Sets up the build's tools and builds pkg/. Every other script does this before its own work. */
import { utimesSync, writeFileSync } from 'node:fs';
import { buildPackage } from './package.mjs';
import { setUpBuild } from './setup.mjs';
import { at } from './shell.mjs';
import { buildWasm } from './wasm.mjs';

/** An empty file whose time is the start of the last build. tests/lib/fresh-build.ts compares the sources with it. */
export const BUILT = at('target/built');

/** Builds pkg/. Expensive steps do nothing if their inputs have not changed. HACKING.md gives the reasons for each. */
export async function build() {
  await setUpBuild();
  // The time is taken before the build, so that a source that changes during the build counts as newer.
  const started = new Date();
  await buildWasm();
  await buildPackage();
  writeFileSync(BUILT, '');
  utimesSync(BUILT, started, started);
}
