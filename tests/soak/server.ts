/**
 * The server of the soak: the route handlers of docs/security.md with a real `streamText`, of `ai` 6 or 7. It counts
 * the tool calls that it runs.
 */
import * as ai7 from 'ai';
import * as ai6 from 'ai6';
import { z } from 'zod';

import { MemoryRecord, resolveApprovalsStream } from '../../src/ts/server/index.js';
import { scriptedModel } from './model.js';
import type { Random } from './random.js';

/**
 * How the server handles repeated requests: it stores the idempotency key, stores the calls that it started, does both,
 * or does neither.
 */
export type Checks = 'keys' | 'record' | 'both' | 'none';

/** A server that breaks a rule, for the tests of the judge. */
export type Sabotage = 'runs-denied' | 'runs-twice' | 'hides-output' | 'claims-output' | 'never-ends';

/** A UI message, with only the properties that the server reads. */
export interface Message {
  readonly id: string;
  readonly role: string;
  readonly parts: readonly { readonly type: string; readonly [key: string]: unknown }[];
}

/** The options of a server. */
export interface ServerOptions {
  readonly version: 6 | 7;
  readonly checks: Checks;
  readonly random: Random;
  /** Whether the model may call a tool of the page. */
  readonly callsPageTools: boolean;
  /** Whether model and tools sometimes fail. Read at each call. */
  readonly isHostile: () => boolean;
  /** Calls the callback later. The server uses it to delay the results of tools. */
  readonly later: (label: string, call: () => void) => void;
  /** Called when something happens, so that a simulation knows that the server is still working. */
  readonly onActivity: () => void;
  /** Called before a tool is started for a call. */
  readonly onRun?: (n: number) => void;
  readonly sabotage?: Sabotage | undefined;
}

/** A call that the model made. */
export interface Call {
  readonly n: number;
  readonly tool: string;
  /** How often this server started the call's tool. */
  runs: number;
}

/** The server of one chat. */
export class Server {
  /** The model's calls, by the number in their input. */
  readonly calls = new Map<number, Call>();
  /** The problems of the received requests, and of their prompts. */
  readonly problems: string[] = [];
  /** The number of received requests. */
  requests = 0;
  /** The chat in the server's database: the last request, and the complete reply to it. */
  history: readonly Message[] = [];

  readonly #options: ServerOptions;
  readonly #replies = new Map<string, Promise<Response>>();
  readonly #record = new MemoryRecord();
  readonly #tools: object;
  #numbers = 0;

  constructor(options: ServerOptions) {
    this.#options = options;
    this.#tools = this.#makeTools();
  }

  /** Answers a request as a route handler does. */
  async post(request: Request): Promise<Response> {
    const { checks } = this.#options;
    this.requests++;
    if (checks !== 'keys' && checks !== 'both') return this.#refusable(request);
    const key = request.headers.get('idempotency-key');
    if (key === null) {
      this.problems.push('a request has no idempotency-key');
      return new Response('the request has no idempotency-key header', { status: 400 });
    }
    let reply = this.#replies.get(key);
    if (reply === undefined) this.#replies.set(key, (reply = this.#refusable(request)));
    return (await reply).clone();
  }

