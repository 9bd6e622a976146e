/**
 * LangChain's messages as LangGraph servers write them. Sources: `messages/*` of `@langchain/core` 1.4, and the
 * serialisation of `@langchain/langgraph-api`; `messages_to_dict` and `additional_kwargs` of `langchain_core`.
 */
import type { DefaultToolCall, Message } from '@langchain/langgraph-sdk';
import { asList, valueOf } from '../shared/history.js';
import type { Merged, Wire } from '../shared/wire.js';

/** A call in a message, a piece of one, and a block of a content. */
export type Use = Wire<DefaultToolCall>;
export type UseChunk = {
  readonly index?: unknown;
  readonly id?: string;
  readonly name?: string;
  readonly args?: string;
};
export interface Block {
  readonly type?: string;
  readonly text?: string;
  readonly reasoning?: string;
  readonly thinking?: string;
  readonly image_url?: string | { readonly url?: string };
}

/** A message with its kind in `type`. `response_metadata` differs between the providers. */
export interface ThreadMessage extends Pick<Merged<Message>, 'type' | 'name' | 'status' | 'tool_call_id'> {
  readonly id?: string;
  readonly content?: string | readonly (Block | null)[];
  readonly tool_calls?: readonly Use[];
  readonly tool_call_chunks?: readonly UseChunk[];
  readonly response_metadata?: Readonly<Record<'finish_reason' | 'stop_reason' | 'finishReason', unknown>> | null;
}

/** A message as it was serialised. */
export interface GivenMessage extends Omit<ThreadMessage, 'id'> {
  readonly id?: string | readonly string[];
  readonly role?: string;
  readonly kwargs?: ThreadMessage;
  readonly data?: ThreadMessage | null;
  readonly additional_kwargs?: { readonly tool_calls?: readonly StoredCall[] };
}
interface StoredCall {
  readonly id?: string;
  readonly function: { readonly name?: string; readonly arguments: string };
}

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^(ai|assistant)/i, 'ai'],
  [/^(tool|function)/i, 'tool'],
  [/^(system|developer)/i, 'system'],
  [/^(human|user)/i, 'human'],
  // Middleware that shortens the history sends these. There is nothing to read in them.
  [/^remove/i, 'remove'],
];

/**
 * Returns a message with its kind in `type`, also for messages that `JSON.stringify` or `messages_to_dict` serialised.
 * Throws for unknown kinds.
 */
export function plain(message: GivenMessage): ThreadMessage {
  const { type, id, kwargs, role, data } = message;
  const isDict = typeof data === 'object' && data !== null && !('content' in message);
  const fields = isDict ? data : message;
  const own = (
    type === 'constructor' ? { ...kwargs, type: id?.at(-1) } : { ...fields, type: type ?? role }
  ) as GivenMessage & ThreadMessage;
  const kind = KINDS.find(([pattern]) => pattern.test(own.type))?.[1];
  if (!kind) throw new TypeError('unknown kind of message');
  // Older releases stored the calls as the API of OpenAI has them.
  const calls = own.tool_calls?.length ? own.tool_calls : asList(own.additional_kwargs?.tool_calls).map(callOf);
  return { ...own, type: kind, ...(calls.length && { tool_calls: calls }) };
}

const callOf = ({ id, function: called }: StoredCall): Use => ({
  id,
  name: called.name,
  args: valueOf(called.arguments) as Use['args'],
});

/** Returns a content as a string if all its blocks are text, otherwise unchanged. */
export const wordsOf = (content: ThreadMessage['content']): unknown =>
  Array.isArray(content) && content.every((block) => block?.type === 'text')
    ? content.map((block: Block) => block.text).join('')
    : content;
