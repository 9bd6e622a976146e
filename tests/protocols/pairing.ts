/**
 * Each provider's rules for a history: every call has its result at the required position, no call has two, and no
 * result lacks its call. Each rule returns descriptions of what is broken.
 */
import { langgraph, openaiAgents } from './pairing-agents';
import { agUi, pydanticAi } from './pairing-web';

import { a2a, claudeAgentSdk, claudeManagedAgents, codex, mastra, opencode } from './pairing-sessions';

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Data = any;

type Rule = (messages: readonly Data[]) => string[];

const same = (a: readonly string[], b: readonly string[]): boolean => JSON.stringify(a) === JSON.stringify(b);

const doubles = (ids: readonly string[], what: string): string[] =>
  new Set(ids).size === ids.length ? [] : [`${what} twice`];

/** Every `tool_use` has its `tool_result` at the beginning of the next message, in order. */
const anthropic: Rule = (messages) => {
  const broken: string[] = [];
  const all: string[] = [];
  messages.forEach(({ role, content }, place) => {
    if (!['user', 'assistant', 'system'].includes(role)) broken.push(`role ${role}`);
    if (role === 'system' && place === 0) broken.push('a system message first');
    if (content.length === 0) broken.push('empty content');
    const next = messages[place + 1]?.content ?? [];
    const uses = content.filter((block: Data) => block.type === 'tool_use').map((block: Data) => block.id);
    const results = next.filter((block: Data) => block.type === 'tool_result').map((block: Data) => block.tool_use_id);
    if (role === 'assistant' && !same(uses, results)) broken.push(`asked ${uses}, answered ${results}`);
    if (role !== 'assistant' && uses.length) broken.push(`a call in a message of the ${role}`);
    const before = messages[place - 1];
    for (const block of content) {
      if (block.type === 'tool_result' && (role !== 'user' || before?.role !== 'assistant'))
        broken.push('a result out of place');
      if (block.type === 'text' && !block.text) broken.push('an empty text');
      if (
        block.type === 'tool_use' &&
        (typeof block.input !== 'object' || block.input === null || Array.isArray(block.input))
      )
        broken.push('an input that is not an object');
      if (block.type === 'server_tool_use' && !content.some((other: Data) => other.tool_use_id === block.id))
        broken.push('a hosted call without its result');
      if (/tool_use$/.test(block.type)) all.push(block.id);
      if (/tool_use$/.test(block.type) && !/^[\w-]+$/.test(block.id)) broken.push(`id ${block.id}`);
    }
    if (results.length && next.slice(0, results.length).some((block: Data) => block.type !== 'tool_result'))
      broken.push('results are not first');
  });
  return [...broken, ...doubles(all, 'a call')];
};

/** Every call of an assistant message is followed by its tool message, in order. */
const openaiChat: Rule = (messages) => {
  const broken: string[] = [];
  const all: string[] = [];
  messages.forEach(({ role, content, tool_calls: calls, tool_call_id: id }, place) => {
    if (role === 'tool' && typeof content !== 'string') broken.push('a result that is not text');
    if (role === 'tool' && !all.includes(id)) broken.push(`${id} has no call`);
    if (role !== 'assistant') return;
    const asked: string[] = (calls ?? []).map((call: Data) => call.id);
    all.push(...asked);
    const answers = messages.slice(place + 1, place + 1 + asked.length).map((message) => message.tool_call_id);
    if (!same(asked, answers)) broken.push(`asked ${asked}, answered ${answers}`);
    if (messages[place + 1 + asked.length]?.role === 'tool') broken.push('more results than calls');
    if (content == null && !asked.length) broken.push('an empty assistant message');
    if (calls?.length === 0) broken.push('no calls in tool_calls');
    for (const { id: call, function: called } of calls ?? []) {
      if (call.length > 40) broken.push(`an id of ${call.length} characters`);
      JSON.parse(called.arguments);
    }
  });
  return [...broken, ...doubles(all, 'a call')];
};

/** Every function call has one output after it, and outputs have the order of the calls. So do MCP responses. */
const openaiResponses: Rule = (items) => {
  const broken: string[] = [];
  const asked: string[] = [];
  const answered: string[] = [];
  const requests: string[] = [];
  const responses: string[] = [];
  for (const item of items) {
    if (/^(function|custom_tool)_call$/.test(item.type)) asked.push(item.call_id);
    if (/^(function|custom_tool)_call_output$/.test(item.type)) {
      if (!asked.includes(item.call_id)) broken.push(`${item.call_id} has no call`);
      answered.push(item.call_id);
    }
    if (item.type === 'mcp_approval_request') requests.push(item.id);
    if (item.type === 'mcp_approval_response') {
      if (!requests.includes(item.approval_request_id)) broken.push(`${item.approval_request_id} was not requested`);
      responses.push(item.approval_request_id);
    }
    if (item.call_id?.length > 64) broken.push(`an id of ${item.call_id.length} characters`);
  }
  if (!same(asked, answered)) broken.push(`asked ${asked}, answered ${answered}`);
  if (!same(requests, responses)) broken.push(`requested ${requests}, responded ${responses}`);
  const ids = items.map((item) => item.id).filter((id) => id !== undefined);
  return [...broken, ...doubles(asked, 'a call'), ...doubles(ids, 'an item')];
};

