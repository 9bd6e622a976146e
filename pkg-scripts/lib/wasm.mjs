/**
 * Builds the wasm file from Rust with cargo, wasm-bindgen (`--target web`) and wasm-opt. The results in target/bindgen:
 *   toolgate.js        the bindings, which src/ts imports: glue.mjs makes them from the output of wasm-bindgen
 *   enums.js           the texts of the crate's enums by their numbers, with types
 *   input.js and refusal-reason.js   the variants of the crate's enums without texts, with types
 *   toolgate.wasm      the published file
 *   toolgate.names.wasm  the same code with function names, for `./pkg-scripts/size`
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { filesOf, layOver, withScratch } from './files.mjs';
import { bind } from './glue.mjs';
import { enumModule, fileOf, variantModule } from './interface.mjs';
import { bindgenVersion } from './setup.mjs';
import { ask, at, root, run, say } from './shell.mjs';
import { renumbered } from './wasm-locals.mjs';

/** Where the wasm files and the glue are. */
export const bindgenDir = at('target/bindgen');

/**
 * The WebAssembly features that wasm-bindgen's output uses and that all browsers of the last years support. wasm-opt
 * may use no others.
 */
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
 * These passes give the smallest file after gzip, which is what a page loads. Control flow is rebuilt from flat code.
 * Functions with one caller are not inlined: the raw file grows, but compresses better. Values are not stored in locals
 * only to avoid computing them twice, and equal ends of branches stay apart: gzip folds them better. The order of the
 * passes was the best of some hundred random orders.
 */
const OPTIMIZE = [
  // The stack begins at 0, so addresses below 1024 are unused until it is almost full.
  '--low-memory-unused',
  ...['--flatten', '--rereloop', '--simplify-locals-nostructure', '-O2', '-Oz', '-Oz', '-Oz'],
  ...['--one-caller-inline-max-function-size=20', '--always-inline-max-function-size=4'],
  ...['--skip-pass=local-cse', '--skip-pass=simplify-locals', '--skip-pass=code-folding'],
];

/** The boundary to JavaScript, without the standard library: see `artifact` in src/lib.rs. */
const CRATE_FEATURES = ['--no-default-features', '--features', 'js'];

/** Builds the wasm and its glue; does nothing when cargo's output has not changed since the last build. */
export async function buildWasm() {
  say('cargo build');
  // Only as a `cdylib`: for a crate that is also an `rlib`, cargo skips link-time optimisation.
  await run(
    'cargo',
    [
      'rustc',
      '--release',
      '--lib',
      '--crate-type',
      'cdylib',
      '--quiet',
      '--target',
      'wasm32-unknown-unknown',
      ...CRATE_FEATURES,
    ],
    {
      env: { CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS: rustFlags() },
    },
  );
  const compiled = at('target/wasm32-unknown-unknown/release/toolgate.wasm');
  const stamp = createHash('sha256').update(readFileSync(compiled)).update(bindgenVersion());
  const sources = [
    'package-lock.json',
    ...['wasm', 'glue', 'interface', 'wasm-names', 'wasm-locals', 'wasm-code'].map(
      (name) => `pkg-scripts/lib/${name}.mjs`,
    ),
  ];
  for (const source of sources) stamp.update(readFileSync(at(source)));
  const made = stamp.digest('hex');
  const stampFile = join(bindgenDir, '.stamp');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === made) return;

  say('wasm-bindgen and wasm-opt');
  await withScratch(async (scratch) => {
    await run('wasm-bindgen', [
      ...['--target', 'web', '--out-dir', scratch, '--out-name', 'toolgate'],
      // Without this option the glue names another wasm file, which bundlers cannot find.
      '--omit-default-module-path',
      compiled,
    ]);
    const [bound, js, types] = ['toolgate_bg.wasm', 'toolgate.js', 'toolgate.d.ts'].map((name) => join(scratch, name));
    const ours = bind(readFileSync(bound), readFileSync(js, 'utf8'), readFileSync(types, 'utf8'));
    writeFileSync(bound, ours.wasm);
    writeFileSync(js, ours.js);
    writeFileSync(types, ours.types);
    const enums = enumModule(ours.enums);
    writeFileSync(join(scratch, 'enums.js'), enums.js);
    writeFileSync(join(scratch, 'enums.d.ts'), enums.types);
    for (const [name, members] of ours.variants) {
      const variants = variantModule(name, members);
      writeFileSync(join(scratch, `${fileOf(name)}.js`), variants.js);
      writeFileSync(join(scratch, `${fileOf(name)}.d.ts`), variants.types);
    }
    const [named, stripped] = ['toolgate.names', 'toolgate'].map((name) => join(scratch, `${name}.wasm`));
    await wasmOpt(bound, named, [...OPTIMIZE, '--strip-dwarf', '--strip-producers', '--debuginfo']);
    // Made from the same input, not from the file with names: reading and writing a file without optimising makes it
    // larger.
    await wasmOpt(bound, stripped, [...OPTIMIZE, '--strip-debug', '--strip-producers', '--strip-target-features']);
    writeFileSync(stripped, renumbered(readFileSync(stripped)));
    rmSync(bound);
    layOver(bindgenDir, filesOf(scratch).set('.stamp', Buffer.from(made)));
  });
}

const wasmOpt = (from, to, passes) => run(at('node_modules/.bin/wasm-opt'), [from, '-o', to, ...FEATURES, ...passes]);

/**
 * Options of LLVM. rustc does not guarantee them, though each has existed for years. A compiler without one of
 * them builds a correct file that is slightly larger.
 */
const HIDDEN = [
  // Copies structs with memory.copy; a sequence of loads and stores is three times as long.
  ['-max-store-memcpy=1', '-max-store-memmove=1'],
  // Keeps the induction variables of the source, because rewritten loops need additional code.
  ['-disable-lsr'],
  // Does not duplicate code only to avoid computing a value twice.
  ['-enable-pre=0'],
  // Merges equal ends of branches late. If they are merged early, each branch needs extra code for its differences.
  ['-tail-merge-threshold=500', '-tail-merge-size=1'],
  ['-simplifycfg-sink-common=0'],
  // Keeps a loop's variables in memory, instead of loading them before the loop and storing them at every exit.
  ['-disable-licm-promotion'],
  // Copies a function into its callers only if that is hardly longer than the call.
  ['-inline-threshold=10'],
  // A `match` whose arms are numbers becomes a table.
  ['-switch-to-lookup'],
];

/** The options that the compiler accepts. rustc checks them even if it only prints its target's features. */
function hidden() {
  const arguments_ = (options) => options.map((option) => `-Cllvm-args=${option}`);
  return HIDDEN.map(arguments_)
    .filter((options) => ask('rustc', [...options, '--print', 'target-features']) !== null)
    .flat();
}

/**
 * Panic messages contain paths, which must not be those of the builder's machine.
 */
function rustFlags() {
  const cargoHome = process.env.CARGO_HOME ?? join(homedir(), '.cargo');
  const paths = [`${cargoHome}=cargo`, `${root}=toolgate`].map((remap) => `--remap-path-prefix=${remap}`);
  return [...paths, ...hidden()].join(' ');
}
