/**
 * Shared by all scripts: the repository's root, running commands, and failing with one plain sentence instead of a
 * stack trace.
 */
import { spawn, spawnSync } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root folder. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** A path inside the repository. */
export const at = (...parts) => join(root, ...parts);

/** A problem that the user must fix; the script prints its message only. */
export class Failure extends Error {}

/**
 * Runs a command and waits for it. The output goes to the terminal, and with `capture` it is also returned. With
 * `quiet` the output is returned, and printed only if the command fails. Throws a `Failure` (with the captured text as
 * `output`) if the command does not exit with 0.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string>, capture?: boolean, quiet?: boolean }} [options]
 * @returns {Promise<string>}
 */
export function run(command, args, { cwd = root, env, capture = false, quiet = false } = {}) {
  return new Promise((resolvePromise, reject) => {
    const stdio = capture || quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'];
    const child = spawn(command, args, { cwd, stdio, env: { ...process.env, ...env } });
    let output = '';
    const keep = (stream) => (chunk) => {
      output += chunk;
      if (!quiet) stream.write(chunk);
    };
    child.stdout?.on('data', keep(process.stdout));
    child.stderr?.on('data', keep(process.stderr));
    const fail = (message) => {
      if (quiet) process.stderr.write(output);
      reject(Object.assign(new Failure(message), { output }));
    };
    child.on('error', (error) => fail(`\`${command}\` could not be started: ${error.message}`));
    child.on('close', (code, signal) => {
      if (code === 0) resolvePromise(output);
      else fail(`\`${[command, ...args].join(' ')}\` failed (${signal ?? `exit code ${code}`})`);
    });
  });
}

/** The trimmed standard output of a quick command, or `null` when there is no such command or it fails. */
export function ask(command, args) {
  const { status, stdout } = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

const style = (code) => (text) => (process.stdout.isTTY ? `\x1b[${code}m${text}\x1b[0m` : text);

/** Highlights text if the terminal supports it. */
export const bold = style(1);

/** Prints one line about the current step. */
export const say = (text) => console.log(`${style(2)('›')} ${text}`);

/** A number of bytes as people read it: `12.3 KB` (1 KB is 1,000 bytes). */
export const kb = (bytes) => `${(bytes / 1000).toFixed(1)} KB`;

/**
 * Runs a script's `main`: a `Failure` prints its sentence and exits with 1, anything else is a bug and shows its stack.
 */
export async function main(body) {
  try {
    await body();
  } catch (error) {
    console.error(error instanceof Failure ? `\ntoolgate: ${error.message}` : error);
    process.exit(1);
  }
}
