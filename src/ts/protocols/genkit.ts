/**
 * `genkit`: a flow of Genkit that runs `ai.generate({ messages, resume })`, streams its chunks and returns its response, both as
 * JSON. Source: `src/parts.ts`, `tool.ts` and `generate/resolve-tool-requests.ts` of `@genkit-ai/ai` 1.42; the events are those
 * of its flow servers (`{message}`, `{result}`, `{error}`).
 *
 * A tool that asks first interrupts. What is approved is restarted with `resumed: {toolApproved: true}`, as Genkit's own
 * approval middleware wants it; what is denied gets its result from here; and every call of the step is answered in one
 * request. A `ref` may be missing, or be no more than a place in its message: the id that is made for it is written back.
 */
import type { Calls } from './shared/calls.js';
import {
  wordsOnly,
  type Call,
  type CallResult,
  type Context,
  type Data,
  type Entry,
  type Part,
  type Reader,
  type StreamContext,
  type RequestContext,
} from './shared/codec.js';
import { ReplyWriter } from './shared/reply-writer.js';
import { asList, fileOf, isToolCall, requestFor, settle, resultOf } from './shared/history.js';
import { unusedId } from './shared/call-ids.js';
import { read, write, type CallAnswer } from './shared/phrase.js';
import { reasonOf } from './shared/finish-reasons.js';
import { makeProtocol } from './shared/make-protocol.js';
import type { Protocol } from '../types/index.js';

/** How the ids begin that we make. */
const OWN = 'toolgate-';

function createReader({ emit, newId, calls: known }: StreamContext): Reader {
  const writer = new ReplyWriter({ emit });
  /** The calls of the step that have no response yet. */
  let calls: { id: string; name: string; ref?: string }[] = [];
  /** Ids of the step's calls: one that comes again is given another one. */
  const used = new Set<string>();
  /** Whether the step has come in pieces, and whether any has. */
  let isHeard = false;
  let isSpoken = false;
  const isKnown = ({ ref }: Data): boolean => known().some(({ toolCallId }) => toolCallId === ref);
  /** The call that a response, or a request seen again, is about. */
  const callOf = ({ name, ref }: Data): string | undefined => {
    const at = calls.findIndex((call) => call.name === name && call.ref === ref);
    return at < 0 ? undefined : calls.splice(at, 1)[0]?.id;
  };
  let texts = 0;
  const take = (part: Data): string | undefined => {
    const { text, reasoning, toolRequest: call, toolResponse: answer, media } = part;
    const more = metaOf(part);
    const said = text ?? reasoning;
    if (said !== undefined) {
      if (typeof said !== 'string') throw new TypeError('a text that is no text');
      const id = `${text === undefined ? 'thought' : 'text'}-${texts}`;
      if (!writer.isOpen(id)) writer.endText();
      writer.textDelta(id, said, text === undefined ? 'reasoning' : 'text');
      if (!more) return undefined;
      writer.endText(id, more);
    }
    writer.endText();
    texts++;
    const meta = more && { providerMetadata: more };
    if (call) {
      if (call.partial) return undefined;
      const { name, ref, input = {} } = call;
      const id = unusedId(ref && !/^\d{1,4}$/.test(ref) ? ref : OWN + newId(), used);
      writer.toolCall(id, name, input, meta);
      calls.push({ id, name, ref });
      return id;
    }
    if (answer) respond(part);
    else if (media) writer.content({ type: 'file', mediaType: media.contentType ?? '', url: media.url, ...meta });
    else if (said === undefined)
      writer.content({ type: 'custom', kind: 'genkit.part', providerMetadata: { genkit: { part: own(part) } } });
    return undefined;
  };
  const respond = ({ toolResponse: { output, content = null, ...answer }, metadata }: Data): void => {
    const toolCallId = callOf(answer) ?? (isKnown(answer) && answer.ref);
    // A call that a silent model has made comes with the response.
    if (!toolCallId) return;
    const { interruptResponse: said, source } = metadata ?? {};
    // What the client has said itself comes back: only a denial is news.
    if (said?.approved === false) writer.emit({ type: 'tool-output-denied', toolCallId });
    else if (!said && source !== 'pending') writer.toolResult(toolCallId, output ?? content, false);
  };
  const step = (): void => {
    writer.endStep();
    calls = [];
    used.clear();
  };
  /** The steps before the last one of a model that does not stream. */
  const recall = (messages: readonly Data[]): void => {
    // An id may come again: of the calls there, the first ones are known.
    const left = known().map(({ toolCallId }) => toolCallId);
    const isLeft = ({ ref }: Data): boolean => left.includes(ref) && Boolean(left.splice(left.indexOf(ref), 1));
    writer.each(
      messages.slice(messages.findLastIndex((message) => message?.role === 'user') + 1),
      ({ role, content }) => {
        if (role === 'tool') writer.each(content, (part) => calls.length && respond(part));
        else if (asList(content).filter((part) => part?.toolRequest && !isLeft(part.toolRequest)).length) {
          step();
          writer.each(content, take);
        }
      },
    );
  };
  const end = ({ message, request, finishReason }: Data): void => {
    if (!isSpoken) recall(asList(request?.messages));
    if (!isHeard) step();
    writer.each<Data>(message?.content, (part) => {
      const { toolRequest: call, metadata } = part;
      if (!call && isHeard) return;
      const toolCallId = (call && callOf(call)) ?? take(part);
      if (metadata?.interrupt) writer.emit({ ...requestFor({ toolCallId }), genkit: metadata.interrupt });
      else if (metadata?.pendingOutput !== undefined) writer.toolResult(toolCallId, metadata.pendingOutput, false);
    });
    writer.endReply(reasonOf(finishReason));
    [calls, isHeard, isSpoken] = [[], false, false];
    used.clear();
  };
  return ({ message, result, error }) => {
    if (error) writer.failReply(error.message ?? error);
    else if (result !== undefined) end(result ?? {});
    else if (message) {
      const { role, content } = message;
      if (role === 'tool') isHeard = false;
      else if (!isHeard) step();
      writer.each(content, (part) => {
        take(part);
        isSpoken ||= role !== 'tool';
        isHeard ||= role !== 'tool';
      });
    } else return false;
    return true;
  };
}

