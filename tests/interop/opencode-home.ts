/** A home folder for opencode, with a project that has three tools. opencode sends requests to the loopback only. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallOf } from './openai-model';
import { NOWHERE } from './program';
import { asks, TOOLS } from './support';

/** The names of the tools in opencode, which has its own `read`. */
const NAMES: Readonly<Record<string, string>> = { read: 'look', remove: 'remove', send: 'send' };

/** The tools as an opencode plugin. Tools that need approval request it in their own code. */
const toolFile = (tool: string): string => `export default {
  description: '${tool}',
  args: { path: { type: 'string' } },
  async execute({ path }, { ask, sessionID }) {
    ${asks(tool) ? `await ask({ permission: '${tool}', patterns: [path], always: ['*'], metadata: {} });` : ''}
    return (await fetch(process.env.RIG_HOST + '/run', { method: 'POST', body: JSON.stringify({ sessionID, tool: '${tool}', path }) })).text();
  },
};`;

/**
 * A home folder and a project for opencode. Pretends that packages are installed, so that the server does not download
 * them.
 */
export function prepareOpencode(model: string): { home: string; project: string; env: NodeJS.ProcessEnv } {
  const home = mkdtempSync(join(tmpdir(), 'toolgate-opencode-'));
  const project = join(home, 'project');
  for (const config of [join(project, '.opencode'), join(home, 'config', 'opencode')])
    mkdirSync(join(config, 'node_modules'), { recursive: true });
  mkdirSync(join(project, '.opencode', 'tool'));
  for (const tool of TOOLS) writeFileSync(join(project, '.opencode', 'tool', `${NAMES[tool]}.js`), toolFile(tool));
  writeFileSync(join(home, '.npmrc'), 'offline=true\nfetch-retries=0\n');
  const provider = {
    npm: '@ai-sdk/openai-compatible',
    name: 'scripted',
    options: { baseURL: `${model}/v1`, apiKey: 'k' },
    models: { m: { name: 'm', tool_call: true, limit: { context: 100_000, output: 1000 } } },
  };
  const settings = {
    autoupdate: false,
    share: 'disabled',
    snapshot: false,
    model: 'scripted/m',
    small_model: 'scripted/m',
    provider: { scripted: provider },
    permission: { remove: 'ask', send: 'ask' },
  };
  writeFileSync(join(project, 'opencode.json'), JSON.stringify(settings));
  const off = Object.fromEntries(
    ['AUTOUPDATE', 'MODELS_FETCH', 'DEFAULT_PLUGINS', 'LSP_DOWNLOAD'].map((name) => [`OPENCODE_DISABLE_${name}`, '1']),
  );
  const homes = {
    HOME: home,
    XDG_DATA_HOME: join(home, 'data'),
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_STATE_HOME: join(home, 'state'),
    XDG_CACHE_HOME: join(home, 'cache'),
  };
  const env = {
    PATH: process.env['PATH'],
    RIG_HOST: model,
    npm_config_offline: 'true',
    npm_config_fetch_retries: '0',
    ...off,
    ...homes,
    ...NOWHERE,
  };
  return { home, project, env };
}

/** The input of opencode's own tool `question`, which asks the user this. */
const questionOf = (question: string): object => ({
  questions: [{ question, header: 'Choice', options: [{ label: 'Oak', description: 'Hard' }] }],
});

/** The model's call for a call of a scenario, and the tool of a call. */
export const callOf: CallOf = (tool, path) => ({
  name: NAMES[tool] ?? tool,
  input: tool === 'question' ? questionOf(path) : { path },
});
export const toolOf = (name: string): string => TOOLS.find((tool) => NAMES[tool] === name) ?? name;
