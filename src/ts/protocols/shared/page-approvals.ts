/**
 * Approval requests that this client makes itself, about calls that the page runs: those of `browserTools` and, with a
 * model's own API, all. The backend does not know these requests. Every protocol gets them here, the AI SDK's too.
 */
import type { ToolGateOptions } from '../../types/index.js';
import type { Call, CallRequest, Codec } from './codec.js';
import { isRawModel } from './raw-model.js';

/** Whose tools run in the page: properties of a protocol. The AI SDK's has none of them. */
type PageRules = Pick<Codec, 'capabilities' | 'asksItself'> | undefined;

/** Whether every call needs approval, unless the app says otherwise. */
const asksAlways = (rules: PageRules): boolean => isRawModel(rules) && !rules?.asksItself;

/** Whether this client may have to ask. */
export const mayAsk = ({ needsApproval }: ToolGateOptions, rules: PageRules): boolean =>
  needsApproval !== undefined || asksAlways(rules);

/** A call as far as it is known. */
export type PageCall = Pick<Call, 'toolCallId' | 'toolName' | 'input' | 'providerExecuted'>;

/** Whether the page runs this call, and the user must approve it first. If that cannot be read, the user must. */
export function isAsked({ browserTools, needsApproval }: ToolGateOptions, rules: PageRules, call: PageCall): boolean {
  try {
    const { toolCallId, toolName, input, providerExecuted } = call;
    if (providerExecuted || !(isRawModel(rules) || browserTools?.includes(toolName))) return false;
    // Only `false` skips the approval.
    return needsApproval ? needsApproval({ toolCallId, toolName, input }) !== false : asksAlways(rules);
  } catch {
    return true;
  }
}

/**
 * Makes a request; its id is the call's id. `isLocal`: neither the request nor the decision is ever sent. The API of a
 * model has no requests, so they need not be left out there.
 */
export const requestFor = ({ toolCallId }: { toolCallId: string }, isLocal?: boolean): CallRequest => ({
  type: 'tool-approval-request',
  approvalId: toolCallId,
  toolCallId,
  ...(isLocal && { isLocal }),
});
