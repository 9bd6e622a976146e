/**
 * A quick start in the form that a reader creates: the output of `npm create vite` (starts/<name>), the files that the
 * documentation page shows, the packed tarball, and this repository's packages instead of those that the reader
 * installs. Only model.js is replaced.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject, onTestFinished } from 'vitest';
import { rigHome, runtime } from '../../../pkg-scripts/lib/rigs.mjs';
import { at, run } from '../../../pkg-scripts/lib/shell.mjs';
import { appOf } from '../../docs/support/blocks.js';
import { freePort } from '../../lib/free-port.js';
import { projectAt, write, type Project } from './project.js';
import { startServer } from './rig.js';

const starts = join(import.meta.dirname, '../starts');

/** A quick start's project, with its server running. */
export interface Start extends Project {
  /** The output of the server: its record of the tools that ran. */
  printed(): string[];
  /** `start` starts the server and waits until it listens; `stop` stops it. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Makes the project of docs/start-`name`.md, with more files (by path), and starts its server. Both are removed after
 * the test. `others` replaces packages: the project gets the package `others[name]` under the name `name`. A server
 * that imports `node:sqlite`, which the oldest Node lacks, runs in the newer one of the rigs.
 */
export async function startProject(
  name: string,
  files: Record<string, string> = {},
  others: Record<string, string> = {},
): Promise<Start> {
  const folder = mkdtempSync(join(tmpdir(), `toolgate-start-${name}-`));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await linkPackages(folder, others);
  symlinkSync(join(rigHome('libsql'), 'node_modules/libsql'), join(folder, 'node_modules/libsql'));
  if (existsSync(join(starts, name))) cpSync(join(starts, name), folder, { recursive: true });
  write(folder, 'package.json', JSON.stringify({ name: 'my-chat', private: true, type: 'module' }));
  const port = String(await freePort());
  const app = { ...appOf(`docs/start-${name}.md`), ...files };
  // The tests of several pages run at the same time.
  for (const [path, text] of Object.entries(app)) write(folder, path, text.replaceAll('3001', port));
  write(folder, 'model.js', readFileSync(join(starts, 'model.js'), 'utf8'));
  const node = app['server.js']?.includes("'node:sqlite'") ? runtime('node') : 'node';
  const server = serverIn(folder, node, Number(port));
  await server.start();
  // With Vitest's own NODE_ENV, the build would not be a production build.
  return { ...projectAt(folder, { NODE_ENV: 'production' }), ...server };
}

/** Starts Vite's development server in the project. Returns its address. */
export async function develop(project: Start): Promise<string> {
  const { url } = await startServer(project, 'vite', (port) => [
    '--host',
    '127.0.0.1',
    '--port',
    port,
    '--strictPort',
    '--logLevel',
    'warn',
  ]);
  return url;
}

/** Links the packages of this repository into a project, and unpacks the tarball there. */
export async function linkPackages(folder: string, others: Record<string, string> = {}): Promise<void> {
  const from = at('node_modules');
  const link = (name: string, target: string): void => {
    mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true });
    symlinkSync(join(from, target), join(folder, 'node_modules', name));
  };
  for (const entry of readdirSync(from)) {
    if (entry.startsWith('.') && entry !== '.bin') continue;
    const names = entry.startsWith('@') ? readdirSync(join(from, entry)).map((name) => `${entry}/${name}`) : [entry];
    for (const name of names) link(name, others[name] ?? name);
  }
  const place = join(folder, 'node_modules/toolgate');
  mkdirSync(place, { recursive: true });
  await run('tar', ['-xzf', inject('tarball'), '-C', place, '--strip-components=1'], { quiet: true });
}

/** Runs server.js in this Node. */
function serverIn(folder: string, node: string, port: number): Pick<Start, 'printed' | 'start' | 'stop'> {
  let said = '';
  let child: ChildProcess;
  let ended: Promise<unknown>;
  // While the server is stopped, a listener that drops every connection occupies its port, so that no other test uses
  // it.
  let keeper: Server | undefined;
  const letGo = async (): Promise<void> => {
    const kept = keeper;
    keeper = undefined;
    if (kept) await new Promise((resolve) => kept.close(resolve));
  };
  const start = async (): Promise<void> => {
    await letGo();
    child = spawn(node, ['server.js'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    ended = new Promise((resolve) => child.once('close', resolve));
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (said += chunk));
    for (let attempt = 0; !(await listens(port)); attempt += 1) {
      if (attempt === 300 || child.exitCode !== null) throw new Error(`server.js does not listen:\n${said}`);
      await sleep(100);
    }
  };
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
    if (keeper) return;
    const kept = createServer((socket) => socket.destroy());
    keeper = kept;
    await new Promise<void>((resolve, reject) => kept.once('error', reject).listen(port, '127.0.0.1', resolve));
  };
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
    await letGo();
  });
  return { printed: () => said.split('\n').filter(Boolean), start, stop };
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
