/**
 * Reads what a backend says about an approval request besides the call: a prompt, options and whether a text answers
 * it. Backends of the AI SDK send it as `approvalDescriptor`, whose form assistant-ui has defined; ACP, opencode
 * and the Claude Agent SDK have forms of their own. Everything in it is untrusted text.
 */
import type { ApprovalEnvelope } from './message.js';

/** An option that a backend offers for an approval. */
export interface ApprovalOption {
  /** The option's id. */
  readonly id: string;
  /**
   * What the option decides. `allow-always` and `reject-always` also make a rule that the backend keeps. `choice`: the
   * answer to a question, which does not say itself whether the call may run.
   */
  readonly kind: 'allow-once' | 'allow-always' | 'reject-once' | 'reject-always' | 'choice';
  /** The backend's label; the id if it has none. */
  readonly label: string;
  /** What the option means. */
  readonly description?: string;
  /** What a rule would cover, such as `git *`. */
  readonly grants?: readonly string[];
}

/** What a backend says about an approval request. */
export interface ApprovalDescriptor {
  /** A question for the user. */
  readonly prompt?: string;
  /** The options, in the backend's order. Empty if it offers none. */
  readonly options: readonly ApprovalOption[];
  /** Whether the user may answer with a text, and whether there is no other answer. */
  readonly acceptsText: boolean;
  readonly requiresText: boolean;
  /**
   * Whether the protocol itself has the options: a decision whose `reason` is the id of an option of its kind selects
   * that option. Otherwise the `reason` is sent as it is.
   */
  readonly isOfProtocol: boolean;
}

/** The most options that are read. */
const MAX_OPTIONS = 50;

const KINDS: readonly string[] = ['allow-once', 'allow-always', 'reject-once', 'reject-always'];

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads the descriptor of an approval: `part.approval`, with the fields that the backend attached. Returns one without
 * options for an approval without a descriptor, and ignores fields of the wrong type. Never throws.
 */
export function descriptorOf(approval: ApprovalEnvelope | undefined): ApprovalDescriptor {
  const { descriptor, acp, opencode, claudeAgentSdk } = fieldsOf(approval);
  const given = fieldsOf(descriptor);
  const patterns = [
    ...textsOf(fieldsOf(opencode)['always']),
    ...suggestedRules(claudeAgentSdk).flatMap(({ rules }) => rules),
  ];
  const native = [
    ...optionsOf(fieldsOf(acp)['options']),
    ...(patterns.length > 0
      ? [{ id: 'always', kind: 'allow-always', label: patterns.join(', '), grants: patterns } as const]
      : []),
  ];
  const prompt = textOf(given['prompt']);
  return {
    ...(prompt !== undefined && { prompt }),
    options: native.length > 0 ? native : optionsOf(given['options']),
    acceptsText: given['allowFreeform'] === true || given['display'] === 'text',
    requiresText: given['display'] === 'text',
    isOfProtocol: native.length > 0,
  };
}

/** A suggestion of Claude Code that makes rules which allow tools. */
interface SuggestedRules {
  /** The suggestion, as an approval sends it back. */
  readonly update: Fields;
  /** The rules, such as `Bash(git status:*)`. */
  readonly rules: readonly string[];
}

/**
 * Reads the suggestions of a permission request of Claude Code (`claudeAgentSdk` of the approval) that make rules which
 * allow tools. The card shows their rules, and an approval that is remembered sends them: both read them here, so that
 * nothing is granted that was not shown. A suggestion with a rule that cannot be shown is omitted. Never throws.
 */
export function suggestedRules(request: unknown): SuggestedRules[] {
  const { permission_suggestions: suggested, suppress_always_allow_rule: isRefused } = fieldsOf(request);
  if (!Array.isArray(suggested) || isRefused === true) return [];
  return suggested
    .slice(0, MAX_OPTIONS)
    .map(fieldsOf)
    .filter(({ type, behavior }) => type === 'addRules' && behavior === 'allow')
    .flatMap((update) => {
      const given = update['rules'];
      if (!Array.isArray(given) || given.length === 0 || given.length > MAX_OPTIONS) return [];
      const rules = given.map(ruleOf).filter((rule) => rule !== undefined);
      return rules.length === given.length ? [{ update, rules }] : [];
    });
}

function ruleOf(given: unknown): string | undefined {
  const { toolName, ruleContent } = fieldsOf(given);
  if (typeof toolName !== 'string') return undefined;
  if (ruleContent === undefined || ruleContent === null) return toolName;
  return typeof ruleContent === 'string' ? `${toolName}(${ruleContent})` : undefined;
}

function optionsOf(given: unknown): ApprovalOption[] {
  const list: readonly unknown[] = Array.isArray(given) ? given.slice(0, MAX_OPTIONS) : [];
  const options = list.map(optionOf).filter((option) => option !== undefined);
  return options.filter(({ id }, at) => options.findIndex((other) => other.id === id) === at);
}

function optionOf(given: unknown): ApprovalOption | undefined {
  const fields = fieldsOf(given);
  const id = textOf(fields['id']) ?? textOf(fields['optionId']);
  if (id === undefined) return undefined;
  const kind = String(fields['kind']).replace('_', '-');
  const description = textOf(fields['description']);
  const grants = textsOf(fields['grants']);
  return {
    id,
    kind: KINDS.includes(kind) ? (kind as ApprovalOption['kind']) : 'choice',
    label: textOf(fields['label']) ?? textOf(fields['name']) ?? id,
    ...(description !== undefined && { description }),
    ...(grants.length > 0 && { grants }),
  };
}

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.slice(0, MAX_OPTIONS).filter((text): text is string => typeof text === 'string') : [];
