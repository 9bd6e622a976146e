/**
 * Approvals in messages of A2A. The specification has no format for them, so `a2a` has a convention of its own, and
 * reads two formats that agents already use. All are converted to parts of the convention:
 *
 * | data of a part | sender | fields |
 * |---|---|---|
 * | `tool-approval-request` | agent | `toolCallId`, `toolName`, `input`, optional `approvalId` and `reason` |
 * | `tool-approval-response` | user | `approvalId`, `toolCallId`, `approved`, optional `reason` |
 * | `tool-call` | agent | `toolCallId`, `toolName`, `input` |
 * | `tool-result` | agent, or user for a tool of the page | `toolCallId`, and `output` or `error` |
 *
 * Agent Stack (`extensions/interactions/approval.py` of its SDK) puts a request and its answer into the metadata of
 * messages. CUGA (`server/a2a` of cuga-agent) puts the id of an action there, and reads `{ action_id, confirmed }`.
 */
import type * as sdk from '@a2a-js/sdk';
import { answerText } from '../shared/result-texts.js';
import type { Context, ItemDecision } from '../shared/codec.js';
import type { Fields } from '../shared/lane.js';
import { asList, textOf } from '../shared/history.js';
import type { AnyOf, With } from '../shared/wire.js';

/** The data of a part: the fields of the convention, and those of CUGA. `via`: what named the request. */
export type Said = With<
  AnyOf<
    | { type: string; toolCallId: string; toolName: string; input: unknown; approvalId: string; reason: string }
    | { approved: boolean; output: unknown; error: string; via: { uri: string; action: string } }
    | { action_id: string; confirmed: boolean }
  >,
  'toolCallId' | 'toolName'
>;
/** A part in JSON, as it arrives. The SDK's own types are those of protocol buffers. */
export type A2aPart = AnyOf<Pick<sdk.Part, 'filename' | 'mediaType'> & Record<'text' | 'raw' | 'url', string>> & {
  readonly data?: Partial<Said> | undefined;
};
/** A message in JSON, as it arrives. */
export type A2aMessage = AnyOf<Omit<sdk.Message, 'parts' | 'role'> & { role: string }> & {
  readonly parts?: readonly A2aPart[];
};
/** What this protocol keeps in a part, a call or a request: where it comes from. */
export type A2aKept = { readonly a2a?: Origin | undefined } | undefined;
export type Origin = Pick<Said, 'approvalId' | 'via'> &
  AnyOf<{ id: string; taskId: string; contextId: string; isQuestion: boolean }> & { readonly part?: A2aPart };

/** The key of Agent Stack's extension in the metadata of a message; its host differs between releases. */
const AGENT_STACK = /\/interactions\/approval\/v1$/;

const CONVENTION = /^tool-(call|result|approval-(request|response))$/;

/** Returns the data of a part of the convention; undefined for any other part. */
export const conventionOf = (part: A2aPart | undefined): Said | undefined =>
  CONVENTION.test(textOf(part?.data?.type)) ? (part?.data as Said) : undefined;

/** Makes a part of the convention. */
export const conventionPart = (data: Fields): A2aPart => ({ data, mediaType: 'application/json' });

/** A request of Agent Stack, or an answer. */
type AgentStack = AnyOf<{ name: string; title: string; description: string; input: unknown } | { decision: string }>;

/** Returns the entry of Agent Stack's extension: its key and its value. */
const agentStackOf = (metadata: object | undefined): [key: string, value: AgentStack] | undefined =>
  Object.entries<AgentStack>({ ...metadata }).find(([key]) => AGENT_STACK.test(key));

/** Returns the parts of an agent's message, with its approval requests as parts of the convention. */
export function partsOfAgent({ messageId, metadata, parts }: A2aMessage): readonly A2aPart[] {
  const action = metadata?.['action_id'];
  const [uri, asked = {}] = agentStackOf(metadata) ?? [];
  if (uri !== undefined) {
    const { name: toolName = 'approval', title, description, input = { title, description } } = asked;
    const fields = { approvalId: messageId, toolCallId: messageId, toolName, input, reason: description, via: { uri } };
    return [...asList(parts), conventionPart({ type: 'tool-approval-request', ...fields })];
  }
  if (typeof action !== 'string') return asList(parts);
  // Only the message's text describes the action.
  const prompt = asList(parts)
    .flatMap((part) => part?.text ?? [])
    .join('\n');
  const fields = { approvalId: action, toolCallId: action, toolName: 'action', input: { prompt }, via: { action } };
  return [conventionPart({ type: 'tool-approval-request', ...fields })];
}

/** Returns the parts of a user's message, with its answers as parts of the convention. `asked`: the open request. */
export function partsOfUser({ metadata, parts }: A2aMessage, asked: string | undefined): readonly A2aPart[] {
  const response = (approvalId: string | undefined, approved: boolean): A2aPart =>
    conventionPart({ type: 'tool-approval-response', approvalId, approved });
  const [uri, answer] = agentStackOf(metadata) ?? [];
  if (uri !== undefined) return [response(asked, answer?.decision === 'approve')];
  return asList(parts).map((part) =>
    typeof part?.data?.action_id === 'string' ? response(part.data.action_id, part.data.confirmed === true) : part,
  );
}

/** What a decision adds to the message that answers a task. */
interface Answer {
  readonly part: A2aPart;
  readonly metadata?: Fields;
}

/** Returns what a decision adds to the message. Reports a reason that the agent's format has no field for. */
export function answerOf(decision: ItemDecision<A2aKept>, { texts, reportLoss }: Context): Answer {
  const { approval, approvalId, toolCallId, outcome, output } = decision;
  if (outcome === 'executed') return { part: conventionPart({ type: 'tool-result', toolCallId, output }) };
  const approved = outcome === 'approved';
  const reason = approved
    ? undefined
    : (decision.reason ?? (answerText(denialOf(outcome), undefined, texts) || undefined));
  if (outcome === 'failed' || !approval)
    return { part: conventionPart({ type: 'tool-result', toolCallId, error: reason ?? outcome }) };
  const { uri, action } = approval.a2a?.via ?? {};
  if ((uri ?? action) !== undefined && decision.reason !== undefined && !approved) reportLoss('reason', toolCallId);
  if (typeof uri === 'string') {
    const value = { decision: approved ? 'approve' : 'reject' };
    return { part: conventionPart(value), metadata: { [uri]: value } };
  }
  if (action !== undefined) return { part: conventionPart({ action_id: action, confirmed: approved }) };
  const fields = { approvalId, toolCallId, approved, ...(reason !== undefined && { reason }) };
  return { part: conventionPart({ type: 'tool-approval-response', ...fields }) };
}

/** A denial by the user needs no text of ours: the agent writes its own. */
const denialOf = (outcome: string): string => (outcome === 'denied' ? '' : outcome);
