/**
 * The items of the Responses API, and what is kept of them beside the gate's parts to send them back as they came.
 * Metadata uses the names of `@ai-sdk/openai` (`itemId`, `reasoningEncryptedContent`), and names of its own: `own` and
 * `message` are further fields of a block or call and of its message, `answer` those of a call's result, `as` is the
 * type of a text, `item` and `block` are whole items and blocks without a neutral form.
 */
import type { ResponseInputItem, ResponseOutputItem } from 'openai/resources/responses/responses';
import type { FileReference, Kept, Part } from '../shared/codec.js';
import { asList, asParts, valueOf } from '../shared/history.js';
import type { Fields } from '../shared/lane.js';
import { present } from '../shared/native.js';
import type { Merged, Wire } from '../shared/wire.js';

/** A block of a message, of reasoning or of a result. */
export interface Block extends Fields {
  readonly type: string;
  readonly text?: string | undefined;
  readonly refusal?: string | undefined;
  readonly image_url?: string | undefined;
  readonly file_id?: string | undefined;
  readonly file_url?: string | undefined;
  readonly file_data?: string | undefined;
}

/** An item. Its lists of blocks are read in the same way, whatever their item is. */
export type Item = Omit<
  Merged<ResponseInputItem | ResponseOutputItem>,
  | 'id'
  | 'call_id'
  | 'name'
  | 'role'
  | 'content'
  | 'summary'
  | 'output'
  | 'arguments'
  | 'input'
  | 'error'
  | 'status'
  | 'environment'
> & {
  readonly id?: string;
  readonly call_id?: string | undefined;
  readonly name?: string | undefined;
  readonly role?: string | undefined;
  readonly content?: string | readonly Block[] | undefined;
  readonly summary?: readonly Block[] | undefined;
  readonly output?: unknown;
  readonly arguments?: unknown;
  readonly input?: unknown;
  readonly error?: unknown;
  readonly status?: string | null | undefined;
  readonly environment?: { readonly type?: string } | null | undefined;
};

/** What is kept beside a part. */
export interface OpenAiKept {
  readonly itemId?: string | undefined;
  readonly reasoningEncryptedContent?: string | undefined;
  readonly type?: string;
  readonly serverLabel?: string;
  readonly error?: unknown;
  readonly as?: string | undefined;
  readonly own?: Fields | undefined;
  readonly message?: Fields | undefined;
  readonly answer?: Fields | undefined;
  readonly item?: Item;
  readonly block?: Block;
}

/** Calls that this client runs, and their answers: without a call id they cannot be used. */
export const CLIENT_ITEMS =
  /^((function|custom_tool|shell|local_shell|apply_patch|computer)_call(_output)?|mcp_approval_response)$/;

/** Whether a value is an id that is not empty. */
export const isId = (id: unknown): id is string => typeof id === 'string' && id !== '';

/** Whether the page, and not the server, has to answer a call. */
export const isClientCall = ({ type, call_id: callId, execution, environment }: Item): boolean =>
  isId(callId) && type.endsWith('_call') && execution !== 'server' && environment?.type !== 'container_reference';

/** The fields that an item must be sent back with: those that say nothing, and `status: 'completed'`, are left out. */
const others = ({ status, ...fields }: Fields): Fields | undefined =>
  present({ ...fields, status: status === 'completed' ? undefined : status });

/** Metadata without its missing fields; undefined if there are none. */
const meta = (fields: Wire<OpenAiKept>): Kept | undefined => {
  const openai = present(fields);
  return openai && { openai };
};

/** The additional fields of a call that runs at OpenAI. */
export function hosted(item: Item) {
  const { id: itemId, type, server_label: serverLabel, error, ...more } = item;
  const { name: _, arguments: __, approval_request_id: ___, output: ____, ...rest } = more;
  const providerMetadata = meta({
    itemId,
    type,
    serverLabel,
    error: typeof error === 'object' ? error : undefined,
    own: others(rest),
  });
  return { providerExecuted: true, dynamic: true, providerMetadata };
}

/** Returns the input of a call: a function's arguments, a custom tool's text, or the action that the item describes. */
export const inputOf = ({ arguments: text, input, action, operation }: Item): unknown =>
  typeof text === 'string' ? valueOf(text) : (text ?? input ?? action ?? operation);

/** Returns the metadata of a call: the whole item, except for function calls. */
export function metaOf(item: Item): Kept | undefined {
  const { type, id: itemId, call_id: _, name: __, arguments: ___, ...rest } = item;
  return meta({ itemId, ...(type === 'function_call' ? { own: others(rest) } : { item }) });
}

