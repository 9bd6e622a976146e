/**
 * Writes results into messages, each in its own form: right behind its step, in call order. Messages that were given stay as
 * they are; those that change are new objects.
 */
import type { Data, ReadCall, ReadHistory } from './read-history.js';
import { toJson } from './canonical-json.js';
import { messageOf } from '../tools/call-tool.js';
import { UNREADABLE } from '../tools/error-results.js';
import { own } from '../json/own-property.js';
import type { CallResult, ResolvableTool, Toolkit } from './resolve-types.js';

/** The messages with these results, by call. */
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
      const behind: Data[] = [];
      while ((messages[at + 1] as Data)?.role === 'tool') behind.push(messages[++at]);
      const calls = history.calls.filter((call) => call.at === at - behind.length);
      written.push(...(await toolMessages(behind, calls, step, toolkit)));
    }
  }
  return written;
}

/** A `UIMessage` in which these calls have settled. */
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

/** The tool messages behind a step: what stood there but for results, then all results of the step, in call order. */
async function toolMessages(
  behind: readonly Data[],
  calls: readonly ReadCall[],
  step: ReadonlyMap<ReadCall, CallResult>,
  toolkit: Toolkit | undefined,
): Promise<Data[]> {
  const [kept, existing]: [Data[], Map<unknown, Data>] = [[], new Map()];
  const ids = new Set<unknown>(calls.map(({ toolCallId }) => toolCallId));
  let last: Data;
  for (const message of behind) {
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
  // A message that held results alone keeps what else it says, such as cache marks.
  return [...kept, { ...last, role: 'tool', content: results }];
}

async function resultPart(call: ReadCall, result: CallResult, toolkit: Toolkit | undefined): Promise<Data> {
  const { toolCallId, toolName, form } = call;
  const { outcome, errorText, reason } = result;
  const failure = { type: 'error-text', value: errorText };
  const denial = { type: 'execution-denied', reason };
  if (form === 'effect') {
    const read = (): unknown => toJson(result.output);
    const given = { value: outcome === 'denied' ? denial : errorText };
    const { value, problem }: Readable = outcome === 'executed' ? await readable(read) : given;
    const isFailure = outcome !== 'executed' || problem !== undefined;
    return { type: 'tool-result', id: toolCallId, name: toolName, isFailure, result: problem ?? value };
  }
  if (outcome !== 'executed') {
    return { type: 'tool-result', toolCallId, toolName, output: outcome === 'denied' ? denial : failure };
  }
  const { value, problem } = await readable(() => outputOf(call, result, toolkit));
  const output = problem === undefined ? value : { type: 'error-text', value: problem };
  return { type: 'tool-result', toolCallId, toolName, output };
}

/** An output in the model's words: the tool's own, or a text as it is, all else as JSON. */
function outputOf(
  { toolCallId, toolName, input }: ReadCall,
  { output }: CallResult,
  toolkit: Toolkit | undefined,
): unknown {
  const tool = own(toolkit, toolName) as ResolvableTool | undefined;
  if (tool?.toModelOutput) return tool.toModelOutput({ toolCallId, input, output } as never);
  return typeof output === 'string' ? { type: 'text', value: output } : { type: 'json', value: toJson(output) };
}

/** What a tool's output was made into, or why it could not be. */
interface Readable {
  readonly value?: unknown;
  readonly problem?: string;
}

/** The tool has run: what cannot be made of its output must not lose the results of others. */
async function readable(read: () => unknown): Promise<Readable> {
  try {
    return { value: await read() };
  } catch (error) {
    return { problem: `${UNREADABLE} ${messageOf(error)}` };
  }
}

/**
 * The requests and answers of calls that have their result: providers such as OpenAI refuse an answer to what they never asked.
 * Those of calls that the provider runs stay.
 */
export function answeredParts({ approvals }: ReadHistory): Data[] {
  return approvals.flatMap(({ call, answer, parts }) =>
    answer && call?.resolved && !call.providerExecuted ? parts : [],
  );
}

/** The messages without these parts, and without those that held nothing else. `UIMessage`s stay as they are. */
export function without(messages: readonly unknown[], gone: ReadonlySet<Data>): unknown[] {
  if (gone.size === 0) return [...messages];
  return messages.flatMap((message: Data) => {
    if (!Array.isArray(message?.content)) return [message];
    const content = message.content.filter((part: Data) => !gone.has(part));
    if (content.length === message.content.length) return [message];
    return content.length > 0 ? [{ ...message, content }] : [];
  });
}
