/**
 * Reads the streams of the Responses API.
 */
import type { Response, ResponseErrorEvent, ResponseStreamEvent } from 'openai/resources/responses/responses';
import type { Reader, StreamContext } from '../shared/codec.js';
import { finishReasonOf } from '../shared/finish-reasons.js';
import { textOf, valueOf } from '../shared/history.js';
import { ReplyWriter } from '../shared/reply-writer.js';
import type { Merged, Wire } from '../shared/wire.js';
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
  type Item,
} from './items.js';

/** A response, at the end of a stream or from a request without one. */
type WireResponse = Wire<Pick<Response, 'id' | 'incomplete_details' | 'error'>> & {
  readonly output?: readonly Item[];
  readonly status?: string | undefined;
};

/** An event of a stream, or a whole response. */
type ResponsesEvent = Pick<
  Merged<ResponseStreamEvent>,
  'type' | 'output_index' | 'item_id' | 'content_index' | 'summary_index' | 'message'
> &
  WireResponse & {
    readonly object?: unknown;
    readonly item: Item;
    readonly delta?: string;
    readonly response?: WireResponse;
    readonly error?: Partial<ResponseErrorEvent> | null;
  };

/** Reads one stream. */
export function createReader(stream: StreamContext): Reader<ResponsesEvent> {
  const writer = new ReplyWriter(stream);
  let isAsking = false;
  /** Whether the response has items: the list at its end may be empty all the same. */
  let hasItems = false;
  /** The id with which each open item was added. */
  const added = new Map<unknown, string | undefined>();

  /**
   * The item without its id, if the server gave it another one than at its start. GitHub Copilot does so in every
   * event, and refuses such ids in later requests ("input item ID does not belong to this connection").
   */
  const withoutRotatedId = (item: Item, at: unknown): Item => {
    const { id, ...rest } = item;
    const isRotated = added.has(at) && added.get(at) !== id && !/^mcp_/.test(item.type);
    added.delete(at);
    return isRotated ? rest : item;
  };
  /**
   * Completes the texts of an item. Texts of other items stay open until their own item ends, because that item carries
   * the metadata to send back. `at`: the item's index in the response; ids may be missing, or differ in each event.
   */
  const completeTexts = (item: Item, at: unknown): void => {
    writer.each(blocksOf(item), ({ block, about, place }) => {
      const { providerOptions: providerMetadata, type, text, ...part } = partOf(block, about);
      const id = `${at}:${place}`;
      if (type === 'custom') return writer.content({ type, ...part, ...(providerMetadata && { providerMetadata }) });
      if (!writer.isOpen(id)) writer.textDelta(id, text, type);
      writer.endText(id, providerMetadata);
    });
    // Texts that the item does not contain.
    writer.endText((open) => open.startsWith(`${at}:`));
  };
  const completeCall = (item: Item, at: unknown): void => {
    const { type, call_id: callId, name } = item;
    const input = inputOf(item);
    // Arguments that are not valid JSON were truncated: the input is reported as an error.
    const isTruncated =
      type === 'function_call' && typeof input === 'string' && !/^\s*"/.test(item.arguments as string);
    const lane = writer.lane(at);
    const isStreamed = lane.isOpen;
    lane.start(callId, name ?? type);
    if (isTruncated && !isStreamed) lane.delta(input as string);
    // Replaces what the call has since its start, also if that was its id only.
    const providerMetadata = metaOf(item) ?? (isStreamed ? {} : undefined);
    lane.end(isTruncated ? undefined : input, { providerMetadata });
  };
  const readItem = (item: Item, at: unknown): void => {
    const { type, id, call_id: callId } = item;
    if (typeof type !== 'string') throw new TypeError('expected an item with a type');
    hasItems = true;
    if (type === 'message' || type === 'reasoning') completeTexts(item, at);
    else if (type === 'mcp_approval_request') {
      isAsking = true;
      writer.call(id, item.name, valueOf(item.arguments as string), hosted(item));
      writer.ask(id, { toolCallId: id });
    } else if (type === 'mcp_call') {
      const call = item.approval_request_id ?? id;
      if (call === id) writer.call(id, item.name, valueOf(item.arguments as string), hosted(item));
      const { value, failed } = answerOf(item);
      writer.result(call, failed ? textOf(value) : value, failed, hosted(item));
    } else if (isClientCall(item)) completeCall(item, at);
    else if (CLIENT_ITEMS.test(type) && !isId(callId)) throw new TypeError('expected a call with its id');
    else writer.content({ type: 'custom', kind: `openai.${type}`, providerMetadata: { openai: { item } } });
  };
  const end = ({ id, output, status, incomplete_details: details }: WireResponse): void => {
    // An empty response is not part of the history, so no later request can continue from it.
    const responseId = status === 'completed' && (output?.length || hasItems) ? id : null;
    if (isAsking || responseId) writer.emit({ type: 'message-metadata', messageMetadata: { openai: { responseId } } });
    writer.endReply(finishReasonOf(details?.reason ?? status));
    hasItems = false;
  };

  return (event) => {
    const { type, item, response, delta } = event;
    const at: unknown = event.output_index ?? event.item_id ?? item?.id;
    if (type === 'response.created' || event.object === 'response') writer.startReply({ openai: { responseId: null } });
    if (event.object === 'response') {
      writer.each(event.output, readItem);
      end(event);
    } else if (type === 'response.output_item.added') {
      added.set(at, item.id);
      if (item.type === 'function_call')
        writer.lane(at).start(item.call_id, item.name, { providerMetadata: metaOf(item) });
    } else if (type === 'response.function_call_arguments.delta') writer.lane(at).delta(delta);
    else if (/^response\.(output_text|refusal)\.delta$/.test(type))
      writer.textDelta(`${at}:${event.content_index}`, delta);
    else if (type === 'response.reasoning_summary_text.delta')
      writer.textDelta(`${at}:summary ${event.summary_index}`, delta, 'reasoning');
    else if (type === 'response.reasoning_text.delta')
      writer.textDelta(`${at}:${event.content_index}`, delta, 'reasoning');
    else if (type === 'response.output_item.done') readItem(withoutRotatedId(item, at), at);
    else if (/^response\.(completed|incomplete)$/.test(type)) end(response ?? {});
    else if (type === 'response.failed') writer.failReply(response?.error?.message ?? response?.error);
    else if (type === 'error') writer.failReply(event.message ?? event.error?.message);
    else return /^response\./.test(type);
    return true;
  };
}
