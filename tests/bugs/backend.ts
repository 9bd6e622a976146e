/**
 * The server of the bug table: `streamText` of the tested version of `ai` with a scripted model, and a record.
 *
 * The record contains which tools ran and how often, every prompt, and every received request. The facts in the table
 * come from this record, never from the client. A reply can be replaced or delayed to simulate a failing network, an
 * empty reply, or a proxy that adds chunks.
 */
import { z } from 'zod';

import type { Chunk, Message } from '../interop/ai-sdk/peers';
import { contentOf, streamOf, type Script } from './script';
import { sdkOf, type Sdk } from './sdk';
import type { Actor } from './watch';

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
  readonly #note: (by: Actor, text: string) => void;
  #modelCalls = 0;

  /** `note` is called for each step of the network, the server and the model, after it was recorded. */
  constructor(version: 6 | 7, options: BackendOptions, note: (by: Actor, text: string) => void = () => {}) {
    this.#version = version;
    this.#options = options;
    this.#note = note;
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
    if (n >= cap) {
      this.#note('server', `request ${n} is rejected: there were too many`);
      throw new Error(`the backend rejects request ${cap} and later ones`);
    }
    this.#note('server', `request ${n} arrives${this.open > 0 ? ', while another is being answered' : ''}`);
    this.open++;
    try {
      await hold?.(n);
      const change = intercept?.(n);
      if (change instanceof Error) {
        this.#note('network', `request ${n} fails: ${change.message}`);
        throw change;
      }
      if (change) this.#note('server', contentOf(change, n));
      const reply = change ? streamOf(change) : await this.#run(messages, replyIds, n);
      if (loses?.(n)) {
        const reader = reply.getReader();
        while (!(await reader.read()).done);
        this.#note('network', `the reply to request ${n} is lost`);
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
    const reader = reply.getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read())
      chunks.push(JSON.parse(JSON.stringify(next.value)) as Chunk);
    this.kept = chunks;
    const lost = (): Promise<void> => Promise.reject(new TypeError('network error'));
    return streamOf([...chunks.slice(0, after), lost]);
  }

  /**
   * Does the same as an app's route: converts the messages, calls `streamText`, and answers with a UI message stream.
   */
  async #run(messages: Message[], replyIds: 'client' | 'same' | 'new', n: number): Promise<ReadableStream<Chunk>> {
    const sdk = await sdkOf(this.#version);
    const { ai, version } = sdk;
    const { tools: kinds = TOOLS, stopAfter = 5 } = this.#options;
    const tools = Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, this.#tool(sdk, name, kind)]));
    const asking = Object.keys(kinds).filter((name) => kinds[name] === 'asks');
    const result = ai.streamText({
      model: this.#model() as never,
      tools,
      messages: await ai.convertToModelMessages(messages as never),
      stopWhen: ({ steps }: { steps: unknown[] }) => steps.length === stopAfter,
      onError: ({ error }: { error: unknown }) => this.#failed(error as Error),
      ...(version === 7 ? { toolApproval: Object.fromEntries(asking.map((name) => [name, 'user-approval'])) } : {}),
    } as never);
    const ids =
      replyIds === 'client'
        ? {}
        : replyIds === 'same'
          ? { originalMessages: messages, generateMessageId: () => `reply-${n}` }
          : { originalMessages: messages.slice(0, 0), generateMessageId: () => `reply-${n}` };
    return result.toUIMessageStream({ ...ids, onError: (error: unknown) => (error as Error).name } as never) as never;
  }

  #failed({ name }: Error): void {
    this.errors.push(name);
    this.#note('server', `answers with an error: ${name}`);
  }

  #tool({ ai, version }: Sdk, name: string, kind: string): unknown {
    return ai.tool({
      inputSchema: z.looseObject({}),
      ...(kind === 'in the browser'
        ? {}
        : {
            execute: async (_input: unknown, { toolCallId }: { toolCallId: string }) => {
              this.ran.push(`${name}#${toolCallId}`);
              this.#note('server', `runs ${name}#${toolCallId}`);
              return `${name} done`;
            },
          }),
      ...(version === 6 && kind === 'asks' ? { needsApproval: true } : {}),
    } as never);
  }

  #model(): unknown {
    const doStream = async ({ prompt }: { prompt: unknown }) => {
      this.saw.push(condense(prompt as readonly PromptMessage[]));
      this.#note('model', 'reads the prompt');
      const turn = this.#options.model[this.#modelCalls++] ?? { text: 'ok' };
      if (turn.fails === 'at once') throw new Error('API 500');
      return { stream: streamOf(modelParts(turn)) };
    };
    const doGenerate = (): Promise<never> => Promise.reject(new Error('The scripted model only streams.'));
    const specificationVersion = this.#version === 7 ? 'v4' : 'v3';
    return { specificationVersion, provider: 'bugs', modelId: 'scripted', supportedUrls: {}, doGenerate, doStream };
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
