/**
 * Compares a snapshot of the messages with the current turn. Ids of calls and messages may repeat, so texts and calls
 * after the last user message are matched by position. Content after the last known part is added, and the results of
 * the server's calls: LlamaIndex sends them nowhere else. Known content is never changed, and a waiting call is never
 * settled.
 */
import { isPlaceholder, isRequest } from './interrupts.js';
import type { Event, Message } from './types.js';
import type { ToolCall } from '@ag-ui/core';
import type { Wire } from '../shared/wire.js';
import type { GateMessage } from '../../types/index.js';
import type { ReplyWriter } from '../shared/reply-writer.js';
import { asList, asParts, valueOf } from '../shared/history.js';
import { isStandIn } from '../shared/stand-ins.js';

/** A part of a message as the gate shows it. */
interface KnownPart {
  readonly type: string;
  readonly text?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly approval?: { readonly approved?: boolean };
  readonly outcome?: unknown;
  readonly callProviderMetadata?: unknown;
}

const isToolCall = (part: KnownPart): boolean => part.toolCallId !== undefined;
const isText = ({ type, text }: KnownPart): boolean => type === 'text' && text !== '';

/**
 * Adds the content of a snapshot that the current turn does not have yet. `later`: takes the result of a call without
 * an approval, which counts if the run ends without an interrupt about the call.
 */
export function compareWith(
  writer: ReplyWriter,
  shown: readonly GateMessage[],
  snapshot: Event['messages'],
  later: (toolName: string, result: Message) => void,
): void {
  const list = asList(snapshot);
  const isUser = (message: { readonly role?: string } | null): boolean => message?.role === 'user';
  // A snapshot with another number of user messages belongs to another conversation, or to another turn.
  if (list.filter(isUser).length !== shown.filter(isUser).length) return;
  const known = shown
    .slice(shown.findLastIndex(isUser) + 1)
    .flatMap(({ parts }) => (parts as readonly KnownPart[]).filter((part) => isText(part) || isToolCall(part)))
    .filter((part) => !isRequest(part.type.slice('tool-'.length)) && !isStandIn(part));
  /** The number of known parts that the snapshot has covered so far. */
  let place = 0;
  /** Calls of the snapshot without a result so far, each with its known part; undefined for a call that is new. */
  const calls: { id: string | undefined; part: KnownPart | undefined }[] = [];

  const text = (id: string | undefined, content: string): void => {
    if (place < known.length) {
      if (isText(known[place] as KnownPart)) place++;
      return;
    }
    writer.textDelta(id, content);
    writer.endText(id);
  };
  const call = ({ id, function: called }: Wire<ToolCall>): void => {
    const at = known.findIndex((part, position) => position >= place && isToolCall(part));
    const part = known[at];
    if (part && part.toolCallId !== id) throw new TypeError('expected the same calls');
    if (!part) writer.call(id, called?.name, valueOf(called?.arguments as string));
    place = part ? at + 1 : known.length;
    calls.push({ id, part });
  };
  const result = (message: Message): void => {
    const { toolCallId, content, error } = message;
    if (isPlaceholder(content)) return;
    const at = calls.findIndex(({ id }) => id === toolCallId);
    if (at < 0) return;
    const part = calls.splice(at, 1)[0]?.part;
    if (!part || (part.approval?.approved === true && !part.outcome))
      writer.result(toolCallId, error ?? content, error != null);
    else if (!part.approval && !part.outcome) later(part.toolName ?? part.type.slice('tool-'.length), message);
  };

  for (const message of list.slice(list.findLastIndex(isUser) + 1)) {
    const { id, role, content, toolCalls } = message ?? {};
    if (role === 'tool') result(message);
    if (role !== 'assistant') continue;
    const said = asParts(content)
      .map((part) => part?.text ?? '')
      .join('');
    if (said) text(id, said);
    // An unexpected call throws, because the content after it cannot be matched either.
    asList(toolCalls)
      .filter((one) => !isRequest(one?.function?.name))
      .forEach(call);
  }
}
