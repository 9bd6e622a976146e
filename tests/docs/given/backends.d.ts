/**
 * Declarations for the code blocks of docs/backends.md and docs/backends/: a gate, a connection, the page's own
 * functions, and the OpenAI Agents SDK.
 */
declare const gate: import('toolgate').ToolGate;
declare const chatId: string;
declare const socket: WebSocket;
declare const model: string;
declare const apiKey: string;
declare const languageModel: import('vscode').LanguageModelChat;

/** The exports of the page's files. */
declare const connect: (
  gate: import('toolgate').ToolGate,
  to: (item: import('toolgate').Outgoing) => { url: string; body?: unknown },
) => () => void;
declare const keepSending: (
  gate: import('toolgate').ToolGate,
  send: (item: import('toolgate').Outgoing) => Promise<void>,
) => () => void;
declare const take: (
  gate: import('toolgate').ToolGate,
  item: import('toolgate').Outgoing,
  opening: PromiseLike<AsyncIterable<unknown>>,
) => Promise<void>;

declare const { run, RunState }: typeof import('@openai/agents');
type Agent = import('@openai/agents').Agent;
type RunState<CONTEXT, AGENT extends Agent> = import('@openai/agents').RunState<CONTEXT, AGENT>;
type AgentInputItem = import('@openai/agents').AgentInputItem;
/**
 * The body that the page posts, and the id of a call. The block is a part of tests/interop/openai-agents.server.ts.
 */
type Posted = import('../../interop/openai-agents.server').Posted;
declare const idOf: (item: import('@openai/agents').RunToolApprovalItem) => string;
