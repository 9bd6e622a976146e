/** Writes items of the Responses API. */
import type { Call, CallResult, Context, FileReference, Part } from '../shared/codec.js';
import { shortId, unusedId } from '../shared/call-ids.js';
import { hasMoreThanText } from '../shared/content.js';
import { fileOf, objectInput, textOf } from '../shared/history.js';
import type { HistoryFormat, Writing } from '../shared/history-format.js';
import type { Fields } from '../shared/lane.js';
import { isId, keptOf, type Block } from './items.js';

/** An item, or a block of a user's message, that is written. */
export interface Written extends Fields {
  readonly type: string;
  readonly id?: string | undefined;
  readonly content?: string | readonly Block[] | undefined;
  readonly summary?: readonly Block[] | undefined;
}

/** The items of a history. */
export const ITEMS: HistoryFormat<Written, Written> = {
  message: (role, parts, { written }) =>
    role === 'assistant' || role === 'tool'
      ? merged(parts).flatMap((item) => withoutRepeatedId(item, written.ids))
      : { type: 'message', role, content: parts },
  call: (call, result, id, writing) =>
    isMcp(call) ? writeMcpCall(call, result, id, writing) : writeCall(call, result, id, writing.context),
  part: (part, role) => (role === 'assistant' ? writeAssistantPart(part) : writePart(part)),
  // A call of a hosted server needs no result: it is written with its approval request and response, and the server
  // then runs it.
  open: (call) => isMcp(call) && (!call.request || call.response !== undefined),
  hasContent: true,
  id: shortId,
};

/** Only the items that answer calls, for a server that has the history. */
export const ANSWERS: HistoryFormat<Written, Written> = {
  ...ITEMS,
  message: (role, parts, writing) =>
    role === 'tool'
      ? ITEMS.message(
          role,
          parts.filter(({ type }) => type !== 'mcp_call'),
          writing,
        )
      : [],
};

const isMcp = (call: Call): boolean => /^mcp_/.test(keptOf(call).type as string);

/** Joins the parts of one item. */
function merged(parts: readonly Written[]): Written[] {
  const items: Written[] = [];
  for (const part of parts) {
    const last = items.at(-1);
    // Reasoning whose id was not kept has its sealed content in each part.
    const name = part.id === undefined ? 'encrypted_content' : 'id';
    const isSame = part[name] !== undefined && last?.[name] === part[name] && last?.type === part.type;
    if (!isSame || !/^(message|reasoning)$/.test(part.type)) items.push(part);
    else
      items[items.length - 1] = {
        ...last,
        ...part,
        ...(part.summary && { summary: [...(last.summary as readonly Block[]), ...part.summary] }),
        ...((last.content ?? part.content) && { content: [...blocksIn(last), ...blocksIn(part)] }),
      };
  }
  return items;
}

const blocksIn = ({ content }: Written): readonly Block[] => (content ?? []) as readonly Block[];

/** Removes a repeated item id, which the API rejects. Servers that repeat ids in every response do not need them. */
function withoutRepeatedId(item: Written, used: Set<string>): Written | readonly Written[] {
  const { id, status: _, content, ...rest } = item;
  // A response refers to a request by its id, which is unique already.
  if (id === undefined || item.type === 'mcp_approval_request') return item;
  if (!used.has(id)) {
    used.add(id);
    return item;
  }
  if (item.type === 'message')
    return { ...rest, content: (content as readonly Block[]).map(({ text, refusal = text }) => refusal).join('') };
  return /^function_call$|_output$/.test(item.type) ? rest : [];
}

function writeMcpCall(
  { input, toolName: name, request, response, ...call }: Call,
  result: CallResult | undefined,
  callId: string,
  { context, written }: Writing,
): [Written[], Written[]] {
  const id = request ? unusedId(callId, written.ids) : callId;
  if (id !== callId) context.reportLoss('id', callId);
  const server = { server_label: keptOf(call as Call).serverLabel, name, arguments: textOf(input) };
  const { itemId = id, own, error } = call.result ? keptOf(call.result) : {};
  const asked = request && { approval_request_id: id };
  const ran = result?.kind === 'executed' || result?.kind === 'failed';
  const outcome = result?.failed ? { error: error ?? result.text } : { output: result?.text };
  const end = ran ? [{ type: 'mcp_call', id: itemId, ...server, ...own, ...outcome, ...asked }] : [];
  if (!asked) return [end, []];
  const { approved: approve, reason } = response ?? { approved: ran, reason: undefined };
  const answer = { type: 'mcp_approval_response', ...asked, approve, ...(reason && { reason }) };
  return [[{ type: 'mcp_approval_request', id, ...server }], [answer, ...end]];
}

