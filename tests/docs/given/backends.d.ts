/** What the blocks of docs/backends.md take for granted: a gate, a connection, and the OpenAI Agents SDK. */
declare const gate: import('toolgate').ToolGate;
declare const socket: WebSocket;

declare const client: import('@langchain/langgraph-sdk').Client;
declare const threadId: string;
declare const item: import('toolgate').Outgoing<{ readonly input?: Record<string, unknown> | null }>;

declare const { run, RunState }: typeof import('@openai/agents');
type Agent = import('@openai/agents').Agent;
type RunState<CONTEXT, AGENT extends Agent> = import('@openai/agents').RunState<CONTEXT, AGENT>;
type AgentInputItem = import('@openai/agents').AgentInputItem;
/** What the page posts, and the id of a call: see tests/interop/openai-agents.server.ts, of which the block is a part. */
type Posted = import('../../interop/openai-agents.server').Posted;
declare const idOf: (item: import('@openai/agents').RunToolApprovalItem) => string;
