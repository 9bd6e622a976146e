/**
 * `claude-agent-sdk`: a session of the Claude Agent SDK, or of Claude Code's command line with `--output-format
 * stream-json`. Source: `sdk.d.ts` of `@anthropic-ai/claude-agent-sdk` 0.3.
 *
 * The SDK runs in the app's server, which passes each `SDKMessage` to the page as JSON, and for each call of
 * `canUseTool` a `control_request` in the form of the command line. An item's body is an `SDKUserMessage`, or the
 * `control_response` whose `response` is the `PermissionResult`. A `control_response` that the server passes on is the
 * decision of another client.
 *
 * The session stores the history: `load` takes the result of `getSessionMessages`. One message of the model arrives as
 * one `assistant` message per block, and with `includePartialMessages` also as the events of the Messages API. Tools
 * may run while the message still streams. The host must call `streamEnded` for `result`.
 */
import { parseBlock, type Block } from './anthropic/blocks.js';
import { MESSAGES, type AnthropicMessage } from './anthropic/write.js';
import { createReader, isRejection, type Item, type Said } from './claude-agent-sdk/stream.js';
import { withdrawAll } from './shared/other-decisions.js';
import { lossyCapabilities, type Context, type Entry, type ItemDecision } from './shared/codec.js';
import { asParts, conversationOf, setDenial, textOf } from './shared/history.js';
import { suggestedRules } from '../types/approval-descriptor.js';
import { readHistory, writeEntries, writeHistory, type HistoryFormat, type Parsed } from './shared/history-format.js';
import type { Calls } from './shared/calls.js';
import { answerText, isClosed, resultText } from './shared/result-texts.js';
import { makeProtocol } from './shared/make-protocol.js';
import type { Protocol } from '../types/index.js';
import type { Typed } from '../types/backends.js';

/** The text that Claude Code adds to a session in the name of the user when a turn is interrupted. */
const INTERRUPTED = /^\[Request interrupted by user/;

const wrap = (message: Said | AnthropicMessage) => ({
  type: message.role as string,
  message,
  parent_tool_use_id: null,
});

const SDK_MESSAGES: HistoryFormat<ReturnType<typeof wrap>, Block> = {
  ...MESSAGES,
  message: (role, parts, writing) => wrap(MESSAGES.message(role, parts, writing) as AnthropicMessage),
};

/** The entries without system messages, which the SDK has options for. */
function withoutSystem(entries: readonly Entry[], context: Context): readonly Entry[] {
  if (!entries.some(({ role }) => role === 'system')) return entries;
  context.reportLoss('system');
  return entries.filter(({ role }) => role !== 'system');
}

/** A message of the model, or of the user. */
type Joined = Said & { readonly content: Block[] };

/** Joins the `assistant` messages of one message of the model. Omits what does not belong to the conversation. */
function joined(history: readonly (Item | null)[]): Joined[] {
  const list: Joined[] = [];
  const said = new Map<string, Joined>();
  for (const item of history) {
    if (/^(system|result|stream_event)$/.test(textOf(item?.type)) || item?.parent_tool_use_id) continue;
    const { id, role, content } = (item?.message ?? {}) as Said;
    const first = role === 'assistant' && typeof id === 'string' ? said.get(id) : undefined;
    const blocks = asParts(content).filter((block) => !(role === 'user' && INTERRUPTED.test(textOf(block?.text))));
    if (first) first.content.push(...blocks);
    else if (blocks.length || !asParts(content).length) {
      const message = { role, content: [...blocks] };
      if (role === 'assistant' && typeof id === 'string') said.set(id, message);
      list.push(message);
    }
  }
  return list;
}

function parse(block: Block, calls: Calls, texts: Context['texts']): Parsed | undefined {
  const call = block.tool_use_id && isRejection(block) && calls.withoutResult(block.tool_use_id);
  if (!call) return parseBlock(block, calls);
  setDenial(call, undefined, texts);
  return undefined;
}

function body(newMessages: readonly Entry[], context: Context): Typed {
  const written = writeEntries(withoutSystem(conversationOf(newMessages), context), context, MESSAGES);
  const content = written.flatMap((message) => message.content);
  return wrap({ role: 'user', content });
}

/** A decision. `claudeAgentSdk`: the request, as it arrived. */
type Decision = ItemDecision<{ readonly claudeAgentSdk?: { readonly request_id?: string } }>;

/**
 * Returns the rules that remember an approval, from those that the request suggests. A rule that allows the tool is the
 * only suggestion that grants what the user granted; for this chat, it ends with the session.
 */
function rules({ remember, approval, toolCallId }: Decision, { reportLoss }: Context) {
  if (!remember) return undefined;
  const allowed = suggestedRules(approval.claudeAgentSdk);
  if (!allowed.length) reportLoss('option', toolCallId);
  const updatedPermissions = allowed.map(({ update }) =>
    remember === 'chat' ? { ...update, destination: 'session' } : update,
  );
  return allowed.length ? { updatedPermissions } : undefined;
}

function answer(decision: Decision, context: Context): Typed {
  const { approval, toolCallId, toolName, outcome, reason, output, input, editedInput } = decision;
  if (!approval?.claudeAgentSdk || outcome === 'executed' || outcome === 'failed') {
    // The SDK runs no tools in the page: the result is added to the session as a text, and starts no turn.
    const text = outcome === 'executed' ? textOf(output) : answerText(outcome, reason, context.texts);
    return { ...wrap({ role: 'user', content: `${toolName}: ${text}` }), shouldQuery: false };
  }
  const isDenied = isClosed(outcome);
  const response = isDenied
    ? {
        behavior: 'deny',
        message: resultText({ kind: outcome, ...(reason !== undefined && { reason }) }, context.texts),
        ...(outcome === 'cancelled' && { interrupt: true }),
      }
    : { behavior: 'allow', updatedInput: editedInput ?? input, ...rules(decision, context) };
  if (isDenied && decision.remember) context.reportLoss('option', toolCallId);
  const { request_id = decision.approvalId } = approval.claudeAgentSdk;
  return {
    type: 'control_response',
    response: { subtype: 'success', request_id, response: { ...response, toolUseID: toolCallId } },
  };
}

/** The Claude Agent SDK. */
export const claudeAgentSdk: Protocol<Typed, Typed, Typed> = makeProtocol({
  name: 'claude-agent-sdk',
  capabilities: {
    ...lossyCapabilities('approval pending json input system reasoning custom file content id option'),
    kind: 'answering',
    editedInput: true,
    cancel: true,
    remember: true,
    history: 'server',
    repeat: 'ignored',
    messageWhilePending: true,
  },
  leaveConnection: withdrawAll,
  createReader,
  write: (entries, context) => writeHistory(withoutSystem(entries, context), context, SDK_MESSAGES),
  read: (history: readonly (Item | null)[], context) =>
    readHistory(
      joined(history),
      context,
      ({ role, content }) => [role, content],
      (block, calls) => parse(block, calls, context.texts),
    ),
  body: (_, context) => body(context.newMessages, context),
  answer: (decision, context) => answer(decision as Decision, context),
  lacksChoice: ({ toolName, input }, choice: { readonly input?: unknown }) =>
    toolName === 'AskUserQuestion' && !((choice.input ?? input) as { readonly answers?: unknown } | undefined)?.answers,
});
