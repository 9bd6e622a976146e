/**
 * `adk`: the API server of Google's Agent Development Kit: `/run_sse`, and the events of its sessions. Source:
 * `cli/api_server.py`, `events/event.py` and `flows/llm_flows/tools/_confirmation.py` of `google-adk` 2.13.
 *
 * The server keeps the history. It asks by a call of `adk_request_confirmation`, whose id is the approval's, and has a
 * placeholder for the result of the call that it asks about, before or behind that. All answers of a step go in one message
 * that holds nothing else and says no more than yes or no. The app adds to a request what the gate does not know: `app_name`
 * and `user_id`.
 */
import { resultText } from './shared/result-texts.js';
import type { Calls } from './shared/calls.js';
import {
  wordsOnly,
  type Call,
  type CallResult,
  type Context,
  type Data,
  type ItemDecision,
  type Entry,
  type Part,
  type Reader,
  type StreamContext,
  type RequestContext,
} from './shared/codec.js';
import { ReplyWriter } from './shared/reply-writer.js';
import { customPart, parse as parsePart, signed, wordPart } from './gemini-parts.js';
import { asList, objectOf, split } from './shared/history.js';
import { read, write, type CallAnswer } from './shared/phrase.js';
import { reasonOf } from './shared/finish-reasons.js';
import { makeProtocol } from './shared/make-protocol.js';
import type { Protocol } from '../types/index.js';

const CONFIRM = 'adk_request_confirmation';

/** What ADK writes for a call that was denied. */
const REJECTED = 'This tool call is rejected.';

/** What ADK writes for a call that waits for its confirmation. */
const WAITING = /^This tool call requires confirmation/;

function createReader({ emit, newId, calls }: StreamContext): Reader {
  const writer = new ReplyWriter({ emit, calls });
  /** Whether the message has come in pieces: then it comes once more, whole. */
  let isHeard = false;
  /** Whether the calls of the step have their responses: what the model says next is another step. */
  let isAnswered = false;
  let texts = 0;
  const take = (part: Data, event: Data): void => {
    const {
      text,
      thought,
      functionCall: call,
      functionResponse: answer,
      inlineData: inline,
      fileData: file = inline,
    } = part;
    const providerMetadata = { adk: { author: event.author } };
    // It is about a call that is there already, and may be of an earlier reply.
    if (call?.name === CONFIRM) return writer.emit({ ...requestOf(call), adk: call.args.toolConfirmation });
    if (answer) {
      isAnswered = true;
      if (!isPlaceholder(answer, event)) respond(answer);
      return undefined;
    }
    // What cannot be read begins no step: another one would supersede what this one asks.
    if (text !== undefined && typeof text !== 'string') throw new TypeError('a text that is no text');
    if (call !== undefined && typeof call?.name !== 'string') throw new TypeError('a call without a name');
    if (isAnswered) writer.endStep();
    isAnswered = false;
    if (text !== undefined) {
      if (!text || (isHeard && !event.partial)) return undefined;
      const id = `${thought ? 'thought' : 'text'}-${texts}`;
      if (!writer.isOpen(id)) writer.endText(undefined, providerMetadata);
      writer.textDelta(id, text, thought ? 'reasoning' : 'text');
    } else if (event.partial) return undefined;
    else if (call) writer.toolCall(call.id || newId(), call.name, call.args ?? {}, { providerMetadata });
    else if (file)
      writer.content({
        type: 'file',
        mediaType: file.mimeType,
        url: file.fileUri ?? `data:${file.mimeType};base64,${file.data}`,
      });
    else writer.content(customPart(part));
  };
  const respond = ({ id, response }: Data): void => {
    const { value, failed } = heard(response);
    if (failed && WAITING.test(value)) return;
    // What was denied or cancelled here is confirmed; a tool that asks by itself has its own words for a denial.
    if (writer.confirmDecision(id)) return;
    if (failed && value === REJECTED) writer.emit({ type: 'tool-output-denied', toolCallId: id });
    else writer.toolResult(id, value, failed);
  };
  return (event) => {
    const { content, author, partial, finishReason, error = event.errorMessage ?? event.errorCode } = event;
    if (!error && !author) return false;
    writer.each(content?.parts, (part) => take(part, event));
    if (content && !partial) {
      writer.endText(undefined, { adk: { author } });
      texts++;
    }
    if (content) isHeard = Boolean(partial);
    if (error) writer.failReply(error);
    else writer.cutOff(reasonOf(finishReason));
    return true;
  };
}

/** The request that a call of ADK's own means. */
const requestOf = ({
  id,
  args: {
    originalFunctionCall: { id: toolCallId },
    toolConfirmation,
  },
}: Data): Part => ({
  type: 'tool-approval-request',
  approvalId: id,
  toolCallId,
  ...(toolConfirmation?.hint && { requestReason: toolConfirmation.hint }),
});

/** Whether a response only says that the call waits for the user. */
const isPlaceholder = ({ id }: Data, { actions }: Data): boolean =>
  actions?.requestedToolConfirmations?.[id] !== undefined;

/** A result as it was, or the error that it tells. */
function heard(response: Data): { value: Data; failed: boolean } {
  const [key, ...more] = Object.keys(response ?? {});
  const failed = key === 'error' && typeof response.error === 'string' && !more.length;
  return { value: failed || (key === 'result' && !more.length) ? response[key as string] : (response ?? null), failed };
}

