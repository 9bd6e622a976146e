/**
 * `./pkg-scripts/rigs`: runs the interop scenarios with programs that are too large for the tests. Each is installed
 * once, in the versions below, into a folder of its own under node_modules/.cache. Their models are scripted servers on
 * the loopback.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from './make.mjs';
import { setUpOpencode } from './opencode.mjs';
import { at, Failure, main, run, say } from './shell.mjs';

/** The packages of each program: of npm, or with `python` of PyPI. */
export const PROGRAMS = {
  'claude-agent-sdk': { npm: ['@anthropic-ai/claude-agent-sdk@0.3.330', 'zod@4.6.7'] },
  codex: { npm: ['@openai/codex@0.169.0'] },
  'gemini-cli': { npm: ['@google/gemini-cli@0.61.0'] },
  'mastra-ag-ui': {
    npm: ['@ag-ui/mastra@1.1.2', '@ag-ui/client@1.0.0', '@ag-ui/core@1.0.0', '@mastra/core@1.71.0', 'zod@4.6.7'],
  },
  'llama-index': {
    python: [
      'llama-index-protocols-ag-ui==0.6.0',
      'llama-index-llms-openai-like==0.8.1',
      'fastapi==0.165.0',
      'uvicorn==0.54.0',
    ],
  },
  'langgraph-dev': {
    python: ['langgraph-cli[inmem]==0.4.40', 'langgraph-api==0.16.7', 'langchain==1.5.2', 'langchain-openai==1.7.4'],
  },
  // The tests install it too.
  'opencode-acp': {},
};
const HOME = at('node_modules/.cache/toolgate/coding-agents');

/** The address of a file of the installed packages, for `import()`. */
export const agentFile = (agent, path) => pathToFileURL(join(HOME, agent, 'node_modules', path)).href;

/** The path of a program of the installed packages. */
export const agentProgram = (agent, name = agent) => join(HOME, agent, 'node_modules', '.bin', name);

/** The Python interpreter of an agent's environment. */
export const agentPython = (agent, name = 'python') => join(HOME, agent, 'bin', name);

/** Installs a program, unless it is installed already. Throws a `Failure` that says what is missing. */
async function setUp(agent) {
  if (agent === 'opencode-acp') return setUpOpencode();
  const { npm, python } = PROGRAMS[agent];
  const [home, packages] = [join(HOME, agent), npm ?? python];
  const stamp = join(home, packages.join(' ').replaceAll('/', '+'));
  if (existsSync(stamp)) return;
  say(`installing ${packages.join(', ')}`);
  mkdirSync(home, { recursive: true });
  try {
    if (npm) {
      writeFileSync(join(home, 'package.json'), '{ "private": true }\n');
      const options = [
        '--no-audit',
        '--no-fund',
        '--ignore-scripts',
        '--legacy-peer-deps',
        '--no-save',
        '--loglevel=error',
      ];
      await run('npm', ['install', '--prefix', home, ...options, ...packages], { quiet: true });
    } else {
      await run('python3', ['-m', 'venv', home], { quiet: true });
      await run(agentPython(agent), ['-m', 'pip', 'install', '--quiet', ...packages], { quiet: true });
    }
  } catch {
    throw new Failure(
      `the packages of ${agent} in pkg-scripts/lib/coding-agents.mjs could not be installed; see the message above.`,
    );
  }
  writeFileSync(stamp, '');
}

if (process.argv[1] === at('pkg-scripts/lib/coding-agents.mjs'))
  await main(async () => {
    const [which = ''] = process.argv.slice(2);
    if (which && !Object.hasOwn(PROGRAMS, which))
      throw new Failure(`expected one of: ${Object.keys(PROGRAMS).join(', ')}; not \`${which}\`.`);
    await build();
    for (const agent of which ? [which] : Object.keys(PROGRAMS)) await setUp(agent);
    await run(at('node_modules/.bin/vitest'), ['run', '--project', 'rigs', which], { env: { RECORD_WIRE: '1' } });
    // The recorded method calls, which tests/protocols/damage replays.
    await run(at('node_modules/.bin/vitest'), ['run', '--project', 'unit', 'tests/agents/replayed.test.ts'], {
      env: { RECORD: '1' },
    });
  });
