/** Sets up what the build needs and makes pkg/: what every other script does before its own work. */
import { buildPackage } from './package.mjs';
import { setUpBuild } from './setup.mjs';
import { buildWasm } from './wasm.mjs';

/** The expensive steps do nothing when their inputs have not changed. HACKING.md gives the reasons for each. */
export async function build() {
  await setUpBuild();
  await buildWasm();
  await buildPackage();
}
