/**
 * `opencode`: a session of opencode's server. Source: `v2/gen/types.gen.d.ts` of `@opencode-ai/sdk` 1.19, and the
 * events that the server of `opencode-ai` 1.18 sends. An item's body is the argument of an SDK method:
 * `permission.reply` for a decision, `question.reply` or `question.reject` for an answer, otherwise
 * `session.promptAsync`. Answers to requests of the second version name their session too. The chat's id is the
 * session's id. Streams are read in opencode/stream.ts.
 *
 * The server stores the history. It requests approvals while its stream is open, before it sends the call's input. One
 * rejection rejects all open requests of the session and ends the turn. A decision for a request that no longer exists
 * gets a 404, and counts as received. A message that arrives before the decisions is lost, so messages wait for the end
 * of the turn.
 *
 * The host must pass the events of this session and of its subagents' sessions, and call `streamEnded` for
 * `session.idle`.
 */
import { answerText } from './shared/result-texts.js';
import { lossyCapabilities, type ItemDecision, type RequestContext } from './shared/codec.js';
import type { Call, CallResult, Context, Entry, Part } from './shared/codec.js';
import { createReader } from './opencode/stream.js';
import { answersIn, type Content, type MessagePart } from './opencode/requests.js';
import type { Wire } from './shared/wire.js';
import { asList, fileOf, objectInput, setDenial, setResult, textOf } from './shared/history.js';
import { readHistory, writeEntries, writeHistory, type HistoryFormat, type Parsed } from './shared/history-format.js';
import { makeProtocol } from './shared/make-protocol.js';
import type { Protocol } from '../types/index.js';
import type { OpencodeBody, OpencodeMessage, Typed } from '../types/backends.js';

/** The text that opencode writes for the model about a rejected call. */
const REFUSED = 'The user rejected permission to use this specific tool call';
const FEEDBACK = ' with the following feedback: ';

/** A message of a session as it is stored or written: `WithParts` of the SDK, without what only the server knows. */
interface Stored<PART = MessagePart> {
  readonly info: { readonly role: 'user' | 'assistant' };
  readonly parts: readonly PART[];
}

type WrittenPart = Wire<MessagePart>;

/** What this protocol keeps of a request for its answer: of a question, the number of its parts. */
type Asked = { readonly opencode?: Pick<Content, 'sessionID' | 'requestID'> & { isV2?: boolean; questions?: number } };

const MESSAGES: HistoryFormat<Stored<WrittenPart>, WrittenPart> = {
  message: (role, parts) => ({ info: { role: role as 'user' | 'assistant' }, parts }),
  call: (call, result, callID, { context }) => [
    [{ type: 'tool', callID, tool: call.toolName, state: stateOf(call, result, context) }],
  ],
  part: writePart,
};

function withoutSystem(entries: readonly Entry[], { reportLoss }: Context): readonly Entry[] {
  if (entries.some(({ role }) => role === 'system')) reportLoss('system');
  return entries.filter(({ role }) => role !== 'system');
}

function stateOf(call: Call, { kind, text, failed }: CallResult, context: Context): WrittenPart['state'] {
  const input = objectInput(call, context);
  if (kind === 'executed' && !failed) return { status: 'completed', input, output: text };
  const reason = call.response?.reason;
  const refusal = reason ? REFUSED + FEEDBACK + reason : `${REFUSED}.`;
  return { status: 'error', input, error: kind === 'denied' ? refusal : text };
}

function writePart(part: Part): WrittenPart | undefined {
  const { type, text, filename } = part;
  if (type === 'text' || type === 'reasoning') return text ? { type, text } : undefined;
  const { url, mediaType: mime } = fileOf(part);
  return type === 'file' && url ? { type, mime, url, ...(filename && { filename }) } : undefined;
}

function parse(
  { type, text, mime: mediaType, url: data, filename, callID: toolCallId, tool: toolName, state }: MessagePart,
  texts: Context['texts'],
): Parsed | undefined {
  if (typeof type !== 'string') throw new TypeError('expected a part with a type');
  if (type === 'text' || type === 'reasoning') return { type, text };
  if (type === 'file') return { type, mediaType, data, filename };
  if (type !== 'tool') return undefined;
  const { status, input, output, error = '' } = state;
  const call: Call = { type: 'tool-call', toolCallId, toolName, input };
  if (status === 'completed') setResult(call, output, false, texts);
  if (status !== 'error') return call;
  setResult(call, error, true, texts);
  const [refusal, reason] = String(error).split(FEEDBACK) as [string, string?];
  if (refusal.startsWith(REFUSED)) setDenial(call, reason, texts);
  return call;
}

function answer(
  decision: ItemDecision<Asked | undefined, Asked | undefined>,
  { chatId, texts }: Context,
): OpencodeBody {
  const { approvalId, approval, metadata, toolName, outcome, reason, output, remember } = decision;
  const asked = approval?.opencode ?? metadata?.opencode;
  // Answers to the second version's requests name the session, which may be that of a subagent.
  const about = { ...(asked?.isV2 && { sessionID: asked.sessionID }), requestID: asked?.requestID ?? approvalId };
  if (asked?.questions) return { ...about, ...answersIn(decision, asked.questions) };
  if (!approval || outcome === 'executed' || outcome === 'failed') {
    // opencode does not run browser tools: the result is added to the session as a text, and starts no turn.
    const text = outcome === 'executed' ? textOf(output) : answerText(outcome, reason, texts);
    return { sessionID: chatId, noReply: true, parts: [{ type: 'text', text: `${toolName}: ${text}` }] };
  }
  if (outcome === 'approved') return { ...about, reply: remember ? 'always' : 'once' };
  return { ...about, reply: 'reject', ...(reason && { message: reason }) };
}

function body(context: RequestContext): OpencodeBody {
  const messages = writeEntries(withoutSystem(context.newMessages, context), context, MESSAGES);
  return { sessionID: context.chatId, parts: messages.flatMap(({ parts }) => parts) };
}

/** opencode's server. */
export const opencode: Protocol<OpencodeBody, Typed, OpencodeMessage> = makeProtocol({
  name: 'opencode',
  capabilities: {
    ...lossyCapabilities('approval pending json input system custom file content'),
    kind: 'answering',
    remember: true,
    history: 'server',
    repeat: 'ignored',
  },
  denialCloses: 'session',
  createReader,
  write: (entries, context) => writeHistory(withoutSystem(entries, context), context, MESSAGES),
  read: (history: readonly Stored[], context) =>
    readHistory(
      history,
      context,
      ({ info, parts }) => [info.role, asList(parts)],
      (part) => parse(part, context.texts),
    ),
  body: (_, context) => body(context),
  answer,
});
