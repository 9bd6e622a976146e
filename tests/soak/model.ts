/**
 * A scripted model: it calls tools or writes a text, depending on a seed. It checks each prompt like a provider.
 */
import * as test7 from 'ai/test';
import * as test6 from 'ai6/test';

import { streamOf } from '../bugs/script.js';
import type { Random } from './random.js';

/** The properties of a prompt that the model reads. */
interface PromptMessage {
  readonly role: string;
  readonly content: string | readonly { readonly type: string; readonly text?: string; readonly toolCallId?: string }[];
}

/** The options of the model. */
export interface ModelOptions {
  readonly version: 6 | 7;
  readonly random: Random;
  /** Whether it may call a tool of the page. */
  readonly callsPageTools: boolean;
  /** Whether it sometimes fails. Read at each call. */
  readonly isHostile: () => boolean;
  /** Called for each tool call of the model. */
  readonly onCall: (call: { readonly n: number; readonly tool: string }) => void;
  /** Called for each prompt that a provider would refuse. */
  readonly onBadPrompt: (problem: string) => void;
  /** The next unused number. */
  readonly count: () => number;
}

/** The maximum number of steps with tool calls in one turn. */
const STEPS = 3;

/** The model, for `streamText` of either version. */
export function scriptedModel(options: ModelOptions): unknown {
  const doStream = async ({ prompt }: { prompt: readonly PromptMessage[] }) => {
    for (const problem of problemsOf(prompt)) options.onBadPrompt(problem);
    return { stream: streamOf(answer(prompt, options)) };
  };
  return options.version === 7
    ? new test7.MockLanguageModelV4({ doStream: doStream as never })
    : new test6.MockLanguageModelV3({ doStream: doStream as never });
}

function answer(
  prompt: readonly PromptMessage[],
  { random, callsPageTools, isHostile, onCall, count }: ModelOptions,
): object[] {
  const fault = isHostile()
    ? random.weighted([
        [30, undefined],
        [1, 'at once'],
        [1, 'midway'],
      ] as const)
    : undefined;
  if (fault === 'at once') throw new Error('the model is overloaded');
  const turn = prompt.slice(prompt.findLastIndex(({ role }) => role === 'user'));
  const steps = turn.filter(({ role }) => role === 'assistant').length;
  const callsTools = steps < STEPS && random.chance(steps === 0 ? 0.85 : 0.4);
  const id = `t${count()}`;
  const text = !callsTools || random.chance(0.3);
  const parts: object[] = [{ type: 'stream-start', warnings: [] }];
  if (text) {
    parts.push({ type: 'text-start', id }, { type: 'text-delta', id, delta: `<text ${id}>` });
    if (fault === 'midway')
      return [...parts, { type: 'error', error: new Error('the model stopped in the middle') }, end('error')];
    parts.push({ type: 'text-end', id });
  }
  for (let calls = callsTools ? 1 + random.below(3) : 0; calls > 0; calls--) {
    const tool = random.weighted([
      [7, 'remove'],
      [2, 'read'],
      [callsPageTools ? 1.5 : 0, 'pick'],
    ] as const);
    const n = count();
    onCall({ n, tool });
    const toolCallId = `call-${n}`;
    const input = JSON.stringify({ n });
    if (random.chance(0.5)) {
      const at = random.below(input.length);
      parts.push({ type: 'tool-input-start', id: toolCallId, toolName: tool });
      for (const delta of [input.slice(0, at), input.slice(at)])
        parts.push({ type: 'tool-input-delta', id: toolCallId, delta });
      parts.push({ type: 'tool-input-end', id: toolCallId });
    }
    parts.push({ type: 'tool-call', toolCallId, toolName: tool, input });
  }
  if (fault === 'midway')
    return [...parts, { type: 'error', error: new Error('the model stopped in the middle') }, end('error')];
  return [...parts, end(callsTools ? 'tool-calls' : 'stop')];
}

function end(reason: string): object {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  return { type: 'finish', finishReason: { unified: reason, raw: reason }, usage };
}

/**
 * Returns the reasons for which a provider would refuse the prompt, and the contents that occur twice. Empty for a
 * valid prompt.
 */
export function problemsOf(prompt: readonly PromptMessage[]): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  const open = new Set<string>();
  const close = (): void => {
    if (open.size > 0) problems.push(`the prompt has no result for ${[...open].join(', ')}`);
    open.clear();
  };
  for (const { role, content } of prompt) {
    if (role !== 'tool') close();
    for (const part of typeof content === 'string' ? [{ type: 'text', text: content, toolCallId: '' }] : content) {
      const { type, text, toolCallId = '' } = part;
      if (type === 'tool-call') {
        if (seen.has(toolCallId)) problems.push(`the prompt has ${toolCallId} twice`);
        open.add(toolCallId);
        seen.add(toolCallId);
      } else if (type === 'tool-result' && !open.delete(toolCallId)) {
        problems.push(`the prompt has a result for ${toolCallId}, which is not an open call`);
      } else if (type === 'text' && text !== undefined) {
        if (seen.has(text)) problems.push(`the prompt has "${text}" twice`);
        seen.add(text);
      }
    }
  }
  close();
  return problems;
}
