/**
 * `effect`: the AI modules of Effect. Source: `src/ai/Response.ts`, `Prompt.ts` and `LanguageModel.ts` of `effect` 4.1.
 *
 * Its server runs the approved calls without a result, and writes the results of denied ones. So a request contains the
 * denied calls of the last step without their results. The prompt is the AI SDK's history in another format; `options`
 * carry outcomes.
 */
import type { Prompt, Response } from 'effect/ai';
import { resultText } from './shared/result-texts.js';
import type { Calls } from './shared/calls.js';
import {
  lossyCapabilities,
  type Call,
  type CallOutput,
  type CallRequest,
  type CallResponse,
  type CallResult,
  type Context,
  type Entry,
  type Part,
  type Reader,
  type StreamContext,
  type Kept,
} from './shared/codec.js';
import { ReplyWriter } from './shared/reply-writer.js';
import { asParts, fileOf, textOf } from './shared/history.js';
import { readHistory, writeHistory, type HistoryFormat, type Writing } from './shared/history-format.js';
import { finishReasonOf } from './shared/finish-reasons.js';
import { makeProtocol } from './shared/make-protocol.js';
import type { Fields } from './shared/lane.js';
import type { Merged, Wire } from './shared/wire.js';
import type { Protocol } from '../types/index.js';
import type { Said, Typed } from '../types/backends.js';

type ReplyPart = Merged<Response.AnyPartEncoded>;
/** What providers keep in `options` is outside data. */
type PromptPart = Omit<Merged<Prompt.PartEncoded>, 'options'> & { readonly options?: Kept };

/** A message, and the part of one, as they are written. */
type Message = { readonly role: Entry['role'] | 'tool'; readonly content: string | readonly Written[] };
type Written = { readonly type: string; readonly text?: string | undefined; readonly [field: string]: unknown };

function createReader(stream: StreamContext): Reader<ReplyPart> {
  const writer = new ReplyWriter(stream);
  return (part) => {
    const { type, id, name, metadata, ...rest } = part;
    const more = metadata && { providerMetadata: metadata };
    const [, kind, place] = /^(text|reasoning)-(start|delta|end)$/.exec(type) ?? [];
    if (place === 'end') writer.endText(id, metadata);
    else if (kind) writer.textDelta(id, place === 'delta' ? rest.delta : '', kind, more);
    else if (type === 'text' || type === 'reasoning') {
      writer.textDelta('whole', part.text, type);
      writer.endText('whole', metadata);
    } else if (type === 'tool-params-start') writer.lane(id).start(id, name, hosted(part));
    else if (type === 'tool-params-delta') writer.lane(id).delta(part.delta);
    else if (type === 'tool-call') {
      if (writer.lane(id).isOpen) writer.lane(id).end(part.params, more);
      else writer.call(id, name, part.params, { ...hosted(part), ...more });
    } else if (type === 'tool-approval-request') writer.emit({ ...rest, type });
    else if (type === 'tool-result') {
      const { result, isFailure } = part;
      if (isFailure && isDenied(result)) writer.emit({ type: 'tool-output-denied', toolCallId: id });
      else
        writer.result(id, isFailure ? textOf(result) : result, isFailure === true, {
          ...hosted(part),
          ...more,
          ...(part.preliminary && { preliminary: true }),
        });
    } else if (type === 'file')
      writer.content({ type, mediaType: part.mediaType, url: `data:${part.mediaType};base64,${part.data}`, ...more });
    else if (type === 'source') writer.content({ ...rest, type: `source-${part.sourceType}`, sourceId: id, ...more });
    else if (type === 'finish') writer.endReply(finishReasonOf(part.reason));
    else if (type === 'error')
      writer.failReply((part.error as Partial<Error> | null | undefined)?.message ?? part.error);
    else return /^(response-metadata|tool-params-end)$/.test(type);
    return true;
  };
}

const hosted = ({ providerExecuted }: { readonly providerExecuted?: boolean | undefined }): Fields | undefined =>
  (providerExecuted && { providerExecuted }) as Fields | undefined;

const isDenied = (result: unknown): result is CallOutput['output'] =>
  (result as CallOutput['output'] | null | undefined)?.type === 'execution-denied';

/** The denied calls of the open step still need results from the server. */
const PROMPT: HistoryFormat<Message, Written> = {
  message: (role, content) => ({
    role,
    content: role === 'system' ? content.map(({ text }) => text).join('') : content,
  }),
  call: writeCall,
  part: writePart,
  open: () => true,
};

