/**
 * Checks the arguments of `respond` and `respondAll`, and passes them to the core. An invalid argument is a
 * `TypeError`; the core decides whether the decision is accepted.
 */
import type { Core } from '../../../../target/bindgen/toolgate.js';
import type { DecisionForShown } from '../commands.js';
import { digestOf } from '../../json/digest.js';
import { ToolGateError } from '../../types/errors.js';
import { copyData, isFixed } from '../../json/freeze.js';
import type { GateCore } from '../gate-core.js';
import type { HandleTable } from '../../wasm/handle-table.js';
import { unknownApproval } from '../error-messages.js';
import { lastCall, shownRevision } from '../view/pending-approval.js';
import { choiceRequired, lacksChoice } from './required-choice.js';
import type { ApprovalTarget, Decision, PendingApproval, Remember } from '../../types/index.js';
import { say } from '../../types/say.js';

/** How long a decision applies, and to which calls. */
interface RememberScope {
  readonly for: 'chat' | 'always';
  readonly scope: 'input' | 'tool';
  readonly expiresAt?: number;
}

/**
 * Returns the reason unless it is empty. Throws a `TypeError` for an invalid decision: a string such as "false" as
 * `approved` must not approve.
 */
function checkDecision(decision: Decision | DecisionForShown): string | undefined {
  if (typeof decision !== 'object' || decision === null || typeof decision.approved !== 'boolean') {
    throw new TypeError(say`Invalid decision: \`approved\` must be a boolean.`);
  }
  if (decision.reason !== undefined && typeof decision.reason !== 'string') {
    throw new TypeError(say`Invalid decision: \`reason\` must be a string or undefined.`);
  }
  const { input, remember = 'once' } = decision as Decision;
  if (input !== undefined && !decision.approved)
    throw new TypeError(say`Invalid decision: a denial cannot have an \`input\`, because a denied call does not run.`);
  // The remembered decision would apply to the model's input, which the user did not approve.
  if (input !== undefined && remember !== 'once')
    throw new TypeError(say`Invalid decision: with an edited \`input\`, \`remember\` must be 'once' or undefined.`);
  return decision.reason || undefined;
}

/** The approval to decide, and the input that was shown. It is plain data, so that another tab can use it. */
export interface Target {
  readonly approvalId: string;
  /** The digest of the shown input. */
  readonly inputDigest?: string | undefined;
  /** The shown input itself, if its digest has not been computed. */
  readonly shown?: { readonly input: unknown } | undefined;
}

/** The approval id of the target. Throws a `TypeError` for anything else. `method` is named in it. */
export function approvalIdOf(target: ApprovalTarget, method: string): string {
  if (typeof target === 'string') return target;
  const given = (target ?? {}) as Partial<PendingApproval> & { readonly approval?: { readonly id?: unknown } };
  const approvalId = given.approvalId ?? given.approval?.id;
  if (typeof approvalId === 'string') return approvalId;
  throw new TypeError(
    say`${method}: invalid target. Expected an entry of pending(), a tool part with an approval, or an approval id.`,
  );
}

/**
 * Reads the approval id and the shown input from an approval id, an entry of `pending()` or a tool part.
 * `inputDigest` is the digest in the decision, if any.
 */
export function readTarget(target: ApprovalTarget, inputDigest: string | undefined): Target {
  const approvalId = approvalIdOf(target, 'respond');
  if (typeof target === 'string') return { approvalId, inputDigest };
  const given = target as Partial<PendingApproval>;
  // A frozen input cannot have changed since it was shown, so no digest is needed to compare it.
  if (inputDigest === undefined && isFixed(given.input) && !hasDigest(given))
    return { approvalId, shown: { input: given.input } };
  return { approvalId, inputDigest: inputDigest ?? given.inputDigest ?? digestOf(given.input) };
}

/** Whether the object has a digest as a plain value. A getter, which would compute the digest, is not called. */
function hasDigest(given: object): boolean {
  return Object.getOwnPropertyDescriptor(given, 'inputDigest')?.value !== undefined;
}

// Whether the present input equals the shown one, as numbers that the core expects.
const UNKNOWN = 0;
const DIFFERENT = 1;
const SAME = 2;

function compareToShown(input: unknown, { inputDigest, shown }: Omit<Target, 'approvalId'>): number {
  if (inputDigest !== undefined) return inputDigest === digestOf(input) ? SAME : DIFFERENT;
  if (!shown) return UNKNOWN;
  return shown.input === input || digestOf(shown.input) === digestOf(input) ? SAME : DIFFERENT;
}

