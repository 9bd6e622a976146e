/** Programs that a rig starts: they send requests to the loopback only, and end with their test. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Data } from './support';

/** Variables that keep a program's requests on the loopback. */
export const NOWHERE = {
  HTTP_PROXY: 'http://127.0.0.1:9',
  HTTPS_PROXY: 'http://127.0.0.1:9',
  NO_PROXY: '127.0.0.1,localhost',
} as const;

/** Reads lines of JSON from a program's output, and returns the function that writes one to its input. */
export function byLines(program: ChildProcess, take: (message: Data) => void): (message: Data) => void {
  let rest = '';
  program.stdout?.on('data', (piece) => {
    const lines = (rest + String(piece)).split('\n');
    rest = lines.pop() as string;
    for (const line of lines) if (line.startsWith('{')) take(JSON.parse(line));
  });
  return (message) => void program.stdin?.write(`${JSON.stringify(message)}\n`);
}

/** Ends a program, and resolves when it has ended. */
export async function endProgram(program: ChildProcess): Promise<void> {
  program.kill();
  if (program.exitCode === null && program.signalCode === null) await once(program, 'exit');
}
