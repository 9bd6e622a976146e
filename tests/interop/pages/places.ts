/**
 * Where the samples of docs/backends/ run: the server of each rig, or a scripted one where the backend is a cloud
 * service, and the addresses that the pages name for it.
 */
import { vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { type ProtocolName } from '../../protocols/all.js';
import { replies as streamed, type Raw } from '../../protocols/replies';
import { a2a } from '../a2a.rig';
import { Agent } from '../acp.rig';
import { REASON } from '../acts';
import { openAdk } from '../adk.rig';
import { openAgUi } from '../ag-ui.rig';
import { aiSdkWs } from '../ai-sdk-ws.rig';
import { aiSdk } from '../ai-sdk.rig';
import { openSession } from '../claude-managed-agents.rig';
import { startCloudflare } from '../cloudflare.rig';
import { openEffect } from '../effect.rig';
import { openGenkit } from '../genkit.rig';
import { langgraphPython } from '../langgraph-python.rig';
import { langgraph } from '../langgraph.rig';
import { openMastra } from '../mastra.rig';
import { openaiAgents } from '../openai-agents.rig';
import { startOpencode } from '../opencode.rig';
import { openPydantic } from '../pydantic-ai.rig';
import { startPython } from '../python';
import type { Reply, ScriptedCall, Session } from '../rig';
import { done, scripted, serve, TOOLS, written, type Data } from '../support';
import { openTanstack } from '../tanstack.rig';
import type { Addresses } from './page';
import { claudeAgentSdk, codex } from './recorded';

/** A backend for one chat of a page. */
export interface Place {
  readonly addresses: Addresses;
  /** What the page imports instead of an installed package. */
  readonly modules?: Readonly<Record<string, object>>;
  /** The tools that ran in the backend. */
  readonly ran: readonly string[];
  /** The calls about which the backend asked the user itself. */
  readonly asked?: readonly string[];
  /** What the model received last, as a text. */
  told(): string;
  /** See `Session`. */
  look?(): Promise<void>;
  /** Names the calls, where the tool's name and the input's path do not. */
  readonly nameOf?: Session['nameOf'];
  close?(): Promise<void> | void;
}

/** Opens the backend of a page, whose model returns these replies. */
export type Open = (replies: readonly Reply[]) => Promise<Place>;

/** The server of a rig, at the address that the page names. */
const at =
  (address: string, open: (replies: readonly Reply[], options: object) => Promise<Session>): Open =>
  async (replies) => {
    const session = await open(replies, {});
    const { ran, look, url = '' } = session;
    return {
      addresses: { [address]: url },
      ran,
      told: () => JSON.stringify(session.prompts.at(-1)),
      ...(look && { look }),
      close: () => session.close?.(),
    };
  };

/** The same for a server that serves several chats: it is started here, and ends with the chat. */
const started =
  <S extends { close(): Promise<void> }>(start: () => Promise<S>, open: (server: S) => Open): Open =>
  async (replies) => {
    const server = await start();
    const place = await open(server)(replies);
    const close = async (): Promise<void> => {
      await place.close?.();
      await server.close();
    };
    return { ...place, close };
  };

/** A scripted server in place of a provider's API, for the provider's own client. The page runs the tools. */
const api =
  (protocol: Raw, address: string, key: string): Open =>
  async (replies) => {
    const [next, bodies]: [ReturnType<typeof scripted>, Data[]] = [scripted(replies), []];
    const server = await serve(async (body) => {
      bodies.push(body);
      const events = streamed[protocol](contentOf(next()));
      return written(
        (async function* () {
          for (const event of events as Data[])
            yield `${event.type ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`;
        })(),
      );
    });
    vi.stubEnv(key, 'k');
    const told = (): string => JSON.stringify(bodies.at(-1));
    return { addresses: { [address]: server.url }, ran: [], told, close: server.close };
  };

/** A reply as the providers' encoders take it. */
const contentOf = (reply: Exclude<Reply, { error: string }>): Data =>
  'text' in reply
    ? reply
    : { calls: reply.calls.map(({ id, tool, path }: ScriptedCall) => ({ id, name: tool, input: { path } })) };

/** The part of VS Code's API that the page uses, as `@types/vscode` declares it. The user declines the removal. */
const vscode: Open = async (replies) => {
  const next = scripted(replies);
  const [seen, asked, ran]: [unknown[], string[], string[]] = [[], [], []];
  /** The editor's classes only store their arguments. */
  const storing = (...names: string[]) =>
    class {
      constructor(...values: unknown[]) {
        for (const [i, name] of names.entries()) Object.assign(this, { [name]: values[i] });
      }
    };
  const LanguageModelTextPart = storing('value');
  const LanguageModelToolCallPart = storing('callId', 'name', 'input');
  async function* stream() {
    const reply = next();
    if ('text' in reply) yield new LanguageModelTextPart(reply.text);
    else for (const { id, tool, path } of reply.calls) yield new LanguageModelToolCallPart(id, tool, { path });
  }
  const sendRequest = async (messages: unknown[]) => (seen.push(messages), { stream: stream() });
  const invokeTool = async (tool: string, { input: { path } }: Data) => {
    asked.push(`${tool} ${path}`);
    if (tool === 'remove') throw new Error(REASON);
    ran.push(`${tool} ${path}`);
    return { content: [new LanguageModelTextPart(done(tool, path))] };
  };
  const tools = TOOLS.map((name) => ({ name }));
  const editor = {
    LanguageModelTextPart,
    LanguageModelToolCallPart,
    LanguageModelToolResultPart: storing('callId', 'content'),
    LanguageModelChatMessage: storing('role', 'content'),
    lm: { tools, selectChatModels: async () => [{ sendRequest }], invokeTool },
  };
  return { addresses: {}, modules: { vscode: editor }, ran, asked, told: () => JSON.stringify(seen.at(-1)) };
};

/** An agent of ACP's SDK behind a socket. */
const acp: Open = async (replies) => {
  const agent = new Agent(1, scripted(replies));
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  server.on('connection', (socket) => {
    const { messages, send } = agent.connect();
    socket.on('message', (data) => void send(JSON.parse(String(data))));
    void (async () => {
      for (;;) {
        const { value, done } = await messages.read();
        if (done) return;
        socket.send(JSON.stringify(value));
      }
    })();
  });
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  return {
    addresses: { 'ws://127.0.0.1:8080': `ws://127.0.0.1:${port}` },
    ran: agent.ran,
    told: () => JSON.stringify(agent.prompts.at(-1)),
    close: () => void server.close(),
  };
};

/** By protocol. */
export const places: Readonly<Record<ProtocolName, Open>> = {
  'ai-sdk': at('/api/chat', (replies, options) => aiSdk(7).open(replies, options)),
  'ai-sdk-ws': at('/api/socket', (replies, options) => aiSdkWs().open(replies, options)),
  effect: at('/api/chat', openEffect),
  tanstack: at('/api/chat', openTanstack),
  'ag-ui': at('/api/chat', (replies) => openAgUi('fetch', replies)),
  'openai-agents': at('/api/chat', (replies, options) => openaiAgents().open(replies, options)),
  'pydantic-ai': started(
    () => startPython('pydantic_server'),
    (server) => at('/api/chat', (replies, options) => openPydantic(server, 'vercel', replies, options)),
  ),
  genkit: at('/files', openGenkit),
  adk: started(
    () => startPython('adk'),
    (server) => at('/', (replies, options) => openAdk(server, replies, options, { name: 'files' })),
  ),
  mastra: at('/api/agents/files/', openMastra),
  langgraph: at('http://localhost:2024', (replies, options) => langgraph().open(replies, options)),
  'claude-managed-agents': async (replies) => {
    vi.stubEnv('ANTHROPIC_API_KEY', 'k');
    return at('https://api.anthropic.com', openSession)(replies);
  },
  'claude-agent-sdk': claudeAgentSdk,
  codex,
  a2a: at('/a2a', (replies, options) => a2a.open(replies, options)),
  opencode: started(startOpencode, (server) => at('http://127.0.0.1:4096', server.open)),
  cloudflare: started(startCloudflare, (server) => at('wss://files.ann.workers.dev/agents/chat/chat-1', server.open)),
  acp,
  anthropic: api('anthropic', 'https://api.anthropic.com', 'ANTHROPIC_API_KEY'),
  'openai-chat': api('openai-chat', 'https://api.openai.com', 'OPENAI_API_KEY'),
  'openai-responses': api('openai-responses', 'https://api.openai.com', 'OPENAI_API_KEY'),
  gemini: api('gemini', 'https://generativelanguage.googleapis.com', 'GEMINI_API_KEY'),
  vscode,
};

/** Other backends of some pages. */
export const others: readonly (readonly [ProtocolName, name: string, Open])[] = [
  ['ai-sdk', 'version 6', at('/api/chat', (replies, options) => aiSdk(6).open(replies, options))],
  [
    'ag-ui',
    'Pydantic AI',
    started(
      () => startPython('pydantic_server'),
      (server) => at('/api/chat', (replies, options) => openPydantic(server, 'ag-ui', replies, options)),
    ),
  ],
  [
    'langgraph',
    'Python',
    started(
      () => startPython('langgraph_server'),
      (server) => at('http://localhost:2024', langgraphPython('batched', () => server).open),
    ),
  ],
];
