/**
 * Whom the chat waits for, as the view shows it. Who that is, the core decides.
 */
import type { Core } from '../../../target/bindgen/toolgate.js';
import type { Host } from '../wasm/handle-table.js';
import { OUTGOING } from './numbered-ids.js';
import type { PendingApproval, WaitingFor } from '../types/index.js';

/** In the order of the Rust enum `WaitsOn`: the core says it in bits. */
const KINDS: readonly WaitingFor['kind'][] = ['user', 'tool', 'host', 'reply', 'rewrite', 'resume', 'retry', 'cancel'];

const NOBODY: readonly WaitingFor[] = Object.freeze([]);

/** Whom the chat waits for. `pending` lists what the user can answer. */
export function waitingFor(core: Core, host: Host, pending: () => readonly PendingApproval[]): readonly WaitingFor[] {
  const bits = core.waiting();
  if (bits === 0) return NOBODY;
  const awaited = (kind: number): unknown[] => host.take(core.awaited(kind)) as unknown[];
  const items = (kind: number): string[] => awaited(kind).map((item) => OUTGOING + String(item));
  const waiting: WaitingFor[] = [];
  KINDS.forEach((kind, at) => {
    if (!(bits & (1 << at))) return;
    if (kind === 'user')
      waiting.push(lazily({ kind }, 'approvalIds', () => pending().map((entry) => entry.approvalId)));
    else if (kind === 'tool') waiting.push({ kind, toolCallIds: awaited(at) as string[] });
    else if (kind === 'retry' || kind === 'cancel' || kind === 'host') waiting.push({ kind, ids: items(at) });
    else waiting.push({ kind });
  });
  return waiting;
}

/** The object with a list that is made when somebody looks: thousands of approvals are not listed for each view. */
function lazily(of: { kind: 'user' }, name: 'approvalIds', list: () => readonly string[]): WaitingFor {
  let known: readonly string[] | undefined;
  const get = (): readonly string[] => (known ??= list());
  return Object.defineProperty(of, name, { get, enumerable: true }) as unknown as WaitingFor;
}
