/** `describeCall`: one answer to "what do I show for this tool call?", for user interfaces of the app's own. */
import type { DecidedBy, GateView, Outcome, OutcomeKind, PendingApproval, Undelivered } from '../types/index.js';
import { toolNameOf } from '../types/tool-part.js';
import { callTexts, type CallTexts } from './call-texts.js';
import { outcomeOf, type AnyToolPart, type CallStatus, type CallTone } from './call-status.js';
import { deciderOf, reasonOf, resultOf, wordsOf } from './call-words.js';
import { factsOf } from './call-facts.js';

/** What the user can do about a call. */
export interface CallActions {
  /** `respond(call.approval, { approved: true })`. */
  readonly approve: boolean;
  /** `respond(call.approval, { approved: false, reason })`. */
  readonly deny: boolean;
  /** An approval may carry an edited `input`. */
  readonly edit: boolean;
  /** `retry(call.undelivered.id)`: no usable reply to the decision came. */
  readonly retry: boolean;
  /** `cancel(reason, { id: call.undelivered.id })`: gives up the request with the decision. The call may have run. */
  readonly giveUp: boolean;
  /** `cancel()`: gives up the call, and everything else that waits. */
  readonly cancel: boolean;
  /** `stop()`: ends the reply that runs the call. */
  readonly stop: boolean;
  /** `resume()`: sends the decisions that `stop()` or a lost connection held back. */
  readonly resume: boolean;
  /** `cancel(reason, { approvalId: part.approval.id })`: the approval that was held back is never sent. */
  readonly doNotRun: boolean;
}

/** The return value of {@link describeCall}. Show its texts as text, never as HTML. */
export interface CallDescription {
  /** The state of the call, with its decision and delivery. */
  readonly status: CallStatus;
  /** The colour scheme of the status. */
  readonly tone: CallTone;
  /** The name that identifies the tool. Always show it. */
  readonly toolName: string;
  /** The tool's display name, if it has another one. It may come from a third party: show it beside the name. */
  readonly title: string | undefined;
  /** The status in one or two words, such as `Waiting for you`. */
  readonly label: string;
  /** A sentence for the user about the status, with the result or the reason if there is one; or empty. */
  readonly note: string;
  /** The beginning of the tool's output or error, on one line. Empty while no tool has answered. */
  readonly result: string;
  /** How the call settled. Undefined until then. */
  readonly outcome: OutcomeKind | undefined;
  /** Whether the tool may have run, although there is no result. */
  readonly mayHaveRun: boolean;
  /** Who decided about the call; undefined without a decision, or if the part does not say who made it. */
  readonly decidedBy: DecidedBy | undefined;
  /** The reason that the user or the backend gave for the outcome. Never a text for the model. */
  readonly reason: string | undefined;
  /** Why the backend requests approval. */
  readonly requestReason: string | undefined;
  /** What the user can do now. */
  readonly can: CallActions;
  /** The approval to pass to `respond`. Undefined if it cannot be decided now, or without a view. */
  readonly approval: PendingApproval | undefined;
  /** The request that failed, stalled or may not have arrived. */
  readonly undelivered: Undelivered | undefined;
}

/** What {@link describeCall} reads besides the part. */
export interface DescribeOptions {
  /**
   * The gate's view. Without it, a call that waits can be approved and denied, and everything that depends on other
   * calls and on requests is missing: `approval`, `undelivered`, and the other actions.
   */
  readonly view?: Pick<GateView, 'messages' | 'pending' | 'undelivered' | 'turn'> | undefined;
  /** Replacements for the texts. Omitted keys stay English. */
  readonly texts?: Partial<CallTexts> | undefined;
}

/** The last description of each part, with everything that it was made from. */
const described = new WeakMap<AnyToolPart, { readonly made: readonly unknown[]; readonly call: CallDescription }>();

/**
 * Describes a tool call for a user interface: its status, the words to show, and what the user can do now. Takes a part
 * of the gate's view, of a guarded chat or of a plain AI SDK chat. A pure function, which returns the same object
 * (`===`) while nothing that it says has changed. Texts that Toolgate writes for the model are not in it.
 */
export function describeCall(part: AnyToolPart, options: DescribeOptions = {}): CallDescription {
  const { view, texts } = options;
  const facts = factsOf(part, view);
  const { isOver, isClosed, heldUntil, approval, undelivered, isLast, acts } = facts;
  // A reply to its message is awaited or arriving.
  const isReplying = isLast && view?.turn.waitingFor.some(({ kind }) => kind === 'reply') === true;
  const made = [isOver, isClosed, heldUntil, approval, undelivered, isReplying, `${acts}`, texts, view === undefined];
  const known = described.get(part);
  if (known && made.every((value, place) => value === known.made[place])) return known.call;

  const words = wordsOf(part, facts, callTexts(texts));
  const { status } = words;
  const settled = outcomeOf(part);
  const reason = reasonOf(part);
  const isOpen = status === 'waiting' && (view === undefined || approval !== undefined);
  const toolName = toolNameOf(part);
  const call: CallDescription = Object.freeze({
    ...words,
    toolName,
    title: part.title && part.title !== toolName ? part.title : undefined,
    result: resultOf(part),
    outcome: settled?.kind,
    mayHaveRun: mayHaveRun(part, status, settled),
    decidedBy: deciderOf(part),
    reason,
    requestReason: part.approval?.requestReason || undefined,
    can: {
      approve: isOpen,
      deny: isOpen,
      edit: isOpen && approval?.editable === true,
      retry: acts.includes('retry'),
      giveUp: acts.includes('giveUp'),
      cancel:
        view !== undefined && (approval ?? undelivered ?? (status === 'approved' || status === 'unknown')) !== false,
      stop: isReplying && RUNS.includes(status),
      resume: acts.includes('sendNow'),
      doNotRun: acts.includes('doNotRun'),
    },
    approval,
    undelivered,
  });
  described.set(part, { made, call });
  return call;
}

/** The statuses of a call on which a reply works. */
const RUNS: readonly CallStatus[] = ['drafting', 'running', 'checking', 'sending', 'working'];

function mayHaveRun(part: AnyToolPart, status: CallStatus, outcome: Outcome | undefined): boolean {
  if (outcome) return outcome.mayHaveRun === true;
  return status === 'unknown' || (status === 'unconfirmed' && part.approval?.approved === true);
}