/** The next content has the responses to the model's calls: as many, and in the same order. */
const gemini: Rule = (contents) => {
  const broken: string[] = [];
  contents.forEach(({ role, parts }, place) => {
    if (role !== 'user' && role !== 'model') broken.push(`role ${role}`);
    if (parts.length === 0) broken.push('no parts');
    const calls = parts
      .filter((part: Data) => part.functionCall)
      .map(({ functionCall: { id, name } }: Data) => `${id} ${name}`);
    const answers = (contents[place + 1]?.parts ?? [])
      .filter((part: Data) => part.functionResponse)
      .map(({ functionResponse: { id, name } }: Data) => `${id} ${name}`);
    if (!same(calls, answers)) broken.push(`asked ${calls}, answered ${answers}`);
    if (calls.length && role !== 'model') broken.push('a call in a user message');
    for (const { functionResponse: answer } of parts) {
      if (answer && !Object.keys(answer.response).length) broken.push('an empty response');
    }
  });
  return broken;
};

/**
 * Every call has a result, or in the last step a response to its approval request. Every result has its call, and every
 * response its request.
 */
const effect: Rule = (messages) => {
  const broken: string[] = [];
  const calls: string[] = [];
  const requests: string[] = [];
  const results: string[] = [];
  const responses: string[] = [];
  messages.forEach(({ role, content }, place) => {
    if (typeof content === 'string') return;
    if (content.length === 0) broken.push('empty content');
    const isLast = messages.slice(place + 1).every((message) => message.role === 'tool');
    const answers = messages[place + 1]?.role === 'tool' ? messages[place + 1].content : [];
    for (const part of content) {
      if (part.type === 'tool-call') {
        calls.push(part.id);
        const request = content.find(
          (other: Data) => other.type === 'tool-approval-request' && other.toolCallId === part.id,
        );
        const isAnswered = [...content, ...answers].some(
          (other: Data) => other.type === 'tool-result' && other.id === part.id,
        );
        const isDecided = answers.some((other: Data) => request && other.approvalId === request.approvalId);
        if (!isAnswered && !(isDecided && isLast) && !part.providerExecuted) broken.push(`${part.id} dangles`);
      }
      if (part.type === 'tool-approval-request') requests.push(part.approvalId);
      if (part.type === 'tool-approval-response') responses.push(part.approvalId);
      if (part.type === 'tool-result') results.push(part.id);
    }
    if (role === 'tool' && messages[place - 1]?.role !== 'assistant') broken.push('results without a call');
  });
  if (results.some((id) => !calls.includes(id))) broken.push('a result has no request');
  if (responses.some((id) => !requests.includes(id))) broken.push('a response has no request');
  return [...broken, ...doubles(calls, 'a call'), ...doubles(results, 'a result'), ...doubles(responses, 'a response')];
};

/** The results of an assistant's calls are in the next message, in order. */
const vscode: Rule = (messages) => {
  const broken: string[] = [];
  messages.forEach(({ role, content }, place) => {
    if (content.length === 0) broken.push('empty content');
    const calls = content.filter((part: Data) => part.name !== undefined).map((part: Data) => part.callId);
    const next = messages[place + 1]?.content ?? [];
    const answers = next
      .filter((part: Data) => part.callId !== undefined && part.name === undefined)
      .map((part: Data) => part.callId);
    if (!same(calls, answers)) broken.push(`asked ${calls}, answered ${answers}`);
    if (calls.length && role !== 2) broken.push('a call in a user message');
  });
  return broken;
};

/**
 * The message after the model's requests has their responses: as many, and in the same order. If no message follows,
 * requests may lack responses; outputs of completed calls are then in the metadata of their requests.
 */
const genkit: Rule = (messages) => {
  const broken: string[] = [];
  const all: string[] = [];
  messages.forEach(({ role, content }, place) => {
    if (!['system', 'user', 'model', 'tool'].includes(role)) broken.push(`role ${role}`);
    if (content.length === 0) broken.push('empty content');
    const requests = content.filter((part: Data) => part.toolRequest);
    const asked: string[] = requests.map(({ toolRequest: { name, ref } }: Data) => `${ref} ${name}`);
    const next = messages[place + 1];
    const answered: string[] =
      next?.role === 'tool' ? next.content.map(({ toolResponse: { name, ref } }: Data) => `${ref} ${name}`) : [];
    const isOpen = !next && requests.some(({ metadata }: Data) => !('pendingOutput' in (metadata ?? {})));
    if (!isOpen && !same(asked, answered)) broken.push(`asked ${asked}, answered ${answered}`);
    if (asked.length && role !== 'model') broken.push('a request in a user message');
    if (role === 'tool' && messages[place - 1]?.role !== 'model') broken.push('responses out of place');
    if (role === 'tool' && content.some(({ toolResponse }: Data) => toolResponse.output === undefined))
      broken.push('an empty response');
    all.push(...requests.map(({ toolRequest }: Data) => toolRequest.ref));
  });
  return [...broken, ...doubles(all, 'a ref')];
};