/** Events for a new session. ADK takes none of its own calls there: what waits is left out. */
function events(entries: readonly Entry[], context: Context): Data[] {
  if (entries.some(({ role }) => role === 'system')) context.reportLoss('system');
  return entries.flatMap((entry) => {
    const author = entry.role === 'assistant' ? authorOf(entry) : 'user';
    return write([entry], context, {
      message: (role, parts) => ({ author, content: { role: role === 'assistant' ? 'model' : 'user', parts } }),
      call(call, result, id) {
        const head = { id, name: call.toolName };
        return [
          [{ functionCall: { ...head, args: objectOf(call, context) }, ...signed(call) }],
          [{ functionResponse: { ...head, response: responseOf(call, result) } }],
        ];
      },
      part: wordPart,
    });
  });
}

/** The agent that said it: to another one, ADK tells it as a quotation. */
const authorOf = ({ content }: Entry): string =>
  content.map(({ providerOptions }) => providerOptions?.['adk']?.author).find((author) => typeof author === 'string') ??
  'model';

function responseOf({ response, result }: Call, { kind, text, value, failed }: CallResult): Data {
  if (kind === 'denied' && !result?.providerOptions?.['toolgate'])
    return { error: [REJECTED, response?.['reason']].filter(Boolean).join(' ') };
  return failed || kind !== 'executed' ? { error: text } : wrap(value);
}

/** An output as ADK has it: what is no object is wrapped in one. */
const wrap = (output: Data): Data =>
  typeof output === 'object' && output && !Array.isArray(output) ? output : { result: output ?? null };

/** Whose event it is, and what of it is about the chat. */
function partsOf({ author, content, partial, ...event }: Data): [Entry['role'], readonly Data[]] {
  if (typeof author !== 'string' || typeof (content ?? {}) !== 'object')
    throw new TypeError('not an event with an author');
  const parts = partial ? [] : asList(content?.parts);
  const said = parts.filter((part) => !part?.functionResponse || !isPlaceholder(part.functionResponse, event));
  // An event without content of its own says nothing.
  return [author === 'user' && said.length ? 'user' : 'assistant', said.map((part) => ({ ...part, author }))];
}

function parse({ author, ...part }: Data, calls: Calls, texts: Context['texts']): Part | CallAnswer | undefined | null {
  const { functionCall: call, functionResponse: answer } = part;
  if (call?.name === CONFIRM) {
    const request = requestOf(call);
    const asked = calls.unasked(request['toolCallId']);
    if (asked) asked.request = request;
    return asked ? undefined : null;
  }
  if (answer?.name === CONFIRM) {
    const asked = calls.lacking('response', ({ request }) => request?.['approvalId'] === answer.id);
    if (asked) asked.response = { type: '', approved: confirmed(answer.response) };
    return asked ? undefined : null;
  }
  if (answer) {
    const { value, failed } = heard(answer.response);
    const isDenial = failed && `${value} `.startsWith(`${REJECTED} `);
    if (failed && WAITING.test(value)) return undefined;
    return {
      answers: answer.id,
      name: answer.name,
      value: isDenial ? resultText({ kind: 'denied', reason: value.slice(REJECTED.length + 1) }, texts) : value,
      failed,
    };
  }
  const { providerOptions, ...read } = parsePart(part, calls.size) as Part;
  return {
    ...read,
    providerOptions: author === 'user' ? providerOptions : { ...providerOptions, adk: { author } },
  } as Part;
}

/** What a confirmation says; some clients wrap it in JSON text. Throws for one that says neither. */
function confirmed({ response, confirmed: given }: Data): boolean {
  const isConfirmed: unknown = response === undefined ? given : JSON.parse(response).confirmed;
  if (typeof isConfirmed !== 'boolean') throw new TypeError('a confirmation that says neither');
  return isConfirmed;
}

function body(_entries: readonly Entry[], context: RequestContext): unknown {
  const { newMessages, decisions, chatId: session_id } = context;
  // ADK refuses text in a message of answers.
  const answers = decisions.map((decision) => ({ functionResponse: answerTo(decision, context) }));
  const said = newMessages.flatMap(({ content }) => content.flatMap((part) => wordPart(part) ?? []));
  return { session_id, new_message: { role: 'user', parts: answers.length ? answers : said }, streaming: true };
}

function answerTo(
  { approvalId, toolCallId, toolName: name, outcome, reason, output }: ItemDecision,
  context: Context,
): Data {
  if (outcome === 'executed') return { id: toolCallId, name, response: wrap(output) };
  if (outcome === 'failed') return { id: toolCallId, name, response: { error: reason } };
  if (reason !== undefined) context.reportLoss('reason', toolCallId);
  return { id: approvalId, name: CONFIRM, response: { confirmed: outcome === 'approved' } };
}

/** Google's Agent Development Kit. */
export const adk: Protocol = makeProtocol({
  name: 'adk',
  capabilities: {
    ...wordsOnly('approval pending input system custom file reason'),
    reason: false,
    history: 'server',
    repeat: 'ignored',
  },
  answersBeforeMessages: true,
  createReader,
  write: (entries, context) => events(split(entries, context), context),
  read: (history, context) => read(history, context, partsOf, (part, calls) => parse(part, calls, context.texts)),
  body,
});
