/** Which calls rules may decide: those that a bare yes or no answers, and whose tool's name is that of one tool. */
import { gateOfSource, type GateSource } from '../gate/gate-source.js';
import { internalsOf, type GateInternals } from '../gate/internals.js';
import type { ToolGate } from '../gate/tool-gate.js';
import { descriptorOf } from '../types/approval-descriptor.js';
import type { ToolPart } from '../types/index.js';
import { say } from '../types/say.js';
import { toolNameOf } from '../types/tool-part.js';

/** The fields of a request, as the code of protocols has them. */
type Fields = Record<string, Record<string, unknown> | undefined>;

/** The gate of a source, and its internals. `where` names the called function in an error. */
export function insideOf(
  where: string,
  source: GateSource,
): { readonly gate: ToolGate; readonly inside: GateInternals } {
  const gate = gateOfSource(where, source);
  const inside = internalsOf(gate);
  if (!inside) throw new TypeError(say`rules: the gate is of another copy of the package.`);
  return { gate, inside };
}

/**
 * Whether a rule may decide this call: its request asks only whether it may run. `reason`: the rule's. One that is the
 * id of an option would select it.
 */
export function isRuled({ env, translator }: GateInternals, part: ToolPart, reason?: string): boolean {
  const { approval, input } = part;
  if (!approval || approval.isAutomatic || approval.isKind) return false;
  const toolName = toolNameOf(part);
  if (env.options.neverRemember?.includes(toolName)) return false;
  const { options, acceptsText } = descriptorOf(approval);
  const once = options.filter(({ kind }) => kind === 'allow-once' || kind === 'choice');
  const isAsked = acceptsText || once.length > 1 || once[0]?.kind === 'choice';
  const canAllow = !options[0] || options.some(({ kind }) => /^allow/.test(kind));
  if (isAsked || !canAllow || options.some(({ id }) => id === reason)) return false;
  return !translator?.codec.lacksChoice?.({ toolName, input, approval: approval as object as Fields }, {});
}
