/**
 * The messages of Chat Completions. Fields that have no place in the gate's messages are kept beside the parts, and are
 * sent back as they came: many servers refuse a message without them. Source: `resources/chat/completions` of `openai`
 * 7.59, and the servers that stream.ts names.
 */
import type { ChatCompletionMessageToolCall } from 'openai/resources/chat/completions';
import type { Call, CallResult, Context, Entry, Part } from '../shared/codec.js';
import { asList, asParts, fileOf, objectInput, textIn, textOf, valueOf } from '../shared/history.js';
import type { CallAnswer, Parsed, Writing } from '../shared/history-format.js';
import type { Fields } from '../shared/lane.js';
import type { Merged, Wire } from '../shared/wire.js';

/** The key of the protocol's own data in the metadata of parts. */
export const OWN = 'openai-chat';

/**
 * The fields that contain reasoning as text. Sources: DeepSeek and vLLM (`reasoning_content`), OpenRouter, Groq and
 * vLLM (`reasoning`), GitHub Copilot (`reasoning_text`).
 */
export const REASONING: readonly string[] = ['reasoning_content', 'reasoning', 'reasoning_text'];

/** Marks a file as a block of a result (`as`). */
const IN_RESULT = 'result';

/** A block of a content that is a list. `thinking`: Mistral's reasoning. */
export interface Block extends Fields {
  readonly type: string;
  readonly text?: string;
  readonly refusal?: string;
  readonly thinking?: readonly { readonly type?: string; readonly text?: string | undefined }[];
  readonly image_url?: { readonly url: string };
  readonly file?: { readonly file_data?: string; readonly filename?: string };
}

/** A call of a message; `custom` is that of a tool without a schema. */
type WireCall = Partial<Merged<ChatCompletionMessageToolCall>>;

/** The called function. The API had only this before it had calls. */
type Called = WireCall['function'];

type Callee = { readonly name?: string; readonly arguments: string };

/** A message, with the fields of other servers. */
export interface Message extends Fields {
  readonly role: string;
  readonly content?: string | readonly Block[] | null;
  readonly tool_calls?: readonly WireCall[] | undefined;
  readonly function_call?: Called | null;
  readonly tool_call_id?: string;
  readonly name?: string;
}

/** What `partsOf` makes of a message: a part, with the fields of the message in the first one; or a result. */
interface Item {
  readonly type?: string;
  readonly as?: string | undefined;
  readonly text?: unknown;
  readonly block?: Block;
  readonly image?: Block;
  readonly call?: WireCall;
  readonly legacy?: Called;
  readonly about?: Fields | undefined;
}

/** What a part or a call becomes in its message; or the whole message with a result. */
export interface Written {
  readonly role?: string;
  readonly name?: string;
  readonly message?: Fields | undefined;
  readonly text?: string | undefined;
  readonly block?: Block | undefined;
  readonly image?: object;
  readonly call?: object;
}

/** What is kept beside a part. */
interface Kept {
  /** Where a text, a reasoning or a file comes from: a field, or the kind of its block. */
  readonly as?: string | undefined;
  /** Other fields of the block or the call, or a whole block that has no neutral form. */
  readonly own?: Fields | undefined;
  /** Other fields of the message. */
  readonly message?: Fields | undefined;
  /** Other fields of the message with the call's result. */
  readonly answer?: Fields | undefined;
}

/** Returns the metadata to keep with a part; undefined if there is nothing to keep. */
export function keep(kept: Kept): Record<string, Fields> | undefined {
  return Object.values(kept).some((value) => value !== undefined) ? { [OWN]: { ...kept } } : undefined;
}

const keptOf = ({ providerOptions }: Pick<Part, 'providerOptions'>): Kept => (providerOptions?.[OWN] ?? {}) as Kept;

/** The same fields; undefined if there are none. */
export const anyOf = (fields: Fields): Fields | undefined => (Object.keys(fields).length ? fields : undefined);

/**
 * Joins the fields of a streamed message as OpenAI's clients do: texts are appended, lists are joined by the `index` of
 * their items, and everything else is replaced.
 */
