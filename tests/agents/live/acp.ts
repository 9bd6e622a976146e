/** A program that speaks ACP on its standard streams, with one session. */
import { spawn } from 'node:child_process';
import { byLines, endProgram } from '../../interop/program';
import type { Data } from '../../interop/support';
import type { Agent, Frame } from '../wire';

/** How a program is started. */
export interface AcpProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** The folder of its project. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** What ends with it. */
  close(): Promise<void>;
}

/** The name of the session in the page and in recordings. */
const CHAT = 'chat';

/** Updates about the program itself. */
const OWN = /^(available_commands|usage|session_info|config_option|current_mode)_update$/;

/** Starts a program and its session. `happen` receives its messages about the session. */
export async function connectAcp(program: AcpProgram, happen: (frame: Frame) => void): Promise<Agent> {
  const { cwd, env } = program;
  const child = spawn(program.command, program.args, { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] });
  const calls = new Map<unknown, (message: Data) => void>();
  let session = '';
  const write = byLines(child, (message) => {
    const { id, method, params } = message;
    if (method === undefined && calls.has(id)) return calls.get(id)?.(message);
    if (OWN.test(params?.update?.sessionUpdate)) return;
    happen({ in: { ...message, ...(params?.sessionId === session && { params: { ...params, sessionId: CHAT } }) } });
  });
  const call = (method: string, params: Data): Promise<Data> =>
    new Promise((resolve, reject) => {
      const id = `rig-${calls.size}`;
      calls.set(id, ({ result, error }) => (error ? reject(new Error(error.message)) : resolve(result)));
      write({ jsonrpc: '2.0', id, method, params });
    });
  await call('initialize', { protocolVersion: 1, clientCapabilities: { elicitation: { form: {} } } });
  ({ sessionId: session } = await call('session/new', { cwd, mcpServers: [] }));
  return {
    write: (body) => {
      write(body.params ? { ...body, params: { ...body.params, sessionId: session } } : body);
    },
    stored: () => Promise.reject(new Error('ACP has no request for what waits')),
    async close() {
      await endProgram(child);
      await program.close();
    },
  };
}
