/**
 * `effect`: the AI modules of Effect. Source: `src/ai/Response.ts`, `Prompt.ts` and `LanguageModel.ts` of `effect` 4.1.
 *
 * Its server runs what was approved and writes the results of what was denied, as long as these have none; so a request
 * carries the answers of the last step alone. The prompt is the AI SDK's history in other words; `options` keep outcomes.
 */
import { resultText } from '../texts.js';
import type { Capabilities } from '../types.js';
import type { Call, Codec, Context, Data, Entry, Part, Reader } from './codec.js';
import { Flow } from './flow.js';
import { fileOf, isCall, textOf, told } from './history.js';

const capabilities: Capabilities = {
  kind: 'resubmitting',
  reason: true,
  editedInput: false,
  cancel: false,
  remember: false,
  history: 'client',
  denialVisible: true,
  lost: ['custom', 'file'],
};

function reader(emit: (chunk: Data) => void): Reader {
  const flow = new Flow(emit);
  return (part) => {
    const { type, id, name, metadata, ...rest } = part;
    const more = metadata && { providerMetadata: metadata };
    if (/^(text|reasoning)-(start|delta|end)$/.test(type)) flow.put({ ...rest, type, id, ...more });
    else if (type === 'text' || type === 'reasoning') {
      flow.say('whole', part.text, type);
      flow.hush('whole', metadata);
    } else if (type === 'tool-params-start') flow.call(id, name, hosted(part));
    else if (type === 'tool-params-delta') flow.grow(id, part.delta);
    else if (type === 'tool-call') {
      if (flow.has(id)) flow.called(id, part.params, more);
      else flow.whole(id, name, part.params, { ...hosted(part), ...more });
    } else if (type === 'tool-approval-request') flow.put({ ...rest, type });
    else if (type === 'tool-result') {
      const { result, isFailure } = part;
      if (isFailure && result?.type === 'execution-denied') emit({ type: 'tool-output-denied', toolCallId: id });
      else flow.result(id, isFailure ? textOf(result) : result, isFailure, { ...hosted(part), ...more, ...(part.preliminary && { preliminary: true }) });
    } else if (type === 'file') flow.put({ type, mediaType: part.mediaType, url: `data:${part.mediaType};base64,${part.data}`, ...more });
    else if (type === 'source') flow.put({ ...rest, type: `source-${part.sourceType}`, sourceId: id, ...more });
    else if (type === 'finish') flow.end();
    else if (type === 'error') flow.fail(part.error?.message ?? textOf(part.error));
    else return /^(response-metadata|tool-params-end)$/.test(type);
    return true;
  };
}

const hosted = ({ providerExecuted }: Data): Data => providerExecuted && { providerExecuted };

function write(entries: Entry[], context: Context, isRequest?: boolean): Data[] {
  return entries.flatMap(({ role, content }, place) => {
    if (role === 'system') return [{ role, content: content.map((part) => part['text']).join('') }];
    const isOpen = isRequest && place === entries.length - 1;
    const said: Data[] = [];
    const answers: Data[] = [];
    for (const part of content) {
      if (isCall(part)) writeCall(part, said, answers, context, isOpen);
      else said.push(...writePart(part, context));
    }
    const messages: Data[] = said.length ? [{ role, content: said }] : [];
    if (answers.length) messages.push({ role: 'tool', content: answers });
    return messages;
  });
}

function writeCall(call: Call, said: Data[], answers: Data[], { texts }: Context, isOpen: boolean | undefined): void {
  const { toolCallId: id, toolName: name, input, providerExecuted = false, request, response, providerOptions: options } = call;
  said.push({ type: 'tool-call', id, name, params: input, providerExecuted, ...(options && { options }) });
  const approvalId = request?.['approvalId'];
  if (request) said.push({ type: 'tool-approval-request', approvalId, toolCallId: id });
  if (response) {
    const { approved, reason = approved ? undefined : none(texts) } = response as Data;
    answers.push({ type: 'tool-approval-response', approvalId, approved, ...(reason !== undefined && { reason }) });
  }
  const result = told(call, texts);
  if (!result || (isOpen && !result.failed && response?.['approved'] === false) || (isOpen && isDenial(call))) return;
  const kept = call.result?.providerOptions;
  const denial = { type: 'execution-denied', reason: call.result?.['output'].reason ?? none(texts) };
  (providerExecuted && !isDenial(call) ? said : answers).push({
    type: 'tool-result',
    id,
    name,
    isFailure: result.failed,
    result: isDenial(call) ? denial : result.value,
    providerExecuted,
    ...(kept && { options: kept }),
  });
}

/** The reason of a denial without one: Effect's schema refuses the result that its own server writes for it. */
const none = (texts: Context['texts']): string => resultText({ kind: 'denied' }, texts);

const isDenial = (call: Call): boolean => call.result?.['output'].type === 'execution-denied';

function writePart(part: Part, context: Context): Data[] {
  const { type, text, filename, providerOptions: options } = part;
  const more = options && { options };
  if (type === 'text' || type === 'reasoning') return [{ type, text, ...more }];
  const { url, base64, mediaType } = fileOf(part);
  const data = base64 ?? url;
  if (type === 'file' && data) return [{ type, mediaType, data, ...(filename && { fileName: filename }), ...more }];
  context.lose(type === 'custom' ? 'custom' : 'file');
  return [];
}

function read(history: readonly Data[], { texts }: Context): Entry[] {
  const calls = new Map<string, Call>();
  return history.flatMap(({ role, content }) => {
    const parts: Part[] = [];
    for (const part of typeof content === 'string' ? [{ type: 'text', text: content }] : content) {
      const { type, id, name, options, ...rest } = part;
      const more = options && { providerOptions: options };
      const call = calls.get(part.toolCallId ?? id ?? part.approvalId);
      if (type === 'tool-call') {
        const made: Call = { type, toolCallId: id, toolName: name, input: part.params, ...hosted(part), ...more };
        calls.set(id, made);
        parts.push(made);
      } else if (type === 'tool-approval-request') {
        if (call) calls.set(part.approvalId, call);
        if (call) call.request = rest;
      } else if (type === 'tool-approval-response') {
        if (call) call.response = withoutNone(rest, texts);
      } else if (type === 'tool-result') {
        if (call) call.result = { type, output: outputOf(part, texts), ...more };
      } else if (type === 'file') {
        const data = typeof part.data === 'string' && !/^[a-z]+:/i.test(part.data) ? `data:${part.mediaType};base64,${part.data}` : String(part.data?.href ?? part.data);
        parts.push({ type, mediaType: part.mediaType, data, ...(part.fileName && { filename: part.fileName }), ...more });
      } else {
        parts.push({ ...rest, type, ...more });
      }
    }
    return role === 'tool' ? [] : [{ role, content: parts }];
  });
}

function withoutNone({ reason, ...rest }: Data, texts: Context['texts']): Data {
  return reason === undefined || reason === none(texts) ? rest : { ...rest, reason };
}

function outputOf({ result, isFailure }: Data, texts: Context['texts']): Data {
  if (!isFailure) return typeof result === 'string' ? { type: 'text', value: result } : { type: 'json', value: result };
  return result?.type === 'execution-denied' ? withoutNone(result, texts) : { type: 'error-text', value: textOf(result) };
}

/** Effect's AI modules. */
export const effect: Codec = { capabilities, reader, write, read, body: (entries, context) => ({ prompt: write(entries, context, true) }) };
