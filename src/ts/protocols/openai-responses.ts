/**
 * `openai-responses`: the Responses API. Source: `resources/responses/responses.ts` of `openai` 7.59.
 *
 * Stateless by default: every request contains all items, including reasoning with its encrypted content. With
 * `history: 'server'`, a request continues the last complete response and contains only new items. Only approvals of
 * hosted MCP calls are part of the API; approvals of other calls are created in this client. Items without a neutral
 * form are stored unchanged, and so are the other fields of an item that has one.
 */
import { lossyCapabilities, type Entry, type RequestContext } from './shared/codec.js';
import { readHistory, writeEntries, writeHistory } from './shared/history-format.js';
import { makeProtocol } from './shared/make-protocol.js';
import type { Item } from './openai-responses/items.js';
import { parse, partsOf } from './openai-responses/read.js';
import { createReader } from './openai-responses/stream.js';
import { ANSWERS, ITEMS } from './openai-responses/write.js';
import type { Protocol } from '../types/index.js';
import type { ResponsesItem, Typed } from '../types/backends.js';

/** What the reader keeps in a message's metadata. */
type Metadata = { readonly openai?: { readonly responseId?: unknown } | null } | null | undefined;

function body(entries: readonly Entry[], context: RequestContext) {
  const previous = context.history === 'server' && (context.metadata as Metadata)?.openai?.responseId;
  const last = entries.findLastIndex(({ role }) => role === 'assistant');
  if (typeof previous !== 'string' || last < 0) return { input: writeHistory(entries, context, ITEMS) };
  // The server has its own items: only the answers to them are new.
  return {
    previous_response_id: previous,
    input: [
      ...writeEntries([entries[last] as Entry], context, ANSWERS),
      ...writeEntries(entries.slice(last + 1), context, ITEMS),
    ],
  };
}

/** OpenAI's Responses API. */
export const openaiResponses: Protocol<
  { readonly input: ResponsesItem[]; readonly previous_response_id?: string },
  Typed,
  ResponsesItem
> = makeProtocol({
  name: 'openai-responses',
  capabilities: {
    ...lossyCapabilities('approval pending failed json input reasoning custom file content id', 'raw-model'),
    historyChoices: ['client', 'server'],
  },
  createReader,
  write: (entries, context) => writeHistory(entries, context, ITEMS),
  read: (history: readonly Item[], context) =>
    readHistory(history, context, partsOf, (item, calls) => parse(item, calls, context.texts), true),
  body,
});
