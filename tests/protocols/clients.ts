/**
 * The backends' own clients, whose place a gate takes, and what they show that a gate does not: events that it passes
 * on. For the tables of docs/backends/.
 */
import type { ProtocolName } from './all.js';

/** What a gate takes the place of. */
export interface OwnClient {
  /** The client's hook or class, in Markdown. */
  readonly client?: string;
  /** What is in `passthrough` events, in Markdown, with an example of each. */
  readonly passed?: Readonly<Record<string, object>>;
}

const AG_UI: OwnClient['passed'] = {
  '`CUSTOM`': { type: 'CUSTOM', name: 'weather', value: 1 },
  'shared state': { type: 'STATE_DELTA', delta: [] },
  steps: { type: 'STEP_STARTED', stepName: 'one' },
};

const update = (fields: object): object => ({
  jsonrpc: '2.0',
  method: 'session/update',
  params: { sessionId: 'chat', update: fields },
});

/** By protocol. */
export const clients: Readonly<Partial<Record<ProtocolName, OwnClient>>> = {
  'ai-sdk': { client: '`useChat`. With [`guard`](../migration.md) it stays' },
  'pydantic-ai': { client: '`useChat` of the AI SDK' },
  tanstack: { client: '`useChat` and `ChatClient` of `@tanstack/ai-client`', passed: AG_UI! },
  'ag-ui': {
    client: "`HttpAgent` of `@ag-ui/client`, and hooks such as CopilotKit's",
    passed: { ...AG_UI, activities: { type: 'ACTIVITY_SNAPSHOT', messageId: 'm', activityType: 'PLAN', content: {} } },
  },
  genkit: { client: '`streamFlow` of `genkit/beta/client`', passed: { 'chunks of your own': { progress: 1 } } },
  mastra: {
    client: '`agent.stream` of `@mastra/client-js`',
    passed: {
      workflows: { type: 'workflow-step-start', payload: {} },
      'outputs while a tool runs': { type: 'tool-output', payload: { output: 1, toolCallId: 'x' } },
      objects: { type: 'object', object: {} },
    },
  },
  langgraph: {
    client: '[`useStream`](../from-usestream.md) of `@langchain/langgraph-sdk/react`',
    passed: {
      '`custom`': { event: 'custom', data: {} },
      '`tools`, `tasks`, `checkpoints` and `debug`': { event: 'tasks', data: {} },
      'the events of sub-graphs': { event: 'messages|sub:1', data: [] },
    },
  },
  a2a: { client: 'the client of `@a2a-js/sdk`' },
  opencode: {
    client: '`@opencode-ai/sdk`',
    passed: {
      'the list of tasks': { type: 'todo.updated', properties: { sessionID: 'chat' } },
      'changed files': { type: 'file.edited', properties: {} },
    },
  },
  cloudflare: {
    client: '`useAgentChat` of `@cloudflare/ai-chat`',
    passed: {
      "the agent's state": { type: 'cf_agent_state', state: {} },
      'MCP servers': { type: 'cf_agent_mcp_servers', mcp: {} },
      'results of `agent.call`': { type: 'rpc', id: '1' },
    },
  },
  acp: {
    client: '`client()` of `@agentclientprotocol/sdk`',
    passed: {
      'requests for files and terminals, which you answer': {
        jsonrpc: '2.0',
        id: 3,
        method: 'fs/read_text_file',
        params: {},
      },
      modes: update({ sessionUpdate: 'current_mode_update', currentModeId: 'a' }),
      commands: update({ sessionUpdate: 'available_commands_update', availableCommands: [] }),
    },
  },
};
