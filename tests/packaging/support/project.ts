/**
 * A project outside the repository that has the packed tarball installed, and the other packages of a test case.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { at, run } from '../../../pkg-scripts/lib/shell.mjs';

/** An installed project. */
export interface Project {
  /** Its folder. */
  folder: string;
  /** Reads the text of a file in it. */
  read(path: string): string;
  /** Runs a command in it, or a tool of its packages. Returns the output. Throws if the command fails. */
  run(command: string, ...args: string[]): Promise<string>;
}

/** A project with a function that removes it, which `beforeAll` can return. */
export type OpenProject = Project & { remove: () => void };

/**
 * Creates a project with these files (by path) and the files of `scenario/`. npm installs the tarball and the named
 * packages, in the versions that this repository uses. The project is removed when the test ends.
 */
export async function freshProject(files: Record<string, string>, packages: readonly string[] = []): Promise<Project> {
  const project = await openProject(files, packages);
  onTestFinished(project.remove);
  return project;
}

/** Like `freshProject`, for several tests: the caller removes the project. */
export async function openProject(
  files: Record<string, string> = {},
  packages: readonly string[] = [],
): Promise<OpenProject> {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-packaging-'));
  write(folder, 'package.json', JSON.stringify({ name: 'fresh', private: true, type: 'module' }));
  cpSync(join(import.meta.dirname, '../scenario'), folder, { recursive: true });
  for (const [path, text] of Object.entries(files)) write(folder, path, text);

  const { devDependencies } = JSON.parse(readFileSync(at('package.json'), 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  const wanted = packages.map((name) => `${name}@${devDependencies[name]}`);
  await run('npm', ['install', ...quiet, inject('tarball'), ...wanted], { cwd: folder, quiet: true });
  return projectAt(folder);
}

/** A project in a folder with installed packages. `env` is passed to its commands. */
export function projectAt(folder: string, env: Record<string, string> = {}): OpenProject {
  return {
    folder,
    remove: () => rmSync(folder, { recursive: true, force: true }),
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    run: (command, ...args) =>
      run(command, args, {
        cwd: folder,
        quiet: true,
        // Vitest's own NODE_ENV would put React's development build into the page.
        env: {
          ...(args.includes('build') ? { NODE_ENV: 'production' } : {}),
          ...env,
          PATH: `${join(folder, 'node_modules/.bin')}:${process.env.PATH}`,
        },
      }),
  };
}

/** The output of a build, without Vite's list of slow plugins, which it prints on a busy machine. */
export function withoutTimings(said: string): string {
  return said.replace(/^.*\[PLUGIN_TIMINGS\][^]*?^See .*$/m, '').trim();
}

/** Writes a file below `folder`, and the folders that it needs. */
export function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
