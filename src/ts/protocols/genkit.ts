/**
 * `genkit`: a Genkit flow that runs `ai.generate({ messages, resume })`, streams its chunks and returns its response,
 * both as JSON. Source: `src/parts.ts`, `tool.ts` and `generate/resolve-tool-requests.ts` of `@genkit-ai/ai` 1.42; the
 * events are those of its flow servers (`{message}`, `{result}`, `{error}`).
 *
 * A tool that needs an approval interrupts the run. An approved call is restarted with `resumed: {toolApproved: true}`,
 * as Genkit's own approval middleware expects; a denied call gets its result from this client; and one request answers
 * all calls of the step. A `ref` may be missing, or be only an index in its message: then this client makes an id and
 * writes it back as the `ref`.
 */
import type { GenerateResponseData, Part as GenkitPart } from 'genkit';
import type { Calls } from './shared/calls.js';
import {
  lossyCapabilities,
  type Call,
  type CallResult,
  type Context,
  type Entry,
  type ItemDecision,
  type Kept,
  type Part,
  type Reader,
  type StreamContext,
  type RequestContext,
} from './shared/codec.js';
import { ReplyWriter } from './shared/reply-writer.js';
import { asList, fileOf, isToolCall, setResult, resultOf } from './shared/history.js';
import { requestFor } from './shared/page-approvals.js';
import { unusedId } from './shared/call-ids.js';
import { readHistory, writeHistory, type HistoryFormat, type Parsed } from './shared/history-format.js';
import { finishReasonOf } from './shared/finish-reasons.js';
import { makeProtocol } from './shared/make-protocol.js';
import type { Fields } from './shared/lane.js';
import type { Merged, Wire, With } from './shared/wire.js';
import type { Protocol } from '../types/index.js';
import type { GenkitBody, GenkitEvent, Said } from '../types/backends.js';

/** The prefix of ids that this client makes. */
const ID_PREFIX = 'toolgate-';

/** A part, as it arrives or is written. Of its metadata, Genkit itself reads these fields. */
type WirePart = Omit<Merged<GenkitPart>, 'type' | 'metadata'> & {
  readonly metadata?: {
    readonly interrupt?: unknown;
    readonly resolvedInterrupt?: unknown;
    readonly resumed?: unknown;
    readonly pendingOutput?: unknown;
    readonly interruptResponse?: { readonly approved?: boolean } | true;
    readonly source?: unknown;
  };
};
type Requested = NonNullable<WirePart['toolRequest']>;
type WireMessage = { readonly role?: string | undefined; readonly content?: readonly WirePart[] | undefined };
type Response = Pick<Wire<GenerateResponseData>, 'finishReason'> & {
  readonly message?: WireMessage;
  readonly request?: { readonly messages?: readonly WireMessage[] };
};

/** A chunk of the model's message, the response at the end, or an error. */
interface WireEvent {
  readonly message?: WireMessage;
  readonly result?: Response | null;
  readonly error?: { readonly message?: string };
}

