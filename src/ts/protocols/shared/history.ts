/**
 * The neutral form of a history: messages in which each call carries its request, response and result.
 *
 * Made from the core's normal form, which is complete and in order, so that a codec only has to say it in its own words;
 * and back. Here too: what the model is told about a call that did not run, and how to know such a text again.
 */
import { resultText } from './result-texts.js';
import type { GateTexts, Outcome, OutcomeKind } from '../../types/index.js';
import { Calls } from './calls.js';
import type { Call, CallResult, Context, Data, Entry, Part } from './codec.js';

/** Whether a part is a call. */
export const isToolCall = (part: Part): part is Call => part.type === 'tool-call';

/** `ModelMessage`s as entries, as the core writes them. The given ones are not changed. */
export function fromModelMessages(messages: readonly Data[]): Entry[] {
  const entries: Entry[] = [];
  const calls = new Calls();
  for (const { role, content, providerOptions } of messages) {
    const entry: Entry = { role, content: [] };
    if (role === 'assistant') calls.nextStep();
    for (const part of typeof content === 'string' ? [{ type: 'text', text: content, providerOptions }] : content) {
      if (part.type === 'tool-call') {
        const copy = { ...part };
        calls.add(copy);
        entry.content.push(copy);
      } else if (part.type === 'tool-approval-request') {
        const call = calls.unasked(part.toolCallId);
        if (call) call.request = part;
      } else if (part.type === 'tool-approval-response') {
        const call = calls.lacking('response', ({ request }) => request?.['approvalId'] === part.approvalId);
        if (call) call.response = part;
      } else if (part.type === 'tool-result') {
        const call = calls.unanswered(part.toolCallId);
        if (call) call.result = part;
      } else {
        entry.content.push(part);
      }
    }
    if (role !== 'tool') entries.push(entry);
  }
  return entries;
}

/** Entries as `ModelMessage`s. */
export function toModelMessages(entries: readonly Entry[]): Data[] {
  return entries.flatMap(({ role, content }): Data[] => {
    if (role === 'system') return [{ role, content: content.map((part) => part.text).join('') }];
    const said: Part[] = [];
    const answers: Part[] = [];
    for (const part of content) {
      const { request, response, result, ...rest } = part;
      said.push(rest as Part);
      if (request) said.push({ ...request, type: 'tool-approval-request', toolCallId: part.toolCallId });
      if (request && response)
        answers.push({ ...response, type: 'tool-approval-response', approvalId: request.approvalId });
      if (result) {
        const { toolCallId, toolName } = part;
        (part.providerExecuted && result.output.type !== 'execution-denied' ? said : answers).push({
          ...result,
          type: 'tool-result',
          toolCallId,
          toolName,
        });
      }
    }
    return answers.length
      ? [
          { role, content: said },
          { role: 'tool', content: answers },
        ]
      : [{ role, content: said }];
  });
}

/** How a call settled; undefined as long as it has no result. */
export function resultOf(call: Call, texts: Partial<GateTexts> | undefined): CallResult | undefined {
  if (!call.result) return undefined;
  const { output, providerOptions } = call.result;
  const kept: Outcome['kind'] | undefined = providerOptions?.['toolgate']?.outcome;
  const failed = /^e/.test(output.type);
  let { value } = output;
  let kind: OutcomeKind = failed ? (kept ?? 'failed') : 'executed';
  if (output.type === 'execution-denied') {
    kind = kept ?? 'denied';
    // With an outcome beside it, the reason is the whole text already: that of a policy, or the app's own.
    value = kept ? output.reason : undefined;
    value ??= resultText({ kind, reason: output.reason }, texts);
  }
  return { kind, text: textOf(value), value, failed };
}

/** A value as a text: itself, or JSON. */
export function textOf(value: Data): string {
  return typeof value === 'string'
    ? value
    : (JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? String(inner) : inner)) ?? '');
}

/** JSON as a value; what is no JSON, as it is. */
export function valueOf(text: string): Data {
  try {
    return JSON.parse(text || '{}');
  } catch {
    return text;
  }
}

