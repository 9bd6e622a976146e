/**
 * The events and items of the SDK in Python, in the names of the one in JavaScript. Source: `stream_events.py` and
 * `items.py` of openai-agents 0.24, whose items are those of OpenAI's Responses API.
 */
import { asList } from '../shared/history.js';
import type { Merged } from '../shared/wire.js';
import type { protocol } from '@openai/agents';
import type { ResponseItem, ResponseStreamEvent } from 'openai/resources/responses/responses';

type ModelItem = Exclude<protocol.ModelItem, protocol.UnknownItem>;
type Content = Exclude<Extract<ModelItem, { content: unknown }>['content'], string>[number];

/** An item of the SDK, or a part of its content. `providerData`: the fields of the API's item, and those of the SDK. */
export interface Item extends Omit<Merged<ModelItem | Content>, 'content' | 'output' | 'providerData'> {
  readonly content?: string | readonly Item[];
  readonly output?: unknown;
  readonly providerData?: Partial<ApiItem> & { readonly itemId?: string; readonly encryptedContent?: string };
}

/** An item of either SDK: those of Python's are OpenAI's. */
export interface ApiItem extends Omit<Merged<ResponseItem>, keyof Item | 'summary'>, Item {
  readonly summary?: readonly Item[];
}

/** An event of the model. */
export interface ModelEvent {
  readonly type: string;
  readonly delta?: unknown;
  readonly response?: { readonly providerData?: { readonly incomplete_details?: { readonly reason?: string } | null } };
}

/** The events of the model that are read, by their types in the Responses API. */
const MODEL_EVENTS: Readonly<Record<string, string>> = {
  'response.created': 'response_started',
  'response.output_text.delta': 'output_text_delta',
  'response.completed': 'response_done',
  'response.incomplete': 'response_done',
};

/** Returns an event of the model in JavaScript's form. */
export const modelEventOf = ({ type, delta, response }: Merged<ResponseStreamEvent>) => ({
  type: `${MODEL_EVENTS[type]}`,
  delta,
  response: { providerData: response },
});

/** Returns an item in JavaScript's form. Other items are returned unchanged. */
export function itemOf(item: ApiItem): Item {
  const { type, id, name, status, call_id: callId, arguments: input, output, summary, content } = item;
  if (callId !== undefined) return { ...item, callId };
  if (type === 'reasoning' && summary)
    return {
      type,
      id,
      content: [...asList(summary), ...asList(content as readonly Item[])],
      providerData: { encrypted_content: item.encrypted_content },
    };
  // A tool that OpenAI runs. Its approval has the id of the request.
  if (!/^(?!hosted).*_call$|^mcp_approval_request$/.test(type) || item.callId !== undefined) return item;
  const own = type === 'mcp_call' ? name : type;
  const more = { ...(input !== undefined && { arguments: input }), ...(output != null && { output }) };
  return { type: 'hosted_tool_call', id, name: own, status, ...more, providerData: item };
}
