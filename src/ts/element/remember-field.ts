/** The choice of how long a decision applies: this call only, a scope of the gate, or a rule that the server offers. */
import type { ApprovalDescriptor, ApprovalOption } from '../types/approval-descriptor.js';
import type { Remember } from '../types/index.js';
import { h } from './card-dom.js';
import { fill } from '../describe/call-texts.js';
import type { CardTexts } from '../approval/texts.js';
import { brief } from '../describe/brief.js';

/** The scopes that the card offers for a decision. `'always'` needs an app that stores decisions for other chats. */
export type RememberChoice = 'none' | 'chat' | 'always';

/** The scopes of the gate. */
const SCOPES: Readonly<Record<string, Remember>> = {
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
export interface ChosenScope {
  readonly remember?: Remember;
  readonly reason?: string;
}

/** A list with the scopes. */
export class RememberField {
  readonly element: HTMLElement;
  readonly #select: HTMLSelectElement;
  readonly #rules: readonly ApprovalOption[];

  /**
   * `toolName`: the tool's name in one line. The rules of a protocol that remembers take the place of the gate's
   * scopes: its servers would apply their rule whatever the user chose.
   */
  constructor(choice: RememberChoice, toolName: string, descriptor: ApprovalDescriptor, texts: CardTexts) {
    this.#rules = descriptor.options.filter(({ kind }) => kind === 'allow-always' || kind === 'reject-always');
    const areNative = descriptor.isOfProtocol && this.#rules.length > 0;
    const scopes = ['chatInput', 'chatTool', ...(choice === 'always' ? ['alwaysInput', 'alwaysTool'] : [])] as const;
    const keys = ['once', ...(areNative ? [] : scopes)];
    this.#select = h(
      'select',
      { id: 'remember', part: 'input remember' },
      ...keys.map((key) => h('option', { value: key }, fill(texts[key as 'once' | 'chatTool'], { tool: toolName }))),
      ...this.#rules.map((rule) =>
        h('option', { value: RULE_VALUE + rule.id }, fill(texts.rule, { rule: brief(nameOf(rule), RULE) })),
      ),
    );
    this.element = h(
      'div',
      { class: 'choice' },
      h('label', { for: 'remember', part: 'label' }, texts.remember),
      this.#select,
    );
  }

  /** The value of the chosen entry. A value without an entry selects none of the scopes: this call only. */
  get value(): string {
    return this.#select.value;
  }

  set value(value: string) {
    const has = [...this.#select.options].some((option) => option.value === value);
    this.#select.value = has ? value : 'once';
  }

  set isDisabled(isDisabled: boolean) {
    this.#select.disabled = isDisabled;
  }

  /** The scope of a decision. A rule that allows applies to an approval only, and one that rejects to a denial only. */
  chosen(approved: boolean): ChosenScope {
    const { value, disabled } = this.#select;
    if (disabled) return {};
    const remember = SCOPES[value];
    if (remember) return { remember };
    const rule = this.#rules.find(({ id }) => RULE_VALUE + id === value);
    if (!rule || (rule.kind === 'allow-always') !== approved) return {};
    return { remember: { for: 'chat', scope: 'input' }, reason: rule.id };
  }
}

/** The label of a rule, and what it covers. */
function nameOf({ label, description, grants = [] }: ApprovalOption): string {
  const covered = grants.join(', ');
  return [label, description, covered === label ? undefined : covered].filter(Boolean).join(' · ');
}
