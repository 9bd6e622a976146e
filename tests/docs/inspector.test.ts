/**
 * Runs the test that docs/inspector.md shows, as a user would, with a recording that passes and with one that fails. A
 * production build contains none of the code that the page lists as absent.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import esbuild from 'esbuild';
import { init, ToolGate } from 'toolgate';
import { record, type Recording } from 'toolgate/inspector';
import { afterAll, expect, it } from 'vitest';

import { at } from '../../pkg-scripts/lib/shell.mjs';
import { ask, reply, send } from '../gate/support.js';
import { appOf } from './support/blocks.js';
import { block, page } from './support/pages.js';
import { run } from './support/run.js';

await init();

const folder = at('target/docs-inspector', String(process.pid));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): string {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
  return join(folder, path);
}

/** Runs Node. Resolves to the exit code and the output. */
function node(
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, args, { cwd, env });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (said += piece.toString()));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, said })));
}

/** Runs the page's test in a folder of its own. */
async function vitest(recording: Recording): Promise<{ code: number | null; said: string }> {
  const [path] = Object.keys(appOf('docs/inspector.md')) as [string];
  write(path, appOf('docs/inspector.md')[path] as string);
  write('tests/second-approval.json', JSON.stringify(recording));
  write('vitest.config.mjs', 'export default {};\n');
  return node([at('node_modules/vitest/vitest.mjs'), 'run', '--root', folder], folder, {
    ...process.env,
    NO_COLOR: '1',
  });
}

function recorded(): Recording {
  const gate = new ToolGate();
  const recorder = record(gate);
  gate.sendUserMessage({ text: 'tidy up' });
  send(gate);
  reply(gate, [{ type: 'start', messageId: 'a1' }, { type: 'start-step' }, ...ask('c1'), { type: 'finish' }]);
  gate.respond('approve-c1', { approved: true });
  send(gate);
  reply(gate, [{ type: 'tool-output-available', toolCallId: 'c1', output: 'written' }, { type: 'finish' }]);
  return JSON.parse(JSON.stringify(recorder.recording())) as Recording;
}

it(
  'the page’s test passes on a recording, and fails on one with another result of `respond`',
  { timeout: 120_000 },
  async () => {
    const recording = recorded();
    expect(await vitest(recording)).toMatchObject({ code: 0, said: expect.stringMatching(/Tests +1 passed/) });
    const answer = recording.steps.findIndex(({ call }) => call === 'respond');
    const altered = recording.steps.with(answer, { ...recording.steps[answer]!, returned: 'duplicate' });
    const { code, said } = await vitest({ ...recording, steps: altered });
    expect(code).toBe(1);
    expect(said).toContain('duplicate');
  },
);

it('the sample that records without a page makes a valid recording', async () => {
  const { recording } = await run('inspector', block('inspector', 'record(gate)'), {}, ['recording']);
  expect(JSON.parse(recording as string)).toMatchObject({
    toolgate: 'recording',
    steps: [{ call: 'sendUserMessage' }],
  });
});

const dropIn = block('inspector', 'import.meta.env.DEV');

/** The scripts that `vite build` writes, as one text. */
async function viteBuilt(environment: 'production' | 'development'): Promise<string> {
  write('app/main.ts', dropIn);
  write('app/index.html', '<script type="module" src="./main.ts"></script>\n');
  write('app/vite.config.mjs', `export default { build: { outDir: '${environment}', target: 'es2022' } };\n`);
  // Without the test runner's NODE_ENV, because a user's build does not set it.
  const { NODE_ENV: _, ...env } = process.env;
  const { code, said } = await node([at('node_modules/vite/bin/vite.js'), 'build'], join(folder, 'app'), {
    ...env,
    ...(environment === 'development' && { NODE_ENV: environment }),
  });
  expect(code, said).toBe(0);
  const assets = join(folder, 'app', environment, 'assets');
  return readdirSync(assets)
    .filter((file) => file.endsWith('.js'))
    .map((file) => readFileSync(join(assets, file), 'utf8'))
    .join('\n');
}

/** The scripts that esbuild writes, as one text. */
async function esbuilt(options: esbuild.BuildOptions): Promise<string> {
  const entry = write('app/main.ts', dropIn.replace('import.meta.env.DEV', `process.env.NODE_ENV !== 'production'`));
  const { outputFiles } = await esbuild.build({
    entryPoints: [entry],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    outdir: join(folder, 'out'),
    loader: { '.wasm': 'file' },
    write: false,
    logLevel: 'silent',
    ...options,
  });
  return (outputFiles ?? [])
    .filter(({ path }) => path.endsWith('.js'))
    .map(({ path, text }) => `${path}\n${text}`)
    .join('\n');
}

it.each([
  ['Vite', () => viteBuilt('production'), () => viteBuilt('development')],
  ['esbuild with --minify', () => esbuilt({ minify: true }), () => esbuilt({ minify: false })],
  [
    'esbuild with --define',
    () => esbuilt({ define: { 'process.env.NODE_ENV': '"production"' } }),
    () => esbuilt({ define: { 'process.env.NODE_ENV': '"development"' } }),
  ],
])(
  '%s: the inspector is in a development build, and not in a production build',
  { timeout: 120_000 },
  async (_, production, development) => {
    const [built, developed] = [await production(), await development()];
    // Not `toContain`, because its error message would contain megabytes of code.
    const found = (text: string): boolean[] =>
      ['sendUserMessage', 'toolgate-inspector', 'Export recording'].map((part) => text.includes(part));
    expect(found(developed)).toEqual([true, true, true]);
    expect(found(built)).toEqual([true, false, false]);
  },
);

it('the page names the tabs of the inspector', () => {
  const panels = ['timeline', 'outgoing', 'backends', 'approvals'].map((name) =>
    readFileSync(at(`src/ts/inspector/${name}-panel.ts`), 'utf8'),
  );
  const [, table] = /^\| tab \|.*\n\|---\|---\|\n([^]*?)\n\n/m.exec(page('inspector')) ?? [];
  const rows = [...(table ?? '').matchAll(/^\| (\w+) \|/gm)].map(([, label]) => label);
  expect(rows).toEqual(panels.map((text) => /readonly label = '([^']+)'/.exec(text)?.[1]));
});
