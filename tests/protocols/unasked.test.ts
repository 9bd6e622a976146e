/**
 * Events that arrive between two replies: events without content, and reports about calls that are known already. None
 * of them may open a reply, because no later event would end that reply. The conversations before them are recordings.
 */
import { describe, expect, test } from 'vitest';
import type { Codec } from '../../src/ts/protocols/shared/codec';
import { ReplyWriter } from '../../src/ts/protocols/shared/reply-writer';
import { codecFor, contextOf } from './codecs';
import { recordings } from './damage/recordings';
import { gateFor, type Data } from './support';
import { type ProtocolName } from './all.js';

/** Chunks that open a reply in the core: the start of a message, and content. */
const CONTENT = /^(start|start-step|(text|reasoning|tool-input)-(?!update).*|file|reasoning-file|source-.*|custom)$/;

type Sent = Exclude<ProtocolName, 'ai-sdk'>;

const acpUpdate = (update: Data): Data => ({
  jsonrpc: '2.0',
  method: 'session/update',
  params: { sessionId: 'chat', update },
});

const a2aEvent = (result: Data): Data => ({ jsonrpc: '2.0', id: 'x', result });
const a2aStatus = (state: string, parts?: readonly Data[]): Data => {
  const message = parts && { messageId: 'm', role: 'ROLE_AGENT', parts };
  return a2aEvent({ statusUpdate: { taskId: 'u', contextId: 'chat', status: { state, message } } });
};