/** What a shell wrote. */
interface ShellOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly outcome: { readonly exit_code?: number };
}

/** Returns the result in an item that answers a call. */
export function answerOf(item: Item): { value: unknown; failed: boolean; content?: Part[]; meta: Kept | undefined } {
  const { type, id, call_id: _, error, status, tools, ...given } = item;
  const { output, ...rest } = given as { readonly output: readonly (Block & ShellOutput)[] };
  const failed = error != null || (status === 'failed' && type !== 'function_call_output');
  if (/^mcp/.test(type)) return { value: error ?? output ?? '', failed, meta: hosted(item).providerMetadata };
  // Reads the text of a shell's output if there is only one stream.
  const [only, more] = type === 'shell_call_output' && output.length === 1 ? output : [];
  const isOne = only && !more && !(only.stdout && only.stderr) && only.outcome.exit_code !== undefined;
  const isContent = Array.isArray(output) && output.length > 0 && output.every((block) => /^input_/.test(block?.type));
  return {
    value: isOne ? only.stdout || only.stderr : (output ?? tools ?? ''),
    failed: failed || ((isOne && only.outcome.exit_code !== 0) as boolean),
    ...(isContent && { content: output.map((block) => partOf(block)) }),
    meta: meta({ answer: others({ ...rest, id, ...(type !== 'apply_patch_call_output' && { status }) }) }),
  };
}

/** A block of a message or of reasoning, and the metadata of the item that contains it. */
export interface BlockOf {
  readonly block: Block;
  readonly about: OpenAiKept;
  /** The block's place, as the deltas of a stream name it. */
  readonly place: string;
}

/** Returns the blocks of a message or of reasoning. Reasoning has at least one, because it may be encrypted only. */
export function blocksOf(item: Item): BlockOf[] {
  const { type, id: itemId, content, summary, encrypted_content: sealed, role: _, ...rest } = item;
  const reasoningEncryptedContent = typeof sealed === 'string' && sealed ? sealed : undefined;
  if (type !== 'reasoning') {
    const about = { itemId, message: others({ ...rest, type: undefined }) };
    return asParts(content).map((block, place) => ({ block, about, place: String(place) }));
  }
  const about = { itemId, reasoningEncryptedContent, own: others(rest) };
  const blocks = [
    ...asList(summary).map((block, place) => ({ block, about, place: `summary ${place}` })),
    ...asList(content as readonly Block[]).map((block, place) => ({ block, about, place: String(place) })),
  ];
  return blocks.length ? blocks : [{ block: { type: 'summary_text', text: '' }, about, place: '0' }];
}

/** Converts a block. Throws for a block without a type. `about`: the metadata of its item. */
export function partOf(block: Block, about: OpenAiKept = {}): Part {
  const { type, text, refusal, image_url: image, file_id: uploaded, file_url: url, file_data: bytes, ...rest } = block;
  if (typeof type !== 'string') throw new TypeError('expected a block with a type');
  const made = (part: Wire<Part>, kept: OpenAiKept): Part => {
    const providerOptions = meta({ ...about, ...kept });
    return { ...part, ...(providerOptions && { providerOptions }) } as Part;
  };
  if (/^(summary|reasoning)_text$/.test(type))
    return made({ type: 'reasoning', text }, { as: type === 'reasoning_text' ? type : undefined });
  if (type === 'refusal') return made({ type: 'text', text: refusal }, { as: type });
  if (/^((in|out)put_)?text$/.test(type)) return made({ type: 'text', text }, { own: others(rest) });
  if (!image && !uploaded && !url && !bytes) return made({ type: 'custom', kind: `openai.${type}` }, { block });
  const { detail, filename, ...own } = rest;
  const mediaType =
    type === 'input_image' ? 'image' : (/^data:([^;,]*)/.exec(bytes as string)?.[1] ?? 'application/pdf');
  const data: string | FileReference | undefined = uploaded
    ? { type: 'reference', reference: { openai: uploaded } }
    : (image ?? url ?? bytes);
  return made(
    { type: 'file', mediaType, data, filename: filename as string },
    { own: others({ ...own, ...(detail !== 'auto' && { detail }) }) },
  );
}

/** What is kept beside a part. */
export const keptOf = ({ providerOptions }: Pick<Part, 'providerOptions'>): OpenAiKept =>
  (providerOptions?.['openai'] ?? {}) as OpenAiKept;
