/** What a rule would have decided in a chat. */
import type { GateSource } from '../gate/gate-source.js';
import type { ToolPart } from '../types/index.js';
import { isToolPart, toolNameOf } from '../types/tool-part.js';
import { matchRule } from './match-rule.js';
import type { ApprovalRule } from './rule-types.js';
import { insideOf, isRuled } from './ruled-calls.js';

/**
 * The calls of this chat that a rule would have decided, oldest first, whether it has expired or not: show them before
 * the rule is trusted. Only calls that were put to the user count. A call whose input the user edited is compared with
 * the edited input. `chat`: a gate, or a guarded chat whose core is loaded; a `TypeError` is thrown for anything else.
 */
export function coveredCalls(chat: NonNullable<GateSource>, rule: ApprovalRule): readonly ToolPart[] {
  const { gate, inside } = insideOf('coveredCalls', chat);
  const parts = gate.getSnapshot().messages.flatMap((message) => message.parts.filter(isToolPart));
  return parts.filter(
    (part) =>
      isRuled(inside, part, rule.reason) &&
      matchRule(rule, { toolName: toolNameOf(part), input: part.input }, -Infinity),
  );
}