  /** A refusal is a problem, because these pages send no forged requests. */
  async #refusable(request: Request): Promise<Response> {
    try {
      return await this.#answer((await request.json()) as { messages: Message[] });
    } catch (error) {
      this.problems.push(`the server refused a request: ${String(error)}`);
      return new Response(String(error), { status: 400 });
    }
  }

  async #answer({ messages }: { messages: Message[] }): Promise<Response> {
    const { version, checks, sabotage } = this.#options;
    const sdk = (version === 7 ? ai7 : ai6) as typeof ai7;
    const tools = this.#tools as never;
    const given = sabotage === 'runs-denied' ? messages.map(approvingAll) : messages;
    const checked = await sdk.validateUIMessages({ messages: given as never, tools });
    this.history = messages;
    const settings = {
      model: scriptedModel({
        ...this.#options,
        count: () => ++this.#numbers,
        onCall: (call) => void this.calls.set(call.n, { ...call, runs: 0 }),
        onBadPrompt: (problem) => void this.problems.push(problem),
      }),
      tools,
      ...(version === 7 && { toolApproval: { remove: 'user-approval' } }),
      stopWhen: sdk.stepCountIs(4),
      maxRetries: 0,
      onError: () => this.#options.onActivity(),
      onChunk: () => this.#options.onActivity(),
      _internal: { generateId: () => `ask-${++this.#numbers}` },
    };
    const ids = { originalMessages: checked, generateMessageId: () => `reply-${++this.#numbers}` };
    const onFinish = ({ messages: all }: { messages: unknown }): void => void (this.history = all as Message[]);
    if (checks === 'keys' || checks === 'none') {
      const result = sdk.streamText({
        ...settings,
        messages: await sdk.convertToModelMessages(checked, { tools }),
      } as never);
      void result.consumeStream({ onError: () => {} });
      return this.#sabotaged(result.toUIMessageStreamResponse({ ...ids, onFinish } as never));
    }
    const stream = sdk.createUIMessageStream({
      originalMessages: checked,
      generateId: ids.generateMessageId,
      onFinish: onFinish as never,
      execute: async ({ writer }: { writer: { merge(stream: unknown): void } }) => {
        const { stream: results, resolved } = resolveApprovalsStream(checked as never, {
          toolkit: tools,
          record: this.#record,
          aiSdk: version,
        });
        writer.merge(results);
        const { messages: complete } = await resolved;
        const result = sdk.streamText({
          ...settings,
          messages: await sdk.convertToModelMessages(complete as never, { tools }),
          onStepFinish: ({
            content,
          }: {
            content: readonly { type: string; approvalId?: string; toolCall?: object }[];
          }) => {
            for (const part of content) {
              if (part.type === 'tool-approval-request')
                this.#record.request({ approvalId: part.approvalId, ...part.toolCall } as never);
            }
          },
        } as never);
        void result.consumeStream({ onError: () => {} });
        writer.merge(result.toUIMessageStream({ originalMessages: complete } as never));
      },
      onError: (error: unknown) => {
        // The record refuses a call: this is a problem of the run, not a failure of the model.
        if ((error as Error).name === 'ResolveError')
          this.problems.push(`the server refused a request: ${String(error)}`);
        return String(error);
      },
    } as never);
    return this.#sabotaged(sdk.createUIMessageStreamResponse({ stream }));
  }

  #makeTools(): object {
    const { version, random, isHostile, later, sabotage } = this.#options;
    const inputSchema = z.object({ n: z.number() });
    const execute = async ({ n }: { n: number }): Promise<string> => {
      this.#options.onRun?.(n);
      const call = this.calls.get(n);
      if (!call) this.problems.push(`a call ran that the model did not make: ${n}`);
      else call.runs += sabotage === 'runs-twice' ? 2 : sabotage === 'claims-output' ? 0 : 1;
      const fails = isHostile() && random.chance(0.05);
      if (random.chance(0.5)) await new Promise<void>((resolve) => later(`the tool of call-${n} ends`, resolve));
      this.#options.onActivity();
      if (fails) throw new Error('the tool failed');
      return `did ${n}`;
    };
    return {
      remove: ai7.tool({
        description: 'removes',
        inputSchema,
        execute,
        ...(version === 6 && { needsApproval: true }),
      } as never),
      read: ai7.tool({ description: 'reads', inputSchema, execute } as never),
      pick: ai7.tool({ description: 'picks', inputSchema } as never),
    };
  }

  #sabotaged(response: Response): Response {
    const { sabotage } = this.#options;
    if (sabotage !== 'hides-output' && sabotage !== 'never-ends') return response;
    const changed = response.body!.pipeThrough(new TextDecoderStream()).pipeThrough(
      new TransformStream<string, string>({
        transform: (text, controller) => {
          if (sabotage === 'never-ends' && /"finish"|\[DONE\]/.test(text)) return new Promise(() => {});
          if (sabotage === 'hides-output' && text.includes('"tool-output-')) return;
          controller.enqueue(text);
        },
      }),
    );
    return new Response(changed.pipeThrough(new TextEncoderStream()), { headers: response.headers });
  }
}

/** The message with all denials changed to approvals. */
function approvingAll(message: Message): Message {
  const parts = message.parts.map((part) => {
    const approval = part['approval'] as { approved?: boolean } | undefined;
    if (part['state'] !== 'approval-responded' || approval?.approved !== false) return part;
    return { ...part, approval: { ...approval, approved: true } };
  });
  return { ...message, parts };
}
