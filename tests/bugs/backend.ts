/**
 * The server of the bug table: `streamText` of the tested version of `ai` with a scripted model, and a record.
 *
 * The record contains which tools ran and how often, every prompt, and every received request. The facts in the table
 * come from this record, never from the client. A reply can be replaced or delayed to simulate a failing network, an
 * empty reply, or a proxy that adds chunks.
 */
import * as ai7 from 'ai';
import * as test7 from 'ai/test';
import * as ai6 from 'ai6';
import * as test6 from 'ai6/test';
import { z } from 'zod';

import type { Chunk, Message } from '../interop/ai-sdk/peers';

/** One scripted model call: its text and its tool calls. */
export interface ModelTurn {
  readonly text?: string;
  readonly calls?: readonly { readonly id: string; readonly tool: string; readonly input?: unknown }[];
  /** The provider fails: before any output, or after its text. */
  readonly fails?: 'at once' | 'midway';
}

/** A request as it arrived, after `JSON.stringify` and `JSON.parse`. */
export interface RequestRecord {
  readonly trigger: string;
  readonly messageId: string | undefined;
  readonly messages: readonly Message[];
  readonly headers: Readonly<Record<string, string>>;
  /** The number of open replies to other requests when this one arrived. */
  readonly besides: number;
}

/** A handwritten reply: chunks, and functions that perform the user's actions between them. */
export type Script = readonly (Chunk | (() => Promise<void>))[];

/** A replacement for the server's own reply: a failed request, or a handwritten reply. */
export type Interception = Error | Script | undefined;

/** Tools by name: `asks` needs an approval, `runs` needs none, and `in the browser` is run by the page. */
export type Tools = Readonly<Record<string, 'asks' | 'runs' | 'in the browser'>>;

/** The options of a backend; only the model's script is required. */
export interface BackendOptions {
  /** The model's calls, in order; beyond the last it answers `ok`. */
  readonly model: readonly ModelTurn[];
  /** Replaces the reply to the n-th request (from 1). */
  readonly intercept?: (n: number) => Interception;
  /**
   * The server writes the complete reply to the n-th request (from 1), but the connection is lost before any of it
   * arrives.
   */
  readonly loses?: (n: number) => boolean;
  /** The reply to the n-th request (from 1) is held until this promise settles. */
  readonly hold?: (n: number) => Promise<void> | undefined;
  /**
   * `'same'`: the server continues the last assistant message; `'new'`: every reply has a message id of its own;
   * `'client'`: replies have no message id. Default: `'same'`.
   */
  readonly replyIds?: 'client' | 'same' | 'new';
  /**
   * The connection of the n-th request (from 1) is lost after this number of chunks. The server continues, and stores
   * the reply.
   */
  readonly cutsAfter?: (n: number) => number | undefined;
  /** The tools, and whether they need approval. Default: {@link TOOLS}. */
  readonly tools?: Tools;
  /** The maximum number of steps for one request. Default: 5. */
  readonly stopAfter?: number;
  /** The number of the first request that is rejected, so that a client cannot loop endlessly. Default: 41. */
  readonly cap?: number;
}

/** The tools of scenarios that don't define their own. */
const TOOLS: Tools = { edit: 'asks', send: 'asks', read: 'runs', pick: 'in the browser' };

/** The record of one backend. */
export class Backend {
  readonly requests: RequestRecord[] = [];
  /** Tool runs, as `tool#callId`. */
  readonly ran: string[] = [];
  /** Prompts, condensed by {@link condense}, one for each model call. */
  readonly saw: string[][] = [];
  /** Names of the errors that the server raised while answering. */
  readonly errors: string[] = [];
  /** The number of received requests whose reply has not ended. */
  open = 0;
  /** The complete reply whose connection was lost. One reconnection receives it. */
  kept: readonly Chunk[] | undefined;

  readonly #version: 6 | 7;
  readonly #options: BackendOptions;
  #modelCalls = 0;

  constructor(version: 6 | 7, options: BackendOptions) {
    this.#version = version;
    this.#options = options;
  }

