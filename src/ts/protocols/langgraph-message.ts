/**
 * LangChain's messages as the servers of LangGraph write them. Sources: `messages/*` of `@langchain/core` 1.4, and the serialisation of
 * `@langchain/langgraph-api`.
 */
import type { Data } from './shared/codec.js';

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^(ai|assistant)/i, 'ai'],
  [/^(tool|function)/i, 'tool'],
  [/^(system|developer)/i, 'system'],
  [/^(human|user)/i, 'human'],
];

/** A message with its kind in `type`, also one that went through `JSON.stringify` as it is. Throws for what is none. */
export function plain(message: Data): Data {
  const { type, id, kwargs, role } = message;
  const own = type === 'constructor' ? { ...kwargs, type: id.at(-1) } : { ...message, type: type ?? role };
  const kind = KINDS.find(([pattern]) => pattern.test(own.type))?.[1];
  if (!kind) throw new TypeError('a message of no known kind');
  return { ...own, type: kind };
}

/** A content as a text, if it is one. */
export const wordsOf = (content: Data): Data =>
  Array.isArray(content) && content.every((block) => block?.type === 'text')
    ? content.map(({ text }) => text).join('')
    : content;
