/**
 * LangChain's messages as LangGraph servers write them. Sources: `messages/*` of `@langchain/core` 1.4, and the
 * serialisation of `@langchain/langgraph-api`; `messages_to_dict` and `additional_kwargs` of `langchain_core`.
 */
import type { Data } from '../shared/codec.js';
import { asList, valueOf } from '../shared/history.js';

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^(ai|assistant)/i, 'ai'],
  [/^(tool|function)/i, 'tool'],
  [/^(system|developer)/i, 'system'],
  [/^(human|user)/i, 'human'],
];

/**
 * Returns a message with its kind in `type`, also for messages that `JSON.stringify` or `messages_to_dict` serialised.
 * Throws for unknown kinds.
 */
export function plain(message: Data): Data {
  const { type, id, kwargs, role, data } = message;
  const isDict = typeof data === 'object' && data !== null && !('content' in message);
  const fields = isDict ? data : message;
  const own = type === 'constructor' ? { ...kwargs, type: id.at(-1) } : { ...fields, type: type ?? role };
  const kind = KINDS.find(([pattern]) => pattern.test(own.type))?.[1];
  if (!kind) throw new TypeError('unknown kind of message');
  // Older releases stored the calls as the API of OpenAI has them.
  const calls = own.tool_calls?.length ? own.tool_calls : asList(own.additional_kwargs?.tool_calls).map(callOf);
  return { ...own, type: kind, ...(calls.length && { tool_calls: calls }) };
}

const callOf = ({ id, function: called }: Data): Data => ({ id, name: called.name, args: valueOf(called.arguments) });

/** Returns a content as a string if all its blocks are text, otherwise unchanged. */
export const wordsOf = (content: Data): Data =>
  Array.isArray(content) && content.every((block) => block?.type === 'text')
    ? content.map(({ text }) => text).join('')
    : content;
