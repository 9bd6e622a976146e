/** The kit as it is published: its built files, and its command as a process of its own. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The folder of the kit. */
export const KIT = join(import.meta.dirname, '../kit');

/** Builds the kit: into its `dist`, or into another folder, because test files run at the same time. */
export async function buildKit(dist = join(KIT, 'dist')): Promise<void> {
  await run(process.execPath, [join(KIT, 'build.mjs'), dist]);
}

/** A file of the README: the code block that begins with a comment with its name. */
export function codeIn(name: string): string {
  const blocks = readFileSync(join(KIT, 'README.md'), 'utf8').matchAll(/```js\n(.*?)```/gs);
  const found = [...blocks].map(([, code]) => code!).find((code) => code.startsWith(`// ${name}\n`));
  if (found === undefined) throw new Error(`The README has no ${name}.`);
  return found;
}

/** Runs the command. Resolves to its exit code and output. */
export const command = (...args: string[]): Promise<Ended> =>
  node([join(KIT, 'bin/toolgate-conformance.mjs'), ...args]);

/** How a process ended. */
export interface Ended {
  readonly code: number;
  readonly output: string;
}

/** Runs a script with Node. The output of a failure includes stderr. */
export function node(args: readonly string[], cwd?: string): Promise<Ended> {
  const options = { timeout: 60_000, maxBuffer: 100_000_000, ...(cwd !== undefined && { cwd }) };
  return run(process.execPath, args, options).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, output: stdout + stderr }),
  );
}
