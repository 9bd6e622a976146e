/**
 * The coding agents for the samples of their pages: the page's own server (src/server.ts) runs too, with a replay of
 * what the real agent sent (tests/fixtures/wire).
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { kind as claudeKind } from '../../agents/claude-agent-sdk';
import { kind as codexKind } from '../../agents/codex';
import { replaying, type Agent, type AgentKind } from '../../agents/wire';
import type { Line } from '../rig';
import type { Data } from '../support';
import { runFile } from './page';
import type { Place } from './places';

/** The address that both pages name. */
const SOCKET = 'ws://127.0.0.1:8080';

/** Replays a run in which the second of three requests was denied. `take` receives the messages of the agent. */
async function replay(kind: AgentKind, take: (message: Data) => void) {
  const [ran, prompts]: [string[], (readonly Line[])[]] = [[], []];
  const agent: Agent = await replaying(kind, 'deny one with a reason')([], (frame) => {
    if ('in' in frame) take(frame.in);
    else if ('ran' in frame) ran.push(frame.ran);
    else if ('prompt' in frame) prompts.push(frame.prompt);
  });
  return { agent, ran, told: () => JSON.stringify(prompts.at(-1)), ...(kind.nameOf && { nameOf: kind.nameOf }) };
}

/** Runs the server of a page. Its socket has a free port in place of 8080. */
async function runServer(page: string, modules: Record<string, object>) {
  const server = await new Promise<WebSocketServer>((resolve, reject) => {
    class OnFreePort extends WebSocketServer {
      constructor() {
        super({ host: '127.0.0.1', port: 0 }, () => resolve(this));
      }
    }
    runFile(page, 'src/server.ts', { ...modules, ws: { WebSocketServer: OnFreePort } }).catch(reject);
  });
  const close = (): void => {
    for (const client of server.clients) client.terminate();
    server.close();
  };
  return { addresses: { [SOCKET]: `ws://127.0.0.1:${(server.address() as AddressInfo).port}` }, close };
}

/** The Claude Agent SDK: `query` replays the session, and asks the page's `canUseTool`. */
export async function claudeAgentSdk(): Promise<Place> {
  const messages = new TransformStream<Data, Data>();
  const out = messages.writable.getWriter();
  let asks: (name: string, input: Data, options: Data) => Promise<Data> = async () => ({});
  const { agent, ...seen } = await replay(claudeKind, (message) => {
    if (message.type !== 'control_request') return void out.write(message);
    const { tool_name: name, input, tool_use_id: toolUseID, permission_suggestions: suggestions } = message.request;
    const requestId: string = message.request_id;
    const { signal } = new AbortController();
    void asks(name, input, { requestId, toolUseID, suggestions, signal }).then((response) =>
      agent.write({ type: 'control_response', response: { subtype: 'success', request_id: requestId, response } }),
    );
  });
  const query = ({ prompt, options }: Data): unknown => {
    asks = options.canUseTool;
    void (async () => {
      for await (const message of prompt) agent.write(message);
    })();
    return messages.readable;
  };
  const sdk = { query, getSessionMessages: async () => [] };
  const server = await runServer('backends/claude-agent-sdk', { '@anthropic-ai/claude-agent-sdk': sdk });
  const close = async (): Promise<void> => {
    server.close();
    await out.close();
  };
  return { ...seen, ...server, close };
}

/** Codex: the program `codex` that the page's server starts passes its lines to the replay. */
export async function codex(): Promise<Place> {
  let program: Socket | undefined;
  const say = (message: Data): void => void program?.write(`${JSON.stringify(message)}\n`);
  const { agent, ...seen } = await replay(codexKind, say);
  const thread = { id: 'id-2', turns: [] };
  const lines = createServer((socket) => {
    program = socket;
    createInterface({ input: socket }).on('line', (line) => {
      const { id, method, params, result } = JSON.parse(line);
      if (result) agent.write({ id, result });
      else if (method === 'turn/start') agent.write({ id, method, params: { ...params, threadId: 'chat' } });
      else if (id !== undefined) say({ id, result: { thread } });
    });
  });
  await new Promise<void>((resolve) => lines.listen(0, '127.0.0.1', resolve));
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-codex-'));
  const { port } = lines.address() as AddressInfo;
  const code = [
    '#!/usr/bin/env node',
    `const socket = require('node:net').connect(${port}, '127.0.0.1');`,
    "process.stdin.pipe(socket).pipe(process.stdout).on('error', () => {});",
    "socket.on('close', () => process.exit());",
  ];
  writeFileSync(join(folder, 'codex'), `${code.join('\n')}\n`);
  chmodSync(join(folder, 'codex'), 0o755);
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env['PATH']}`);
  const server = await runServer('backends/codex', {});
  const close = (): void => {
    server.close();
    program?.destroy();
    lines.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { ...seen, ...server, close };
}
