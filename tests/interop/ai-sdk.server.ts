/**
 * A server of the AI SDK, versions 6 and 7: an app's route handler (`validateUIMessages`, `convertToModelMessages`,
 * `streamText`, `toUIMessageStream`) over HTTP on the loopback, with the package's own mock model.
 */
import * as ai7 from 'ai';
import * as test7 from 'ai/test';
import * as ai6 from 'ai6';
import * as test6 from 'ai6/test';
import { z } from 'zod';
import type { Line, Reply } from './rig';
import { asks, done, scripted, serve, TOOLS, type Data, type Served } from './support';

/** The content that the model receives, part by part. */
export function linesOf(prompt: readonly Data[]): Line[] {
  const calls = new Map<string, string>();
  return prompt.flatMap(({ role, content }: Data) =>
    (typeof content === 'string' ? [{ type: 'text', text: content }] : content).map((part: Data): Line => {
      const { type, text, toolCallId, toolName, input, output } = part;
      if (type === 'text') return { kind: role === 'user' ? 'user' : 'text', text };
      if (type === 'tool-call') {
        calls.set(toolCallId, `${toolName} ${input.path}`);
        return { kind: 'call', call: `${toolName} ${input.path}` };
      }
      if (type !== 'tool-result') return { kind: 'other', text: type };
      const told = output.type === 'execution-denied' ? `denied: ${output.reason ?? ''}` : output.value;
      return { kind: 'result', call: calls.get(toolCallId) ?? `? ${toolCallId}`, text: String(told) };
    }),
  );
}

const TOKENS = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** A reply as the parts of a language model's stream. */
export function partsOf(reply: Exclude<Reply, { error: string }>): Data[] {
  const said =
    'text' in reply
      ? [
          { type: 'text-start', id: 't' },
          { type: 'text-delta', id: 't', delta: reply.text },
          { type: 'text-end', id: 't' },
        ]
      : reply.calls.flatMap(({ id, tool, path }) => {
          const input = JSON.stringify({ path });
          return [
            { type: 'tool-input-start', id, toolName: tool },
            { type: 'tool-input-delta', id, delta: input },
            { type: 'tool-input-end', id },
            { type: 'tool-call', toolCallId: id, toolName: tool, input },
          ];
        });
  const reason = 'text' in reply ? 'stop' : 'tool-calls';
  return [
    { type: 'stream-start', warnings: [] },
    ...said,
    { type: 'finish', finishReason: { unified: reason, raw: reason }, usage: TOKENS },
  ];
}

/** The scripted model and the tools of a server, and the option of `streamText` for the tools that need approval. */
export function modelAndTools(version: 6 | 7, replies: readonly Reply[], ran: string[], prompts: Line[][]) {
  const sdk = (version === 7 ? ai7 : ai6) as typeof ai7;
  const next = scripted(replies);
  const doStream = async ({ prompt }: Data): Promise<Data> => {
    prompts.push(linesOf(prompt));
    return { stream: (version === 7 ? test7 : test6).convertArrayToReadableStream(partsOf(next())) };
  };
  const model =
    version === 7 ? new test7.MockLanguageModelV4({ doStream }) : new test6.MockLanguageModelV3({ doStream });
  const tools = Object.fromEntries(
    TOOLS.map((name) => [
      name,
      sdk.tool({
        inputSchema: z.strictObject({ path: z.string() }),
        execute: ({ path }: Data) => {
          ran.push(`${name} ${path}`);
          return done(name, path);
        },
        ...(version === 6 && asks(name) && { needsApproval: true }),
      } as Data),
    ]),
  );
  const approvals = version === 7 && {
    toolApproval: Object.fromEntries(TOOLS.filter(asks).map((name) => [name, 'user-approval' as const])),
  };
  return { model, tools, approvals };
}

/** A running server. */
export interface AiSdkServer extends Served {
  /** The tools that ran, in order: `remove /a`. */
  readonly ran: readonly string[];
  /** Every list of messages that the model received, in order. */
  readonly prompts: readonly (readonly Line[])[];
  /** The bodies of its requests, in order. */
  readonly bodies: readonly Data[];
}

/** Options of a server. */
export interface AiSdkServerOptions {
  /** It signs its approval requests with this secret. */
  readonly secret?: string | undefined;
  /** May answer a request before the route handler does. */
  readonly before?: () => Promise<Response | undefined>;
  /**
   * It stores the thread, and adds the messages of a request to it: a message whose id it knows replaces that message,
   * and others are added.
   */
  readonly stores?: boolean;
  /** Answers a request, with the route handler's own answer. */
  readonly wrap?: (request: Request, answer: () => Promise<Response>) => Promise<Response>;
}

/** Starts a server whose model gives these replies. */
export async function aiSdkServer(
  version: 6 | 7,
  replies: readonly Reply[],
  { secret, before, stores, wrap = (_, answer) => answer() }: AiSdkServerOptions = {},
): Promise<AiSdkServer> {
  const sdk = (version === 7 ? ai7 : ai6) as typeof ai7;
  const [ran, prompts, bodies]: [string[], Line[][], Data[]] = [[], [], []];
  let thread: Data[] = [];
  const { model, tools, approvals } = modelAndTools(version, replies, ran, prompts);
  const answer = async (body: Data): Promise<Response> => {
    bodies.push(body);
    const given: Data[] = body.messages;
    const known = thread.map((message) => given.find(({ id }) => id === message.id) ?? message);
    const added = given.filter(({ id }) => !thread.some((message) => message.id === id));
    const messages = await sdk.validateUIMessages({ messages: stores ? [...known, ...added] : given, tools });
    const result = sdk.streamText({
      model: model as Data,
      tools,
      messages: await sdk.convertToModelMessages(messages, { tools }),
      stopWhen: ({ steps }) => steps.length === 5,
      maxRetries: 0,
      onError: () => {},
      ...approvals,
      ...(secret && { experimental_toolApprovalSecret: secret }),
    });
    return result.toUIMessageStreamResponse({
      originalMessages: messages,
      onError: (error) => String(error),
      ...(stores && {
        generateMessageId: () => `answer-${bodies.length}`,
        onFinish: ({ messages: all }: Data) => void (thread = all),
      }),
    });
  };
  const served = await serve(async (body, request) => (await before?.()) ?? wrap(request, () => answer(body)));
  return { ...served, ran, prompts, bodies };
}
