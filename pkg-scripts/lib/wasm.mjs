/**
 * From Rust to the one wasm file: cargo, then wasm-bindgen (`--target web`), then wasm-opt. Leaves in target/bindgen:
 *   toolgate.js        the glue, which src/ts imports
 *   toolgate.wasm      what is published
 *   toolgate.names.wasm  the same code with function names, for `./pkg-scripts/size`
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { bindgenVersion } from './setup.mjs';
import { at, root, run, say } from './shell.mjs';

/** Where the wasm files and the glue are. */
export const bindgenDir = at('target/bindgen');

/** The features that wasm-bindgen's output and every browser of the last years have; wasm-opt may use no other. */
const FEATURES = [
  'bulk-memory',
  'bulk-memory-opt',
  'multivalue',
  'mutable-globals',
  'nontrapping-float-to-int',
  'reference-types',
  'sign-ext',
].map((feature) => `--enable-${feature}`);

/**
 * Smaller after gzip, which is what a page loads: functions with one caller stay apart (the raw file grows, but repeats itself
 * more), and no value is kept in a local only to be computed once.
 */
const OPTIMIZE = ['-Oz', '--one-caller-inline-max-function-size=20', '--skip-pass=local-cse'];

/** Copies of structs as one instruction each, not as a row of loads and stores. */
const LLVM = ['-max-store-memcpy=1', '-max-store-memmove=1'];

/** Builds the wasm and its glue; a no-op when cargo's output is the one that was processed last. */
export async function buildWasm() {
  say('cargo build');
  await run('cargo', ['build', '--release', '--lib', '--quiet', '--target', 'wasm32-unknown-unknown'], {
    env: { CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS: rustFlags() },
  });
  const compiled = at('target/wasm32-unknown-unknown/release/toolgate.wasm');
  const stamp = createHash('sha256')
    .update(readFileSync(compiled))
    .update(bindgenVersion())
    .update(readFileSync(at('package-lock.json')))
    .update(readFileSync(import.meta.filename))
    .digest('hex');
  const stampFile = join(bindgenDir, '.stamp');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;

  say('wasm-bindgen and wasm-opt');
  rmSync(stampFile, { force: true });
  rmSync(join(bindgenDir, 'snippets'), { recursive: true, force: true });
  await run('wasm-bindgen', [
    ...['--target', 'web', '--out-dir', bindgenDir, '--out-name', 'toolgate'],
    // Without it the glue names a wasm file of its own, which bundlers would look for in vain.
    '--omit-default-module-path',
    compiled,
  ]);
  const bound = join(bindgenDir, 'toolgate_bg.wasm');
  const named = join(bindgenDir, 'toolgate.names.wasm');
  await wasmOpt(bound, named, [...OPTIMIZE, '--strip-dwarf', '--strip-producers', '--debuginfo']);
  await wasmOpt(named, join(bindgenDir, 'toolgate.wasm'), ['--strip-debug', '--strip-producers']);
  rmSync(bound);
  writeFileSync(stampFile, stamp);
}

async function wasmOpt(from, to, passes) {
  const unfinished = `${to}.part`;
  await run(at('node_modules/.bin/wasm-opt'), [from, '-o', unfinished, ...FEATURES, ...passes]);
  renameSync(unfinished, to);
}

function rustFlags() {
  // Panic messages carry the paths of source files: keep the builder's own folders out of the published file.
  const cargoHome = process.env.CARGO_HOME ?? join(homedir(), '.cargo');
  const paths = [`${cargoHome}=cargo`, `${root}=toolgate`].map((remap) => `--remap-path-prefix=${remap}`);
  return ['--cfg toolgate_artifact', ...paths, ...LLVM.map((option) => `-Cllvm-args=${option}`)].join(' ');
}