/** The scope that `remember` asks for; undefined for this call only. Throws a `TypeError` for an invalid one. */
export function readRemember(remember: Remember | undefined): RememberScope | undefined {
  if (remember === undefined || remember === 'once') return undefined;
  const asked = typeof remember === 'string' ? { for: remember, scope: 'input' } : remember;
  const { for: span, scope, expiresAt } = asked as RememberScope;
  const isKnown = (span === 'chat' || span === 'always') && (scope === 'input' || scope === 'tool');
  if (!isKnown || (expiresAt !== undefined && !(expiresAt > 0))) {
    throw new TypeError(
      say`Invalid \`remember\`. Expected 'once', 'chat', 'always' or
        { for: 'chat' | 'always', scope: 'input' | 'tool', expiresAt?: number of ms since 1970 }.`,
    );
  }
  return asked as RememberScope;
}

/** Throws if a pending approval cannot be remembered, or cannot carry an edited input, as this decision asks. */
function checkAllowed(gate: GateCore, approvalId: string, remember: unknown, input: unknown): void {
  if (!remember && input === undefined) return;
  const pending = gate.view().pending.find((entry) => entry.approvalId === approvalId);
  if (remember && pending?.rememberable === false) {
    throw new TypeError(
      say`Invalid decision: the option \`neverRemember\` lists the tool "${pending.toolName}", so \`remember\` must be
        'once' or undefined.`,
    );
  }
  if (input !== undefined && pending?.editable === false) {
    const message = say`The backend cannot receive an edited input for this approval. Deny it with a reason that
      says what to change.`;
    throw new ToolGateError('edit-unsupported', message, { approvalId });
  }
}

/** Decides one approval: see `ToolGate.respond`. */
export function respond(
  gate: GateCore,
  approvalId: string,
  decision: Decision,
  shown?: { readonly input: unknown },
): 'accepted' | 'duplicate' {
  const reason = checkDecision(decision);
  const { approved, inputDigest } = decision;
  const remember = readRemember(decision.remember);
  checkAllowed(gate, approvalId, remember, decision.input);
  const asked = approved || remember || decision.shownRevision ? lastCall(gate.view(), approvalId) : undefined;
  if (approved && asked && lacksChoice(gate, asked, decision)) throw choiceRequired(approvalId, asked.toolCallId);
  const input = copyData(decision.input);
  const edit = input === undefined ? undefined : { approvalId, input, shown: undefined as unknown };
  const now = gate.env.now();
  const act = (core: Core, handles: HandleTable): number => {
    const id = handles.find(approvalId);
    if (id === undefined) throw unknownApproval(approvalId);
    const present = handles.take(core.approval_input(id));
    const same = compareToShown(present, { inputDigest, shown });
    const isStale = asked && decision.shownRevision && decision.shownRevision !== shownRevision(asked);
    if (isStale && same !== DIFFERENT) throw staleShown(approvalId, asked.toolCallId);
    if (edit) edit.shown = present;
    const answer = core.respond(id, approved, handles.give(reason), same, handles.give(input));
    if (remember && answer === 1) {
      // The name of a kind of tools is the name of tools that the user has not seen.
      const isOfInput = remember.scope === 'input' || asked?.approval?.isKind === true;
      core.remember(id, isOfInput, remember.for === 'always', remember.expiresAt ?? 0, now);
    }
    return answer;
  };
  const isAccepted = gate.log.withEdit(edit, () => gate.ask(act));
  if (remember?.expiresAt !== undefined) gate.updateClock();
  return isAccepted ? 'accepted' : 'duplicate';
}

function staleShown(approvalId: string, toolCallId: string): ToolGateError {
  const message = say`The request is not the one that was shown: the backend changed its title, options or other fields.
    Show it again, and ask again.`;
  return new ToolGateError('stale-shown', message, { approvalId, toolCallId });
}

/** Decides all shown approvals before anything is sent: see `ToolGate.respondAll`. */
export function respondAll(gate: GateCore, decision: DecisionForShown): number {
  const reason = checkDecision(decision);
  const { approved, where, shown } = decision;
  const wanted = where && new Map(where.map((id, at) => [id, shown?.[at]]));
  const isIncomplete = ({ toolCallId }: PendingApproval): boolean => {
    const part = gate.part(toolCallId);
    return part !== undefined && lacksChoice(gate, part, decision);
  };
  const isChosen = (entry: PendingApproval): boolean =>
    (wanted?.has(entry.approvalId) ?? true) && !(approved && isIncomplete(entry));
  const chosen = gate.view().pending.filter(isChosen);
  for (const { approvalId, toolCallId, inputDigest, shownRevision } of shown ? chosen : []) {
    const seen = wanted?.get(approvalId);
    if (seen?.inputDigest !== inputDigest) {
      const message = say`The call's input is not the input that was shown. Show the current input and ask again.`;
      throw new ToolGateError('stale-input', message, { approvalId, toolCallId });
    }
    if (seen.shownRevision !== shownRevision) throw staleShown(approvalId, toolCallId);
  }
  const ids = chosen.map((entry) => entry.approvalId);
  return gate.run((core, handles) => core.respond_all(handles.give(ids), approved, handles.give(reason)));
}
