/**
 * Ends of replies: a truncated reply is marked in every protocol that reports truncation, and a step limit in every
 * protocol that reports it.
 */
import { describe, expect, test } from 'vitest';

import { codecFor, contextOf } from './codecs';
import { gateFor, type Data } from './support';
import { type ProtocolName } from './all.js';

type Sent = Exclude<ProtocolName, 'ai-sdk'>;

const acpText = {
  method: 'session/update',
  params: { update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'It is' } } },
};
const chat = (finish_reason: string): Data[] => [
  { choices: [{ delta: { content: 'It is' } }] },
  { choices: [{ delta: {}, finish_reason }] },
];
const claude = (stop_reason: string): Data[] => [
  { type: 'message_start', message: {} },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'It is' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason } },
  { type: 'message_stop' },
];
const google = (finishReason: string): Data[] => [
  { candidates: [{ content: { parts: [{ text: 'It is' }] } }] },
  { candidates: [{ content: { parts: [{ text: '' }] }, finishReason }] },
];
const responses = (reason: string): Data[] => [
  { type: 'response.created', response: {} },
  { type: 'response.output_text.delta', item_id: 'm', content_index: 0, delta: 'It is' },
  {
    type: 'response.incomplete',
    response: { id: 'r', status: 'incomplete', incomplete_details: { reason }, output: [] },
  },
];
const effect = (reason: string): Data[] => [
  { type: 'text', text: 'It is' },
  { type: 'finish', reason, usage: {} },
];
const genkit = (finishReason: string): Data[] => [
  { message: { role: 'model', content: [{ text: 'It is' }] } },
  { result: { message: { role: 'model', content: [{ text: 'It is' }] }, finishReason } },
];
const mastra = (reason: string): Data[] => [
  { type: 'start', runId: 'r', payload: {} },
  { type: 'text-delta', runId: 'r', payload: { id: 't', text: 'It is' } },
  { type: 'step-finish', runId: 'r', payload: {} },
  { type: 'finish', runId: 'r', payload: { stepResult: { reason } } },
];
const acp = (stopReason: string): Data[] => [acpText, { id: 'out-1', result: { stopReason } }];
const opencode = (reason: string): Data[] => [
  { type: 'message.part.updated', properties: { part: { id: 'p', messageID: 'm', type: 'text', text: 'It is' } } },
  { type: 'message.part.updated', properties: { part: { id: 'q', messageID: 'm', type: 'step-finish', reason } } },
  { type: 'session.idle', properties: { sessionID: 'chat' } },
];
const tanstack = (finishReason: string): Data[] => [
  { type: 'RUN_STARTED', runId: 'r', threadId: 'chat' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'It is' },
  { type: 'RUN_FINISHED', runId: 'r', threadId: 'chat', finishReason },
];
const adk = (finishReason: string): Data[] => [
  { author: 'agent', content: { role: 'model', parts: [{ text: 'It is' }] }, finishReason },
];
const langgraph = (response_metadata: Data): Data[] => [
  { event: 'messages', data: [{ type: 'ai', id: 'm', content: 'It is', response_metadata }] },
];
const agents = (reason: string): Data[] => [
  { type: 'raw_model_stream_event', data: { type: 'output_text_delta', delta: 'It is' } },
  {
    type: 'raw_model_stream_event',
    data: {
      type: 'response_done',
      response: { providerData: { status: 'incomplete', incomplete_details: { reason } } },
    },
  },
];
const claudeCode = (subtype: string, stop_reason: string): Data[] => [
  ...claude(stop_reason)
    .slice(0, -1)
    .map((event) => ({ type: 'stream_event', event, parent_tool_use_id: null })),
  { type: 'result', subtype, is_error: subtype !== 'success', stop_reason, errors: [] },
];
const managed = (stop: Data, ...more: Data[]): Data[] => [
  { type: 'agent.message', id: 'm', content: [{ type: 'text', text: 'It is' }] },
  ...more,
  { type: 'session.status_idle', stop_reason: stop },
];

