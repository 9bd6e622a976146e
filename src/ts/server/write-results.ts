/**
 * Writes results into messages in their own format: directly after the step, in call order. Changed messages are new
 * objects; the given ones are not modified.
 */
import type { Data, ReadCall, ReadHistory } from './read-history.js';
import { toJson } from './canonical-json.js';
import { messageOf } from '../tools/call-tool.js';
import { UNREADABLE } from '../tools/error-results.js';
import { own } from '../json/own-property.js';
import type { CallResult, ResolvableTool, Toolkit } from './resolve-types.js';

/** Returns the messages with these results. */
export async function writeResults(
  messages: readonly unknown[],
  history: ReadHistory,
  results: ReadonlyMap<ReadCall, CallResult>,
  toolkit: Toolkit | undefined,
): Promise<unknown[]> {
  const steps = new Map<number, Map<ReadCall, CallResult>>();
  for (const [call, result] of results) {
    steps.set(call.at, (steps.get(call.at) ?? new Map<ReadCall, CallResult>()).set(call, result));
  }
  const written: unknown[] = [];
  for (let at = 0; at < messages.length; at++) {
    const message: Data = messages[at];
    const step = steps.get(at);
    if (!step) written.push(message);
    else if (Array.isArray(message.parts)) written.push(withParts(message, step));
    else {
      written.push(message);
      const toolMessagesAfter: Data[] = [];
      while ((messages[at + 1] as Data)?.role === 'tool') toolMessagesAfter.push(messages[++at]);
      const calls = history.calls.filter((call) => call.at === at - toolMessagesAfter.length);
      written.push(...(await toolMessages(toolMessagesAfter, calls, step, toolkit)));
    }
  }
  return written;
}

/** Returns a `UIMessage` in which these calls have their results. */
function withParts(message: Data, step: ReadonlyMap<ReadCall, CallResult>): Data {
  const settled = new Map<Data, CallResult>([...step].map(([call, result]) => [call.part, result]));
  const parts = message.parts.map((part: Data) => {
    const result = settled.get(part);
    if (!result) return part;
    if (result.outcome === 'denied') return { ...part, state: 'output-denied' };
    if (result.outcome === 'executed') return { ...part, state: 'output-available', output: result.output };
    return { ...part, state: 'output-error', errorText: result.errorText };
  });
  return { ...message, parts };
}

/**
 * Returns the tool messages that follow a step: their other parts first, then all results of the step in call order.
 */
async function toolMessages(
  toolMessagesAfter: readonly Data[],
  calls: readonly ReadCall[],
  step: ReadonlyMap<ReadCall, CallResult>,
  toolkit: Toolkit | undefined,
): Promise<Data[]> {
  const [kept, existing]: [Data[], Map<unknown, Data>] = [[], new Map()];
  const ids = new Set<unknown>(calls.map(({ toolCallId }) => toolCallId));
  let last: Data;
  for (const message of toolMessagesAfter) {
    const content = message.content.filter((part: Data) => {
      const id = part?.type === 'tool-result' ? (part.toolCallId ?? part.id) : undefined;
      if (!ids.has(id) || existing.has(id)) return true;
      existing.set(id, part);
      return false;
    });
    if (content.length === message.content.length) kept.push(message);
    else if (content.length > 0) kept.push({ ...message, content });
    else last = message;
  }
  const results: Data[] = [];
  for (const call of calls) {
    const result = step.get(call);
    if (result) results.push(await resultPart(call, result, toolkit));
    else if (existing.has(call.toolCallId)) results.push(existing.get(call.toolCallId));
  }
  // Preserve other properties of a message that contained results only, such as cache options.
  return [...kept, { ...last, role: 'tool', content: results }];
}

async function resultPart(call: ReadCall, result: CallResult, toolkit: Toolkit | undefined): Promise<Data> {
  const { toolCallId, toolName, form } = call;
  const { outcome, errorText, reason } = result;
  const failure = { type: 'error-text', value: errorText };
  const denial = { type: 'execution-denied', reason };
  if (form === 'effect') {
    const produce = (): unknown => toJson(result.output);
    const given = { value: outcome === 'denied' ? denial : errorText };
    const { value, problem }: Readable = outcome === 'executed' ? await convert(produce) : given;
    const isFailure = outcome !== 'executed' || problem !== undefined;
    return { type: 'tool-result', id: toolCallId, name: toolName, isFailure, result: problem ?? value };
  }
  if (outcome !== 'executed') {
    return { type: 'tool-result', toolCallId, toolName, output: outcome === 'denied' ? denial : failure };
  }
  const { value, problem } = await convert(() => outputOf(call, result, toolkit));
  const output = problem === undefined ? value : { type: 'error-text', value: problem };
  return { type: 'tool-result', toolCallId, toolName, output };
}

/** Converts an output for the model: by `toModelOutput`, otherwise strings as text and other values as JSON. */
function outputOf(
  { toolCallId, toolName, input }: ReadCall,
  { output }: CallResult,
  toolkit: Toolkit | undefined,
): unknown {
  const tool = own(toolkit, toolName) as ResolvableTool | undefined;
  if (tool?.toModelOutput) return tool.toModelOutput({ toolCallId, input, output } as never);
  return typeof output === 'string' ? { type: 'text', value: output } : { type: 'json', value: toJson(output) };
}

/** A converted output, or the reason why the conversion failed. */
interface Readable {
  readonly value?: unknown;
  readonly problem?: string;
}

/** Converts an output. An error must not discard the results of other calls, because the tools have run. */
async function convert(produce: () => unknown): Promise<Readable> {
  try {
    return { value: await produce() };
  } catch (error) {
    return { problem: `${UNREADABLE} ${messageOf(error)}` };
  }
}

/**
 * Returns the request and decision parts of calls with a result. Providers such as OpenAI reject a decision for a
 * request that they did not send. Parts of calls that the provider runs are not included.
 */
export function answeredParts({ approvals }: ReadHistory): Data[] {
  return approvals.flatMap(({ call, answer, parts }) =>
    answer && call?.resolved && !call.providerExecuted ? parts : [],
  );
}

/**
 * Returns the messages without these parts. Removes messages that contained nothing else. Does not change `UIMessage`s.
 */
export function without(messages: readonly unknown[], removed: ReadonlySet<Data>): unknown[] {
  if (removed.size === 0) return [...messages];
  return messages.flatMap((message: Data) => {
    if (!Array.isArray(message?.content)) return [message];
    const content = message.content.filter((part: Data) => !removed.has(part));
    if (content.length === message.content.length) return [message];
    return content.length > 0 ? [{ ...message, content }] : [];
  });
}
