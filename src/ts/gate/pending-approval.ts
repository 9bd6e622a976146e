/**
 * Builds the entries of the view's `pending` list.
 */
import type { Core } from '../../../target/bindgen/toolgate.js';
import { digestOf } from '../json/digest.js';
import { isFixed } from '../json/freeze.js';
import { lazyProperty } from '../json/lazy-property.js';
import type { PendingApproval, ToolPart } from '../types/index.js';

/**
 * Returns the entry for a tool part with a pending approval. `toolName`: the part's tool. `approval`: the core's number
 * of the approval id. The digest of a frozen input is computed when it is first read.
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
  return lazyProperty(entry, 'inputDigest', () => (known ??= digestOf(input)));
}
