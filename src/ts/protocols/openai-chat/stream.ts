/**
 * Reads the chunks and the whole responses of Chat Completions, and of the many servers that implement it. Sources:
 * `ChatCompletionChunk` of `openai` 7.59; for the fields that OpenAI does not have, the documentation of DeepSeek, Groq,
 * vLLM and OpenRouter (reasoning), of Mistral (lists of blocks as content), and of Google (`extra_content` of a call).
 */
import type { ChatCompletion, ChatCompletionChunk } from 'openai/resources/chat/completions';
import type { Reader, StreamContext } from '../shared/codec.js';
import { finishReasonOf } from '../shared/finish-reasons.js';
import { ReplyWriter } from '../shared/reply-writer.js';
import type { Fields } from '../shared/lane.js';
import { accumulate, anyOf, keep, OWN, REASONING, type Block } from './message.js';

type Choice = ChatCompletionChunk.Choice | ChatCompletion.Choice;

/** A chunk, a whole response, or the error that some servers send in place of one. */
export interface ChatEvent {
  readonly id?: string;
  readonly choices?: readonly Choice[];
  readonly error?: { readonly message?: string } | string;
}

/** The delta of a message, or a whole message, with the fields of other servers. */
interface Said {
  readonly role?: unknown;
  readonly content?: string | readonly Block[] | null;
  readonly refusal?: string | null;
  readonly tool_calls?: readonly CallDelta[] | null;
  readonly function_call?: CallDelta['function'] | null;
  readonly images?: readonly { readonly image_url: { readonly url: string } }[];
  readonly [field: string]: unknown;
}

type CallDelta = Partial<ChatCompletionChunk.Choice.Delta.ToolCall>;

const meta = (kept: Parameters<typeof keep>[0]): Fields | undefined => {
  const providerMetadata = keep(kept);
  return providerMetadata && { providerMetadata };
};

/** Reads one stream. */
export function createReader(stream: StreamContext): Reader<ChatEvent> {
  const writer = new ReplyWriter(stream);
  /** The fields of the message that have no other place. */
  let kept: unknown = {};
  let reason: string | undefined;
  /** The id of the completion that has a finish reason. */
  let finished: string | undefined;

  const readCall = ({ index, id, type: _, function: called, ...own }: CallDelta, place: number, as?: string): void => {
    const lane = writer.lane(index ?? place);
    if (!called) throw new TypeError('expected a call with a function');
    const { name, arguments: text } = called;
    // Some servers give the next call the index and the id of one that is complete.
    if (name && text && lane.isWhole) lane.end();
    if (name || (id && lane.isOpen)) lane.start(id, name, meta({ as, own: anyOf(own) }));
    lane.delta(text);
  };
  const addText = (kind: 'text' | 'reasoning', text: string, as?: string): void => {
    const id = as ? `${kind}:${as}` : kind;
    if (!writer.isOpen(id)) writer.endText();
    writer.textDelta(id, text, kind, meta({ as }));
  };
  const readBlock = (block: Block): void => {
    const { type, text, thinking } = block;
    if (type === 'text') addText('text', text ?? '', type);
    else if (type === 'thinking') writer.each(thinking, (part) => addText('reasoning', part.text ?? '', type));
    else writer.content({ type: 'custom', kind: `${OWN}.${type}`, ...meta({ own: block }) });
  };
  const readMessage = (message: Said): void => {
    const { role: _, content, refusal, tool_calls: calls, function_call: legacy, images, ...fields } = message;
    const thoughts = REASONING.filter((field) => typeof fields[field] === 'string' && fields[field]);
    // Some servers send the same reasoning in two fields.
    thoughts.slice(0, 1).forEach((field) => addText('reasoning', fields[field] as string, field));
    if (typeof content === 'string') content && addText('text', content);
    else writer.each(content, readBlock);
    if (refusal) addText('text', refusal, 'refusal');
    writer.each(images, ({ image_url: { url }, ...own }) => {
      const mediaType = /^data:([^;,]*)/.exec(url)?.[1] ?? 'image/*';
      writer.content({ type: 'file', mediaType, url, ...meta({ as: 'images', own: anyOf(own) }) });
    });
    writer.each(calls, (call, place) => readCall(call, place));
    if (legacy) readCall({ function: legacy }, 0, 'function_call');
    const others = Object.entries(fields).filter(([name, value]) => !thoughts.includes(name) && value !== null);
    kept = accumulate(kept, Object.fromEntries(others));
  };
  /** Ends the model's message: further chunks belong to another completion. */
  const endMessage = (): void => {
    writer.endText();
    writer.endInputs();
    const message = anyOf(kept as Fields);
    if (message) writer.content({ type: 'custom', kind: `${OWN}.fields`, ...meta({ message }) });
    kept = {};
    finished = undefined;
    writer.endStep();
  };
  // The first finish reason does not end a message: some servers send one with each chunk.
  stream.onEnd(() => {
    endMessage();
    writer.endReply(finishReasonOf(reason) ?? 'other');
    reason = undefined;
  });

  return ({ id, choices, error }) => {
    if (error) writer.failReply(typeof error === 'string' ? error : (error.message ?? error));
    else if (!Array.isArray(choices)) return false;
    if (finished !== undefined && id !== finished && choices?.length) endMessage();
    writer.each(choices, (choice: Choice) => {
      if (choice.index > 0) return;
      readMessage((('delta' in choice ? choice.delta : choice.message) ?? {}) as Said);
      if (!choice.finish_reason) return;
      reason = choice.finish_reason;
      finished = id;
    });
    return true;
  };
}
