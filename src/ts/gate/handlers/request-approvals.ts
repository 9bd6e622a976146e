/**
 * Requests approval of open calls that nobody has asked about: after a history or a state was loaded, and when a tool
 * is registered that needs approval.
 */
import { isAsked, mayAsk, requestFor } from '../../protocols/shared/page-approvals.js';
import { callsOfStep, toolNameOf } from '../../types/tool-part.js';
import type { GateCore } from '../gate-core.js';

/** Requests approval of the step's open calls that the page runs, as far as they need it. */
export function requestApprovals(gate: GateCore): void {
  const { options } = gate.env;
  const rules = gate.translator?.codec;
  if (!mayAsk(options, rules) || gate.isFollowing || gate.isCrashed) return;
  const calls = callsOfStep(gate.view()).filter(
    (part) => part.state === 'input-available' && isAsked(options, rules, { ...part, toolName: toolNameOf(part) }),
  );
  const now = gate.env.now();
  gate.run((core, handles) => {
    for (const call of calls) core.receive(handles.give(requestFor(call, true)), now, 0, 0, 0);
  });
}
