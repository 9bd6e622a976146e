/**
 * A quick start as its reader has it: what `npm create vite` writes (starts/<name>), the page's files over it, the packed
 * tarball, and the packages of this repository in place of those that its reader installs. Only model.js is another one.
 */
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { at, run } from '../../../pkg-scripts/lib/shell.mjs';
import { appOf } from '../../docs/support/blocks.js';
import { projectAt, write, type Project } from './project.js';
import { freePort } from './rig.js';

const starts = join(import.meta.dirname, '../starts');

/** A quick start's project, with its server running. */
export interface Start extends Project {
  /** What the server has printed: its record of what ran. */
  printed(): string[];
}

/** Makes the project of docs/start-`name`.md and starts its server. Both are removed when the test ends. */
export async function startProject(name: string, files: Record<string, string> = {}): Promise<Start> {
  const folder = mkdtempSync(join(tmpdir(), `toolgate-start-${name}-`));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await linkPackages(folder);
  cpSync(join(starts, name), folder, { recursive: true });
  write(folder, 'package.json', JSON.stringify({ name: 'my-chat', private: true, type: 'module' }));
  const port = String(await freePort());
  const app = { ...appOf(`docs/start-${name}.md`), ...files };
  // The tests of several pages run at once.
  for (const [path, text] of Object.entries(app)) write(folder, path, text.replaceAll('3001', port));
  write(folder, 'model.js', readFileSync(join(starts, 'model.js'), 'utf8'));
  return { ...projectAt(folder), printed: serve(folder) };
}

async function linkPackages(folder: string): Promise<void> {
  const from = at('node_modules');
  for (const entry of readdirSync(from)) {
    if (entry === '.bin' || !entry.startsWith('.')) {
      mkdirSync(join(folder, 'node_modules'), { recursive: true });
      symlinkSync(join(from, entry), join(folder, 'node_modules', entry));
    }
  }
  const place = join(folder, 'node_modules/toolgate');
  mkdirSync(place, { recursive: true });
  await run('tar', ['-xzf', inject('tarball'), '-C', place, '--strip-components=1'], { quiet: true });
}

/** Runs `node server.js`. Returns what it has printed. */
function serve(folder: string): () => string[] {
  let said = '';
  const child = spawn('node', ['server.js'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.on('data', (chunk) => (said += chunk));
  child.stderr.on('data', (chunk) => (said += chunk));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return () => said.split('\n').filter(Boolean);
}
