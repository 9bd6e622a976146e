/** The kit as it is published: its built files, and its command as a process of its own. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The folder of the kit. */
export const KIT = join(import.meta.dirname, '../kit');

/** Builds the kit. */
export async function buildKit(): Promise<void> {
  await run(process.execPath, [join(KIT, 'build.mjs')]);
}

/** Runs the command. Resolves to its exit code and output. */
export async function command(...args: string[]): Promise<{ code: number; output: string }> {
  const options = { timeout: 60_000, maxBuffer: 100_000_000 };
  return run(process.execPath, [join(KIT, 'bin/toolgate-conformance.mjs'), ...args], options).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, output: stdout + stderr }),
  );
}
