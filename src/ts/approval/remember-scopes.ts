/** For which calls a decision can apply: this call only, a scope of the gate, or a rule that the server offers. */
import { brief } from '../describe/brief.js';
import { fill } from '../describe/call-texts.js';
import type { ApprovalDescriptor, ApprovalOption } from '../types/approval-descriptor.js';
import type { Remember } from '../types/index.js';
import type { FieldOption, RememberChoice } from './form-types.js';
import type { CardTexts } from './texts.js';

/** The scopes of the gate. */
const SCOPES: Readonly<Record<string, Exclude<Remember, string>>> = {
  chatInput: { for: 'chat', scope: 'input' },
  chatTool: { for: 'chat', scope: 'tool' },
  alwaysInput: { for: 'always', scope: 'input' },
  alwaysTool: { for: 'always', scope: 'tool' },
};

/** Maximum characters of a rule. */
const RULE = 160;

/** The prefix of the values of rules, so that no rule has the value of a scope. */
const RULE_VALUE = 'rule:';

/** The part of a decision that says how long it applies. `reason`: the id of the server's rule. */
interface ChosenScope {
  readonly remember?: Exclude<Remember, string>;
  readonly reason?: string;
}

const rulesOf = ({ options }: ApprovalDescriptor): ApprovalOption[] =>
  options.filter(({ kind }) => kind === 'allow-always' || kind === 'reject-always');

/**
 * The choices. The rules of a protocol that remembers take the place of the gate's scopes: its servers would apply
 * their rule whatever the user chose. `tool`: the tool's name in one line.
 */
export function scopesFor(
  choice: RememberChoice,
  tool: string,
  descriptor: ApprovalDescriptor,
  texts: CardTexts,
): FieldOption[] {
  const rules = rulesOf(descriptor);
  const areNative = descriptor.isOfProtocol && rules.length > 0;
  const keys = ['once', ...(areNative ? [] : Object.keys(SCOPES).slice(0, choice === 'always' ? 4 : 2))];
  return [
    ...keys.map((key) => [key, fill(texts[key as 'once' | 'chatTool'], { tool })]),
    ...rules.map((rule) => [RULE_VALUE + rule.id, fill(texts.rule, { rule: brief(nameOf(rule), RULE) })]),
  ].map(([value = '', label = '']) => ({ value, label, description: '' }));
}

/** The scope of a decision. A rule that allows applies to an approval only, and one that rejects to a denial only. */
export function scopeOf(value: string, approved: boolean, descriptor: ApprovalDescriptor): ChosenScope {
  const remember = SCOPES[value];
  if (remember) return { remember };
  const rule = rulesOf(descriptor).find(({ id }) => RULE_VALUE + id === value);
  if (!rule || (rule.kind === 'allow-always') !== approved) return {};
  return { remember: { for: 'chat', scope: 'input' }, reason: rule.id };
}

/** Whether a decision of this scope decides calls that the user has not seen, or outlasts the chat. */
export const isLasting = ({ remember, reason }: ChosenScope): boolean =>
  remember !== undefined && (remember.for === 'always' || remember.scope === 'tool' || reason !== undefined);

/** The label of a rule, and what it covers. */
function nameOf({ label, description, grants = [] }: ApprovalOption): string {
  const covered = grants.join(', ');
  return [label, description, covered === label ? undefined : covered].filter(Boolean).join(' · ');
}