function writeCall(
  call: Call,
  result: CallResult | undefined,
  id: string,
  { context: { texts }, isOpen }: Writing,
): [Written[], Written[]] {
  const { toolName: name, input, providerExecuted = false, request, response, providerOptions: options } = call;
  const said: Written[] = [
    { type: 'tool-call', id, name, params: input, providerExecuted, ...(options && { options }) },
  ];
  const answers: Written[] = [];
  const approvalId = request?.approvalId;
  if (request) said.push({ type: 'tool-approval-request', approvalId, toolCallId: id });
  if (response) {
    const { approved, reason = approved ? undefined : defaultReason(texts) } = response;
    answers.push({ type: 'tool-approval-response', approvalId, approved, ...(reason !== undefined && { reason }) });
  }
  const { output, providerOptions: kept } = call.result ?? {};
  const isDenial = isDenied(output);
  if (result && !(isOpen && isDenial)) {
    const value = isDenial ? { ...output, reason: output.reason ?? defaultReason(texts) } : result.value;
    const answer = {
      type: 'tool-result',
      id,
      name,
      isFailure: result.failed,
      result: value,
      providerExecuted,
      ...(kept && { options: kept }),
    };
    (providerExecuted && !isDenial ? said : answers).push(answer);
  }
  return [said, answers];
}

/**
 * The reason that is sent if the user gave none: Effect's schema rejects the result that its own server writes for a
 * denial without a reason.
 */
const defaultReason = (texts: Context['texts']): string => resultText({ kind: 'denied' }, texts);

function writePart(part: Part): Written | undefined {
  const { type, text, filename, providerOptions: options } = part;
  const more = options && { options };
  if (type === 'text' || type === 'reasoning') return { type, text, ...more };
  const { url, base64, mediaType } = fileOf(part);
  const data = base64 ?? url;
  return type === 'file' && data
    ? { type, mediaType, data, ...(filename && { fileName: filename }), ...more }
    : undefined;
}

function parse(part: PromptPart, calls: Calls, texts: Context['texts']): Wire<Part> | undefined | null {
  const {
    type,
    id,
    name,
    options: providerOptions,
    params: input,
    mediaType,
    data,
    fileName: filename,
    ...rest
  } = part;
  if (type === 'tool-call') return { type, toolCallId: id, toolName: name, input, ...hosted(part), providerOptions };
  if (type === 'file') {
    const isBytes = typeof data === 'string' && !/^[a-z]+:/i.test(data);
    return {
      type,
      mediaType,
      data: isBytes ? `data:${mediaType};base64,${data}` : String((data as URL | undefined)?.href ?? data),
      filename,
      providerOptions,
    };
  }
  if (type === 'tool-approval-request') {
    const call = calls.withoutRequest(part.toolCallId as string);
    if (call) call.request = rest as unknown as CallRequest;
    return call ? undefined : null;
  }
  if (type === 'tool-approval-response') {
    const call = calls.firstWithout('response', ({ request }) => request?.approvalId === part.approvalId);
    if (typeof part.approved !== 'boolean') throw new TypeError('a response must have a boolean decision');
    if (call) call.response = withoutDefaultReason(rest as unknown as CallResponse, texts);
    return call ? undefined : null;
  }
  if (type === 'tool-result') {
    const call = calls.withoutResult(id as string);
    if (call) call.result = { type, output: outputOf(part, texts), providerOptions };
    return call ? undefined : null;
  }
  return { ...rest, type, providerOptions } as Wire<Part>;
}

function withoutDefaultReason<T extends { reason?: string | undefined }>(given: T, texts: Context['texts']): T {
  const { reason, ...rest } = given;
  return (reason === undefined || reason === defaultReason(texts) ? rest : { ...rest, reason }) as T;
}

function outputOf({ result = null, isFailure }: PromptPart, texts: Context['texts']): CallOutput['output'] {
  if (!isFailure) return typeof result === 'string' ? { type: 'text', value: result } : { type: 'json', value: result };
  return isDenied(result) ? withoutDefaultReason(result, texts) : { type: 'error-text', value: textOf(result) };
}

/** Effect's AI modules. */
export const effect: Protocol<{ readonly prompt: readonly Said[] }, Typed, Said> = makeProtocol({
  name: 'effect',
  capabilities: { ...lossyCapabilities('custom file content'), repeat: 'runs-again' },
  runsRest: true,
  createReader,
  write: (entries, context) => writeHistory(entries, context, PROMPT),
  read: (history: readonly Merged<Prompt.MessageEncoded>[], context) =>
    readHistory(
      history,
      context,
      ({ role, content }) => [role === 'tool' ? 'assistant' : role, asParts(content as readonly PromptPart[])],
      (part, calls) => parse(part, calls, context.texts),
    ),
  body: (entries, context) => ({ prompt: writeHistory(entries, context, PROMPT, { step: entries.at(-1) }) }),
});
