/**
 * Runs before the tests: `pkg/` must be built from the current sources, because the tests import the package and not
 * `src`. If a source is newer than the last `./pkg-scripts/build`, the error names it, and no test runs.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BUILT } from '../../pkg-scripts/lib/make.mjs';
import { at } from '../../pkg-scripts/lib/shell.mjs';

/** Throws an `Error` if there is no build, or a source has changed since. */
export default function checkBuild(): void {
  const built = statSync(BUILT, { throwIfNoEntry: false })?.mtimeMs;
  const changed = readdirSync(at('src'), { recursive: true, encoding: 'utf8' }).find(
    // The build leaves out `toolgate::json`.
    (path) => built === undefined || (!/^json\b/.test(path) && statSync(join(at('src'), path)).mtimeMs > built),
  );
  if (changed === undefined) return;
  const what = built === undefined ? 'there is no build' : `src/${changed} has changed since the last build`;
  throw new Error(`The tests run the built package, and ${what}. Run ./pkg-scripts/build first.`);
}
