/** Reads items of the Responses API, from a stored history. */
import type { Calls } from '../shared/calls.js';
import type { Call, Context, Entry } from '../shared/codec.js';
import { setDenial, setResult, valueOf } from '../shared/history.js';
import type { Parsed } from '../shared/history-format.js';
import {
  answerOf,
  blocksOf,
  CLIENT_ITEMS,
  hosted,
  inputOf,
  isClientCall,
  isId,
  metaOf,
  partOf,
  type BlockOf,
  type Item,
} from './items.js';

/** Returns the role of an item, and its parts for `parse`: its blocks, or the item itself. */
export function partsOf(item: Item): [Entry['role'], readonly (Item | BlockOf)[]] {
  const { type = 'message', role = 'assistant' } = item;
  if (type === 'message') return [(role === 'developer' ? 'system' : role) as Entry['role'], blocksOf(item)];
  return ['assistant', type === 'reasoning' ? blocksOf(item) : [item]];
}

/** Reads a part that `partsOf` returned. */
export function parse(given: Item | BlockOf, calls: Calls, texts: Context['texts']): Parsed | undefined | null {
  const { block, about } = given as BlockOf;
  if (block !== undefined) return partOf(block, about);
  const item = given as Item;
  const { type, id, call_id: callId } = item;
  if (typeof type !== 'string') throw new TypeError('expected an item with a type');
  const asked = calls.get(item.approval_request_id as string);
  if (type === 'mcp_approval_response') {
    if (!asked) return null;
    if (typeof item.approve !== 'boolean') throw new TypeError('a response must have a boolean decision');
    if (item.approve) asked.response = { type, approved: true, reason: item.reason ?? undefined };
    else setDenial(asked, item.reason ?? undefined, texts);
    return undefined;
  }
  if (asked) return { answers: asked.toolCallId, ...answerOf(item) };
  if (/^mcp_(call|approval_request)$/.test(type)) {
    const { providerMetadata: providerOptions, providerExecuted } = hosted(item);
    const call: Call = {
      type: 'tool-call',
      toolCallId: id as string,
      toolName: item.name as string,
      input: valueOf(item.arguments as string),
      providerExecuted,
      providerOptions,
    };
    if (type === 'mcp_call') {
      const { value, failed, meta } = answerOf(item);
      setResult(call, value, failed, texts, meta);
    } else call.request = { type, approvalId: id as string };
    return call;
  }
  // The server's own calls and their results are items like any other. So is a result that names its tool, not a call.
  const known = calls.get(callId as string);
  const isAnswer = known ? !known.providerExecuted : CLIENT_ITEMS.test(type);
  const namesTool = type === 'function_call_output' && !isId(callId) && item.name;
  if (/_output$/.test(type) && isAnswer && !namesTool) return { answers: callId ?? id, ...answerOf(item) };
  if (isClientCall(item))
    return {
      type: 'tool-call',
      toolCallId: callId,
      toolName: item.name ?? type,
      input: inputOf(item),
      providerOptions: metaOf(item),
    };
  if (CLIENT_ITEMS.test(type) && !isId(callId) && !namesTool) throw new TypeError('expected a call with its id');
  if (/_call$/.test(type) && isId(callId))
    calls.add({ type: 'tool-call', toolCallId: callId, toolName: type, input: undefined, providerExecuted: true });
  return { type: 'custom', kind: `openai.${type}`, providerOptions: { openai: { item } } };
}
