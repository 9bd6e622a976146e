/**
 * What the user's answer must look like, and what it says about later calls. A mistake of the caller is a `TypeError`;
 * whether the answer counts, the core decides.
 */
import type { Core } from '../../../target/bindgen/toolgate.js';
import type { AnswerToShown } from './commands.js';
import { digestOf } from '../json/digest.js';
import { ToolGateError } from '../types/errors.js';
import { copyData, isFixed } from '../json/freeze.js';
import type { GateCore } from './gate-core.js';
import type { Host } from '../wasm/handle-table.js';
import { noApproval } from './refusals.js';
import type { PendingApproval, Remember, ResponseInput, ToolPart } from '../types/index.js';

/** What is to be remembered of an answer. */
interface ToRemember {
  readonly for: 'chat' | 'always';
  readonly scope: 'input' | 'tool';
  readonly expiresAt?: number;
}

/** The answer, with an empty reason left out. Only `true` approves: a text such as "false" must not. */
export function checkResponse<T extends ResponseInput | AnswerToShown>(
  response: T,
): T & { reason: string | undefined } {
  if (typeof response !== 'object' || response === null || typeof response.approved !== 'boolean') {
    throw new TypeError('a response needs a boolean `approved`');
  }
  if (response.reason !== undefined && typeof response.reason !== 'string') {
    throw new TypeError('the `reason` of a response is a string, or left out');
  }
  const { input, remember = 'once' } = response as ResponseInput;
  if (input !== undefined && !response.approved)
    throw new TypeError('an `input` goes with an approval: what is denied does not run');
  // It would hold for the model's input, which the user did not want.
  if (input !== undefined && remember !== 'once')
    throw new TypeError('an answer with another `input` cannot be remembered');
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
export function readTarget(target: string | PendingApproval | ToolPart, named: string | undefined): Target {
  if (typeof target === 'string') return { approvalId: target, inputDigest: named };
  const given = (target ?? {}) as Partial<PendingApproval> & { readonly approval?: { readonly id?: unknown } };
  const approvalId = given.approvalId ?? given.approval?.id;
  if (typeof approvalId !== 'string') {
    throw new TypeError('respond: pass an entry of pending(), a tool part with an approval, or the id of an approval');
  }
  // The very input that was shown, and nobody can have changed it: no digest has to be made here.
  if (named === undefined && isFixed(given.input)) return { approvalId, shown: { input: given.input } };
  return { approvalId, inputDigest: named ?? given.inputDigest ?? digestOf(given.input) };
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

/** Answers one approval: see `ToolGate.respond`. */
export function respond(
  gate: GateCore,
  approvalId: string,
  response: ResponseInput,
  shown?: { readonly input: unknown },
): 'accepted' | 'duplicate' {
  const { approved, reason, inputDigest } = checkResponse(response);
  const remember = toRemember(response.remember);
  if (response.input !== undefined && !gate.translator?.takesEdit(approvalId)) {
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
  return gate.log.withEdit(edit, () => gate.ask(act)) ? 'accepted' : 'duplicate';
}

/** Answers all approvals that were shown, before anything is sent: see `ToolGate.respondAll`. */
export function respondAll(gate: GateCore, response: AnswerToShown): number {
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