/** A part that has no neutral form, to be kept whole. Throws for what is none. */
function own(part: Data): Data {
  const { metadata: _, ...content } = part;
  if (!Object.keys(content).length) throw new TypeError('a part without content');
  return part;
}

/** What the model wants to get back with a part: all that is not about its interrupt. */
function metaOf({ metadata }: Data): Data {
  const { interrupt: _i, resolvedInterrupt: _r, pendingOutput: _p, resumed: _d, ...rest } = metadata ?? {};
  return Object.keys(rest).length ? { genkit: { metadata: rest } } : undefined;
}

/** Of a step that has yet to run, what has settled waits beside its request. `resumed`: the step that a request answers. */
function messages(entries: readonly Entry[], context: Context, resumed?: Entry): Data[] {
  const stands = ({ providerExecuted }: Call): boolean => !providerExecuted;
  const isOpen = (entry: Entry): boolean =>
    entry === resumed || entry.content.some((part) => isToolCall(part) && !part.result && stands(part));
  const open = entries.filter(isOpen).flatMap(({ content }) => content);
  return write(entries, context, {
    message: (role, content) => ({ role: role === 'assistant' ? 'model' : role, content }),
    call: (call, result, toolCallId) =>
      wordCall({ ...call, toolCallId }, result, open.includes(call), resumed !== undefined),
    part: wordPart,
    open: stands,
  });
}

function wordCall(call: Call, result: CallResult | undefined, isOpen: boolean, isResumed: boolean): [Data[], Data[]] {
  const { request, response } = call;
  const waits = isOpen && result && (!isResumed || isKept(result));
  const metadata = {
    ...call.providerOptions?.['genkit']?.metadata,
    ...(request && { [isOpen && !waits ? 'interrupt' : 'resolvedInterrupt']: true }),
    ...(response && !result && !isResumed && APPROVED),
    ...(waits && { pendingOutput: outputOf(result) }),
  };
  return [
    [withMeta({ toolRequest: { ...headOf(call), input: call.input } }, metadata)],
    result && !isOpen ? [responseTo(call, result)] : [],
  ];
}

const APPROVED = { resumed: { toolApproved: true } };

const headOf = ({ toolCallId: ref, toolName: name }: Call): Data => ({ name, ref });

const responseTo = (call: Call, result: CallResult): Data => ({
  toolResponse: { ...headOf(call), output: outputOf(result) },
});

const outputOf = ({ kind, failed, value, text }: CallResult): Data =>
  failed || kind !== 'executed' ? { error: text } : value;