export function accumulate(known: unknown, delta: unknown): unknown {
  if (typeof known === 'string' && typeof delta === 'string') return known + delta;
  if (Array.isArray(known) && Array.isArray(delta)) {
    const list: unknown[] = [...known];
    for (const item of delta as readonly Fields[]) {
      const at = list.findIndex((one) => (one as Fields | null)?.['index'] === item?.['index']);
      if (item?.['index'] === undefined || at < 0) list.push(item);
      else list[at] = accumulate(list[at], item);
    }
    return list;
  }
  if (!isFields(known) || !isFields(delta)) return delta ?? known;
  const joined: Record<string, unknown> = { ...known };
  for (const [name, value] of Object.entries(delta))
    joined[name] = /^(index|type|id|format)$/.test(name) ? value : accumulate(joined[name], value);
  return joined;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Writes a call, and the message with its result. */
export function writeCall(call: Call, result: CallResult, id: string, { context }: Writing): [Written[], Written[]] {
  const { as, own, answer: fields } = keptOf(call);
  const answer = { ...fields, content: writeContent(result, call, context) };
  const results = [{ role: 'tool', tool_call_id: id, ...answer }];
  if (as === 'custom')
    return [[{ call: { id, type: as, custom: { name: call.toolName, input: textOf(call.input) }, ...own } }], results];
  const called = { name: call.toolName, arguments: textOf(objectInput(call, context)) };
  if (as === 'function_call')
    return [[{ message: { function_call: called } }], [{ role: 'function', name: call.toolName, ...answer }]];
  return [[{ call: { id, type: 'function', function: called, ...own } }], results];
}

/**
 * Writes the content of a result. The API has only texts there: other blocks are sent if they came from a history of
 * the same API, as compatible servers accept them.
 */
function writeContent(
  { text, content = [] }: CallResult,
  { toolCallId }: Call,
  { reportLoss }: Context,
): string | Block[] {
  const isNative = content.some((part) => Object.keys(keptOf(part)).length);
  const blocks = content.flatMap((part): Block | [] => {
    const { own, as } = keptOf(part);
    if (part.type === 'text') return { type: 'text', text: part.text, ...own };
    if (part.type === 'custom' && own) return own as Block;
    if (as === IN_RESULT) return { type: 'image_url', image_url: { url: fileOf(part).url, ...own } };
    reportLoss('content', toolCallId);
    return [];
  });
  return isNative ? blocks : text;
}

/** Writes any other part; undefined if the API has no place for it. */
export function writePart(part: Part, role: Entry['role']): Written | undefined {
  const { type, text, filename = 'file' } = part;
  const { as, own, message } = keptOf(part);
  if (type === 'custom') return own || message ? { message, block: own as Block } : undefined;
  if (type === 'reasoning' && as === 'thinking')
    return { message, block: { type: as, thinking: [{ type: 'text', text }], ...own } };
  if (type === 'reasoning') return as ? { message: { ...message, [as]: text } } : undefined;
  if (type === 'text') {
    if (as === 'refusal') return { message: { ...message, refusal: text } };
    if (as) return { message, block: { type, text, ...own } };
    return text || message ? { message, text } : undefined;
  }
  const { url, base64, mediaType } = fileOf(part);
  if (as === 'images') return { message, image: { type: 'image_url', image_url: { url }, ...own } };
  if (role !== 'user') return undefined;
  if (/^image/.test(mediaType)) return { message, block: { type: 'image_url', image_url: { url, ...own } } };
  return base64 === undefined ? undefined : { message, block: { type, file: { filename, file_data: url } } };
}

/** Writes a message from its written parts and calls. */
export function writeMessage(role: Entry['role'] | 'tool', items: readonly Written[]): Message | readonly Message[] {
  if (role === 'tool') return items as readonly Message[];
  const { as = role, ...fields } = items.reduce<unknown>((all, { message }) => accumulate(all, message), {}) as {
    readonly as?: string;
  };
  const calls = items.flatMap(({ call }) => call ?? []);
  const images = items.flatMap(({ image }) => image ?? []);
  const isList = items.some(({ block }) => block);
  const blocks = items.flatMap(({ block, text }) => block ?? (text ? { type: 'text', text } : []));
  const text = items.flatMap(({ text: said }) => said ?? []).join('');
  const hasText = items.some(({ text: said }) => said !== undefined);
  return {
    role: as,
    content: isList ? blocks : hasText || role !== 'assistant' ? text : null,
    ...fields,
    ...(images.length && { images }),
    ...(calls.length && { tool_calls: calls }),
  };
}

/** Returns the role of a message, and its parts for `parse`. The first part has the message's other fields. */
export function partsOf(message: Message): [Entry['role'], (Item | CallAnswer)[]] {
  const { role, content, tool_calls: calls, function_call: legacy, tool_call_id: answers, name, ...rest } = message;
  if (role === 'tool' || role === 'function') {
    const answer = anyOf({ ...rest, ...(role === 'tool' && name !== undefined && { name }) });
    const blocks = asParts(content);
    const isText = blocks.length < 2 && blocks.every((block) => Object.keys(block).length < 3 && block.type === 'text');
    const value = content == null ? undefined : isText ? textIn(blocks) : '';
    const parts = isText ? undefined : blocks.map((block) => parseBlock(block, inResult));
    const head = { answers, ...(role === 'function' && { name }) };
    return ['assistant', [{ ...head, value, ...(parts && { content: parts }), meta: keep({ answer }) }]];
  }
  const fields: Record<string, unknown> = { ...rest, ...(name !== undefined && { name }) };
  const said: Item[] =
    typeof content === 'string'
      ? content
        ? [{ type: 'text', text: content }]
        : []
      : asList(content as readonly Block[]).map((block) => ({ block }));
  const thoughts = REASONING.filter((field) => typeof fields[field] === 'string').map((as) => ({
    as,
    text: fields[as],
  }));
  for (const { as } of thoughts) delete fields[as];
  const { refusal, images, ...own } = fields as Record<string, unknown> & { readonly images?: readonly Block[] };
  if (typeof refusal === 'string') said.push({ as: 'refusal', text: refusal });
  said.push(...asList(images).map((image) => ({ image })));
  const all: Item[] = [
    ...thoughts,
    ...said,
    ...asList(calls).map((call) => ({ call })),
    ...(legacy ? [{ legacy }] : []),
  ];
  if (content === '' && all.length) own['content'] = content;
  if (role === 'developer') own['as'] = role;
  const about = anyOf(own);
  if (about && !all.length) all.push({ about });
  else if (about) all[0] = { ...all[0], about };
  return [(role === 'developer' ? 'system' : role) as Entry['role'], all];
}

/** Reads a part that `partsOf` returned. `count`: the number of calls before it. */
export function parse(item: Item | CallAnswer, count: number): Parsed {
  if ('answers' in item) return item;
  if (Object.values(item).some((value) => value === null)) throw new TypeError('expected a part');
  const { as, text, block, image, call, legacy, about: message } = item;
  if (call ?? legacy) {
    const { id = `call_legacy_${count}`, type: _, custom, function: called = legacy ?? custom, ...own } = call ?? {};
    const as = legacy ? 'function_call' : custom && 'custom';
    const providerOptions = keep({ as, own: anyOf(own), message });
    return {
      type: 'tool-call',
      toolCallId: id,
      toolName: (called as Callee).name,
      input: custom ? custom.input : valueOf((called as Callee).arguments),
      ...(providerOptions && { providerOptions }),
    };
  }
  const part: MakePart = (made, kept = {}) => ({ ...made, providerOptions: keep({ ...kept, message }) }) as Part;
  if (image) {
    const {
      type: _,
      image_url: { url },
      ...own
    } = image as Block & { readonly image_url: { readonly url: string } };
    return part({ type: 'file', mediaType: 'image', data: url }, { as: 'images', own: anyOf(own) });
  }
  if (block) return parseBlock(block, part);
  if (text === undefined) return part({ type: 'custom', kind: `${OWN}.fields` });
  return part({ type: REASONING.includes(as as string) ? 'reasoning' : 'text', text: text as string }, { as });
}

/** A part of a result. */
const inResult: MakePart = (part, kept = {}) =>
  ({
    ...part,
    providerOptions: { [OWN]: { ...kept, as: part.type === 'file' ? IN_RESULT : kept.as } },
  }) as Part;

/** Completes a part with what is kept beside it. */
type MakePart = (made: Wire<Part>, kept?: Kept) => Part;

function parseBlock(block: Block, part: MakePart): Part {
  const { type, text, thinking, image_url: image, file, refusal, ...own } = block;
  if (typeof type !== 'string') throw new TypeError('expected a block with a type');
  if (type === 'text') return part({ type, text }, { as: type, own: anyOf(own) });
  if (type === 'refusal') return part({ type: 'text', text: refusal }, { as: type });
  if (type === 'thinking')
    return part({ type: 'reasoning', text: textIn(asList(thinking)) }, { as: type, own: anyOf(own) });
  if (image) {
    const { url, ...more } = image;
    return part({ type: 'file', mediaType: 'image', data: url }, { own: anyOf(more) });
  }
  if (file?.file_data === undefined) return part({ type: 'custom', kind: `${OWN}.${type}` }, { own: block });
  const mediaType = /^data:([^;,]*)/.exec(file.file_data)?.[1] ?? '';
  return part({ type: 'file', mediaType, filename: file.filename, data: file.file_data });
}
