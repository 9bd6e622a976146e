/**
 * `pydantic-ai`: Pydantic AI with its adapter for the AI SDK. Source: `ui/vercel_ai/request_types.py` and `_adapter.py`
 * of `pydantic-ai-slim` 2.68. (With its other adapter it uses `ag-ui`.)
 *
 * It uses the AI SDK's chunks and messages, but rejects requests with unknown keys. So the history is written as one
 * message per step, with known keys only. It reads decisions from parts in the state `approval-responded`, of any
 * message.
 */
import { lossyCapabilities, type Call, type CallResult, type Entry, type Kept, type Part } from './shared/codec.js';
import { fileOf, objectInput } from './shared/history.js';
import { writeHistory, type HistoryFormat, type Writing } from './shared/history-format.js';
import { makeProtocol } from './shared/make-protocol.js';
import type { Merged } from './shared/wire.js';
import type { UIMessage } from 'ai';
import type { Protocol } from '../types/index.js';
import type { SaidInParts, Typed } from '../types/backends.js';
import type { ReplyChunk } from '../types/protocol-definition.js';

type Metadata = 'providerMetadata' | 'callProviderMetadata';
type UIPart = Omit<Merged<UIMessage['parts'][number]>, Metadata> & { readonly [NAME in Metadata]?: Kept };
type Message = { readonly role: Entry['role'] | 'tool'; readonly parts: readonly UIPart[] };

const MESSAGES: HistoryFormat<Message, UIPart> = {
  // A result is part of its call.
  message: (role, parts, { written }) => ({
    id: `message-${written.count++}`,
    role,
    parts: role === 'assistant' ? [{ type: 'step-start' }, ...parts] : parts,
  }),
  call: (call, result, id, writing) => [[writeCall(call, result, id, writing)]],
  part: writePart,
  open: () => true,
};

/** The server has not received the decisions of the open step yet. */
function writeCall(call: Call, result: CallResult | undefined, toolCallId: string, writing: Writing): UIPart {
  const { context, isOpen } = writing;
  const { toolName, providerExecuted, request, response } = call;
  const metadata = { ...call.providerOptions, ...call.result?.providerOptions };
  const part = {
    type: `tool-${toolName}`,
    toolCallId,
    input: objectInput(call, context),
    ...(providerExecuted && { providerExecuted }),
    ...(Object.keys(metadata).length && { callProviderMetadata: metadata }),
  };
  const id = request?.approvalId;
  const { approved, reason } = response ?? {};
  const approval = response && { id, approved, ...(reason && { reason }) };
  const isDenial = approved === false;
  if (response && (!result || (isOpen && isDenial))) return { ...part, state: 'approval-responded', approval };
  if (!result)
    return request ? { ...part, state: 'approval-requested', approval: { id } } : { ...part, state: 'input-available' };
  if (isDenial) return { ...part, state: 'output-denied', approval };
  const rest = approved && { approval };
  return result.failed
    ? { ...part, state: 'output-error', errorText: result.text, ...rest }
    : { ...part, state: 'output-available', output: result.value, ...rest };
}

function writePart(part: Exclude<Part, Call>, role: Entry['role']): UIPart | undefined {
  const { type, text, filename, providerOptions: providerMetadata } = part;
  const more = providerMetadata && { providerMetadata };
  if (type === 'text' || type === 'reasoning') return { type, text, state: 'done', ...more };
  const { url, base64, mediaType } = fileOf(part);
  const isTaken = type === 'file' && (role === 'assistant' ? base64 !== undefined : url);
  return isTaken ? { type, mediaType, url, ...(filename && { filename }), ...more } : undefined;
}

/** Pydantic AI with its adapter for the AI SDK. */
export const pydanticAi: Protocol<
  { readonly id: string; readonly messages: SaidInParts[]; readonly trigger: 'submit-message' },
  Typed,
  SaidInParts
> = makeProtocol({
  name: 'pydantic-ai',
  capabilities: { ...lossyCapabilities('input file custom content'), repeat: 'runs-again' },
  createReader:
    ({ emit }) =>
    (chunk: ReplyChunk) => {
      emit(chunk);
      return true;
    },
  write: (entries, context) => writeHistory(entries, context, MESSAGES),
  body: (entries, context) => ({
    id: context.chatId,
    messages: writeHistory(entries, context, MESSAGES, { step: entries.at(-1) }),
    trigger: 'submit-message',
  }),
});
