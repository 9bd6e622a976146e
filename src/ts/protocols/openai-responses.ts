/**
 * `openai-responses`: the Responses API. Source: `resources/responses/responses.ts` of `openai` 7.59.
 *
 * Stateless by default: every request contains all items, including reasoning with its encrypted content. With
 * `history: 'server'`, a request continues the last complete response and contains only new items. Only approvals of
 * hosted MCP calls are part of the API; approvals of other calls are created in this client. Items without a neutral
 * form are stored unchanged. Metadata uses the names of `@ai-sdk/openai`: `itemId`, `reasoningEncryptedContent`.
 */
import type { Calls } from './shared/calls.js';
import {
  lossyCapabilities,
  type Call,
  type CallResult,
  type Context,
  type Data,
  type Entry,
  type Part,
  type RequestContext,
} from './shared/codec.js';
import { asList, asParts, fileOf, objectInput, setDenial, setResult, textOf, valueOf } from './shared/history.js';
import { shortId, unusedId } from './shared/call-ids.js';
import {
  readHistory,
  writeEntries,
  writeHistory,
  type CallAnswer,
  type HistoryFormat,
  type Writing,
} from './shared/history-format.js';
import { createReader, CLIENT_ITEMS, hosted, inputOf, metaOf } from './openai-responses/stream.js';
import { makeProtocol } from './shared/make-protocol.js';
import type { Protocol } from '../types/index.js';

const ITEMS: HistoryFormat = {
  message: (role, parts, { written }) =>
    role === 'assistant' || role === 'tool'
      ? parts.reduce(merge, []).flatMap((item: Data) => withoutRepeatedId(item, written.ids))
      : { type: 'message', role, content: parts },
  call: (call, result, id, writing) =>
    isMcp(call) ? writeMcpCall(call, result, id, writing) : writeCall(call, result, id, writing.context),
  part: (part, role) => (role === 'assistant' ? writeAssistantPart(part) : writePart(part)),
  // A call of a hosted server needs no result: it is written with its approval request and response, and the server
  // then runs it.
  open: (call) => isMcp(call) && (!call.request || call.response !== undefined),
  id: shortId,
};

const isMcp = (call: Call): boolean => /^mcp_/.test(call.providerOptions?.['openai']?.type);

/** Joins parts of one item into one item. */
function merge(list: Data[], item: Data): Data[] {
  const last = list.at(-1);
  const key = item.type === 'reasoning' ? 'summary' : 'content';
  const isSame =
    item.id !== undefined &&
    last?.id === item.id &&
    last.type === item.type &&
    Array.isArray(last[key]) &&
    Array.isArray(item[key]);
  return isSame ? [...list.slice(0, -1), { ...last, [key]: [...last[key], ...item[key]] }] : [...list, item];
}

/** Removes a repeated item id, which the API rejects. Servers that repeat ids in every response do not need them. */
function withoutRepeatedId(item: Data, used: Set<string>): Data {
  const { id, status: _, content, ...rest } = item;
  // A response refers to a request by its id, which is unique already.
  if (id === undefined || item.type === 'mcp_approval_request') return item;
  if (!used.has(id)) {
    used.add(id);
    return item;
  }
  if (item.type === 'message') return { ...rest, content: content.map(({ text }: Data) => text).join('') };
  return item.type === 'function_call' ? rest : [];
}

function writeMcpCall(
  { input, toolName: name, providerOptions, request, response, ...call }: Call,
  result: CallResult | undefined,
  callId: string,
  { context, written }: Writing,
): [Data[], Data[]] {
  const id = request ? unusedId(callId, written.ids) : callId;
  if (id !== callId) context.reportLoss('id', callId);
  const server = { server_label: providerOptions?.['openai'].serverLabel, name, arguments: textOf(input) };
  const itemId = call.result?.providerOptions?.['openai']?.itemId ?? id;
  const asked = request && { approval_request_id: id };
  const ran = result?.kind === 'executed' || result?.kind === 'failed';
  const end = ran
    ? [{ type: 'mcp_call', id: itemId, ...server, [result.failed ? 'error' : 'output']: result.text, ...asked }]
    : [];
  if (!asked) return [end, []];
  const { approved: approve, reason } = (response ?? { approved: ran }) as Data;
  const answer = { type: 'mcp_approval_response', ...asked, approve, ...(reason && { reason }) };
  return [[{ type: 'mcp_approval_request', id, ...server }], [answer, ...end]];
}

