/**
 * The Python of the tests that run Python frameworks: virtual environments under node_modules/.cache, each with the
 * packages of one list of requirements. An environment is created again when Python's version changes, and its packages
 * are installed again when that version or the list changes. Nothing outside of the environments changes.
 *
 * Most frameworks share one environment. The AG-UI servers of vendors (tests/interop/python/ag_ui) have one each,
 * because each of them pins its own version of AG-UI's package.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { ask, at, Failure, run, say } from './shell.mjs';

const OLDEST = [3, 11];

/** The environments of single AG-UI servers, named after lists of requirements in tests/interop/python/ag_ui. */
const SERVERS = ['adk', 'agno', 'langgraph', 'microsoft', 'strands'];

const listOf = (server) => `tests/interop/python/${server === undefined ? 'requirements' : `ag_ui/${server}`}.txt`;

const homeOf = (server) => `node_modules/.cache/toolgate/py${server === undefined ? '' : `-ag-ui/${server}`}`;

/**
 * The interpreter of an AG-UI server's environment that `setUpPython` makes; without a name, that of all other tests.
 */
export const pythonOf = (server) =>
  at(homeOf(server), process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');

/**
 * Creates the environments and installs their packages, unless they exist. Throws a `Failure` that says what is
 * missing.
 */
export async function setUpPython() {
  const host = hostPython();
  for (const server of [undefined, ...SERVERS]) await setUp(server, host);
}

async function setUp(server, host) {
  const [list, python, stamp] = [listOf(server), pythonOf(server), at(homeOf(server), 'installed')];
  const hash = createHash('sha256')
    .update(host.version)
    .update(readFileSync(at(list)))
    .digest('hex');
  if (existsSync(python) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  if (ask(python, ['-m', 'pip', '--version']) === null || ask(python, ['--version']) !== host.version)
    await makeEnvironment(host.command, homeOf(server));
  say(`installing the Python packages of ${list}`);
  try {
    await run(
      python,
      ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-input', '-r', at(list)],
      { quiet: true },
    );
  } catch {
    throw new Failure(`the Python packages of ${list} could not be installed; see the message of pip above.`);
  }
  writeFileSync(stamp, hash);
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

async function makeEnvironment(command, home) {
  say(`making a Python environment in ${home}`);
  rmSync(at(home), { recursive: true, force: true });
  mkdirSync(at(home), { recursive: true });
  try {
    await run(command, ['-m', 'venv', at(home)], { quiet: true });
  } catch {
    throw new Failure(
      'Python cannot make a virtual environment: its `venv` module is missing or broken. On Debian: `apt-get install python3-venv`. Then run this again.',
    );
  }
}
