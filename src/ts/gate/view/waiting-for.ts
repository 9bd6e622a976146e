/**
 * Reads `waitingFor` of the view: who must act before the chat can continue. The core decides who that is.
 */
import { WAITS_ON } from '../../../../target/bindgen/enums.js';
import type { Core } from '../../../../target/bindgen/toolgate.js';
import type { HandleTable } from '../../wasm/handle-table.js';
import { NONE } from '../../types/empty-list.js';
import { next, nextId, nextList, readRecord } from '../../wasm/records.js';
import { lazyProperty } from '../../json/lazy-property.js';
import { OUTGOING } from '../delivery/numbered-ids.js';
import type { WaitingFor } from '../../types/index.js';
import type { PendingOfViews } from './pending-list.js';

/**
 * Who must act. `bits` has one bit for each entry of `WAITS_ON`. `lists` has the approvals that the user can decide.
 */
export function waitingFor(
  core: Core,
  handles: HandleTable,
  bits: number,
  lists: PendingOfViews,
): readonly WaitingFor[] {
  if (bits === 0) return NONE;
  const awaited = (kind: number, item: () => string): string[] =>
    readRecord(handles, core.awaited(kind), () => nextList(item));
  const nextItem = (): string => OUTGOING + String(next());
  // `flatMap` makes the list, not a literal, for the reason in `withParts`: the entry for the user refers to all
  // messages.
  return WAITS_ON.flatMap((kind, at): WaitingFor | readonly WaitingFor[] => {
    if (!(bits & (1 << at))) return NONE;
    if (kind === 'user') return approvalsOf(lists);
    if (kind === 'tool') return { kind, toolCallIds: awaited(at, nextId) };
    if (kind === 'retry' || kind === 'cancel' || kind === 'host') return { kind, ids: awaited(at, nextItem) };
    return { kind };
  });
}

/** The list is made when it is read: a view must not list thousands of approvals in advance. */
function approvalsOf(lists: PendingOfViews): WaitingFor {
  let known: readonly string[] | undefined;
  const list = (): readonly string[] => (known ??= lists.pending().map((entry) => entry.approvalId));
  return lazyProperty({ kind: 'user' as const }, list, 'approvalIds');
}