function writeCall(call: Call, result: CallResult, call_id: string, context: Context): [Data[], Data[]] {
  const { item, itemId } = call.providerOptions?.['openai'] ?? {};
  const use = (item && { ...item, call_id }) ?? {
    type: 'function_call',
    call_id,
    name: call.toolName,
    arguments: textOf(objectInput(call, context)),
    ...(itemId && { id: itemId }),
  };
  return [[use], [{ type: `${use.type}_output`, call_id, ...outputOf(use.type, result) }]];
}

/** Returns the output of a call. Shell calls need an exit code, patches a status, and computer calls an object. */
function outputOf(type: string, { kind, failed, text, value }: CallResult): Data {
  const ran = kind === 'executed' && !failed;
  if (type === 'apply_patch_call') return { status: ran ? 'completed' : 'failed', output: text };
  const isWhole = ran && typeof value === 'object';
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

function writeAssistantPart(part: Part): Data {
  const { itemId: id, item, reasoningEncryptedContent } = part.providerOptions?.['openai'] ?? {};
  const { type, text } = part as Data;
  if (type === 'text') {
    if (!text) return undefined;
    const message = { type: 'message', role: 'assistant' };
    return typeof id === 'string' && id
      ? { ...message, id, status: 'completed', content: [{ type: 'output_text', text, annotations: [] }] }
      : { ...message, content: text };
  }
  if (type !== 'reasoning' || typeof id !== 'string' || !id) return typeof item?.type === 'string' ? item : undefined;
  return { type, id, summary: text ? [{ type: 'summary_text', text }] : [], ...sealed(reasoningEncryptedContent) };
}

const sealed = (encrypted_content: Data): Data => encrypted_content && { encrypted_content };

function writePart(part: Part): Data {
  const { type, text, filename = 'file', data } = part as Data;
  if (type === 'text') return text ? { type: 'input_text', text } : undefined;
  const { url, base64, mediaType } = fileOf(part);
  const uploaded = data?.reference?.openai;
  if (type !== 'file' || (!url && !uploaded)) return undefined;
  const file_id = uploaded && { file_id: uploaded };
  if (/^image/.test(mediaType)) return { type: 'input_image', detail: 'auto', ...(file_id ?? { image_url: url }) };
  return {
    type: 'input_file',
    ...(file_id ?? (base64 === undefined ? { file_url: url } : { filename, file_data: url })),
  };
}

function partsOf(item: Data): [Entry['role'], readonly Data[]] {
  const { type = 'message', id, role = 'assistant', content, summary } = item;
  if (type === 'message')
    return [
      role === 'developer' ? 'system' : role,
      asParts(content).map((part) => part && { ...part, isContent: true, itemId: id }),
    ];
  if (type !== 'reasoning') return ['assistant', [item]];
  const texts = asList(summary);
  return [
    'assistant',
    (texts.length ? texts : [{ text: '' }]).map((part) => part && { ...item, text: part.text, itemId: id }),
  ];
}

function parse(item: Data, calls: Calls, texts: Context['texts']): Part | CallAnswer | undefined | null {
  const {
    type,
    id,
    call_id: callId,
    text,
    refusal = text,
    image_url: image,
    file_id: uploaded,
    file_url: address,
    file_data: bytes,
    itemId,
  } = item;
  if (typeof type !== 'string') throw new TypeError('expected an item with a type');
  const openai = itemId && {
    itemId,
    ...(item.encrypted_content && { reasoningEncryptedContent: item.encrypted_content }),
  };
  if (refusal !== undefined)
    return {
      type: type === 'reasoning' ? type : 'text',
      text: refusal,
      ...(openai && { providerOptions: { openai } }),
    };
  if (image || uploaded || address || bytes) {
    const mediaType = type === 'input_image' ? 'image' : (/^data:([^;,]*)/.exec(bytes)?.[1] ?? 'application/pdf');
    return {
      type: 'file',
      mediaType,
      data: uploaded ? { type: 'reference', reference: { openai: uploaded } } : (image ?? address ?? bytes),
      filename: item.filename,
    };
  }
  if (item.isContent || type === 'reasoning') throw new TypeError('unknown content');
  const asked = calls.get(item.approval_request_id);
  const result = {
    value: item.error ?? item.output ?? '',
    failed: item.error != null,
    meta: /^mcp/.test(type) ? hosted(item).providerMetadata : undefined,
  };
  if (type === 'mcp_approval_response') {
    if (!asked) return null;
    if (typeof item.approve !== 'boolean') throw new TypeError('a response must have a boolean decision');
    if (item.approve) asked.response = { type, approved: true, reason: item.reason ?? undefined };
    else setDenial(asked, item.reason ?? undefined, texts);
    return undefined;
  }
  if (/_output$/.test(type) || asked) {
    // Reads the text of a shell's output if there is only one stream, and the status of a patch.
    const [only, more] = type === 'shell_call_output' && item.output.length === 1 ? item.output : [];
    const text =
      only && !more && !(only.stdout && only.stderr) && only.outcome.exit_code !== undefined
        ? only.stdout || only.stderr
        : undefined;
    const failed = result.failed || item.status === 'failed' || (text !== undefined && only.outcome.exit_code !== 0);
    return { answers: asked?.toolCallId ?? callId, ...result, ...(text !== undefined && { value: text }), failed };
  }
  if (/^mcp_(call|approval_request)$/.test(type)) {
    const { providerMetadata: providerOptions, providerExecuted } = hosted(item);
    const call: Call = {
      type: 'tool-call',
      toolCallId: id,
      toolName: item.name,
      input: valueOf(item.arguments),
      providerExecuted,
      providerOptions,
    };
    if (type === 'mcp_call') setResult(call, result.value, result.failed, texts, result.meta);
    else call.request = { type, approvalId: id };
    return call;
  }
  if (callId)
    return {
      type: 'tool-call',
      toolCallId: callId,
      toolName: item.name ?? type,
      input: inputOf(item),
      providerOptions: { openai: metaOf(item) },
    };
  if (CLIENT_ITEMS.test(type)) throw new TypeError('expected a call with its id');
  return { type: 'custom', kind: `openai.${type}`, providerOptions: { openai: { item } } };
}

function body(entries: readonly Entry[], context: RequestContext): unknown {
  const previous: unknown = context.history === 'server' && context.metadata?.openai?.responseId;
  const last = entries.findLastIndex(({ role }) => role === 'assistant');
  if (typeof previous !== 'string' || last < 0) return { input: writeHistory(entries, context, ITEMS) };
  // The server has its own items: only the answers to them are new.
  const answers = writeEntries([entries[last] as Entry], context, ITEMS).filter(({ type }) =>
    /_(output|approval_response)$/.test(type),
  );
  return {
    previous_response_id: previous,
    input: [...answers, ...writeEntries(entries.slice(last + 1), context, ITEMS)],
  };
}

/** OpenAI's Responses API. */
export const openaiResponses: Protocol = makeProtocol({
  name: 'openai-responses',
  capabilities: {
    ...lossyCapabilities('approval pending failed json input reasoning custom file content id', 'raw-model'),
    historyChoices: ['client', 'server'],
  },
  createReader,
  write: (entries, context) => writeHistory(entries, context, ITEMS),
  read: (history, context) =>
    readHistory(history, context, partsOf, (item, calls) => parse(item, calls, context.texts), true),
  body,
});