function writeCall(call: Call, result: CallResult, call_id: string, context: Context): [Written[], Written[]] {
  const { item, itemId, own, answer } = keptOf(call);
  const use: Written & Fields = (item && { ...item, call_id }) ?? {
    type: 'function_call',
    call_id,
    name: call.toolName,
    arguments: textOf(objectInput(call, context)),
    ...(itemId && { id: itemId }),
    ...own,
  };
  const { caller } = use as { readonly caller?: object };
  const fields = { call_id, ...(caller && { caller }), ...answer };
  // The name of this answer is an exception.
  const type = use.type === 'tool_search_call' ? 'tool_search_output' : `${use.type}_output`;
  return [[use], [{ type, ...fields, ...outputOf(use.type, result, call, context) }]];
}

/** Returns the output of a call. Shell calls need an exit code, patches a status, and computer calls an object. */
function outputOf(
  type: string,
  { kind, failed, text, value, content }: CallResult,
  { toolCallId }: Call,
  { reportLoss }: Context,
): Fields {
  const ran = kind === 'executed' && !failed;
  const lost = (): void => reportLoss('content', toolCallId);
  if (content && /^(function|custom_tool)_call$/.test(type))
    return {
      output: content.flatMap((part) => {
        const block = writePart(part);
        if (!block && (part.type !== 'text' || part.text)) lost();
        return block ?? [];
      }),
    };
  if (content && hasMoreThanText(content)) lost();
  if (type === 'apply_patch_call') return { status: ran ? 'completed' : 'failed', output: text };
  const isWhole = ran && typeof value === 'object';
  if (type === 'tool_search_call') return { execution: 'client', status: 'completed', tools: isWhole ? value : [] };
  if (type === 'shell_call' && !isWhole)
    return {
      output: [
        {
          outcome: { type: 'exit', exit_code: ran ? 0 : 1 },
          [ran ? 'stdout' : 'stderr']: text,
          [ran ? 'stderr' : 'stdout']: '',
        },
      ],
    };
  return { output: isWhole && /^(shell|computer)_call$/.test(type) ? value : text };
}

function writeAssistantPart(part: Part): Written | undefined {
  const { itemId: id, item, block, as, own, message, reasoningEncryptedContent: sealed } = keptOf(part);
  const { type, text } = part;
  const hasId = isId(id);
  if (type === 'text' || block) {
    const head = { type: 'message', role: 'assistant', ...(hasId && { id, status: 'completed' }), ...message };
    if (block) return { ...head, content: [block] };
    if (as) return { ...head, content: [{ type: as, refusal: text }] };
    if (!text) return undefined;
    return { ...head, content: hasId ? [{ type: 'output_text', text, annotations: [], ...own }] : text };
  }
  if (type !== 'reasoning' || !(hasId || as || sealed)) return typeof item?.type === 'string' ? item : undefined;
  const said = text ? [{ type: as ?? 'summary_text', text }] : [];
  return {
    type,
    ...(hasId && { id }),
    summary: as ? [] : said,
    ...(as && { content: said }),
    ...(sealed && { encrypted_content: sealed }),
    ...own,
  };
}

/** Writes a part of a user's message, or of a result; undefined if the API cannot express it. */
function writePart(part: Part): Written | undefined {
  const { type, text, filename = 'file', data } = part;
  const { own, block } = keptOf(part);
  if (type === 'text') return text ? { type: 'input_text', text, ...own } : undefined;
  if (type === 'custom') return block;
  const { url, base64, mediaType } = fileOf(part);
  const uploaded = (data as FileReference | undefined)?.reference?.['openai'];
  if (type !== 'file' || (!url && !uploaded)) return undefined;
  const file_id = uploaded && { file_id: uploaded };
  if (/^image/.test(mediaType))
    return { type: 'input_image', detail: 'auto', ...(file_id ?? { image_url: url }), ...own };
  return {
    type: 'input_file',
    ...(file_id ?? (base64 === undefined ? { file_url: url } : { filename, file_data: url })),
    ...own,
  };
}
