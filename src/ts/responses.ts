/**
 * What the user's answer must look like, and what it says about later calls. A mistake of the caller is a `TypeError`;
 * whether the answer counts, the core decides.
 */
import type { Core } from '../../target/bindgen/toolgate.js';
import { digestOf } from './digest.js';
import { ToolGateError } from './errors.js';
import { copyData, isFixed } from './freeze.js';
import type { GateCore } from './gate-core.js';
import type { Host } from './host.js';
import { noApproval } from './refusals.js';
import type { PendingApproval, Remember, ResponseInput, ResponseToAll, ToolPart } from './types.js';

/** What is to be remembered of an answer. */
interface ToRemember {
  readonly for: 'chat' | 'always';
  readonly scope: 'input' | 'tool';
  readonly expiresAt?: number;
}

/** The answer, with an empty reason left out. Only `true` approves: a text such as "false" must not. */
export function checkResponse<T extends ResponseInput | ResponseToAll>(response: T): T & { reason: string | undefined } {
  if (typeof response !== 'object' || response === null || typeof response.approved !== 'boolean') {
    throw new TypeError('a response needs a boolean `approved`');
  }
  if (response.reason !== undefined && typeof response.reason !== 'string') {
    throw new TypeError('the `reason` of a response is a string, or left out');
  }
  const { input, remember = 'once' } = response as ResponseInput;
  if (input !== undefined && !response.approved) throw new TypeError('an `input` goes with an approval: what is denied does not run');
  // It would hold for the model's input, which the user did not want.
  if (input !== undefined && remember !== 'once') throw new TypeError('an answer with another `input` cannot be remembered');
  return { ...response, reason: response.reason || undefined };
}

/** What is answered, and whether an input is the one that was shown with it. */
interface Target {
  readonly approvalId: string;
  readonly isShown: (input: unknown) => boolean;
}

/**
 * Which approval is meant: by its id, an entry of `pending()` or a tool part. `named`: the digest that the answer
 * gives.
 */
export function readTarget(target: string | PendingApproval | ToolPart, named: string | undefined): Target {
  if (typeof target === 'string') {
    return { approvalId: target, isShown: (input) => named === undefined || named === digestOf(input) };
  }
  const given = (target ?? {}) as Partial<PendingApproval> & { readonly approval?: { readonly id?: unknown } };
  const approvalId = given.approvalId ?? given.approval?.id;
  if (typeof approvalId !== 'string') {
    throw new TypeError('respond: pass an entry of pending(), a tool part with an approval, or the id of an approval');
  }
  const isShown = (input: unknown): boolean => {
    // The very input that was shown, and nobody can have changed it: no digest has to be made.
    if (named === undefined && given.input === input && isFixed(input)) return true;
    return (named ?? given.inputDigest ?? digestOf(given.input)) === digestOf(input);
  };
  return { approvalId, isShown };
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
  approval: string | PendingApproval | ToolPart,
  response: ResponseInput,
): 'accepted' | 'duplicate' {
  const { approved, reason } = checkResponse(response);
  const { approvalId, isShown } = readTarget(approval, response.inputDigest);
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
    const shown = host.take(core.approval_input(id));
    const asShown = isShown(shown);
    if (edit) edit.shown = shown;
    core.set_now(now);
    const answer = core.respond(id, approved, host.give(reason), asShown, host.give(input));
    if (remember && answer === 1) {
      core.remember(id, remember.scope === 'input', remember.for === 'always', remember.expiresAt ?? 0);
    }
    return answer;
  };
  return gate.log.withEdit(edit, () => gate.ask(act)) ? 'accepted' : 'duplicate';
}
