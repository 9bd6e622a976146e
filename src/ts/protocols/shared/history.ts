/**
 * The neutral form of a history: messages in which each call carries its request, response and result.
 *
 * The core writes and reads this form; its histories are complete and in order. A codec only maps it to its own format.
 * This file also recognizes the texts of result-texts.ts in a history: the model gets them for calls that did not run.
 */
import { CLOSED_KINDS, isDenial, resultText, type ClosedOutcome } from './result-texts.js';
import type { GateTexts, OutcomeKind } from '../../types/index.js';
import type { Call, CallOutput, CallResult, Context, Entry, Kept, Part } from './codec.js';
import { contentOf, hasMoreThanText, partsOfContent, textOfParts } from './content.js';
import type { Fields } from './lane.js';
import { requestFor } from './page-approvals.js';

export { equal } from '../../json/safe-reading.js';
export { fileOf } from './content.js';

/** Whether a part is a tool call. */
export const isToolCall = (part: Part): part is Call => part.type === 'tool-call';

/** The types of an output that is an error (`LanguageModelV3ToolResultOutput` of `@ai-sdk/provider`). */
const ERRORS: ReadonlySet<string> = new Set(['error-text', 'error-json']);

/** Returns how a call settled; undefined if it has no result yet. */
export function resultOf(call: Call, texts: Partial<GateTexts> | undefined): CallResult | undefined {
  if (!call.result) return undefined;
  const { output, providerOptions } = call.result;
  const stored = providerOptions?.['toolgate']?.outcome;
  const kept = CLOSED_KINDS.find((kind) => kind === stored);
  const isDenied = output.type === 'execution-denied';
  const failed = isDenied || ERRORS.has(output.type);
  let value = output.value as string | undefined;
  let kind: OutcomeKind = failed ? (kept ?? 'failed') : 'executed';
  if (isDenied) {
    const denial = kept ?? 'denied';
    kind = denial;
    // If the result names its outcome, the reason is already the whole text.
    value = kept ? output.reason : undefined;
    value ??= resultText({ kind: denial, reason: output.reason }, texts);
  }
  if (output.type !== 'content') return { kind, text: textOf(value), value, failed };
  const content = partsOfContent(asList(value));
  const text = textOfParts(content);
  return { kind, text, value: text, failed, content };
}

/** Returns a string unchanged, and any other value as JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'string'
    ? value
    : (JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? String(inner) : inner)) ?? '');
}

/** Parses JSON. Returns text that is not valid JSON unchanged. */
export function valueOf(text: string): unknown {
  try {
    return JSON.parse(text || '{}') as unknown;
  } catch {
    return text;
  }
}

/** Gives a call a result that is a list of parts. One text without fields of its own becomes the value. */
export function setContent(
  call: Call,
  parts: readonly Part[],
  failed: boolean,
  texts: Partial<GateTexts> | undefined,
  meta?: Kept,
): void {
  const isText = !hasMoreThanText(parts) && parts.length < 2 && !parts[0]?.providerOptions;
  if (failed || isText) return setResult(call, textOfParts(parts), failed, texts, meta);
  const output = { type: 'content', value: parts.map(contentOf) };
  call.result = { type: '', output, ...(meta && { providerOptions: meta }) };
}

/** Gives a call its result from a history. One of our own texts is recognized as the outcome that it describes. */
export function setResult(
  call: Call,
  value: unknown,
  failed: boolean,
  texts: Partial<GateTexts> | undefined,
  meta?: Kept,
): void {
  const known = knownOutcome(value, texts);
  let output: CallOutput['output'] = { type: failed ? 'error-text' : 'text', value };
  if (typeof value !== 'string')
    output = failed ? { type: 'error-text', value: textOf(value) } : { type: 'json', value };
  if (known && known.kind !== 'denied') {
    meta = { ...meta, toolgate: { outcome: known.kind, reason: known.reason, mayHaveRun: known.mayHaveRun } };
    call.providerOptions = { ...call.providerOptions, toolgate: meta['toolgate'] };
  }
  if (known && isDenial(known.kind)) {
    const reason = known.kind === 'denied' ? known.reason : (value as string);
    output = { type: 'execution-denied', reason };
    call.request ??= requestFor(call);
    call.response = { type: '', approved: false, reason };
  } else if (known) {
    output = { type: 'error-text', value };
  }
  call.result = { type: '', output, ...(meta && { providerOptions: meta }) };
}

/**
 * Gives a call its denial from a history. If the reason is one of our own texts, the call gets the outcome that the
 * text describes.
 */
export function setDenial(call: Call, reason: string | undefined, texts: Partial<GateTexts> | undefined): void {
  if (reason) setResult(call, reason, false, texts);
  call.request ??= requestFor(call);
  call.response = { type: '', approved: false, reason };
  if (call.result?.output.type !== 'execution-denied')
    call.result = { type: '', output: { type: 'execution-denied', reason } };
}

/** Every outcome with a text of its own. */
const OUTCOMES: readonly ClosedOutcome[] = [
  ...CLOSED_KINDS.map((kind) => ({ kind })),
  { kind: 'interrupted', mayHaveRun: true },
];

/** Returns the outcome that a text describes, if it is one of our own texts. */
function knownOutcome(value: unknown, texts: Partial<GateTexts> | undefined): ClosedOutcome | undefined {
  if (typeof value !== 'string') return undefined;
  for (const outcome of OUTCOMES) {
    const text = resultText(outcome, texts);
    if (text && value === text) return outcome;
    if (text && value.startsWith(`${text} `)) return { ...outcome, reason: value.slice(text.length + 1) };
  }
  return undefined;
}

/** Returns an input for protocols that accept objects only; other inputs are wrapped in one. */
export function objectInput({ input, toolCallId }: Call, context: Context): Fields {
  if (typeof input === 'object' && input && !Array.isArray(input)) return input as Fields;
  context.reportLoss('input', toolCallId);
  return { input };
}

/** Returns the system's parts before the conversation; some protocols have a separate field for them. */
export const leadingSystemParts = (entries: readonly Entry[]): Part[] =>
  entries.slice(0, entries.length - conversationOf(entries).length).flatMap(({ content }) => content);

/** Returns the conversation after the leading system messages. With a context, reports that these are omitted. */
export function conversationOf(entries: readonly Entry[], context?: Context): readonly Entry[] {
  const first = entries.findIndex(({ role }) => role !== 'system');
  if (first !== 0 && entries.length > 0) context?.reportLoss('system');
  return first < 0 ? [] : entries.slice(first);
}

/** Returns a list unchanged, an empty list for a missing value, and any other value as a list of one. */
export const asList = <T>(list: readonly T[] | T | null | undefined): readonly T[] =>
  Array.isArray(list) ? (list as readonly T[]) : list === undefined || list === null ? [] : [list as T];

/** Returns a content as a list of parts; a string becomes one text part. */
export const asParts = <T>(
  content: string | readonly T[] | null | undefined,
): readonly (T | { readonly type: 'text'; readonly text: string })[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : asList(content);

/** Joins the texts of parts. Throws for a part without a text. */
export function textIn(parts: readonly { readonly text?: unknown }[]): string {
  return parts
    .map(({ text }) => {
      if (typeof text !== 'string') throw new TypeError('expected a part with a text');
      return text;
    })
    .join('');
}
