/**
 * The example tests/crate/examples/terminal.rs in a pseudo-terminal, with a real server of the AI SDK and a scripted
 * model. The user approves one call, denies another with a reason, and sends a failed request again.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, beforeAll, expect, it } from 'vitest';

import { aiSdkServer } from '../interop/ai-sdk.server';
import type { Reply } from '../interop/rig';
import { at } from '../../pkg-scripts/lib/shell.mjs';

/** Compiling takes long on a busy machine. */
const COMPILES = 600_000;

beforeAll(async () => {
  await promisify(execFile)('cargo', ['build', '--quiet', '--example', 'terminal', '--features', 'json'], {
    cwd: at('.'),
  });
}, COMPILES);

const open: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** A server whose model gives these replies. */
async function server(replies: readonly Reply[]) {
  let failures = 0;
  const before = async (): Promise<Response | undefined> =>
    failures-- > 0 ? new Response('the server restarts', { status: 503 }) : undefined;
  const running = await aiSdkServer(7, replies, { before });
  open.push(running.close);
  return { ...running, failNext: () => (failures = 1) };
}

/** The program in a pseudo-terminal. `reads` waits for a text on its screen, `types` answers. */
function terminal(url: string) {
  const program: ChildProcess = spawn(
    'script',
    ['-qfec', `${at('target/debug/examples/terminal')} ${url}`, '/dev/null'],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  const ended = new Promise<number | null>((resolve) => program.on('exit', resolve));
  open.push(async () => {
    program.stdin!.end();
    if (program.exitCode === null) program.kill();
    await ended;
  });
  let screen = '';
  program.stdout!.setEncoding('utf8').on('data', (text: string) => (screen += text));
  return {
    async reads(text: string): Promise<void> {
      for (const until = Date.now() + 30_000; !screen.includes(text); await new Promise((go) => setTimeout(go, 5)))
        if (Date.now() > until) throw new Error(`${JSON.stringify(text)} is not on the screen:\n${screen}`);
      screen = screen.slice(screen.indexOf(text) + text.length);
    },
    types: (line: string) => void program.stdin!.write(`${line}\n`),
    /** Ends the input, as Ctrl+D does. Resolves with the exit code. */
    async ends(): Promise<number | null> {
      program.stdin!.write('\u0004');
      return ended;
    },
  };
}

it('asks before a tool runs, and tells the model why a call was denied', async () => {
  const calls = ['/logs/old', '/logs/today'].map((path, at) => ({ id: `c${at}`, tool: 'remove' as const, path }));
  const { url, ran, prompts } = await server([{ calls }, { text: 'One of them is gone.' }]);
  const { reads, types, ends } = terminal(url);
  await reads('you> ');
  types('tidy up');
  await reads('Run remove with {"path":"/logs/old"}? ');
  expect(ran).toEqual([]);
  types('y');
  await reads('Run remove with {"path":"/logs/today"}? ');
  types('it is still needed');
  await reads('[remove: denied]');
  await reads('One of them is gone.');
  await reads('you> ');
  expect(ran).toEqual(['remove /logs/old']);
  expect(prompts).toHaveLength(2);
  const results = prompts[1]!.filter(({ kind }) => kind === 'result').map(({ text }) => text);
  expect(results.toSorted()).toEqual(['denied: it is still needed', 'remove /logs/old: done']);
  expect(await ends()).toBe(0);
}, 120_000);

it('sends a failed request again only if the user wants it', async () => {
  const { url, ran, prompts, failNext } = await server([
    { calls: [{ id: 'c1', tool: 'remove', path: '/tmp' }] },
    { text: 'Done.' },
  ]);
  const { reads, types, ends } = terminal(url);
  await reads('you> ');
  types('tidy up');
  await reads('Run remove');
  failNext();
  types('y');
  await reads('Send it again? ');
  expect(ran).toEqual([]);
  types('y');
  await reads('Done.');
  await reads('you> ');
  expect(ran).toEqual(['remove /tmp']);
  expect(prompts).toHaveLength(2);
  expect(await ends()).toBe(0);
}, 120_000);
