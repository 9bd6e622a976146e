/**
 * The events and items of the SDK in Python, in the names of the one in JavaScript. Source: `stream_events.py` and
 * `items.py` of openai-agents 0.24, whose items are those of OpenAI's Responses API.
 */
import type { Data } from '../shared/codec.js';
import { asList } from '../shared/history.js';

/** The events of the model that are read, by their types in the Responses API. */
const MODEL_EVENTS: Readonly<Record<string, string>> = {
  'response.created': 'response_started',
  'response.output_text.delta': 'output_text_delta',
  'response.completed': 'response_done',
  'response.incomplete': 'response_done',
};

/** Returns an event of the model in JavaScript's form. */
export const modelEventOf = ({ type, delta, response }: Data): Data => ({
  type: MODEL_EVENTS[type],
  delta,
  response: { providerData: response },
});

/** Returns an item in JavaScript's form. Other items are returned unchanged. */
export function itemOf(item: Data): Data {
  const { type, id, name, status, call_id: callId, arguments: input, output, summary, content } = item;
  if (callId !== undefined) return { ...item, callId };
  if (type === 'reasoning' && summary)
    return {
      type,
      id,
      content: [...asList(summary), ...asList(content)],
      providerData: { encrypted_content: item.encrypted_content },
    };
  // A tool that OpenAI runs. Its approval has the id of the request.
  if (!/^(?!hosted).*_call$|^mcp_approval_request$/.test(type) || item.callId !== undefined) return item;
  const own = type === 'mcp_call' ? name : type;
  const more = { ...(input !== undefined && { arguments: input }), ...(output != null && { output }) };
  return { type: 'hosted_tool_call', id, name: own, status, ...more, providerData: item };
}
