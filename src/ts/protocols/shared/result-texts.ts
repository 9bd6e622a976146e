/** The texts that the model gets for calls without an output, and their defaults. */
import { DENY_PENDING } from '../../types/model-reasons.js';
import type { GateTexts, Outcome, OutcomeKind } from '../../types/index.js';

/** An outcome of a call that no tool has answered. The model gets a text for it. */
export type ClosedKind = Exclude<OutcomeKind, 'executed' | 'failed'>;

/** Such an outcome, with its reason. */
export interface ClosedOutcome extends Outcome {
  readonly kind: ClosedKind;
}

/** Whether each of these outcomes is a denial: the call was decided, and did not run. */
const IS_DENIAL: Readonly<Record<ClosedKind, boolean>> = {
  denied: true,
  skipped: true,
  expired: true,
  cancelled: false,
  interrupted: false,
};

/** The outcomes that have a text of their own. */
export const CLOSED_KINDS = Object.keys(IS_DENIAL) as readonly ClosedKind[];

/** Whether no tool has answered a call with this outcome. */
export const isClosed = (kind: string): kind is ClosedKind => Object.hasOwn(IS_DENIAL, kind);

/** Whether an outcome is a denial. */
export const isDenial = (kind: ClosedKind): boolean => IS_DENIAL[kind];

/** The default texts. */
export const DEFAULT_TEXTS: GateTexts = {
  denied: 'Error: Tool execution was denied by user.',
  skipped: 'Error: Tool execution was skipped due to previous tool denial.',
  expired: 'Error: Tool execution was not approved in time. It did not run.',
  cancelled: 'Error: Tool execution was cancelled by user. It did not run.',
  interrupted: 'Error: Tool execution was interrupted. It did not run.',
  mayHaveRun: 'Error: Tool execution was interrupted. It may have run; its outcome is unknown.',
  denyPending: DENY_PENDING,
};

/** For a call whose input was never complete. */
export const INCOMPLETE = 'Error: Tool call was interrupted before its input was complete. It did not run.';

/** Returns the app's own text, or the default. */
type TextLookup = (name: keyof GateTexts) => string;

/** Returns the lookup of an app's texts. */
export const textLookup =
  (texts: Partial<GateTexts> | undefined): TextLookup =>
  (name) =>
    texts?.[name] ?? DEFAULT_TEXTS[name];

/**
 * Returns the text for the model about a call without an output: its outcome, followed by the reason if there is one.
 */
export function resultText({ kind, reason, mayHaveRun }: ClosedOutcome, texts?: Partial<GateTexts>): string {
  const text = textLookup(texts)(mayHaveRun ? 'mayHaveRun' : kind);
  return reason === undefined ? text : `${text} ${reason}`;
}

/** Returns the text that answers a call without an output: the given reason or error, or the text for the outcome. */
export function answerText(outcome: string, reason: string | undefined, texts?: Partial<GateTexts>): string {
  return reason ?? (isClosed(outcome) ? resultText({ kind: outcome }, texts) : '');
}