  /** A `ChatTransport` for this backend. */
  get transport() {
    return {
      sendMessages: (options: {
        messages: unknown[];
        trigger: string;
        messageId?: string;
        headers?: Record<string, string> | Headers;
        abortSignal?: AbortSignal;
      }): Promise<ReadableStream<Chunk>> => this.#answer(options),
      reconnectToStream: async (): Promise<ReadableStream<Chunk> | null> => {
        const { kept } = this;
        this.kept = undefined;
        return kept === undefined ? null : streamOf(kept);
      },
    };
  }

  async #answer(request: {
    messages: unknown[];
    trigger: string;
    messageId?: string;
    headers?: Record<string, string> | Headers;
    abortSignal?: AbortSignal;
  }): Promise<ReadableStream<Chunk>> {
    const { intercept, hold, loses, cutsAfter, replyIds = 'same', cap = 41 } = this.#options;
    const messages = JSON.parse(JSON.stringify(request.messages)) as Message[];
    const headers = Object.fromEntries(new Headers(request.headers).entries());
    this.requests.push({
      trigger: request.trigger,
      messageId: request.messageId,
      messages,
      headers,
      besides: this.open,
    });
    const n = this.requests.length;
    if (n >= cap) throw new Error(`the backend rejects request ${cap} and later ones`);
    this.open++;
    try {
      await hold?.(n);
      const change = intercept?.(n);
      if (change instanceof Error) throw change;
      const reply = change ? streamOf(change) : await this.#run(messages, replyIds, n);
      if (loses?.(n)) {
        for await (const _chunk of reply as unknown as AsyncIterable<Chunk>);
        throw new TypeError('network error');
      }
      const cut = cutsAfter?.(n);
      return this.#tracked(cut === undefined ? reply : await this.#cut(reply, cut), request.abortSignal);
    } catch (error) {
      this.open--;
      throw error;
    }
  }

  async #cut(reply: ReadableStream<Chunk>, after: number): Promise<ReadableStream<Chunk>> {
    const chunks: Chunk[] = [];
    for await (const chunk of reply as unknown as AsyncIterable<Chunk>) chunks.push(JSON.parse(JSON.stringify(chunk)));
    this.kept = chunks;
    const lost = (): Promise<void> => Promise.reject(new TypeError('network error'));
    return streamOf([...chunks.slice(0, after), lost]);
  }

  /**
   * Does the same as an app's route: converts the messages, calls `streamText`, and answers with a UI message stream.
   */
  async #run(messages: Message[], replyIds: 'client' | 'same' | 'new', n: number): Promise<ReadableStream<Chunk>> {
    const sdk = (this.#version === 7 ? ai7 : ai6) as typeof ai7;
    const { tools: kinds = TOOLS, stopAfter = 5 } = this.#options;
    const tools = Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, this.#tool(sdk, name, kind)]));
    const asking = Object.keys(kinds).filter((name) => kinds[name] === 'asks');
    const result = sdk.streamText({
      model: this.#model() as never,
      tools,
      messages: await sdk.convertToModelMessages(messages as never),
      stopWhen: ({ steps }: { steps: unknown[] }) => steps.length === stopAfter,
      onError: ({ error }: { error: unknown }) => void this.errors.push((error as Error).name),
      ...(this.#version === 7
        ? { toolApproval: Object.fromEntries(asking.map((name) => [name, 'user-approval'])) }
        : {}),
    } as never);
    const ids =
      replyIds === 'client'
        ? {}
        : replyIds === 'same'
          ? { originalMessages: messages, generateMessageId: () => `reply-${n}` }
          : { originalMessages: messages.slice(0, 0), generateMessageId: () => `reply-${n}` };
    return result.toUIMessageStream({ ...ids, onError: (error: unknown) => (error as Error).name } as never) as never;
  }

  #tool(sdk: typeof ai7, name: string, kind: string): unknown {
    return sdk.tool({
      inputSchema: z.looseObject({}),
      ...(kind === 'in the browser'
        ? {}
        : {
            execute: async (_input: unknown, { toolCallId }: { toolCallId: string }) => {
              this.ran.push(`${name}#${toolCallId}`);
              return `${name} done`;
            },
          }),
      ...(this.#version === 6 && kind === 'asks' ? { needsApproval: true } : {}),
    } as never);
  }

  #model(): unknown {
    const doStream = async ({ prompt }: { prompt: unknown }) => {
      this.saw.push(condense(prompt as readonly PromptMessage[]));
      const turn = this.#options.model[this.#modelCalls++] ?? { text: 'ok' };
      if (turn.fails === 'at once') throw new Error('API 500');
      return { stream: streamOf(modelParts(turn)) };
    };
    return this.#version === 7
      ? new test7.MockLanguageModelV4({ doStream: doStream as never })
      : new test6.MockLanguageModelV3({ doStream: doStream as never });
  }

  /** Counts a reply as open until it ends, fails or is cancelled; its chunks go through JSON, as over HTTP. */
  #tracked(reply: ReadableStream<Chunk>, signal: AbortSignal | undefined): ReadableStream<Chunk> {
    const reader = reply.getReader();
    let isOpen = true;
    const close = (): void => {
      if (isOpen) this.open--;
      isOpen = false;
    };
    signal?.addEventListener('abort', close);
    return new ReadableStream<Chunk>(
      {
        pull: async (controller) => {
          const { value, done } = await reader.read().catch((error: unknown) => {
            close();
            throw error;
          });
          if (!done) return controller.enqueue(JSON.parse(JSON.stringify(value)) as Chunk);
          close();
          controller.close();
        },
        cancel: async (reason) => {
          close();
          await reader.cancel(reason);
        },
      },
      { highWaterMark: 0 },
    );
  }
}