function createReader(stream: StreamContext): Reader<WireEvent> {
  const { newId, calls: known } = stream;
  const writer = new ReplyWriter(stream);
  /** The calls of the step without a response. */
  let calls: { id: string; name: string | undefined; ref: string | undefined }[] = [];
  /** The ids of the step's calls: a repeated id is replaced. */
  const used = new Set<string>();
  /** Whether the step arrived in chunks, and whether any step did. */
  let hasChunks = false;
  let hasAnyChunks = false;
  const isKnown = ({ ref }: Requested): boolean => known().some(({ toolCallId }) => toolCallId === ref);
  /** Returns the id of the call of a response, or of a request that is sent again, and removes it from `calls`. */
  const callOf = ({ name, ref }: Requested): string | undefined => {
    const at = calls.findIndex((call) => call.name === name && call.ref === ref);
    return at < 0 ? undefined : calls.splice(at, 1)[0]?.id;
  };
  let texts = 0;
  const readPart = (part: WirePart): string | undefined => {
    const { text, reasoning, toolRequest: call, toolResponse: answer, media } = part;
    const more = metaOf(part);
    const said = text ?? reasoning;
    if (said !== undefined) {
      if (typeof said !== 'string') throw new TypeError('`text` must be a string');
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
      const id = unusedId(ref && !/^\d{1,4}$/.test(ref) ? ref : ID_PREFIX + newId(), used);
      writer.call(id, name, input, meta);
      calls.push({ id, name, ref });
      return id;
    }
    if (answer) respond(part);
    else if (media) writer.content({ type: 'file', mediaType: media.contentType ?? '', url: media.url, ...meta });
    else if (said === undefined)
      writer.content({ type: 'custom', kind: 'genkit.part', providerMetadata: { genkit: { part: own(part) } } });
    return undefined;
  };
  const respond = ({ toolResponse, metadata }: WirePart): void => {
    const { output, content = null, ...answer } = toolResponse as NonNullable<typeof toolResponse>;
    const toolCallId = callOf(answer) ?? (isKnown(answer) && answer.ref);
    // The call is unknown: calls of a model that does not stream arrive with the final response.
    if (!toolCallId) return;
    const { interruptResponse: said, source } = metadata ?? {};
    // Genkit echoes the responses of this client: only a denial has to be confirmed.
    if ((said as { approved?: boolean } | undefined)?.approved === false)
      writer.emit({ type: 'tool-output-denied', toolCallId });
    else if (!said && source !== 'pending') writer.result(toolCallId, output ?? content, false);
  };
  const step = (): void => {
    writer.endStep();
    calls = [];
    used.clear();
  };
  /** Reads the steps before the last one, for models that do not stream. */
  const readEarlierSteps = (messages: readonly WireMessage[]): void => {
    // Ids may repeat: the first calls with an id are the known ones.
    const left = known().map(({ toolCallId }) => toolCallId);
    const isLeft = ({ ref }: Requested): boolean =>
      left.includes(ref as string) && Boolean(left.splice(left.indexOf(ref as string), 1));
    writer.each(
      messages.slice(messages.findLastIndex((message) => message?.role === 'user') + 1),
      ({ role, content }) => {
        if (role === 'tool') writer.each(content, (part) => calls.length && respond(part));
        else if (asList(content).filter((part) => part?.toolRequest && !isLeft(part.toolRequest)).length) {
          step();
          writer.each(content, readPart);
        }
      },
    );
  };
  const end = ({ message, request, finishReason }: Response): void => {
    if (!hasAnyChunks) readEarlierSteps(asList<WireMessage>(request?.messages));
    if (!hasChunks) step();
    writer.each(message?.content, (part) => {
      const { toolRequest: call, metadata } = part;
      if (!call && hasChunks) return;
      const toolCallId = (call && callOf(call)) ?? readPart(part);
      if (metadata?.interrupt)
        writer.emit({ ...requestFor({ toolCallId: toolCallId as string }), genkit: metadata.interrupt });
      else if (metadata?.pendingOutput !== undefined) writer.result(toolCallId, metadata.pendingOutput, false);
    });
    writer.endReply(finishReasonOf(finishReason));
    [calls, hasChunks, hasAnyChunks] = [[], false, false];
    used.clear();
  };
  return ({ message, result, error }) => {
    if (error) writer.failReply(error.message ?? error);
    else if (result !== undefined) end(result ?? {});
    else if (message) {
      const { role, content } = message;
      if (role === 'tool') hasChunks = false;
      else if (!hasChunks) step();
      writer.each(content, (part) => {
        readPart(part);
        hasAnyChunks ||= role !== 'tool';
        hasChunks ||= role !== 'tool';
      });
    } else return false;
    return true;
  };
}

/** Returns a part without a neutral form, to store it unchanged. Throws for a part without content. */
function own(part: WirePart): WirePart {
  const { metadata: _, ...content } = part;
  if (!Object.keys(content).length) throw new TypeError('expected a part with content');
  return part;
}

/** Returns the metadata that the model needs back with a part: everything that does not belong to an interrupt. */
function metaOf({ metadata }: WirePart): Kept | undefined {
  const { interrupt: _i, resolvedInterrupt: _r, pendingOutput: _p, resumed: _d, ...rest } = metadata ?? {};
  return Object.keys(rest).length ? { genkit: { metadata: rest } } : undefined;
}

const runsHere = ({ providerExecuted }: Call): boolean => !providerExecuted;

/**
 * In a step that is still open, a settled call has no tool response: its output is the `pendingOutput` of its tool
 * request, or is sent in `resume`.
 */
const MESSAGES: HistoryFormat<With<WireMessage, 'role'>, WirePart> = {
  message: (role, content) => ({ role: role === 'assistant' ? 'model' : role, content }),
  call: (call, result, toolCallId, { isOpen, entry }) =>
    writeCall({ ...call, toolCallId }, result, isOpen || isUnanswered(entry), isOpen),
  part: writePart,
  open: runsHere,
};

const isUnanswered = ({ content }: Entry): boolean =>
  content.some((part) => isToolCall(part) && !part.result && runsHere(part));

