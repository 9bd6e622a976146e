/**
 * Reads `waitingFor` of the view: who must act before the chat can continue. The core decides who that is.
 */
import { WAITS_ON } from '../../../target/bindgen/enums.js';
import type { Core } from '../../../target/bindgen/toolgate.js';
import type { HandleTable } from '../wasm/handle-table.js';
import { next, nextId, nextList, readRecord } from '../wasm/records.js';
import { OUTGOING } from './numbered-ids.js';
import type { PendingApproval, WaitingFor } from '../types/index.js';

const NOBODY: readonly WaitingFor[] = Object.freeze([]);

/**
 * Who must act. `bits` has one bit for each entry of `WAITS_ON`. `pending` returns the approvals that the user can
 * decide.
 */
export function waitingFor(
  core: Core,
  handles: HandleTable,
  bits: number,
  pending: () => readonly PendingApproval[],
): readonly WaitingFor[] {
  if (bits === 0) return NOBODY;
  const awaited = (kind: number, item: () => string): string[] =>
    readRecord(handles, core.awaited(kind), () => nextList(item));
  const nextItem = (): string => OUTGOING + String(next());
  const waiting: WaitingFor[] = [];
  WAITS_ON.forEach((kind, at) => {
    if (!(bits & (1 << at))) return;
    if (kind === 'user')
      waiting.push(withLazyList({ kind }, 'approvalIds', () => pending().map((entry) => entry.approvalId)));
    else if (kind === 'tool') waiting.push({ kind, toolCallIds: awaited(at, nextId) });
    else if (kind === 'retry' || kind === 'cancel' || kind === 'host') waiting.push({ kind, ids: awaited(at, nextItem) });
    else waiting.push({ kind });
  });
  return waiting;
}

/** The object with a list that is made when it is read: a view must not list thousands of approvals in advance. */
function withLazyList(object: { kind: 'user' }, name: 'approvalIds', list: () => readonly string[]): WaitingFor {
  let known: readonly string[] | undefined;
  const get = (): readonly string[] => (known ??= list());
  return Object.defineProperty(object, name, { get, enumerable: true }) as unknown as WaitingFor;
}
