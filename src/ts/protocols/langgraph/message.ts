/**
 * LangChain's messages as LangGraph servers write them. Sources: `messages/*` of `@langchain/core` 1.4, and the
 * serialisation of `@langchain/langgraph-api`.
 */
import type { Data } from '../shared/codec.js';

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^(ai|assistant)/i, 'ai'],
  [/^(tool|function)/i, 'tool'],
  [/^(system|developer)/i, 'system'],
  [/^(human|user)/i, 'human'],
];

/**
 * Returns a message with its kind in `type`, also for messages that `JSON.stringify` serialised. Throws for unknown
 * kinds.
 */
export function plain(message: Data): Data {
  const { type, id, kwargs, role } = message;
  const own = type === 'constructor' ? { ...kwargs, type: id.at(-1) } : { ...message, type: type ?? role };
  const kind = KINDS.find(([pattern]) => pattern.test(own.type))?.[1];
  if (!kind) throw new TypeError('unknown kind of message');
  return { ...own, type: kind };
}

/** Returns a content as a string if all its blocks are text, otherwise unchanged. */
export const wordsOf = (content: Data): Data =>
  Array.isArray(content) && content.every((block) => block?.type === 'text')
    ? content.map(({ text }) => text).join('')
    : content;
