/**
 * A scripted language model: it implements the AI SDK's provider interface and answers from a script instead of
 * from a network. `streamText` cannot tell it from a real one. The script sees only the prompt, as a model does.
 */
import type { LanguageModel } from 'ai';
import type { PromptMessage, PromptPart } from './record';

/** The model interface that `ai` 7 calls. */
export type Model = Extract<LanguageModel, { specificationVersion: 'v4' }>;
type StreamPart = Awaited<ReturnType<Model['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never;

/** One tool call of a scripted reply. */
export interface ScriptedCall {
  tool: string;
  input: Record<string, unknown>;
}

/** What the scripted model says: some text, some tool calls, or neither. */
export interface ScriptedReply {
  text?: string;
  calls?: readonly ScriptedCall[];
}

/** What a script can see: the prompt, read for convenience. */
export interface PromptView {
  prompt: readonly PromptMessage[];
  /** The text of the latest user message. */
  userText: string;
  /** How many user messages the prompt has. */
  userCount: number;
  /** The tool results after the latest user message, in order, each with the input of its call. */
  results: readonly { toolName: string; input: Record<string, unknown>; output: NonNullable<PromptPart['output']> }[];
  /** Whether the prompt ends with tool results, so that this call continues a turn. */
  continues: boolean;
}

/** Chooses a reply for a prompt. */
export type Script = (view: PromptView) => ScriptedReply;

/** How long the model takes for a word, and a tool for a run, in milliseconds. */
export interface Pace {
  word: number;
  tool: number;
}

/** Builds a model that answers from `script`. */
export function scriptedModel(script: Script, pace: Pace): Model {
  let call = 0;
  return {
    specificationVersion: 'v4',
    provider: 'demo',
    modelId: 'scripted',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('The scripted model only streams.')),
    doStream: ({ prompt, abortSignal }) => {
      call += 1;
      const parts = replyParts(script(viewOf(prompt as unknown as PromptMessage[])), `call${call}`);
      return Promise.resolve({ stream: paced(parts, pace.word, abortSignal) });
    },
  };
}

/** Reads a prompt the way scripts need it. */
export function viewOf(prompt: readonly PromptMessage[]): PromptView {
  const users = prompt.filter((message) => message.role === 'user');
  const lastUser = prompt.findLastIndex((message) => message.role === 'user');
  const inputs = new Map<string, Record<string, unknown>>();
  const results: PromptView['results'][number][] = [];
  for (const message of prompt.slice(lastUser + 1)) {
    if (typeof message.content === 'string') continue;
    for (const part of message.content) {
      if (part.type === 'tool-call') inputs.set(part.toolCallId ?? '', (part.input ?? {}) as Record<string, unknown>);
      if (part.type === 'tool-result' && part.output) {
        results.push({
          toolName: part.toolName ?? '',
          input: inputs.get(part.toolCallId ?? '') ?? {},
          output: part.output,
        });
      }
    }
  }
  return {
    prompt,
    userText: lastUser < 0 ? '' : textOf(prompt[lastUser]!),
    userCount: users.length,
    results,
    continues: prompt.at(-1)?.role === 'tool',
  };
}

function textOf(message: PromptMessage): string {
  if (typeof message.content === 'string') return message.content;
  return message.content.map((part) => part.text ?? '').join('');
}

/** Spells a reply out as stream parts: words for text, pieces of JSON for tool inputs. */
function replyParts(reply: ScriptedReply, prefix: string): StreamPart[] {
  const parts: StreamPart[] = [{ type: 'stream-start', warnings: [] }];
  if (reply.text) {
    parts.push({ type: 'text-start', id: `${prefix}-text` });
    for (const delta of reply.text.match(/\s*\S+|\s+$/g) ?? [])
      parts.push({ type: 'text-delta', id: `${prefix}-text`, delta });
    parts.push({ type: 'text-end', id: `${prefix}-text` });
  }
  (reply.calls ?? []).forEach(({ tool, input }, index) => {
    const id = `${prefix}-${tool}-${index + 1}`;
    const json = JSON.stringify(input);
    parts.push({ type: 'tool-input-start', id, toolName: tool });
    for (const delta of json.match(/[^]{1,9}/g) ?? []) parts.push({ type: 'tool-input-delta', id, delta });
    parts.push({ type: 'tool-input-end', id }, { type: 'tool-call', toolCallId: id, toolName: tool, input: json });
  });
  parts.push({
    type: 'finish',
    finishReason: { unified: reply.calls?.length ? 'tool-calls' : 'stop', raw: undefined },
    usage: {
      inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: undefined, text: undefined, reasoning: undefined },
    },
  });
  return parts;
}

/** A stream of `parts`, one every `ms`; it fails when `signal` aborts, as a provider's does. */
function paced(parts: readonly StreamPart[], ms: number, signal: AbortSignal | undefined): ReadableStream<StreamPart> {
  let next = 0;
  return new ReadableStream<StreamPart>({
    async pull(controller) {
      const part = parts[next++];
      if (part === undefined) return controller.close();
      if (part.type === 'text-delta' || part.type === 'tool-input-delta') await sleep(ms, signal);
      controller.enqueue(part);
    },
  });
}

/** Resolves after `ms` (at once for 0); rejects with the signal's reason when it aborts first. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  if (ms <= 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