/** A replay has every call once, and settled. A text of a message is not split into several updates. */
const acp: Rule = (updates) => {
  const broken: string[] = [];
  updates.forEach((update, place) => {
    const { sessionUpdate, toolCallId, title, status, rawOutput, content, messageId } = update;
    const before = updates[place - 1];
    if (sessionUpdate === 'tool_call') {
      if (status !== 'completed' && status !== 'failed') broken.push(`${toolCallId} is ${status}`);
      if (status === 'failed' && typeof rawOutput !== 'string') broken.push(`${toolCallId} failed without a text`);
      if (typeof title !== 'string') broken.push(`${toolCallId} has no title`);
    } else if (!/^(user_message|agent_message|agent_thought)_chunk$/.test(sessionUpdate)) {
      broken.push(`update ${sessionUpdate}`);
    } else if (content.type === 'text') {
      if (!content.text) broken.push('an empty text');
      if (before?.sessionUpdate === sessionUpdate && before.messageId === messageId && before.content.type === 'text')
        broken.push('a split text');
    }
  });
  return [
    ...broken,
    ...doubles(
      updates.filter(({ toolCallId }) => toolCallId !== undefined).map(({ toolCallId }) => toolCallId),
      'a call',
    ),
  ];
};

/** Every call of an assistant message is answered in that message or the next one, or decided in the last step. */
const aiSdkWs: Rule = (messages) => {
  const broken: string[] = [];
  const calls: string[] = [];
  const results: string[] = [];
  messages.forEach(({ role, content }, place) => {
    if (typeof content === 'string') return;
    const answers: Data[] = messages[place + 1]?.role === 'tool' ? messages[place + 1].content : [];
    const isLast = messages.slice(place + 1).every((message) => message.role === 'tool');
    for (const part of content) {
      if (part.type === 'tool-result') results.push(part.toolCallId);
      if (part.type !== 'tool-call') continue;
      calls.push(part.toolCallId);
      const request = content.find(
        (other: Data) => other.type === 'tool-approval-request' && other.toolCallId === part.toolCallId,
      );
      const isDecided = answers.some(
        (other) => request && other.type === 'tool-approval-response' && other.approvalId === request.approvalId,
      );
      const isAnswered = [...content, ...answers].some(
        (other) => other.type === 'tool-result' && other.toolCallId === part.toolCallId,
      );
      if (!isAnswered && !(isDecided && isLast) && !part.providerExecuted) broken.push(`${part.toolCallId} dangles`);
    }
    if (role === 'tool' && messages[place - 1]?.role !== 'assistant') broken.push('results without a call');
  });
  if (results.some((id) => !calls.includes(id))) broken.push('a result has no request');
  return [...broken, ...doubles(calls, 'a call'), ...doubles(results, 'a result')];
};

/** The events of a session: Gemini's contents, each with an author, and a unique id per call. */
const adk: Rule = (events) => {
  // ADK does not restrict the format of results.
  const broken = gemini(events.map(({ content }) => content)).filter((words) => words !== 'an empty response');
  const calls: Data[] = events
    .flatMap(({ content }) => content.parts)
    .flatMap(({ functionCall: call }: Data) => call ?? []);
  if (
    events.some(
      ({ author, content: { role, parts } }) =>
        !author || (author === 'user') !== (role === 'user' && !parts[0]?.functionResponse),
    )
  )
    broken.push('an event without an author, or with the wrong one');
  if (calls.some(({ id }) => id === undefined)) broken.push('a call without an id');
  if (calls.some(({ name }) => /^adk_/.test(name))) broken.push('a call of an ADK function');
  return [
    ...broken,
    ...doubles(
      calls.map(({ id }) => id),
      'a call',
    ),
  ];
};

/** The rules by protocol. */
export const rules = {
  anthropic,
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  gemini,
  adk,
  effect,
  genkit,
  vscode,
  'ag-ui': agUi,
  tanstack: agUi,
  'pydantic-ai': pydanticAi,
  acp,
  'ai-sdk-ws': aiSdkWs,
  langgraph,
  'openai-agents': openaiAgents,
  mastra,
  cloudflare: aiSdkWs,
  opencode,
  'claude-managed-agents': claudeManagedAgents,
  'claude-agent-sdk': claudeAgentSdk(anthropic),
  codex,
  a2a,
};

/** A protocol with rules. */
export type Checked = keyof typeof rules;

/** The names of the protocols with rules. */
export const checked = Object.keys(rules) as Checked[];
