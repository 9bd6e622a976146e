/**
 * Writes results into messages in their own format: directly after the step, in call order. Changed messages are new
 * objects; the given ones are not modified.
 */
import { fieldsOf, listOf, type Fields } from './fields.js';
import type { ReadCall, ReadHistory } from './read-history.js';
import { toJson } from './canonical-json.js';
import type { CallResult, ResolveOptions, Toolkit } from './resolve-types.js';
import { toolOf } from './toolkit.js';
import { agreeing, shownResult, unreadableText } from './written.js';

type Results = ReadonlyMap<ReadCall, CallResult>;

/**
 * Returns the messages with these results, and with decisions that agree with them. Leaves out requests without a call
 * and decisions without a request, because the AI SDK and Effect reject them; and with the option `strip`, those of
 * calls with a result, because providers such as OpenAI reject a decision for a request that they did not send.
 */
export async function writeResults(
  messages: readonly unknown[],
  history: ReadHistory,
  results: Results,
  options: ResolveOptions,
): Promise<unknown[]> {
  const written: unknown[] = [];
  let next = 0;
  for (let at = 0; at < messages.length; at++) {
    const message = fieldsOf(messages[at]);
    const calls: ReadCall[] = [];
    while (history.calls[next]?.at === at) calls.push(history.calls[next++]!);
    const isSettled = calls.some((call) => results.has(call));
    const isUi = Array.isArray(message.parts);
    written.push(isSettled && isUi ? withParts(message, calls, results, options) : messages[at]);
    if (!isSettled || isUi) continue;
    const toolMessagesAfter: Fields[] = [];
    while (fieldsOf(messages[at + 1]).role === 'tool') toolMessagesAfter.push(fieldsOf(messages[++at]));
    written.push(...(await toolMessages(toolMessagesAfter, calls, results, options.toolkit)));
  }
  return changed(written, changesOf(history, results, options));
}

/** Returns a `UIMessage` in which these calls have their results. */
function withParts(message: Fields, calls: readonly ReadCall[], results: Results, options: ResolveOptions): Fields {
  const settled = new Map<unknown, CallResult | undefined>(calls.map((call) => [call.part, results.get(call)]));
  const parts = listOf(message.parts).map((given) => {
    const result = settled.get(given);
    if (!result) return given;
    const part = fieldsOf(given);
    const shown = shownResult(result);
    // `convertToModelMessages` passes the output to the tool, which may expect more than JSON.
    const isRaw = 'output' in shown && toolOf(options.toolkit, result.toolName)?.toModelOutput;
    const approval = agreeing(fieldsOf(part.approval), result, options);
    return { ...part, approval, ...shown, ...(isRaw && { output: result.output }) };
  });
  return { ...message, parts };
}

/**
 * Returns the tool messages that follow a step: their other parts first, then all results of the step in call order.
 */
async function toolMessages(
  toolMessagesAfter: readonly Fields[],
  calls: readonly ReadCall[],
  results: Results,
  toolkit: Toolkit | undefined,
): Promise<Fields[]> {
  const [kept, existing]: [Fields[], Map<unknown, Fields>] = [[], new Map()];
  const ids = new Set<unknown>(calls.map(({ toolCallId }) => toolCallId));
  let last: Fields = {};
  for (const message of toolMessagesAfter) {
    if (!Array.isArray(message.content)) {
      kept.push(message);
      continue;
    }
    const content = message.content.filter((given) => {
      const part = fieldsOf(given);
      const id = part.type === 'tool-result' ? (part.toolCallId ?? part.id) : undefined;
      if (!ids.has(id) || existing.has(id)) return true;
      existing.set(id, part);
      return false;
    });
    if (content.length === message.content.length) kept.push(message);
    else if (content.length > 0) kept.push({ ...message, content });
    else last = message;
  }
  const parts: Fields[] = [];
  for (const call of calls) {
    const result = results.get(call);
    const part = result ? await resultPart(call, result, toolkit) : existing.get(call.toolCallId);
    if (part) parts.push(part);
  }
  // Preserve other properties of a message that contained results only, such as cache options.
  return [...kept, { ...last, role: 'tool', content: parts }];
}

/** Returns the part with a result, as the model reads it. */
async function resultPart(call: ReadCall, result: CallResult, toolkit: Toolkit | undefined): Promise<Fields> {
  const { toolCallId, toolName, form } = call;
  const isEffect = form === 'effect';
  let { errorText } = result;
  let output: unknown;
  if (result.outcome === 'executed') {
    // An error must not discard the results of other calls, because the tools have run.
    try {
      output = isEffect ? toJson(result.output) : await modelOutput(call, result, toolkit);
    } catch (error) {
      errorText = unreadableText(error);
    }
  }
  if (errorText !== undefined) output = isEffect ? errorText : { type: 'error-text', value: errorText };
  if (result.outcome === 'denied') output = { type: 'execution-denied', reason: result.reason };
  return isEffect
    ? {
        type: 'tool-result',
        id: toolCallId,
        name: toolName,
        isFailure: result.outcome !== 'executed' || errorText !== undefined,
        result: output,
      }
    : { type: 'tool-result', toolCallId, toolName, output };
}

/** Converts an output for the model: by `toModelOutput`, otherwise strings as text and other values as JSON. */
function modelOutput(
  { toolCallId, toolName, input }: ReadCall,
  { output }: CallResult,
  toolkit: Toolkit | undefined,
): unknown {
  const tool = toolOf(toolkit, toolName);
  if (tool?.toModelOutput) return tool.toModelOutput({ toolCallId, input, output } as never);
  return typeof output === 'string' ? { type: 'text', value: output } : { type: 'json', value: toJson(output) };
}

/** The parts to replace, or with undefined to leave out. */
function changesOf(
  { approvals, orphans }: ReadHistory,
  results: Results,
  options: ResolveOptions,
): Map<unknown, Fields | undefined> {
  const changes = new Map<unknown, Fields | undefined>();
  for (const [call, result] of results) {
    for (const part of call.approval?.parts ?? []) {
      const agreed = part.type === 'tool-approval-response' ? agreeing(part, result, options) : part;
      if (agreed !== part) changes.set(part, agreed);
    }
  }
  for (const part of orphans) changes.set(part, undefined);
  if (!options.strip) return changes;
  for (const { call, answer, parts } of approvals) {
    if (!answer || !call || call.providerExecuted || !(call.resolved || results.has(call))) continue;
    for (const part of parts) changes.set(part, undefined);
  }
  return changes;
}

/** Removes messages that contained only parts to leave out. Does not change `UIMessage`s. */
function changed(messages: readonly unknown[], changes: ReadonlyMap<unknown, Fields | undefined>): unknown[] {
  return messages.flatMap((message) => {
    const parts = listOf(fieldsOf(message).content);
    if (!parts.some((part) => changes.has(part))) return [message];
    const content = parts.flatMap((part) => (changes.has(part) ? (changes.get(part) ?? []) : [part]));
    return content.length > 0 ? [{ ...fieldsOf(message), content }] : [];
  });
}
