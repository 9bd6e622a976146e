/** A crate without the standard library can use the gate: tests/crate/no-std compiles. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { it } from 'vitest';

import { at } from '../../pkg-scripts/lib/shell.mjs';

it('a crate without the standard library compiles with the gate', async () => {
  const manifest = at('tests/crate/no-std/Cargo.toml');
  await promisify(execFile)('cargo', ['build', '--quiet', '--locked', '--manifest-path', manifest], {
    env: { ...process.env, CARGO_TARGET_DIR: at('target/examples') },
  });
}, 600_000);