/** A stream of fixed chunks; a function among them is called and awaited before the next chunk. */
export function streamOf<T extends object>(script: readonly (T | (() => Promise<void>))[]): ReadableStream<T> {
  let next = 0;
  return new ReadableStream<T>(
    {
      async pull(controller) {
        while (next < script.length) {
          const item = script[next++]!;
          if (typeof item !== 'function') return controller.enqueue(item);
          await item();
        }
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

/** The chunks of a reply with `calls` and an approval request for each. Approval ids are `ask-` and the call id. */
export const asks = (messageId: string, calls: readonly { id: string; tool: string }[]): Chunk[] => [
  { type: 'start', messageId },
  { type: 'start-step' },
  ...calls.flatMap(({ id, tool }) => [
    { type: 'tool-input-available', toolCallId: id, toolName: tool, input: {} },
    { type: 'tool-approval-request', toolCallId: id, approvalId: `ask-${id}` },
  ]),
];

/** The chunks that end a reply of {@link asks}. */
export const ends: readonly Chunk[] = [{ type: 'finish-step' }, { type: 'finish', finishReason: 'tool-calls' }];

function modelParts({ text, calls = [], fails }: ModelTurn): object[] {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const reason = fails ? 'error' : calls.length > 0 ? 'tool-calls' : 'stop';
  return [
    { type: 'stream-start', warnings: [] },
    ...(text === undefined
      ? []
      : [
          { type: 'text-start', id: 't' },
          { type: 'text-delta', id: 't', delta: text },
          ...(fails ? [] : [{ type: 'text-end', id: 't' }]),
        ]),
    ...(fails ? [{ type: 'error', error: new Error('API 500') }] : []),
    ...calls.map(({ id, tool, input = {} }) => ({
      type: 'tool-call',
      toolCallId: id,
      toolName: tool,
      input: JSON.stringify(input),
    })),
    { type: 'finish', finishReason: { unified: reason, raw: reason }, usage },
  ];
}

interface PromptMessage {
  role: string;
  content: string | readonly { type: string; [key: string]: unknown }[];
}

/** A prompt with a few words for each message: `user: hi`, `call edit#c1`, `result c1: execution-denied "no"`. */
export function condense(prompt: readonly PromptMessage[]): string[] {
  return prompt.flatMap((message) =>
    typeof message.content === 'string'
      ? [`${message.role}: ${message.content}`]
      : message.content.map((part) => {
          if (part.type === 'text') return `${message.role}: ${String(part['text'])}`;
          if (part.type === 'tool-call') return `call ${String(part['toolName'])}#${String(part['toolCallId'])}`;
          if (part.type !== 'tool-result') return part.type;
          const { type, value, reason } = part['output'] as { type: string; value?: unknown; reason?: string };
          const detail = value ?? reason;
          return `result ${String(part['toolCallId'])}: ${type}${detail === undefined ? '' : ` ${JSON.stringify(detail)}`}`;
        }),
  );
}
