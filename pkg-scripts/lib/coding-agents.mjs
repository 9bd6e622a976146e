/**
 * `./pkg-scripts/rigs`: runs the interop scenarios with coding agents, whose programs take about 800 MB. They are
 * installed once, in the versions below, under node_modules/.cache. Their models are scripted servers on the loopback.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from './make.mjs';
import { at, Failure, main, run, say } from './shell.mjs';

/** The packages, with their versions. */
export const PACKAGES = {
  'claude-agent-sdk': '@anthropic-ai/claude-agent-sdk@0.3.330',
  codex: '@openai/codex@0.169.0',
};
const HOME = at('node_modules/.cache/toolgate/coding-agents');

/** The address of a file of the installed packages, for `import()`. */
export const agentFile = (agent, path) => pathToFileURL(join(HOME, agent, 'node_modules', path)).href;

/** The path of a program of the installed packages. */
export const agentProgram = (agent, name = agent) => join(HOME, agent, 'node_modules', '.bin', name);

/** The Python interpreter of an agent's environment. */
export const agentPython = (agent, name = 'python') => join(HOME, agent, 'bin', name);

/** Installs the packages, unless they are installed already. Throws a `Failure` that says what is missing. */
async function setUpAgents() {
  const packages = Object.values(PACKAGES);
  const stamp = join(HOME, packages.join(' ').replaceAll('/', '+'));
  if (existsSync(stamp)) return;
  say(`installing ${packages.join(', ')}`);
  mkdirSync(HOME, { recursive: true });
  writeFileSync(join(HOME, 'package.json'), '{ "private": true }\n');
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--no-save', '--loglevel=error'];
  try {
    await run('npm', ['install', '--prefix', HOME, ...options, ...packages], { quiet: true });
  } catch {
    throw new Failure(
      "the packages of pkg-scripts/lib/coding-agents.mjs could not be installed; see npm's message above.",
    );
  }
  writeFileSync(stamp, '');
}

if (process.argv[1] === at('pkg-scripts/lib/coding-agents.mjs'))
  await main(async () => {
    const [which = ''] = process.argv.slice(2);
    if (which && !Object.hasOwn(PACKAGES, which))
      throw new Failure(`expected one of: ${Object.keys(PACKAGES).join(', ')}; not \`${which}\`.`);
    await build();
    await setUpAgents();
    await run(at('node_modules/.bin/vitest'), ['run', '--project', 'rigs', which], { env: { RECORD_WIRE: '1' } });
    // The recorded method calls, which tests/protocols/damage replays.
    await run(at('node_modules/.bin/vitest'), ['run', '--project', 'unit', 'tests/agents/replayed.test.ts'], {
      env: { RECORD: '1' },
    });
  });
