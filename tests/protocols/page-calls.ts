/** The same call of a tool that runs in the page, in each protocol whose other tools run on a server. */
import type { ProtocolName } from './all.js';
import type { Data } from './support.js';

const CHUNK = { type: 'tool-input-available', toolCallId: 'a', toolName: 'pick', input: {} };

const AG_UI: readonly Data[] = [
  { type: 'RUN_STARTED', threadId: 'chat', runId: 'r' },
  { type: 'TOOL_CALL_START', toolCallId: 'a', toolCallName: 'pick' },
  { type: 'TOOL_CALL_ARGS', toolCallId: 'a', delta: '{}' },
  { type: 'TOOL_CALL_END', toolCallId: 'a' },
];

/** The events of a call of `pick` with the id `a` and an empty input. */
const CALLS: Partial<Record<ProtocolName, Data>> = {
  'ai-sdk': CHUNK,
  'pydantic-ai': CHUNK,
  'ag-ui': AG_UI,
  tanstack: AG_UI,
  adk: {
    author: 'agent',
    content: { role: 'model', parts: [{ functionCall: { id: 'a', name: 'pick', args: {} } }] },
    longRunningToolIds: ['a'],
  },
  langgraph: {
    event: 'updates',
    data: {
      model: { messages: [{ type: 'ai', id: 'm', content: '', tool_calls: [{ id: 'a', name: 'pick', args: {} }] }] },
    },
  },
  'openai-agents': {
    type: 'run_item_stream_event',
    name: 'tool_called',
    item: {
      type: 'tool_call_item',
      rawItem: { type: 'function_call', callId: 'a', name: 'pick', arguments: '{}', status: 'completed' },
    },
  },
  effect: { type: 'tool-call', id: 'a', name: 'pick', params: {} },
  genkit: { message: { role: 'model', content: [{ toolRequest: { ref: 'a', name: 'pick', input: {} } }] } },

  acp: {
    method: 'session/update',
    params: { update: { sessionUpdate: 'tool_call', toolCallId: 'a', name: 'pick', rawInput: {} } },
  },
  'ai-sdk-ws': CHUNK,
  cloudflare: {
    type: 'cf_agent_use_chat_response',
    id: 'x',
    body: JSON.stringify(CHUNK),
  },
  mastra: { type: 'tool-call', runId: 'r', payload: { toolCallId: 'a', toolName: 'pick', args: {} } },
  opencode: {
    type: 'message.part.updated',
    properties: {
      part: {
        id: 'p',
        messageID: 'm',
        type: 'tool',
        callID: 'a',
        tool: 'pick',
        state: { status: 'running', input: {} },
      },
    },
  },
  'claude-managed-agents': { type: 'agent.custom_tool_use', id: 'a', name: 'pick', input: {} },
  codex: { method: 'item/tool/call', id: 0, params: { callId: 'a', tool: 'pick', arguments: {} } },
  'claude-agent-sdk': {
    type: 'assistant',
    message: { id: 'm', role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'pick', input: {} }] },
    parent_tool_use_id: null,
  },
};

/** Each protocol, with the events of the call. */
export const PAGE_CALLS = Object.entries(CALLS).map(
  ([protocol, events]) => [protocol as ProtocolName, [events].flat() as readonly Data[]] as const,
);

/** Patterns of answers that decline a call, or that respond to a request which does not exist. */
export const DECLINE =
  /decline|"reply":"reject"|tool_approval"|"id":null|"jsonrpc":"2.0","result"|tool_confirmation|control_response/;
