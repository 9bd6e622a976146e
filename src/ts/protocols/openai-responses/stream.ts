/**
 * Reads the streams of the Responses API, and the fields of its call items.
 */
import type { Data, Reader, StreamContext } from '../shared/codec.js';
import { finishReasonOf } from '../shared/finish-reasons.js';
import { textOf, valueOf } from '../shared/history.js';
import { ReplyWriter } from '../shared/reply-writer.js';

/** Calls that this client runs, and their answers: without a call id they cannot be used. */
export const CLIENT_ITEMS =
  /^((function|custom_tool|shell|local_shell|apply_patch|computer)_call(_output)?|mcp_approval_response)$/;

/** Reads one stream. */
export function createReader(stream: StreamContext): Reader {
  const writer = new ReplyWriter(stream);
  let isAsking = false;

  /**
   * Completes the texts of an item. Texts of other items stay open until their own item ends, because that item carries
   * the metadata to send back. `place`: the item's index in the response; ids may be missing, or differ in each event.
   */
  const completeText = ({ type, id, content, summary, encrypted_content: sealed }: Data, place: unknown): void => {
    const kind = type === 'message' ? 'text' : 'reasoning';
    const texts = type === 'message' ? content : summary?.length ? summary : content;
    writer.each<Data>(
      texts,
      ({ text, refusal }, part) =>
        writer.isOpen(`${place}:${part}`) || writer.textDelta(`${place}:${part}`, text ?? refusal, kind),
    );
    if (kind === 'reasoning' && !texts?.length && !writer.isOpen(`${place}:0`))
      writer.textDelta(`${place}:0`, '', kind);
    const isSealed = typeof sealed === 'string' && sealed !== '';
    writer.endText((open) => open.startsWith(`${place}:`), {
      openai: { itemId: id, ...(isSealed && { reasoningEncryptedContent: sealed }) },
    });
  };
  const completeCall = (item: Data, place: unknown): void => {
    const { type, call_id: callId, name } = item;
    const input = inputOf(item);
    // Arguments that are not valid JSON were truncated: the input is reported as an error.
    const isTruncated = type === 'function_call' && typeof input === 'string' && !/^\s*"/.test(item.arguments);
    const lane = writer.lane(place);
    const isStreamed = lane.isOpen;
    lane.start(callId, name ?? type);
    if (isTruncated && !isStreamed) lane.delta(input);
    lane.end(isTruncated ? undefined : input, { providerMetadata: { openai: metaOf(item) } });
  };
  const readItem = (item: Data, place: unknown): void => {
    const { type, id, call_id: callId } = item;
    if (typeof type !== 'string') throw new TypeError('expected an item with a type');
    if (type === 'message' || type === 'reasoning') completeText(item, place);
    else if (type === 'mcp_approval_request') {
      isAsking = true;
      writer.call(id, item.name, valueOf(item.arguments), hosted(item));
      writer.ask(id, { toolCallId: id });
    } else if (type === 'mcp_call') {
      const call = item.approval_request_id ?? id;
      if (call === id) writer.call(id, item.name, valueOf(item.arguments), hosted(item));
      writer.result(
        call,
        item.error == null ? (item.output ?? '') : textOf(item.error),
        item.error != null,
        hosted(item),
      );
    } else if (callId && type.endsWith('_call')) completeCall(item, place);
    else if (CLIENT_ITEMS.test(type)) throw new TypeError('expected a call with its id');
    else writer.content({ type: 'custom', kind: `openai.${type}`, providerMetadata: { openai: { item } } });
  };
  const end = ({ id, output, status, incomplete_details: details }: Data): void => {
    // An empty response is not part of the history, so no later request can continue from it.
    const responseId = status === 'completed' && output?.length ? id : null;
    if (isAsking || responseId) writer.emit({ type: 'message-metadata', messageMetadata: { openai: { responseId } } });
    writer.endReply(finishReasonOf(details?.reason ?? status));
  };

  return (event) => {
    const { type, item, response, delta } = event;
    const place: unknown = event.output_index ?? event.item_id ?? item?.id;
    if (type === 'response.created' || event.object === 'response') writer.startReply({ openai: { responseId: null } });
    if (event.object === 'response') {
      writer.each<Data>(event.output, readItem);
      end(event);
    } else if (type === 'response.output_item.added') {
      if (item.type === 'function_call') writer.lane(place).start(item.call_id, item.name);
    } else if (type === 'response.function_call_arguments.delta') writer.lane(place).delta(delta);
    else if (/^response\.(output_text|refusal)\.delta$/.test(type))
      writer.textDelta(`${place}:${event.content_index}`, delta);
    else if (/^response\.reasoning(_summary)?_text\.delta$/.test(type))
      writer.textDelta(`${place}:${event.summary_index ?? event.content_index}`, delta, 'reasoning');
    else if (type === 'response.output_item.done') readItem(item, place);
    else if (/^response\.(completed|incomplete)$/.test(type)) end(response ?? {});
    else if (type === 'response.failed') writer.failReply(response?.error?.message ?? response?.error);
    else if (type === 'error') writer.failReply(event.message ?? event.error?.message);
    else return /^response\./.test(type);
    return true;
  };
}

export const hosted = ({ id, type, server_label: serverLabel }: Data): Data => ({
  providerExecuted: true,
  dynamic: true,
  providerMetadata: { openai: { itemId: id, type, serverLabel } },
});

/** Returns the input of a call: a function's arguments, a custom tool's text, or the action that the item describes. */
export const inputOf = ({ arguments: text, input, action, operation }: Data): Data =>
  text === undefined ? (input ?? action ?? operation) : valueOf(text);

/** Returns the metadata that is needed to write a call back: the whole item, except for function calls. */
export const metaOf = (item: Data): Data =>
  item.type === 'function_call' ? { itemId: item.id } : { itemId: item.id, item };
