/**
 * The kit as its users get it: packed, installed in a project outside of the repository, and with the files of its
 * README as they are. The project's other packages are those of the repository.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../lib/free-port';
import { cases, scenarios } from './kit/src/index';
import { buildKit, codeIn, KIT, node, type Ended } from './support/command';

const REPOSITORY = join(import.meta.dirname, '../..');
const project = mkdtempSync(join(tmpdir(), 'kit-user-'));
const installed = join(project, 'node_modules/toolgate-conformance');
let files: string[] = [];

beforeAll(async () => {
  // A copy of the kit, whose `dist` no other test file builds. So the build that `npm pack` would run is not needed.
  const kit = join(project, 'kit');
  cpSync(KIT, kit, { recursive: true, filter: (path) => path !== join(KIT, 'dist') });
  await buildKit(join(kit, 'dist'));
  // A cache of its own, because npm writes to it even offline.
  const own = ['--cache', join(project, '.npm'), '--pack-destination', project];
  const output = execFileSync('npm', ['pack', '--offline', '--json', '--ignore-scripts', ...own], {
    cwd: kit,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  const [packed] = JSON.parse(output) as [{ filename: string; files: { path: string }[] }];
  files = packed.files.map(({ path }) => path);
  // As npm does: the content of the tarball's folder `package`.
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', packed.filename, '-C', installed, '--strip-components', '1'], { cwd: project });
  for (const name of ['ai', '@ai-sdk/react', 'react', 'react-dom', 'happy-dom', 'zod']) link(name);
  for (const name of ['my-adapter.mjs', 'my-hook.mjs', 'my-server.mjs'])
    writeFileSync(join(project, name), codeIn(name));
}, 120_000);

afterAll(() => rmSync(project, { recursive: true, force: true }));

function link(name: string): void {
  const path = join(project, 'node_modules', name);
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(join(REPOSITORY, 'node_modules', name), path, 'junction');
}

/** Runs the installed command in the project. */
function command(...args: string[]): Promise<Ended> {
  const { bin } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as { bin: Record<string, string> };
  return node([join(installed, bin['toolgate-conformance']!), ...args], project);
}

test('the package has its command, code, types, README and license, and no sources', () => {
  const expected = [
    'LICENSE',
    'README.md',
    'package.json',
    'bin/toolgate-conformance.mjs',
    'dist/cli.js',
    'dist/index.js',
  ];
  expect(files).toEqual(expect.arrayContaining([...expected, 'dist/index.d.ts', 'dist/client/adapter.d.ts']));
  expect(
    files.filter((path) => !/^(?:LICENSE|README\.md|package\.json|bin\/|dist\/.*(?:\.js|\.d\.ts)$)/.test(path)),
  ).toEqual([]);
});

test('packing builds it first', () => {
  const { scripts } = JSON.parse(readFileSync(join(KIT, 'package.json'), 'utf8')) as { scripts: object };
  expect(scripts).toMatchObject({ prepack: 'node build.mjs' });
});

test('the command runs', async () => {
  expect(await command('--version')).toEqual({ code: 0, output: '0.1.0\n' });
});

test.each([
  ['my-adapter.mjs', []],
  ['my-hook.mjs', ['stop', 'output', 'reload', 'reconnect']],
])('%s of the README runs every scenario', async (file, lacking) => {
  const { output } = await command('client', '--adapter', file, '--json');
  const { versions, results } = JSON.parse(output) as { versions: string; results: Verdict[] };
  expect(versions).toMatch(/^ai \d+\.\d+\.\d+, @ai-sdk\/react \d+\.\d+\.\d+$/);
  expect(results.map(({ id }) => id)).toEqual(scenarios.map(({ id }) => id));
  const verdicts = Object.fromEntries(results.map(({ id, verdict }) => [id, verdict]));
  expect(verdicts).toMatchObject({
    'approval-runs-once': 'pass',
    'denial-is-a-decision': 'pass',
    'empty-reply': 'fail',
  });
  const skipped = scenarios.filter(({ needs = [] }) => needs.some((need) => lacking.includes(need)));
  expect(results.filter(({ verdict }) => verdict === 'skipped').map(({ id }) => id)).toEqual(
    skipped.map(({ id }) => id),
  );
});

test('my-server.mjs of the README runs every case', async () => {
  const port = await freePort();
  const server = spawn(process.execPath, ['my-server.mjs'], {
    cwd: project,
    env: { ...process.env, PORT: String(port) },
  });
  try {
    const url = `http://127.0.0.1:${port}/api/chat`;
    for (let tries = 0; tries < 100 && !(await fetch(`${url}/record`).catch(() => undefined)); tries++)
      await sleep(100);
    const { output } = await command('server', '--url', url, '--json');
    const { results } = JSON.parse(output) as { results: Verdict[] };
    const passed = results.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id);
    expect(results.map(({ id }) => id)).toEqual(cases.map(({ id }) => id));
    expect(passed).toEqual(expect.arrayContaining(['approval', 'denial', 'mixed']));
  } finally {
    server.kill();
    await once(server, 'exit');
  }
});

interface Verdict {
  readonly id: string;
  readonly verdict: string;
}
