/**
 * Toolgate's side of the row *the next request to a model's API*: one decision in a long chat whose page calls the
 * model itself, or through Effect or Genkit, which also take the whole conversation. The body is read as it is sent.
 */
import { ToolGate } from 'toolgate';
import { anthropic } from 'toolgate/protocols/anthropic';
import { effect } from 'toolgate/protocols/effect';
import { gemini } from 'toolgate/protocols/gemini';
import { genkit } from 'toolgate/protocols/genkit';
import { openaiChat } from 'toolgate/protocols/openai-chat';
import { openaiResponses } from 'toolgate/protocols/openai-responses';
import { vscode } from 'toolgate/protocols/vscode';

import { longHistory } from './data.mjs';

const ID = 'call_1';
const NAME = 'edit';

/** For each API: its protocol, the reply with a call, in its own events, and the list of messages in a body. */
export const APIS = {
  'openai-chat': {
    protocol: openaiChat,
    reply: (input) => [
      {
        choices: [
          { delta: { tool_calls: [{ index: 0, id: ID, function: { name: NAME, arguments: JSON.stringify(input) } }] } },
        ],
      },
      { choices: [{ delta: {}, finish_reason: 'tool_calls' }] },
    ],
    messages: (body) => body.messages,
  },
  'openai-responses': {
    protocol: openaiResponses,
    reply: (input) => {
      const item = { type: 'function_call', id: 'fc_1', call_id: ID, name: NAME, arguments: JSON.stringify(input) };
      return [
        { type: 'response.created', response: { id: 'resp_1' } },
        { type: 'response.output_item.added', output_index: 0, item: { ...item, arguments: '' } },
        { type: 'response.output_item.done', output_index: 0, item },
        { type: 'response.completed', response: { id: 'resp_1', status: 'completed', output: [item] } },
      ];
    },
    messages: (body) => body.input,
  },
  gemini: {
    protocol: gemini,
    reply: (args) => [
      { candidates: [{ content: { parts: [{ functionCall: { id: ID, name: NAME, args } }] }, finishReason: 'STOP' }] },
    ],
    messages: (body) => body.contents,
  },
  anthropic: {
    protocol: anthropic,
    reply: (input) => [
      { type: 'message', content: [{ type: 'tool_use', id: ID, name: NAME, input }], stop_reason: 'tool_use' },
    ],
    messages: (body) => body.messages,
  },
  vscode: {
    protocol: vscode,
    reply: (input) => [{ callId: ID, name: NAME, input }],
    messages: (body) => body.messages,
  },
  effect: {
    protocol: effect,
    reply: (params) => [
      { type: 'tool-call', id: ID, name: NAME, params },
      { type: 'tool-approval-request', approvalId: ID, toolCallId: ID },
      { type: 'finish', reason: 'tool-calls' },
    ],
    messages: (body) => body.prompt,
  },
  genkit: {
    protocol: genkit,
    reply: (input) => {
      const toolRequest = { name: NAME, ref: ID, input };
      return [
        { message: { role: 'model', content: [{ toolRequest }] } },
        {
          result: {
            message: { content: [{ toolRequest, metadata: { interrupt: true } }] },
            finishReason: 'interrupted',
          },
        },
      ];
    },
    messages: (body) => body.messages,
  },
};

/** A chat of `count` messages whose previous request was built, and whose last reply waits for an approval. */
function runningChat(api, count) {
  const { protocol, reply } = APIS[api];
  const history = longHistory(count);
  const gate = new ToolGate({
    chatId: 'chat',
    protocol,
    ...(/effect|genkit/.test(api) ? {} : { needsApproval: () => true }),
  });
  gate.load(history.slice(0, -2));
  gate.sendUserMessage(history.at(-2));
  const [item] = gate.outgoing();
  gate.claim(item.id);
  for (const event of reply({ path: 'a.ts' })) gate.receive(event);
  gate.streamEnded({ status: 'finished' });
  gate.getSnapshot();
  return { gate, before: APIS[api].messages(item.body).length };
}

/** The time for the next request after one decision, in ms. Where the page runs the tool, its result is part of it. */
export function nextRequestTo(api, count) {
  const { gate, before } = runningChat(api, count);
  const start = performance.now();
  gate.respond(ID, { approved: true });
  if (gate.outgoing().length === 0) gate.addToolOutput(ID, { output: 'Done.' });
  const { body } = gate.outgoing()[0];
  const ms = performance.now() - start;
  if (!(APIS[api].messages(body).length > before)) throw new Error(`${api}: the answer is missing`);
  gate.free();
  return { warm: ms };
}