/** Gives a call the result that a history has for it. A text that we write ourselves is known again as what it says. */
export function settle(
  call: Call,
  value: Data,
  failed: boolean,
  texts: Partial<GateTexts> | undefined,
  meta?: Data,
): void {
  const known = knownOutcome(value, texts);
  let output: Data = { type: failed ? 'error-text' : 'text', value };
  if (typeof value !== 'string')
    output = failed ? { type: 'error-text', value: textOf(value) } : { type: 'json', value };
  if (known && known.kind !== 'denied') {
    meta = { ...meta, toolgate: { outcome: known.kind, reason: known.reason, mayHaveRun: known.mayHaveRun } };
    call.providerOptions = { ...call.providerOptions, toolgate: meta.toolgate };
  }
  if (known && /^[des]/.test(known.kind)) {
    const reason = known.kind === 'denied' ? known.reason : value;
    output = { type: 'execution-denied', reason };
    call.request ??= requestFor(call);
    call.response = { type: '', approved: false, reason };
  } else if (known) {
    output = { type: 'error-text', value };
  }
  call.result = { type: '', output, ...(meta && { providerOptions: meta }) };
}

/** Gives a call the denial that a history has for it. A reason that is a text of ours says what it was instead. */
export function refuse(call: Call, reason: Data, texts: Partial<GateTexts> | undefined): void {
  if (reason) settle(call, reason, false, texts);
  call.request ??= requestFor(call);
  call.response = { type: '', approved: false, reason };
  if (call.result?.['output'].type !== 'execution-denied')
    call.result = { type: '', output: { type: 'execution-denied', reason } };
}

/** A request that this client makes up: its id is the call's. */
export const requestFor = ({ toolCallId }: { toolCallId: string }): Part => ({
  type: 'tool-approval-request',
  approvalId: toolCallId,
  toolCallId,
});

const KINDS = ['denied', 'skipped', 'expired', 'cancelled', 'interrupted', 'mayHaveRun'] as const;

/** The outcome that a text of ours tells. */
function knownOutcome(value: Data, texts: Partial<GateTexts> | undefined): Outcome | undefined {
  if (typeof value !== 'string') return undefined;
  for (const name of KINDS) {
    const outcome: Outcome = name === 'mayHaveRun' ? { kind: 'interrupted', mayHaveRun: true } : { kind: name };
    const text = resultText(outcome, texts);
    if (text && value === text) return outcome;
    if (text && value.startsWith(`${text} `)) return { ...outcome, reason: value.slice(text.length + 1) };
  }
  return undefined;
}

/** A file's address, and its bytes in base64 where the address holds them. */
export function fileOf({ data, url, mediaType }: Part): { url: string; base64?: string; mediaType: string } {
  const address = String(data?.url ?? (typeof data === 'string' ? data : (url ?? '')));
  const [, type, more = '', body = ''] = /^data:([^;,]*)([^,]*),(.*)$/s.exec(address) ?? [];
  if (type === undefined) return { url: address, mediaType };
  const full = mediaType.includes('/') ? mediaType : type;
  try {
    const base64 = more.endsWith(';base64') ? body : btoa(decodeURIComponent(body));
    return { url: `data:${full};base64,${base64}`, base64, mediaType: full };
  } catch {
    // Text beyond Latin-1 stays the address it is.
    return { url: address, mediaType: full };
  }
}

/** An input for a protocol that takes objects only. */
export function objectOf({ input, toolCallId }: Call, context: Context): Data {
  if (typeof input === 'object' && input && !Array.isArray(input)) return input;
  context.reportLoss('input', toolCallId);
  return { input };
}

/** What the system says first, which some protocols have a place of its own for. */
export const leading = (entries: readonly Entry[]): Part[] =>
  entries.slice(0, entries.length - split(entries).length).flatMap(({ content }) => content);

/** The conversation behind what the system says first; with a context, what is left out is reported. */
export function split(entries: readonly Entry[], context?: Context): readonly Entry[] {
  const first = entries.findIndex(({ role }) => role !== 'system');
  if (first) context?.reportLoss('system');
  return first < 0 ? [] : entries.slice(first);
}

/** What should be a list, as one: nothing is none, and anything else is its one item. */
export const asList = (list: Data): readonly Data[] =>
  Array.isArray(list) ? list : list === undefined || list === null ? [] : [list];

/** A content that is a text, or a list of parts, as a list. */
export const asParts = (content: Data): readonly Data[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : asList(content);

/** The text of parts that are all text. Throws for one that has none. */
export function textIn(parts: readonly Data[]): string {
  return parts
    .map(({ text }) => {
      if (typeof text !== 'string') throw new TypeError('a part without a text');
      return text;
    })
    .join('');
}