/** `isResumed`: the request answers the approvals of the step. */
function writeCall(
  call: Call,
  result: CallResult | undefined,
  isOpen: boolean,
  isResumed: boolean,
): [WirePart[], WirePart[]] {
  const { request, response } = call;
  const waits = isOpen && result && (!isResumed || isReadByGenkit(result));
  const metadata = {
    ...keptOf(call).metadata,
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

const headOf = ({ toolCallId: ref, toolName: name }: Call): Requested => ({ name, ref });

const responseTo = (call: Call, result: CallResult): WirePart => ({
  toolResponse: { ...headOf(call), output: outputOf(result) },
});

const outputOf = ({ kind, failed, value, text }: CallResult): unknown =>
  failed || kind !== 'executed' ? { error: text } : value;

/** Whether the result can be a `pendingOutput`: it is an output, and not a falsy one, which Genkit ignores. */
const isReadByGenkit = ({ kind, value }: CallResult): boolean => kind === 'executed' && Boolean(value);

/** What is kept beside a part. */
const keptOf = ({ providerOptions }: Part): { readonly part?: WirePart; readonly metadata?: Fields } =>
  (providerOptions?.['genkit'] ?? {}) as ReturnType<typeof keptOf>;

const withMeta = (part: WirePart, metadata: Fields | undefined): WirePart =>
  metadata && Object.keys(metadata).length ? { ...part, metadata } : part;

function writePart(part: Part): WirePart | undefined {
  const { type, text } = part;
  const { part: own, metadata } = keptOf(part);
  if (type === 'text') return text ? withMeta({ text }, metadata) : undefined;
  if (type === 'reasoning') return withMeta({ reasoning: text }, metadata);
  if (own || type === 'custom') return own;
  const { url, mediaType: contentType } = fileOf(part);
  return url ? withMeta({ media: { contentType, url } }, metadata) : undefined;
}

function parse(part: WirePart, calls: Calls, texts: Context['texts']): Parsed {
  const { text, reasoning, media, toolRequest, toolResponse, metadata } = part;
  const providerOptions = metaOf(part);
  if (toolResponse) {
    const { ref, name, output } = toolResponse;
    return { answers: ref, name, ...valueOrError(output) };
  }
  if (toolRequest) {
    const { name, ref, input = {} } = toolRequest;
    // A ref may be only an index in its message.
    const toolCallId = ref === undefined || /^\d{1,4}$/.test(ref) ? ID_PREFIX + calls.size : ref;
    const toolName = name as string;
    const call: Call = { type: 'tool-call', toolCallId, answeredAs: ref, toolName, input, providerOptions };
    const { interrupt, resolvedInterrupt, resumed, pendingOutput } = metadata ?? {};
    if (interrupt || resolvedInterrupt) call.request = requestFor(call);
    if (resolvedInterrupt || resumed) call.response = { type: '', approved: true };
    const { value, failed } = valueOrError(pendingOutput);
    if (pendingOutput !== undefined) setResult(call, value, failed, texts);
    return call;
  }
  if (media) return { type: 'file', mediaType: media.contentType ?? '', data: media.url, providerOptions };
  const said = text ?? reasoning;
  if (said === undefined)
    return { type: 'custom', kind: 'genkit.part', providerOptions: { genkit: { part: own(part) } } };
  return { type: text === undefined ? 'reasoning' : 'text', text: said, providerOptions };
}

/** Returns the value of an output and whether it is an error. */
function valueOrError(output: unknown = null): { value: unknown; failed: boolean } {
  const { error } = (output ?? {}) as { readonly error?: unknown };
  const failed = typeof error === 'string' && Object.keys(output as object).length === 1;
  return { value: failed ? error : output, failed };
}

function body(entries: readonly Entry[], context: RequestContext) {
  const { newMessages, decisions, texts } = context;
  const step = !newMessages.length && decisions.length ? entries.at(-1) : undefined;
  const restart: WirePart[] = [];
  const respond: WirePart[] = [];
  for (const call of step?.content.filter(isToolCall) ?? []) {
    const result = resultOf(call, texts);
    const {
      editedInput,
      input: replacedInput,
      approval,
    } = decisions.find(({ toolCallId }) => toolCallId === call.toolCallId) ?? ({} as Partial<ItemDecision>);
    const edit = editedInput !== undefined && { replacedInput };
    const metadata = {
      ...keptOf(call).metadata,
      interrupt: approval?.['genkit'] ?? true,
      ...APPROVED,
      ...edit,
    };
    if (!result) restart.push({ toolRequest: { ...headOf(call), input: editedInput ?? call.input }, metadata });
    else if (!isReadByGenkit(result)) {
      const isDenial = call.response?.approved === false;
      respond.push({
        ...responseTo(call, result),
        metadata: { interruptResponse: isDenial ? { approved: false } : true },
      });
    }
  }
  const resume = step && { resume: { ...(restart.length && { restart }), ...(respond.length && { respond }) } };
  return { messages: writeHistory(entries, context, MESSAGES, { step }), ...resume };
}

/** The neutral role for each role; a tool's message belongs to the step before it. */
const ROLES: Readonly<Record<string, Entry['role']>> = {
  model: 'assistant',
  tool: 'assistant',
  user: 'user',
  system: 'system',
};

/** Genkit. */
export const genkit: Protocol<GenkitBody, GenkitEvent, Said> = makeProtocol({
  name: 'genkit',
  capabilities: { ...lossyCapabilities('pending custom file content'), editedInput: true, repeat: 'runs-again' },
  createReader,
  write: (entries, context) => writeHistory(entries, context, MESSAGES),
  read: (history: readonly WireMessage[], context) =>
    readHistory(
      history,
      context,
      ({ role, content }) => [ROLES[role as string], asList<WirePart>(content)],
      (part, calls) => parse(part, calls, context.texts),
    ),
  body,
});