const CUT: readonly (readonly [Sent, string, readonly Data[]])[] = [
  ['openai-chat', 'length', chat('length')],
  ['openai-chat', 'content-filter', chat('content_filter')],
  ['anthropic', 'length', claude('max_tokens')],
  ['anthropic', 'length', claude('model_context_window_exceeded')],
  ['anthropic', 'content-filter', claude('refusal')],
  ['gemini', 'length', google('MAX_TOKENS')],
  ['gemini', 'content-filter', google('SAFETY')],
  ['openai-responses', 'length', responses('max_output_tokens')],
  ['openai-responses', 'content-filter', responses('content_filter')],
  ['effect', 'length', effect('length')],
  ['genkit', 'length', genkit('length')],
  ['genkit', 'content-filter', genkit('blocked')],
  ['mastra', 'length', mastra('length')],
  ['acp', 'length', acp('max_tokens')],
  ['acp', 'content-filter', acp('refusal')],
  ['opencode', 'length', opencode('length')],
  ['tanstack', 'length', tanstack('length')],
  ['adk', 'length', adk('MAX_TOKENS')],
  ['langgraph', 'length', langgraph({ finish_reason: 'length' })],
  ['langgraph', 'length', langgraph({ stop_reason: 'max_tokens' })],
  ['openai-agents', 'length', agents('max_output_tokens')],
  ['claude-agent-sdk', 'length', claudeCode('success', 'max_tokens')],
  ['claude-managed-agents', 'content-filter', managed({ type: 'refusal' })],
];

test.each(CUT)(
  '%s: the metadata of a reply contains its ending %s, also after a reload',
  (protocol, finishReason, events) => {
    const gate = gateFor(protocol);
    gate.sendUserMessage({ text: 'Well?' });
    gate.claim(gate.outgoing()[0]?.id as string);
    for (const event of events) gate.receive(event);
    gate.streamEnded({ status: 'finished' });
    const last = gate.getSnapshot().messages.at(-1);
    expect(last).toMatchObject({ role: 'assistant', metadata: { finishReason } });
    expect(last?.parts.at(-1)).toMatchObject({ type: 'text', text: 'It is' });
    const loaded = gateFor(protocol);
    loaded.load(JSON.parse(JSON.stringify(gate.getSnapshot().messages)));
    expect(loaded.getSnapshot().messages.at(-1)?.metadata).toMatchObject({ finishReason });
  },
);

test.each([
  ['openai-chat', chat('stop')],
  ['anthropic', claude('end_turn')],
  ['gemini', google('STOP')],
  ['effect', effect('stop')],
  ['genkit', genkit('stop')],
  ['mastra', mastra('stop')],
  ['acp', acp('end_turn')],
  ['opencode', opencode('stop')],
  ['tanstack', tanstack('stop')],
  ['adk', adk('STOP')],
  ['langgraph', langgraph({ finish_reason: 'stop' })],
  ['claude-managed-agents', managed({ type: 'end_turn' })],
  ['claude-agent-sdk', claudeCode('success', 'end_turn')],
] as const)('%s: the metadata of a complete reply has no finishReason', (protocol, events) => {
  const gate = gateFor(protocol);
  for (const event of events) gate.receive(event);
  gate.streamEnded({ status: 'finished' });
  expect(JSON.stringify(gate.getSnapshot().messages.at(-1)?.metadata ?? {})).not.toContain('finishReason');
});

describe('a step limit', () => {
  async function endOf(protocol: Sent, events: readonly Data[]): Promise<Data> {
    const chunks: Data[] = [];
    const read = (await codecFor(protocol)).createReader(contextOf({ emit: (chunk) => void chunks.push(chunk) }));
    for (const event of events) read(event);
    return chunks.at(-1);
  }

  test('is reported if the backend ends the reply with it, or sends it as an error', async () => {
    const limit = {
      type: 'session.error',
      error: { type: 'tool_use_limit_reached_error', message: 'no', retry_status: { type: 'exhausted' } },
    };
    expect(await endOf('claude-managed-agents', managed({ type: 'retries_exhausted' }, limit))).toMatchObject({
      type: 'finish',
      finishReason: 'step-limit',
    });
    expect(await endOf('claude-agent-sdk', claudeCode('error_max_turns', 'tool_use'))).toMatchObject({
      type: 'finish',
      finishReason: 'step-limit',
    });
    expect(
      await endOf('langgraph', [
        { event: 'error', data: { error: 'GraphRecursionError', message: 'Recursion limit of 2 reached' } },
      ]),
    ).toMatchObject({ type: 'error', finishReason: 'step-limit' });
    expect(
      await endOf('openai-agents', [{ type: 'error', message: 'MaxTurnsExceededError: Max turns (1) exceeded' }]),
    ).toMatchObject({ type: 'error', finishReason: 'step-limit' });
  });

  test('other errors are not a step limit', async () => {
    expect(await endOf('langgraph', [{ event: 'error', data: { error: 'Error', message: 'no' } }])).toEqual({
      type: 'error',
      errorText: 'no',
    });
    expect(await endOf('openai-agents', [{ type: 'error', message: 'Error: no' }])).toEqual({
      type: 'error',
      errorText: 'Error: no',
    });
  });
});