/** Events without content, from the protocols' own types. */
const HOUSEKEEPING: Readonly<Record<Sent, readonly Data[]>> = {
  acp: [
    acpUpdate({ sessionUpdate: 'plan', entries: [{ content: 'Look.', priority: 'low', status: 'pending' }] }),
    acpUpdate({ sessionUpdate: 'plan_update', plan: { planId: 'p', entries: [] } }),
    acpUpdate({ sessionUpdate: 'available_commands_update', availableCommands: [] }),
    acpUpdate({ sessionUpdate: 'current_mode_update', currentModeId: 'ask' }),
    acpUpdate({ sessionUpdate: 'usage_update', used: 1, size: 2 }),
    acpUpdate({ sessionUpdate: 'session_info_update', title: 'Tidy' }),
    acpUpdate({ sessionUpdate: 'state_update', state: 'running' }),
    acpUpdate({ sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn' }),
    acpUpdate({ sessionUpdate: 'tool_call_update', toolCallId: 'long-gone', status: 'completed', rawOutput: 'late' }),
    { jsonrpc: '2.0', id: 'x', result: {} },
    { jsonrpc: '2.0', id: 'x', result: { stopReason: 'end_turn' } },
    { jsonrpc: '2.0', id: 'x', error: { code: 1, message: 'no' } },
  ],
  adk: [
    { author: 'agent', actions: { stateDelta: { a: 1 } } },
    { author: 'user', actions: {} },
    { author: 'agent', content: { role: 'model', parts: [] } },
    { author: 'agent', errorCode: 'X' },
  ],
  'ag-ui': [
    { type: 'STATE_SNAPSHOT', snapshot: {} },
    { type: 'STATE_DELTA', delta: [] },
    { type: 'MESSAGES_SNAPSHOT', messages: [] },
    { type: 'ACTIVITY_SNAPSHOT', messageId: 'a', activityType: 'plan', content: {} },
    { type: 'CUSTOM', name: 'x', value: 1 },
    { type: 'RAW', event: {} },
    { type: 'STEP_STARTED', stepName: 's' },
    { type: 'STEP_FINISHED', stepName: 's' },
    { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
    { type: 'RUN_FINISHED', threadId: 'chat', runId: 'r' },
    { type: 'RUN_ERROR', message: 'no' },
  ],
  tanstack: [
    { type: 'CUSTOM', name: 'x', value: 1 },
    { type: 'STATE_SNAPSHOT', snapshot: {} },
    { type: 'RUN_FINISHED', threadId: 'chat', runId: 'r', finishReason: 'stop' },
  ],
  'ai-sdk-ws': [
    '[DONE]',
    { type: 'data-x', data: 1 },
    { type: 'message-metadata', messageMetadata: {} },
    { type: 'finish' },
    { type: 'error', errorText: 'no' },
  ],
  'pydantic-ai': [{ type: 'data-x', data: 1 }, { type: 'finish-step' }, { type: 'finish' }],
  cloudflare: [
    { type: 'cf_agent_stream_resume_none' },
    { type: 'cf_agent_chat_recovering' },
    { type: 'cf_agent_chat_clear' },
    { type: 'cf_agent_message_updated', message: { parts: [{ type: 'text', text: 'Hm.' }] } },
    { type: 'cf_agent_use_chat_response', id: 'x', body: '', done: true },
    { type: 'cf_agent_use_chat_response', id: 'x', body: 'no', error: true, done: true },
  ],
  effect: [
    { type: 'response-metadata', id: 'r' },
    { type: 'tool-params-end', id: 'x' },
    { type: 'finish', reason: 'stop', usage: {} },
    { type: 'error', error: 'no' },
  ],
  genkit: [{ message: { role: 'model', content: [] } }, { error: { message: 'no' } }],
  langgraph: [
    { event: 'custom', data: { a: 1 } },
    { event: 'values', data: { messages: [] } },
    { event: 'values', data: { other: 1 } },
    { event: 'updates', data: { node: null } },
    { event: 'updates', data: { node: { other: 1 } } },
    { event: 'messages/metadata', data: {} },
    { event: 'tasks', data: {} },
    { event: 'error', data: { error: 'Error', message: 'no' } },
    { event: 'end' },
  ],
  'openai-agents': [
    { type: 'agent_updated_stream_event', agent: { name: 'a' } },
    { type: 'raw_model_stream_event', data: { type: 'response_done', response: {} } },
    { type: 'error', message: 'no' },
  ],
  mastra: [
    { type: 'step-start', payload: {} },
    { type: 'step-finish', payload: {} },
    { type: 'finish', payload: { stepResult: { reason: 'stop' } } },
    { type: 'error', payload: { error: 'no' } },
    { type: 'data-x', data: 1 },
  ],
  opencode: [
    { type: 'server.heartbeat', properties: {} },
    { type: 'session.updated', properties: { sessionID: 's', info: { id: 's' } } },
    { type: 'session.status', properties: { sessionID: 's', status: { type: 'idle' } } },
    { type: 'session.idle', properties: { sessionID: 's' } },
    { type: 'session.diff', properties: { sessionID: 's', diff: [] } },
    { type: 'todo.updated', properties: { sessionID: 's', todos: [] } },
    { type: 'message.updated', properties: { sessionID: 's', info: { id: 'm', role: 'assistant' } } },
    { type: 'message.part.updated', properties: { part: { id: 'p', messageID: 'm', type: 'step-start' } } },
    {
      type: 'message.part.updated',
      properties: { part: { id: 'p', messageID: 'm', type: 'step-finish', reason: 'stop' } },
    },
  ],
  'claude-managed-agents': [
    { type: 'session.status_running' },
    { type: 'session.status_idle', stop_reason: { type: 'end_turn' } },
    { type: 'span.model_request_start' },
    { type: 'span.model_request_end' },
    { type: 'session.error', error: { message: 'no' } },
    { type: 'user.message', content: [] },
  ],
  'claude-agent-sdk': [
    { type: 'system', subtype: 'init', session_id: 's' },
    { type: 'system', subtype: 'status', status: null },
    { type: 'system', subtype: 'compact_boundary', compact_metadata: {} },
    { type: 'control_cancel_request', request_id: 'r' },
    { type: 'user', message: { role: 'user', content: 'Go.' }, parent_tool_use_id: null },
    { type: 'stream_event', event: { type: 'message_stop' }, parent_tool_use_id: null },
    { type: 'result', subtype: 'success', is_error: false, stop_reason: 'end_turn', result: '' },
    { type: 'result', subtype: 'error_during_execution', is_error: true, errors: ['no'] },
  ],
  codex: [
    { id: 'x', result: { turn: { id: 't', items: [], status: 'inProgress' } } },
    { method: 'turn/started', params: { threadId: 'chat', turn: { id: 't', items: [], status: 'inProgress' } } },
    { method: 'thread/status/changed', params: { threadId: 'chat', status: { type: 'idle' } } },
    { method: 'thread/tokenUsage/updated', params: { threadId: 'chat' } },
    { method: 'turn/plan/updated', params: { threadId: 'chat', turnId: 't', plan: [] } },
    { method: 'item/started', params: { item: { type: 'userMessage', id: 'u', content: [] }, threadId: 'chat' } },
    { method: 'item/completed', params: { item: { type: 'userMessage', id: 'u', content: [] }, threadId: 'chat' } },
    { method: 'item/started', params: { item: { type: 'agentMessage', id: 'm', text: '' }, threadId: 'chat' } },
    { method: 'serverRequest/resolved', params: { threadId: 'chat', requestId: 7 } },
    { method: 'turn/completed', params: { turn: { id: 't', items: [], status: 'completed', error: null } } },
    { method: 'turn/completed', params: { turn: { id: 't', items: [], status: 'failed', error: { message: 'no' } } } },
    { id: 'x', error: { code: 1, message: 'no' } },
  ],
  a2a: [
    a2aEvent({ task: { id: 't', contextId: 'chat', status: { state: 'TASK_STATE_SUBMITTED' }, history: [] } }),
    a2aEvent({ task: { id: 't', contextId: 'chat', status: { state: 'TASK_STATE_WORKING' }, artifacts: [] } }),
    a2aEvent({ task: { id: 't', contextId: 'chat', status: { state: 'TASK_STATE_INPUT_REQUIRED' }, history: [] } }),
    a2aStatus('TASK_STATE_WORKING'),
    a2aStatus('TASK_STATE_AUTH_REQUIRED', [{ text: 'Sign in.' }]),
    a2aEvent({ artifactUpdate: { taskId: 't', contextId: 'chat', artifact: { artifactId: 'a', parts: [] } } }),
    a2aStatus('TASK_STATE_WORKING', [{ data: { type: 'tool-result', toolCallId: 'long-gone', output: 'late' } }]),
    a2aStatus('TASK_STATE_COMPLETED'),
    a2aEvent({ id: 't', contextId: 'chat', status: { state: 'TASK_STATE_CANCELED' } }),
    { jsonrpc: '2.0', id: 'x', error: { code: -32001, message: 'no' } },
  ],
  anthropic: [
    { type: 'ping' },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
    { type: 'message_stop' },
    { type: 'error', error: { message: 'no' } },
  ],
  'openai-chat': [
    { choices: [], usage: {} },
    { choices: [{ delta: {}, finish_reason: 'stop' }] },
    { error: { message: 'no' } },
  ],
  'openai-responses': [
    { type: 'response.in_progress', response: {} },
    { type: 'response.completed', response: { status: 'completed', output: [] } },
    { type: 'error', message: 'no' },
  ],
  gemini: [
    { candidates: [], usageMetadata: {} },
    { candidates: [{ content: { parts: [] }, finishReason: 'STOP' }] },
    { error: { message: 'no' } },
  ],
  vscode: [{ other: 1 }],
};

/** By protocol: whether an event of a recording is a report about a known call. */
const REPORTS: Partial<Record<Sent, (event: Data, place: number, events: readonly Data[]) => boolean>> = {
  acp: ({ params, method }) =>
    params?.update?.sessionUpdate === 'tool_call_update' &&
    /completed|failed/.test(params.update.status) &&
    method !== undefined,
  adk: ({ content }) => content?.parts?.every((part: Data) => part.functionResponse),
  'ag-ui': ({ type }) => type === 'TOOL_CALL_RESULT' || type === 'MESSAGES_SNAPSHOT',
  tanstack: ({ type }) => type === 'TOOL_CALL_RESULT',
  effect: ({ type }) => type === 'tool-result',
  langgraph: ({ event, data }, place, events) =>
    event === 'values'
      ? data.__interrupt__ || !events.slice(place + 1).some((later) => later.event === 'values')
      : event === 'messages' && data[0].type === 'tool',
  'openai-agents': ({ item }) => item?.type === 'tool_call_output_item' || item?.type === 'tool_approval_item',
  mastra: ({ type }) => /^tool-(result|output-denied|call-approval)$/.test(type),
  opencode: ({ type, properties }) => type === 'permission.replied' || properties?.part?.state?.status === 'completed',
  'claude-managed-agents': ({ type }) => /tool_result|tool_confirmation/.test(type),
  'claude-agent-sdk': ({ type }) => /^(user|control_request)$/.test(type),
  a2a: ({ result: { task, statusUpdate } }) =>
    task !== undefined ||
    statusUpdate?.status.message?.parts.every((part: Data) => part.data?.type === 'tool-result') === true,
  codex: ({ method, params }) => method === 'item/completed' && params.item.type === 'commandExecution',
};

/**
 * Plays a recorded turn. Returns its events, the reader that has read them, a function that makes new readers, and the
 * chunks that all these readers emit afterwards.
 */
async function after(protocol: Sent): Promise<{
  emitted: Data[];
  read: (event: unknown) => unknown;
  make: () => (event: unknown) => unknown;
  events: Data[];
}> {
  const codec: Codec = await codecFor(protocol);
  const recording = recordings.find((one) => one.protocol === protocol && /mixed|replies\.ts|types/.test(one.source));
  if (!recording) throw new Error(`no recording of ${protocol}`);
  const gate = gateFor(protocol, recording.options);
  const emitted: Data[] = [];
  const messages = (): Data[] => gate.getSnapshot().messages;
  const calls = (): Data[] => {
    const turn = messages().slice(messages().findLastIndex(({ role }) => role === 'user') + 1);
    return turn
      .flatMap(({ parts }) => parts)
      .filter((part: Data) => part.toolCallId)
      .map((part: Data) => ({ toolName: part.type.slice('tool-'.length), ...part }));
  };
  const make = (): ((event: unknown) => unknown) =>
    codec.createReader(contextOf({ emit: (chunk) => void emitted.push(chunk), newId: () => 'fresh', calls, messages }));
  let read = make();
  const events: Data[] = [];
  for (const [method, ...args] of recording.acts) {
    // Stops before the second turn: in a real chat, reports about calls of the first turn may still arrive now.
    if (method === 'sendUserMessage' && events.length) break;
    if (method === 'receive') {
      read(args[0]);
      events.push(args[0]);
    }
    if (method === 'streamEnded') read = make();
    try {
      (gate[method] as (...given: unknown[]) => unknown).apply(gate, args);
    } catch {
      // The recording contains a second decision about one request, which the gate refuses.
    }
  }
  emitted.length = 0;
  return { emitted, read, make, events };
}

describe.each(Object.keys(HOUSEKEEPING) as Sent[])('%s', (protocol) => {
  test('after a finished reply, events without content open no reply', async () => {
    const { emitted, read } = await after(protocol);
    for (const event of HOUSEKEEPING[protocol]) {
      read(structuredClone(event));
      expect(
        emitted
          .splice(0)
          .map((chunk) => chunk.type)
          .filter((type) => CONTENT.test(type)),
        JSON.stringify(event),
      ).toEqual([]);
    }
  });

  test('a report about a known call opens no reply', async () => {
    const { emitted, make, events } = await after(protocol);
    const reports = events.filter((event, place) => REPORTS[protocol]?.(event, place, events));
    if (REPORTS[protocol]) expect(reports).not.toEqual([]);
    // The stream has ended: a new reader reads later events.
    for (const event of reports) {
      make()(structuredClone(event));
      expect(
        emitted
          .splice(0)
          .map((chunk) => chunk?.type)
          .filter((type) => CONTENT.test(type)),
        JSON.stringify(event),
      ).toEqual([]);
    }
  });
});

test('ReplyWriter: content opens the message and the step, and startReply opens the message', () => {
  const opened = (act: (writer: ReplyWriter) => void): string[] => {
    const types: string[] = [];
    const writer = new ReplyWriter({ emit: (chunk) => void types.push(chunk?.type ?? '') });
    act(writer);
    return types;
  };
  const content: readonly ((writer: ReplyWriter) => void)[] = [
    (writer) => writer.textDelta('t', 'Hm.'),
    (writer) => writer.lane(0).start('a', 'edit'),
    (writer) => writer.call('a', 'edit', {}),
    (writer) => writer.content({ type: 'file' }),
  ];
  for (const act of content) expect(opened(act).slice(0, 2)).toEqual(['start', 'start-step']);
  expect(opened((writer) => writer.startReply())).toEqual(['start']);
  const others: readonly ((writer: ReplyWriter) => void)[] = [
    (writer) => writer.emit({ type: 'data-plan' }),
    (writer) => writer.result('a', 'x', false),
    (writer) => writer.confirmDecision('a'),
    (writer) => writer.lane('a').delta('{}'),
    (writer) => writer.lane('a').end(),
    (writer) => writer.endText(),
    (writer) => writer.endStep(),
    (writer) => writer.endReply('stop'),
    (writer) => writer.cutOff('length'),
    (writer) => writer.failReply('no'),
  ];
  for (const act of others) expect(opened(act).filter((type) => CONTENT.test(type))).toEqual([]);
});
