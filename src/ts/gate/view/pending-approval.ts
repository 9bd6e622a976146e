/** The entries of the view's `pending` list, and what is shown of them. */
import type { Core } from '../../../../target/bindgen/toolgate.js';
import { digestOf } from '../../json/digest.js';
import { isFixed } from '../../json/freeze.js';
import { lazyProperty } from '../../json/lazy-property.js';
import type { GatePart, GateView, PendingApproval, ToolPart } from '../../types/index.js';
import { isToolPart } from '../../types/tool-part.js';

/** The call of the last message that asks for this approval: only that message has calls that can be decided. */
export function lastCall({ messages }: Pick<GateView, 'messages'>, approvalId: string): ToolPart | undefined {
  const asks = (part: GatePart): part is ToolPart =>
    isToolPart(part) && part.state === 'approval-requested' && part.approval.id === approvalId;
  return messages.at(-1)?.parts.findLast(asks);
}

/** The digest of what is shown of a request beside its input: its title, options and other fields. */
export function shownRevision({ title, approval }: Pick<ToolPart, 'title' | 'approval'>): string {
  const { id: _, approved: __, reason: ___, ...asked } = Object(approval) as Record<string, unknown>;
  return digestOf({ title, ...asked });
}

/**
 * Returns the entry for a tool part with a pending approval. `toolName`: the part's tool. `approval`: the core's number
 * of the approval id. Digests are computed when they are first read; that of an input that is not frozen, at once.
 */
export function pendingApproval(
  part: ToolPart,
  toolName: string,
  core: Core,
  approval: number,
  editable: boolean,
  isRememberable: boolean,
): PendingApproval {
  const { input } = part;
  const expiresAt = core.expires_at(approval);
  // An input that is not frozen may still change, so its digest is computed now.
  let known = isFixed(input) ? undefined : digestOf(input);
  const approvalId = part.approval?.id as string;
  const toolCallId = part.toolCallId;
  const requestedAt = core.requested_at(approval);
  const of = { approvalId, toolCallId, toolName, input, editable, requestedAt };
  const fields = expiresAt ? { ...of, expiresAt: Math.abs(expiresAt), extendable: expiresAt > 0 } : of;
  const entry = isRememberable ? fields : { ...fields, rememberable: false as const };
  let revision: string | undefined;
  // A function, because a proxy of the entry would make a proxy of an object.
  const compute = (name: 'inputDigest' | 'shownRevision'): string =>
    name === 'inputDigest' ? (known ??= digestOf(input)) : (revision ??= shownRevision(part));
  return lazyProperty(entry, compute, 'inputDigest', 'shownRevision');
}
