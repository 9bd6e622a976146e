/**
 * `applyRules`: answers the approvals of a gate that rules decide, by `respond`, as a user would. It looks at an
 * approval when it is requested, and again when the rules change or this tab becomes the leader. About all
 * others the user is asked.
 */
import { onReady, pendingChat, type GateSource } from '../gate/gate-source.js';
import { refuseUnknown, type KnownOptions } from '../types/option-checks.js';
import { guarded } from '../types/report-uncaught.js';
import type { GateEvent, PendingApproval } from '../types/index.js';
import { say } from '../types/say.js';
import { parseRules } from './check-rules.js';
import { matchRule } from './match-rule.js';
import type { ApprovalRule } from './rule-types.js';
import { insideOf, isRuled } from './ruled-calls.js';

/** Options of {@link applyRules}. */
export interface ApplyRulesOptions {
  /** Called after a rule has decided an approval. An error that it throws is reported as uncaught. */
  readonly onAnswer?: (rule: ApprovalRule, approval: PendingApproval) => void;
  /**
   * Called with the error of the gate if it refuses the answer of a rule: the user is asked. Default: the error is
   * reported as uncaught.
   */
  readonly onError?: (error: unknown, approval: PendingApproval) => void;
}

/** The rules of a chat. */
export interface AppliedRules {
  /**
   * The rules that decide now: a frozen copy. Assign a list to add or to revoke rules; approvals that wait are compared
   * with it at once. Decisions that were made stay. Throws a `RulesError` as `parseRules` does, and then changes
   * nothing.
   */
  rules: readonly ApprovalRule[];
  /** Ends it: no rule decides any more. */
  readonly stop: () => void;
}

const OPTIONS: KnownOptions<ApplyRulesOptions> = { onAnswer: true, onError: true };

/** The gates that have rules. */
const ruled = new WeakSet<object>();

/**
 * Decides the approvals of a chat that match a rule; the user is asked about all others. Of several rules that match,
 * one that denies counts, otherwise the first. `chat`: a gate, or a guarded chat, whose core may still be loading.
 *
 * Rules never decide: a request that needs an answer or a choice, an approval that has expired, a tool in
 * `neverRemember`, an approval that they have decided once already (its input changed), anything in a tab that follows
 * another, and anything after the user has stopped the reply or while decisions are held.
 *
 * Throws a `RulesError` for rules that `parseRules` refuses, and a `TypeError` for an unknown option, for another value
 * than a chat, and for a chat that has rules already: assign `rules` instead. The errors of a chat whose core is
 * loading are reported as uncaught.
 */
export function applyRules(
  chat: NonNullable<GateSource>,
  rules: readonly ApprovalRule[],
  options: ApplyRulesOptions = {},
): AppliedRules {
  refuseUnknown('applyRules', options, OPTIONS);
  let parsed = parseRules(rules);
  let session: { readonly look: () => void; readonly end: () => void } | undefined;
  const begin = (): void => {
    session = follow(chat, () => parsed, options);
  };
  let stopWaiting = (): void => {};
  if (pendingChat(chat)) stopWaiting = onReady(chat, () => guarded(begin));
  else begin();
  return {
    get rules() {
      return parsed;
    },
    set rules(now) {
      parsed = parseRules(now);
      session?.look();
    },
    stop() {
      stopWaiting();
      session?.end();
      session = undefined;
    },
  };
}

/** Answers the approvals of a gate. `look` compares all that wait with the present rules. */
function follow(chat: GateSource, rules: () => readonly ApprovalRule[], { onAnswer, onError }: ApplyRulesOptions) {
  const { gate, inside } = insideOf('applyRules', chat);
  if (ruled.has(gate)) throw new TypeError(say`applyRules: this chat has rules. Assign \`rules\`, or \`stop()\` them.`);
  ruled.add(gate);
  /** The approvals that were answered here. */
  const answered = new Set<string>();
  /** The calls that were asked about since the last look. */
  const asked = new Set<string>();
  let isOver = false;
  /** The rule whose answer is on its way to the core. */
  let deciding: ApprovalRule | undefined;
  /** Whether this tab led at the last look, and the history is the same since. */
  let wasLeading = false;

  /** Whether this tab may send. */
  const isLeading = (): boolean => !inside.isPaused;
  /** Whether nothing was stopped or broken off: an answer would release the decisions that are held since. */
  const goesOn = (): boolean => {
    const { ending = 'finished', waitingFor } = gate.getSnapshot().turn;
    return ending === 'finished' && !waitingFor.some(({ kind }) => kind === 'resume');
  };

  function answer(toolCallId: string): void {
    const approval = gate.approval(toolCallId);
    const part = gate.part(toolCallId);
    if (isOver || !approval || !part || answered.has(approval.approvalId) || !isLeading() || !goesOn()) return;
    const { approvalId, expiresAt = Infinity } = approval;
    const now = inside.env.now();
    const matching = rules().filter((rule) => matchRule(rule, approval, now));
    const rule = matching.find(({ approved }) => !approved) ?? matching[0];
    // An id means the newest call: its part is not that of an older request with the same id.
    if (!rule || part.approval?.id !== approvalId || !(now < expiresAt) || !isRuled(inside, part, rule.reason)) return;
    const { inputDigest, shownRevision } = approval;
    const { approved, reason } = rule;
    answered.add(approvalId);
    deciding = rule;
    try {
      const decision = { approved, inputDigest, shownRevision, ...(reason !== undefined && { reason }) };
      if (gate.respond(approval, decision) === 'accepted') guarded(() => onAnswer?.(rule, approval));
    } catch (error) {
      guarded(() => {
        if (!onError) throw error;
        onError(error, approval);
      });
    }
  }

  function look(): void {
    asked.clear();
    for (const { toolCallId } of gate.pending()) answer(toolCallId);
  }

  function changed(): void {
    const [led, leads] = [wasLeading, (wasLeading = isLeading())];
    if (leads && !led) return look();
    const calls = [...asked];
    asked.clear();
    for (const toolCallId of calls) answer(toolCallId);
  }

  const ends = [
    // Evidence names the rule and who made it.
    inside.commands.use('app', (command, next) => {
      if (!deciding || command.name !== 'respond') return next(command);
      const { id, by } = deciding;
      // A listener may decide during this decision.
      deciding = undefined;
      return next({ ...command, decider: { rule: id, user: by } });
    }),
    inside.commands.use('recorder', (command, next) => {
      // A history that is loaded has no events.
      if (command.name === 'load' || command.name === 'adopt') wasLeading = false;
      return next(command);
    }),
    gate.onEvent((event: GateEvent) => {
      if (event.type !== 'transition' && event.type !== 'input-changed') return;
      if (event.approvalId !== undefined) asked.add(event.toolCallId);
    }),
    gate.subscribe(changed),
  ];
  changed();
  const end = (): void => {
    isOver = true;
    ruled.delete(gate);
    ends.forEach((stop) => stop());
  };
  return { look, end };
}
