/**
 * The pairing rules of the frontend protocols: AG-UI (including TanStack AI's dialect), and Pydantic AI's strict
 * variant of the AI SDK's messages. AG-UI's own schemas, and the keys of Pydantic AI's models, check the fields.
 */
import { MessageSchema } from '@ag-ui/core/schemas';

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Data = any;

type Rule = (messages: readonly Data[]) => string[];

/** Each message matches AG-UI's schema and has a unique id; every call is followed by its tool message, in order. */
export const agUi: Rule = (messages) => {
  const broken: string[] = [];
  const calls: string[] = [];
  messages.forEach((message, place) => {
    const { success, error } = MessageSchema.safeParse(message);
    if (!success) broken.push(`message ${place}: ${error.message}`);
    const { role, content, toolCallId, toolCalls = [] } = message;
    const asked: string[] = toolCalls.map(({ id }: Data) => id);
    const answers = messages.slice(place + 1, place + 1 + asked.length);
    if (role === 'tool' && !calls.includes(toolCallId)) broken.push(`${toolCallId} has no call`);
    if (JSON.stringify(asked) !== JSON.stringify(answers.map((answer) => answer.toolCallId)))
      broken.push(`asked ${asked}, answered ${answers.map((answer) => answer.toolCallId)}`);
    if (asked.length && messages[place + 1 + asked.length]?.role === 'tool') broken.push('more results than calls');
    if (role === 'assistant' && content === undefined && !asked.length) broken.push('an empty assistant message');
    for (const call of toolCalls) JSON.parse(call.function.arguments);
    calls.push(...asked);
  });
  const ids = messages.map(({ id }) => id);
  if (new Set(ids).size !== ids.length) broken.push('a repeated id');
  if (new Set(calls).size !== calls.length) broken.push('a repeated call');
  return broken;
};

/** The keys of a tool part in every state. */
const TOOL = ['type', 'toolCallId', 'title', 'state', 'input', 'providerExecuted', 'callProviderMetadata', 'approval'];
/** The keys of Pydantic AI's models, by the type or the state of a part: `ui/vercel_ai/request_types.py`. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  text: ['type', 'text', 'state', 'providerMetadata'],
  reasoning: ['type', 'id', 'text', 'state', 'providerMetadata'],
  file: ['type', 'mediaType', 'filename', 'url', 'providerMetadata'],
  'step-start': ['type'],
  'input-available': TOOL,
  'approval-requested': TOOL,
  'approval-responded': TOOL,
  'output-available': [...TOOL, 'output', 'preliminary'],
  'output-error': [...TOOL, 'errorText', 'rawInput'],
  'output-denied': TOOL,
};

/** No unknown keys, no null where a key must be absent, and a result for every call. */
export const pydanticAi: Rule = (messages) => {
  const broken: string[] = [];
  const calls: string[] = [];
  const only = (what: Data, keys: readonly string[], where: string): void => {
    for (const [key, value] of Object.entries(what)) {
      if (!keys.includes(key)) broken.push(`${where}: unknown key ${key}`);
      if (value === null && key !== 'output') broken.push(`${where}: ${key} is null`);
    }
  };
  messages.forEach((message, place) => {
    only(message, ['id', 'role', 'parts'], `message ${place}`);
    if (message.parts.length === 0) broken.push('no parts');
    for (const part of message.parts) {
      const { type, state, toolCallId, input, approval } = part;
      const isTool = type.startsWith('tool-');
      const keys = KEYS[isTool ? state : type];
      if (keys) only(part, keys, `${type} ${state ?? ''}`);
      else broken.push(`${type} in ${state}`);
      if (approval) only(approval, ['id', 'approved', 'reason'], 'approval');
      if (!isTool) continue;
      calls.push(toolCallId);
      if (message.role !== 'assistant') broken.push('a call in a user message');
      if (typeof input !== 'object' || input === null || Array.isArray(input))
        broken.push('an input that is not an object');
      const isLast = place === messages.length - 1;
      if (!/^output/.test(state) && !isLast && !part.providerExecuted) broken.push(`${toolCallId} has no result`);
      if ((state === 'output-denied') !== (approval?.approved === false) && state !== 'approval-responded')
        broken.push(`${state} with ${JSON.stringify(approval)}`);
    }
  });
  if (new Set(calls).size !== calls.length) broken.push('a repeated call');
  const ids = messages.map(({ id }) => id);
  if (new Set(ids).size !== ids.length) broken.push('a repeated id');
  return broken;
};
