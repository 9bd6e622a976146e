/**
 * What the user's decision must look like, and what it says about later calls. A mistake of the caller is a `TypeError`;
 * whether the decision counts, the core decides.
 */
import type { Core } from '../../../target/bindgen/toolgate.js';
import type { DecisionForShown } from './commands.js';
import { digestOf } from '../json/digest.js';
import { ToolGateError } from '../types/errors.js';
import { copyData, isFixed } from '../json/freeze.js';
import type { GateCore } from './gate-core.js';
import type { Host } from '../wasm/handle-table.js';
import { noApproval } from './refusals.js';
import type { ApprovalTarget, Decision, PendingApproval, Remember } from '../types/index.js';

/** What is to be remembered of an answer. */
interface ToRemember {
  readonly for: 'chat' | 'always';
  readonly scope: 'input' | 'tool';
  readonly expiresAt?: number;
}

/** The answer, with an empty reason left out. Only `true` approves: a text such as "false" must not. */
export function checkResponse<T extends Decision | DecisionForShown>(response: T): T & { reason: string | undefined } {
  if (typeof response !== 'object' || response === null || typeof response.approved !== 'boolean') {
    throw new TypeError('a decision needs a boolean `approved`');
  }
  if (response.reason !== undefined && typeof response.reason !== 'string') {
    throw new TypeError('the `reason` of a decision is a string, or left out');
  }
  const { input, remember = 'once' } = response as Decision;
  if (input !== undefined && !response.approved)
    throw new TypeError('an `input` goes with an approval: what is denied does not run');
  // It would hold for the model's input, which the user did not want.
  if (input !== undefined && remember !== 'once')
    throw new TypeError('a decision with another `input` cannot be remembered');
  return { ...response, reason: response.reason || undefined };
}

/** What is answered, and what was shown with it: plain data, which means the same in another tab. */
export interface Target {
  readonly approvalId: string;
  /** The digest of the input that was shown. */
  readonly inputDigest?: string | undefined;
  /** That input itself, where no digest of it has been made. */
  readonly shown?: { readonly input: unknown } | undefined;
}

/**
 * Which approval is meant: by its id, an entry of `pending()` or a tool part. `named`: the digest that the answer
 * gives.
 */
export function readTarget(target: ApprovalTarget, named: string | undefined): Target {
  if (typeof target === 'string') return { approvalId: target, inputDigest: named };
  const given = (target ?? {}) as Partial<PendingApproval> & { readonly approval?: { readonly id?: unknown } };
  const approvalId = given.approvalId ?? given.approval?.id;
  if (typeof approvalId !== 'string') {
    throw new TypeError('respond: pass an entry of pending(), a tool part with an approval, or the id of an approval');
  }
  // The very input that was shown, and nobody can have changed it: no digest has to be made here.
  if (named === undefined && isFixed(given.input) && !hasDigest(given))
    return { approvalId, shown: { input: given.input } };
  return { approvalId, inputDigest: named ?? given.inputDigest ?? digestOf(given.input) };
}

/** Whether a digest was made already, or is the caller's own. */
function hasDigest(given: object): boolean {
  return Object.getOwnPropertyDescriptor(given, 'inputDigest')?.value !== undefined;
}

// As the core has it: whether the input is the one that was shown.
const [NOT_SAID, OTHER, SAME] = [0, 1, 2];

function asShown(input: unknown, { inputDigest, shown }: Omit<Target, 'approvalId'>): number {
  if (inputDigest !== undefined) return inputDigest === digestOf(input) ? SAME : OTHER;
  if (!shown) return NOT_SAID;
  return shown.input === input || digestOf(shown.input) === digestOf(input) ? SAME : OTHER;
}

/** What `remember` asks for; undefined for this one call. */
export function toRemember(remember: Remember | undefined): ToRemember | undefined {
  if (remember === undefined || remember === 'once') return undefined;
  const asked = typeof remember === 'string' ? { for: remember, scope: 'input' } : remember;
  const { for: span, scope, expiresAt } = asked as ToRemember;
  const isKnown = (span === 'chat' || span === 'always') && (scope === 'input' || scope === 'tool');
  if (!isKnown || (expiresAt !== undefined && !(expiresAt > 0))) {
    throw new TypeError(
      "`remember` is 'once', 'chat', 'always', or { for: 'chat' | 'always', scope: 'input' | 'tool', expiresAt?: ms since 1970 }",
    );
  }
  return asked as ToRemember;
}

/** Whether an approval can be decided now, and not with another input. */
function takesNoEdit(gate: GateCore, approvalId: string): boolean {
  return gate.view().pending.find((entry) => entry.approvalId === approvalId)?.editable === false;
}

/** Answers one approval: see `ToolGate.respond`. */
export function respond(
  gate: GateCore,
  approvalId: string,
  response: Decision,
  shown?: { readonly input: unknown },
): 'accepted' | 'duplicate' {
  const { approved, reason, inputDigest } = checkResponse(response);
  const remember = toRemember(response.remember);
  if (response.input !== undefined && takesNoEdit(gate, approvalId)) {
    const message = 'the backend takes no edited input here: deny with a reason that says what to change';
    throw new ToolGateError('edit-unsupported', message, { approvalId });
  }
  const input = copyData(response.input);
  const edit = input === undefined ? undefined : { approvalId, input, shown: undefined as unknown };
  const now = gate.env.now();
  const act = (core: Core, host: Host): number => {
    const id = host.find(approvalId);
    if (id === undefined) throw noApproval(approvalId);
    const present = host.take(core.approval_input(id));
    const same = asShown(present, { inputDigest, shown });
    if (edit) edit.shown = present;
    const answer = core.respond(id, approved, host.give(reason), same, host.give(input));
    if (remember && answer === 1) {
      core.remember(id, remember.scope === 'input', remember.for === 'always', remember.expiresAt ?? 0, now);
    }
    return answer;
  };
  const isAccepted = gate.log.withEdit(edit, () => gate.ask(act));
  if (remember?.expiresAt !== undefined) gate.watch();
  return isAccepted ? 'accepted' : 'duplicate';
}

/** Answers all approvals that were shown, before anything is sent: see `ToolGate.respondAll`. */
export function respondAll(gate: GateCore, response: DecisionForShown): number {
  const { approved, reason, where, inputDigests } = checkResponse(response);
  const wanted = where && new Map(where.map((id, at) => [id, inputDigests?.[at]]));
  const chosen = gate.view().pending.filter(({ approvalId }) => wanted?.has(approvalId) ?? true);
  for (const { approvalId, toolCallId, inputDigest } of inputDigests ? chosen : []) {
    if (wanted?.get(approvalId) === inputDigest) continue;
    const message = 'the call has another input than the one that was shown: show it, and ask again';
    throw new ToolGateError('stale-input', message, { approvalId, toolCallId });
  }
  const ids = chosen.map((entry) => entry.approvalId);
  return gate.run((core, host) => core.respond_all(host.give(ids), approved, host.give(reason)));
}
