/**
 * Declarations for the code blocks of docs/backends.md and docs/backends/: a gate, a connection, and the OpenAI Agents
 * SDK.
 */
declare const gate: import('toolgate').ToolGate;
declare const socket: WebSocket;

declare const { run, RunState }: typeof import('@openai/agents');
type Agent = import('@openai/agents').Agent;
type RunState<CONTEXT, AGENT extends Agent> = import('@openai/agents').RunState<CONTEXT, AGENT>;
type AgentInputItem = import('@openai/agents').AgentInputItem;
/**
 * The body that the page posts, and the id of a call. The block is a part of tests/interop/openai-agents.server.ts.
 */
type Posted = import('../../interop/openai-agents.server').Posted;
declare const idOf: (item: import('@openai/agents').RunToolApprovalItem) => string;

/** The part of the Claude Agent SDK that the server of its page uses. `./pkg-scripts/rigs` installs the package. */
declare module '@anthropic-ai/claude-agent-sdk' {
  export interface SDKUserMessage {
    type: 'user';
    message: { role: 'user'; content: string | object[] };
    parent_tool_use_id: string | null;
  }
  export type PermissionResult =
    | { behavior: 'allow'; updatedInput?: Record<string, unknown>; updatedPermissions?: object[]; toolUseID?: string }
    | { behavior: 'deny'; message: string; interrupt?: boolean; toolUseID?: string };
  export function getSessionMessages(sessionId: string): Promise<object[]>;
  export function query(params: {
    prompt: string | AsyncIterable<SDKUserMessage>;
    options?: {
      includePartialMessages?: boolean;
      canUseTool?: (
        toolName: string,
        input: Record<string, unknown>,
        options: {
          signal: AbortSignal;
          suggestions?: object[];
          toolUseID: string;
          requestId: string;
          agentID?: string;
          title?: string;
          suppressAlwaysAllowRule?: boolean;
        },
      ) => Promise<PermissionResult | null>;
    };
  }): AsyncIterable<{ session_id: string }>;
}
