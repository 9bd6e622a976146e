/**
 * Installs the tools of the build and the tests, without changing installed ones: the wasm target, the wasm-bindgen CLI
 * (exactly the version that Cargo.toml pins), wasm-pack, and the npm packages of the lockfile. `browser.mjs` installs
 * the browsers.
 */
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { ask, at, Failure, run, say } from './shell.mjs';

const WASM_TARGET = 'wasm32-unknown-unknown';
const WASM_PACK = '0.15.1';

/** If the user has another version of a tool, the version that the project needs is installed into this folder. */
const LOCAL_TOOLS = at('target/tools');

/** The version of wasm-bindgen that Cargo.toml pins with `=`. */
export function bindgenVersion() {
  const pinned = /^wasm-bindgen\s*=.*"=([\d.]+)"/m.exec(readFileSync(at('Cargo.toml'), 'utf8'));
  if (!pinned) throw new Failure('Cargo.toml must pin wasm-bindgen exactly, as in `wasm-bindgen = "=1.2.3"`.');
  return pinned[1];
}

/** What `./pkg-scripts/build` needs. */
export async function setUpBuild() {
  const cargoHome = process.env.CARGO_HOME ?? join(homedir(), '.cargo');
  process.env.PATH = [join(LOCAL_TOOLS, 'bin'), process.env.PATH, join(cargoHome, 'bin')].join(delimiter);
  await wasmTarget();
  await cargoTool('wasm-bindgen', 'wasm-bindgen-cli', bindgenVersion());
  await npmPackages();
}

/** What the Rust checks need in addition. */
export async function setUpChecks() {
  await component('fmt', 'rustfmt');
  await component('clippy', 'clippy');
}

/** What the Rust tests in a browser need, except the browser. */
export async function setUpWasmPack() {
  if (ask('wasm-pack', ['--version']) === null) await cargoTool('wasm-pack', 'wasm-pack', WASM_PACK);
}

async function wasmTarget() {
  const libraries = ask('rustc', ['--print', 'target-libdir', '--target', WASM_TARGET]);
  if (libraries !== null && existsSync(libraries)) return;
  if (ask('rustup', ['--version']) === null) {
    throw new Failure(
      `Rust's ${WASM_TARGET} target is missing, and so is rustup, which installs it. Install rustup (https://rustup.rs), then run this again.`,
    );
  }
  say(`installing Rust's ${WASM_TARGET} target`);
  await run('rustup', ['target', 'add', WASM_TARGET]);
}

async function component(subcommand, name) {
  if (ask('cargo', [subcommand, '--version']) !== null) return;
  if (ask('rustup', ['--version']) === null) {
    throw new Failure(`\`cargo ${subcommand}\` is missing, and so is rustup, which installs it (https://rustup.rs).`);
  }
  say(`installing ${name}`);
  await run('rustup', ['component', 'add', name]);
}

const words = (text) => text?.split(/\s+/) ?? [];

/** Installs a command of a crate, unless that version is installed. */
async function cargoTool(command, crate, version) {
  const found = ask(command, ['--version']);
  if (words(found).includes(version)) return;
  const where = found === null ? [] : ['--root', LOCAL_TOOLS];
  const install = (...more) => run('cargo', ['install', crate, '--version', version, ...where, ...more]);
  say(`installing ${crate} ${version} (once; takes a few minutes)`);
  try {
    await install('--locked');
  } catch {
    // The crate's own lockfile can name a dependency that the index no longer serves.
    say(`${crate} could not be installed with its own lockfile; trying without it`);
    await install();
  }
  if (!words(ask(command, ['--version'])).includes(version)) {
    throw new Failure(
      `${crate} ${version} was installed, but \`${command}\` is not on the PATH. Add cargo's bin folder to it.`,
    );
  }
}

async function npmPackages() {
  if (installedPackagesMatch()) return;
  if (lstatSync(at('node_modules'), { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new Failure(
      'node_modules is a link to a folder that does not match package-lock.json. `npm ci` would empty that folder, which others may use. Remove the link first.',
    );
  }
  say('installing the npm packages of package-lock.json');
  await run('npm', ['ci', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']);
}

/** Whether node_modules has the packages of package-lock.json, according to npm's own record. */
function installedPackagesMatch() {
  const record = at('node_modules/.package-lock.json');
  if (!existsSync(record)) return false;
  const wanted = JSON.parse(readFileSync(at('package-lock.json'), 'utf8')).packages;
  const installed = JSON.parse(readFileSync(record, 'utf8')).packages;
  return Object.entries(wanted).every(
    ([path, entry]) => path === '' || entry.optional || installed[path]?.version === entry.version,
  );
}
