/**
 * `./pkg-scripts/newest`: are the newest releases of the backends' packages still read and answered? The tracked files
 * and the built package are copied to target/newest, the newest releases are installed there, and the suite of the
 * protocols, the interop tests and the type checks run with them. Nothing in the repository changes, except
 * docs/backends.md with `--write`.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { table } from './measure.mjs';
import { BUILT, build } from './make.mjs';
import { ask, at, Failure, main, root, run, say } from './shell.mjs';

/** The packages by protocol: what speaks the wire, or has its types. */
const PACKAGES = {
  'ai-sdk': ['ai', '@ai-sdk/react', '@ai-sdk/svelte', '@ai-sdk/vue'],
  a2a: ['@a2a-js/sdk'],
  acp: ['@agentclientprotocol/sdk'],
  'ag-ui': ['@ag-ui/core', '@ag-ui/client', '@ag-ui/encoder'],
  anthropic: ['@anthropic-ai/sdk'],
  cloudflare: ['@cloudflare/ai-chat', 'agents'],
  effect: ['effect'],
  gemini: ['@google/genai'],
  genkit: ['genkit'],
  langgraph: ['@langchain/langgraph', '@langchain/langgraph-sdk', '@langchain/core', 'langchain'],
  mastra: ['@mastra/core'],
  mcp: ['@modelcontextprotocol/client', '@modelcontextprotocol/server'],
  openai: ['openai'],
  'openai-agents': ['@openai/agents'],
  opencode: ['@opencode-ai/sdk'],
  tanstack: ['@tanstack/ai', '@tanstack/ai-client'],
  vscode: ['@types/vscode'],
};

/** The files that run with the newest releases. */
const TESTS = ['tests/protocols', 'tests/interop'];

const folder = at('target/newest');

await main(async () => {
  const write = process.argv.includes('--write');
  const wanted = process.argv.slice(2).filter((name) => name !== '--write');
  const names = Object.values(PACKAGES).flat();
  const unknown = wanted.filter((name) => !names.includes(name));
  if (unknown.length) throw new Failure(`unknown package \`${unknown[0]}\`. Expected one of: ${names.join(', ')}.`);
  const chosen = wanted.length ? wanted : names;
  const { devDependencies: pinned } = JSON.parse(readFileSync(at('package.json'), 'utf8'));

  say(`asking the registry about ${chosen.length} packages`);
  const newest = Object.fromEntries(chosen.map((name) => [name, newestOf(name)]));
  const changed = chosen.filter((name) => newest[name] !== pinned[name]);
  await copy();
  if (changed.length) {
    say(`installing ${changed.map((name) => `${name}@${newest[name]}`).join(' ')}`);
    const exact = changed.map((name) => `${name}@${newest[name]}`);
    await run('npm', ['install', '--no-audit', '--no-fund', '--save-dev', '--save-exact', '--force', ...exact], {
      cwd: folder,
      quiet: true,
    });
  }
  const problems = [...(await typeErrors()), ...(await failingTests())];
  const rows = chosen.map((name) => {
    const about = problems.filter(({ file }) => mentions(file, name));
    return [name, pinned[name], newest[name], about.length ? about.map(({ says }) => says).join('; ') : 'ok'];
  });
  console.log(`\n${table([['package', 'pinned', 'newest', 'result'], ...rows])}`);
  for (const { file, says } of problems) console.log(`${file}: ${says}`);
  if (problems.length) throw new Failure(`${problems.length} files differ with the newest releases (see above).`);
  if (write) writeVersions(newest);
});

/** The newest release of a package on the registry. */
function newestOf(name) {
  const version = ask('npm', ['view', name, 'version']);
  if (!version) throw new Failure(`the registry has no answer about ${name}.`);
  return version;
}

/** Copies the tracked files, the built package and its dependencies. Hard links where the file system has them. */
async function copy() {
  await build();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'target'), { recursive: true });
  const tracked = ask('git', ['ls-files', '-z'])
    .split('\0')
    .filter((path) => path && existsSync(at(path)));
  for (const path of [...tracked, 'pkg', 'target/bindgen', 'target/built'])
    cpSync(at(path), join(folder, path), { recursive: true, preserveTimestamps: true });
  execFileSync('cp', ['-al', at('node_modules'), join(folder, 'node_modules')]);
  // The tests refuse a build that is older than a folder of src.
  const now = new Date();
  utimesSync(join(folder, BUILT.slice(root.length)), now, now);
}

/** The files with type errors. */
async function typeErrors() {
  say('tsc');
  const output = await run(join(folder, 'node_modules/.bin/tsc'), ['-p', 'tsconfig.json', '--noEmit'], {
    cwd: folder,
    capture: true,
  }).catch(({ output: printed = '' }) => printed);
  const byFile = new Map();
  for (const [, file, says] of output.matchAll(/^(\S+?)\(\d+,\d+\): error (.*)$/gm))
    byFile.set(file, [...(byFile.get(file) ?? []), says]);
  return [...byFile].map(([file, all]) => ({ file, says: `types: ${all[0]}${all.length > 1 ? ' …' : ''}` }));
}

/** The test files with failures. */
async function failingTests() {
  say(TESTS.join(' '));
  const report = join(folder, 'target/report.json');
  const vitest = join(folder, 'node_modules/.bin/vitest');
  const options = ['run', '--project', 'unit', '--reporter=dot', '--reporter=json', `--outputFile.json=${report}`];
  await run(vitest, [...options, ...TESTS], { cwd: folder, quiet: true }).catch(() => {});
  const { testResults = [] } = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {};
  if (!testResults.length) throw new Failure('no test ran: see the output of vitest above.');
  return testResults
    .filter(({ status }) => status !== 'passed')
    .map(({ name, assertionResults, message }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed');
      return {
        file: name.slice(folder.length + 1),
        says: failed.length ? `${failed.length} tests: ${failed[0].fullName}` : message.split('\n')[0],
      };
    });
}

/** Whether a file imports a package. */
const mentions = (file, name) =>
  existsSync(join(folder, file)) && new RegExp(`['"]${name}['"/]`).test(readFileSync(join(folder, file), 'utf8'));

/** Writes the day and the versions into the docs. */
function writeVersions(newest) {
  const page = at('docs/backends.md');
  const day = new Date().toISOString().slice(0, 10);
  const rows = Object.entries(PACKAGES)
    .filter(([, names]) => names.some((name) => newest[name]))
    .map(([protocol, names]) => {
      const versions = names.filter((name) => newest[name]).map((name) => `\`${name}\` ${newest[name]}`);
      return `| \`${protocol}\` | ${versions.join(', ')} |`;
    });
  const text = `Tested on ${day}, with the newest releases of that day:\n\n| backend | packages |\n|---|---|\n${rows.join('\n')}\n`;
  const before = readFileSync(page, 'utf8');
  const after = before.replace(/(<!-- newest:start[^>]*-->\n)[^]*?(<!-- newest:end -->)/, `$1${text}$2`);
  if (after === before && !before.includes(text)) throw new Failure('docs/backends.md has no place for the versions.');
  writeFileSync(page, after);
  say(`wrote ${page.slice(root.length + 1)}`);
}
