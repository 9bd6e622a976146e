/**
 * The Python of the tests that run Python frameworks: a virtual environment under node_modules/.cache with the packages
 * of tests/interop/python/requirements.txt. It is created again when Python's version changes, and the packages are
 * installed again when that version or the list changes. Nothing outside of the environment changes.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { ask, at, Failure, run, say } from './shell.mjs';

const REQUIREMENTS = at('tests/interop/python/requirements.txt');
const HOME = at('node_modules/.cache/toolgate/py');
const STAMP = `${HOME}/installed`;
const OLDEST = [3, 11];

/** The interpreter that `setUpPython` makes. */
export const python = process.platform === 'win32' ? `${HOME}/Scripts/python.exe` : `${HOME}/bin/python`;

/**
 * Creates the environment and installs the packages, unless both exist. Throws a `Failure` that says what is missing.
 */
export async function setUpPython() {
  const host = hostPython();
  const hash = createHash('sha256').update(host.version).update(readFileSync(REQUIREMENTS)).digest('hex');
  if (existsSync(python) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hash) return;
  if (ask(python, ['-m', 'pip', '--version']) === null || ask(python, ['--version']) !== host.version)
    await makeEnvironment(host.command);
  say('installing the Python packages of tests/interop/python/requirements.txt');
  try {
    await run(
      python,
      ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-input', '-r', REQUIREMENTS],
      { quiet: true },
    );
  } catch {
    throw new Failure(
      'the Python packages of tests/interop/python/requirements.txt could not be installed; see the message of pip above.',
    );
  }
  writeFileSync(STAMP, hash);
}

function hostPython() {
  for (const command of ['python3', 'python']) {
    const version = ask(command, ['--version']);
    const [major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(version ?? '') ?? []).slice(1).map(Number);
    if (major === OLDEST[0] && minor >= OLDEST[1]) return { command, version };
  }
  throw new Failure(
    `Python ${OLDEST.join('.')} or newer is missing; the tests run Python frameworks with it. Install it (on Debian: \`apt-get install python3 python3-venv\`), then run this again.`,
  );
}

async function makeEnvironment(command) {
  say(`making a Python environment in node_modules/.cache/toolgate/py`);
  rmSync(HOME, { recursive: true, force: true });
  mkdirSync(HOME, { recursive: true });
  try {
    await run(command, ['-m', 'venv', HOME], { quiet: true });
  } catch {
    throw new Failure(
      'Python cannot make a virtual environment: its `venv` module is missing or broken. On Debian: `apt-get install python3-venv`. Then run this again.',
    );
  }
}
