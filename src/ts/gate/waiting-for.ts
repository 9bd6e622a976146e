/**
 * Reads `waitingFor` of the view: who must act before the chat can continue. The core decides who that is.
 */
import { WAITS_ON } from '../../../target/bindgen/enums.js';
import type { Core } from '../../../target/bindgen/toolgate.js';
import type { HandleTable } from '../wasm/handle-table.js';
import { NONE } from '../types/empty-list.js';
import { next, nextId, nextList, readRecord } from '../wasm/records.js';
import { lazyProperty } from '../json/lazy-property.js';
import { OUTGOING } from './numbered-ids.js';
import type { WaitingFor } from '../types/index.js';
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
  const waiting: WaitingFor[] = [];
  for (let at = 0; at < WAITS_ON.length; at++) {
    const kind = WAITS_ON[at] as (typeof WAITS_ON)[number];
    if (!(bits & (1 << at))) continue;
    if (kind === 'user') waiting.push(approvalsOf(lists));
    else if (kind === 'tool') waiting.push({ kind, toolCallIds: awaited(at, nextId) });
    else if (kind === 'retry' || kind === 'cancel' || kind === 'host')
      waiting.push({ kind, ids: awaited(at, nextItem) });
    else waiting.push({ kind });
  }
  return waiting;
}

/** The list is made when it is read: a view must not list thousands of approvals in advance. */
function approvalsOf(lists: PendingOfViews): WaitingFor {
  let known: readonly string[] | undefined;
  const list = (): readonly string[] => (known ??= lists.pending().map((entry) => entry.approvalId));
  return lazyProperty({ kind: 'user' as const }, 'approvalIds', list);
}
