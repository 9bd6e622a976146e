/**
 * A project outside the repository with a framework's locked packages (pkg-scripts/lib/rigs.mjs) and the packed
 * tarball. The packages are hard links into the cache, as pnpm creates them: real files at the usual place, which
 * bundlers treat like any other package.
 */
import { spawn } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect, inject, onTestFinished } from 'vitest';
import { rigHome } from '../../../pkg-scripts/lib/rigs.mjs';
import { at, run } from '../../../pkg-scripts/lib/shell.mjs';
import { freePort } from '../../lib/free-port.js';
import { projectAt, write, type OpenProject, type Project } from './project.js';

/** Disables the telemetry of frameworks. */
const QUIET = { NEXT_TELEMETRY_DISABLED: '1', NUXT_TELEMETRY_DISABLED: '1' };

/**
 * Creates a project with the files of tests/packaging/`rig` and `scenario/`, and these files (by path). It is removed
 * when the test ends.
 */
export async function rigProject(rig: string, files: Record<string, string> = {}): Promise<Project> {
  const project = await openRig(rig, files);
  onTestFinished(project.remove);
  return project;
}

/**
 * Creates a project with the packages of a rig, the files of www/starters/`starter`, and these files (by path). It is
 * removed when the test ends.
 */
export async function starterProject(
  rig: string,
  starter: string,
  files: Record<string, string> = {},
): Promise<Project> {
  const project = await openRig(rig, files, at('www/starters', starter));
  onTestFinished(project.remove);
  return project;
}

/** Like `rigProject`, for several tests: the caller removes the project. `app`: the folder with the project's files. */
export async function openRig(
  rig: string,
  files: Record<string, string> = {},
  app = join(import.meta.dirname, '..', rig),
): Promise<OpenProject> {
  const folder = mkdtempSync(join(tmpdir(), `toolgate-${rig}-`));
  link(join(rigHome(rig), 'node_modules'), join(folder, 'node_modules'));
  await installTarball(folder);
  cpSync(app, folder, { recursive: true });
  // Adds the dependency as npm does, because frameworks omit the app's dependencies from their servers' bundles.
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    dependencies?: Record<string, string>;
  };
  manifest.dependencies = { ...manifest.dependencies, toolgate: `file:${inject('tarball')}` };
  write(folder, 'package.json', JSON.stringify(manifest));
  cpSync(join(import.meta.dirname, '../scenario'), join(folder, 'scenario'), { recursive: true });
  for (const [path, text] of Object.entries(files)) write(folder, path, text);
  return projectAt(folder, QUIET);
}

/**
 * Unpacks the tarball into node_modules. npm would do the same, because the package has no dependencies and no scripts.
 */
async function installTarball(folder: string): Promise<void> {
  const place = join(folder, 'node_modules/toolgate');
  mkdirSync(place, { recursive: true });
  await run('tar', ['-xzf', inject('tarball'), '-C', place, '--strip-components=1'], { quiet: true });
}

function link(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) link(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else linkOrCopy(source, target);
  }
}

function linkOrCopy(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch {
    // The temporary folder can be on another disk.
    copyFileSync(source, target);
  }
}

/** A framework's server. */
export interface Server {
  readonly url: string;
  /** Whether it has compiled the core's WebAssembly since it started. */
  hasCore(): boolean;
  /** The lines that it has printed. */
  printed(): string[];
}

/** A server loads this module first. When WebAssembly of the core's size is compiled, the module writes a file. */
const WATCH = `
  import { appendFileSync } from 'node:fs';
  const { CORE_SIZE, CORE_NOTE } = process.env;
  const look = (source) => source?.byteLength === Number(CORE_SIZE) && appendFileSync(CORE_NOTE, 'compiled');
  for (const name of ['Module', 'compile', 'instantiate']) {
    WebAssembly[name] = new Proxy(WebAssembly[name], {
      apply: (target, self, args) => (look(args[0]), Reflect.apply(target, self, args)),
      construct: (target, args, newTarget) => (look(args[0]), Reflect.construct(target, args, newTarget)),
    });
  }
`;

/**
 * Starts a server in the project: `args` returns the arguments of the command for a port. Resolves when the server
 * answers; the server is stopped after the test. Throws its output if it exits or does not answer within two minutes.
 */
export async function startServer(
  project: Project,
  command: string,
  args: (port: string) => string[],
): Promise<Server> {
  const port = String(await freePort());
  const bin = join(project.folder, 'node_modules/.bin');
  const [watch, note] = ['watch.mjs', 'core-was-compiled'].map((name) => join(project.folder, name)) as [
    string,
    string,
  ];
  write(project.folder, 'watch.mjs', WATCH);
  const env = {
    NODE_OPTIONS: `--import=${pathToFileURL(watch).href}`,
    CORE_SIZE: String(statSync(join(project.folder, 'node_modules/toolgate/dist/toolgate.wasm')).size),
    CORE_NOTE: note,
  };
  const child = spawn(command, args(port), {
    cwd: project.folder,
    env: { ...process.env, ...QUIET, PATH: `${bin}:${process.env.PATH}`, HOST: '127.0.0.1', PORT: port, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let said = '';
  child.stdout.on('data', (chunk) => (said += chunk));
  child.stderr.on('data', (chunk) => (said += chunk));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  onTestFinished(async () => {
    // Stops the whole process group, because a framework's command can start the server in another process.
    if (child.exitCode === null && child.pid) process.kill(-child.pid, 'SIGKILL');
    await ended;
  });
  const url = `http://127.0.0.1:${port}/`;
  for (let attempt = 0; attempt < 1200 && child.exitCode === null; attempt += 1) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer) return { url, hasCore: () => existsSync(note), printed: () => said.split('\n') };
    await sleep(100);
  }
  throw new Error(`\`${command}\` did not answer at ${url}:\n${said}`);
}

/**
 * Checks a framework's server: it renders the page of an empty chat without loading the core, and its routes run the
 * core on the server.
 */
export async function expectServer({ url, hasCore }: Server, routes: readonly string[] = ['gate']): Promise<void> {
  const page = await fetch(url);
  expect(page.status).toBe(200);
  // Without the comments that frameworks use for hydration.
  const html = (await page.text()).replaceAll(/<!--.*?-->/g, '');
  expect(html).toMatch(/<p id="status">idle<\/p>\s*<p id="call-a">no call<\/p>\s*<p id="call-b">no call<\/p>/);
  expect(hasCore()).toBe(false);
  for (const route of routes) {
    const answer = await fetch(new URL(route, url));
    const found = { status: answer.status, json: JSON.parse(await answer.text()) as unknown };
    expect(found, route).toEqual({ status: 200, json: { pending: 2 } });
  }
  expect(hasCore()).toBe(true);
}
