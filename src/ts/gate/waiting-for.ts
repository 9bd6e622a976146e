/**
 * Reads `waitingFor` of the view: who must act before the chat can continue. The core decides who that is.
 */
import { WAITS_ON } from '../../../target/bindgen/enums.js';
import type { Core } from '../../../target/bindgen/toolgate.js';
import type { HandleTable } from '../wasm/handle-table.js';
import { OUTGOING } from './numbered-ids.js';
import type { PendingApproval, WaitingFor } from '../types/index.js';

const NOBODY: readonly WaitingFor[] = Object.freeze([]);

/** Who must act. `pending` returns the approvals that the user can decide. */
export function waitingFor(
  core: Core,
  handles: HandleTable,
  pending: () => readonly PendingApproval[],
): readonly WaitingFor[] {
  const bits = core.waiting();
  if (bits === 0) return NOBODY;
  const awaited = (kind: number): unknown[] => handles.take(core.awaited(kind)) as unknown[];
  const items = (kind: number): string[] => awaited(kind).map((item) => OUTGOING + String(item));
  const waiting: WaitingFor[] = [];
  WAITS_ON.forEach((kind, at) => {
    if (!(bits & (1 << at))) return;
    if (kind === 'user')
      waiting.push(withLazyList({ kind }, 'approvalIds', () => pending().map((entry) => entry.approvalId)));
    else if (kind === 'tool') waiting.push({ kind, toolCallIds: awaited(at) as string[] });
    else if (kind === 'retry' || kind === 'cancel' || kind === 'host') waiting.push({ kind, ids: items(at) });
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