/** Whether Genkit reads the output that waits beside a request: an empty one it does not. */
const isKept = ({ kind, value }: CallResult): boolean => kind === 'executed' && Boolean(value);

const withMeta = (part: Data, metadata: Data): Data =>
  metadata && Object.keys(metadata).length ? { ...part, metadata } : part;

function wordPart({ providerOptions, ...part }: Part): Data {
  const { type, text } = part as Data;
  const { part: own, metadata } = providerOptions?.['genkit'] ?? {};
  if (type === 'text') return text ? withMeta({ text }, metadata) : undefined;
  if (type === 'reasoning') return withMeta({ reasoning: text }, metadata);
  if (own || type === 'custom') return own;
  const { url, mediaType: contentType } = fileOf(part);
  return url ? withMeta({ media: { contentType, url } }, metadata) : undefined;
}

function parse(part: Data, calls: Calls, texts: Context['texts']): Part | CallAnswer {
  const { text, reasoning, media, toolRequest, toolResponse, metadata } = part;
  const providerOptions = metaOf(part);
  if (toolResponse) {
    const { ref, name, output } = toolResponse;
    return { answers: ref, name, ...heard(output) };
  }
  if (toolRequest) {
    const { name, ref, input = {} } = toolRequest;
    // A ref may be no more than a place in its message.
    const toolCallId = ref === undefined || /^\d{1,4}$/.test(ref) ? OWN + calls.size : ref;
    const call: Call = { type: 'tool-call', toolCallId, answeredAs: ref, toolName: name, input, providerOptions };
    const { interrupt, resolvedInterrupt, resumed, pendingOutput } = metadata ?? {};
    if (interrupt || resolvedInterrupt) call.request = requestFor(call);
    if (resolvedInterrupt || resumed) call.response = { type: '', approved: true };
    const { value, failed } = heard(pendingOutput);
    if (pendingOutput !== undefined) settle(call, value, failed, texts);
    return call;
  }
  if (media) return { type: 'file', mediaType: media.contentType ?? '', data: media.url, providerOptions };
  const said = text ?? reasoning;
  if (said === undefined)
    return { type: 'custom', kind: 'genkit.part', providerOptions: { genkit: { part: own(part) } } };
  return { type: text === undefined ? 'reasoning' : 'text', text: said, providerOptions };
}

/** An output as it was, or the error that it tells. */
function heard(output: Data = null): { value: Data; failed: boolean } {
  const failed = typeof output?.error === 'string' && Object.keys(output).length === 1;
  return { value: failed ? output.error : output, failed };
}

function body(entries: readonly Entry[], context: RequestContext): unknown {
  const { newMessages, decisions, texts } = context;
  const step = !newMessages.length && decisions.length ? entries.at(-1) : undefined;
  const restart: Data[] = [];
  const respond: Data[] = [];
  for (const call of step?.content.filter(isToolCall) ?? []) {
    const result = resultOf(call, texts);
    const {
      editedInput,
      input: replacedInput,
      approval,
    } = decisions.find(({ toolCallId }) => toolCallId === call.toolCallId) ?? ({} as Data);
    const edit = editedInput !== undefined && { replacedInput };
    const metadata = {
      ...call.providerOptions?.['genkit']?.metadata,
      interrupt: approval?.genkit ?? true,
      ...APPROVED,
      ...edit,
    };
    if (!result) restart.push({ toolRequest: { ...headOf(call), input: editedInput ?? call.input }, metadata });
    else if (!isKept(result)) {
      const isDenial = call.response?.['approved'] === false;
      respond.push({
        ...responseTo(call, result),
        metadata: { interruptResponse: isDenial ? { approved: false } : true },
      });
    }
  }
  const resume = step && { resume: { ...(restart.length && { restart }), ...(respond.length && { respond }) } };
  return { messages: messages(entries, context, step), ...resume };
}

/** Whose message it is; a tool's belongs to the step before. */
const ROLES: Data = { model: 'assistant', tool: 'assistant', user: 'user', system: 'system' };

/** Genkit. */
export const genkit: Protocol = makeProtocol({
  name: 'genkit',
  capabilities: { ...wordsOnly('pending custom file'), editedInput: true, repeat: 'runs-again' },
  createReader,
  write: (entries, context) => messages(entries, context),
  read: (history, context) =>
    read(
      history,
      context,
      ({ role, content }) => [ROLES[role], asList(content)],
      (part, calls) => parse(part, calls, context.texts),
    ),
  body,
});
