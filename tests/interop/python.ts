/**
 * Starts a server of tests/interop/python: a framework in Python with a scripted model, on the loopback. The server
 * uses a free port, prints it as its first line, and exits when its standard input is closed, which happens at the end
 * of the test.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { pythonOf } from '../../pkg-scripts/lib/python.mjs';
import type { Line } from './rig';

/** The variables of a Python server: it finds `serving.py`. */
export const PYTHON_ENV = {
  ...process.env,
  PYTHONDONTWRITEBYTECODE: '1',
  PYTHONPATH: fileURLToPath(new URL('python', import.meta.url)),
};

/** A running server. */
export interface PythonServer {
  /** Its address: `http://127.0.0.1:<port>`. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Starts `tests/interop/python/<name>.py` with these arguments, in the environment with this name. Throws an error with
 * its output if it does not start.
 */
export async function startPython(
  name: string,
  args: readonly string[] = [],
  environment?: string,
): Promise<PythonServer> {
  const python = pythonOf(environment);
  if (!existsSync(python))
    throw new Error('The Python environment of the tests is missing. `./pkg-scripts/test unit` creates it.');
  const script = fileURLToPath(new URL(`python/${name}.py`, import.meta.url));
  const child = spawn(python, ['-u', script, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: PYTHON_ENV,
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let said = '';
  child.stderr.on('data', (piece: Buffer) => (said += String(piece)));
  const port = await new Promise<string>((resolve, reject) => {
    const fail = (why: string): void => reject(new Error(`${name}.py did not start: ${why}\n${said}`));
    const timer = setTimeout(() => fail('it took more than 60 s'), 60_000);
    child.once('error', (error) => fail(error.message));
    child.once('close', (code) => fail(`it ended with ${String(code)}`));
    createInterface({ input: child.stdout }).once('line', (line) => {
      clearTimeout(timer);
      resolve(line);
    });
  });
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      child.stdin.end();
      const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
      return ended.finally(() => clearTimeout(timer));
    },
  };
}

/** A chat of a Python server, with what the server has recorded of it. */
export interface PythonChat<PROMPT extends Line> {
  /** Its number at the server. */
  readonly chat: string;
  readonly ran: readonly string[];
  readonly prompts: readonly (readonly PROMPT[])[];
  /** Reads `ran` and `prompts` again. */
  look(): Promise<void>;
}

/** Opens a chat: posts `opening` to `/open`. Throws an error with the server's text if the server refuses it. */
export async function openChat<PROMPT extends Line = Line>(
  { url }: PythonServer,
  opening: unknown,
): Promise<PythonChat<PROMPT>> {
  const opened = await fetch(`${url}/open`, { method: 'POST', body: JSON.stringify(opening) });
  if (!opened.ok) throw new Error(await opened.text());
  const chat = String(await opened.json());
  const [ran, prompts]: [string[], PROMPT[][]] = [[], []];
  const look = async (): Promise<void> => {
    const seen = (await (await fetch(`${url}/seen/${chat}`)).json()) as { ran: string[]; prompts: PROMPT[][] };
    ran.splice(0, ran.length, ...seen.ran);
    prompts.splice(0, prompts.length, ...seen.prompts);
  };
  return { chat, ran, prompts, look };
}
