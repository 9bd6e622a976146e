/**
 * The package `ai`, versions 6 and 7, called as an app calls it, behind one small interface.
 *
 * `read` passes chunks one by one to the package's own `readUIMessageStream` and reports the message after each;
 * `toModelMessages` is the package's `convertToModelMessages`. Both are published releases (devDependencies has their
 * versions), and none of their code is replaced. Only the model that `refuses` calls is scripted.
 */
import * as ai7 from 'ai';
import * as test7 from 'ai/test';
import * as ai6 from 'ai6';
import * as test6 from 'ai6/test';

/** One chunk of a UI message stream, as it comes out of `JSON.parse`. */
export type Chunk = { type: string; [key: string]: unknown };

/** One part of a UI message, without the generics, because the tests compare values. */
export type Part = { type: string; [key: string]: unknown };

/** A UI message as either package builds it. */
export interface Message {
  id: string;
  role: 'system' | 'user' | 'assistant';
  metadata?: unknown;
  parts: Part[];
}

/** One model message, with loose types. */
export interface ModelMessage {
  role: string;
  content: unknown;
  providerOptions?: unknown;
}

/** The messages that the package built from a stream. */
export interface Reading {
  /** The message after each chunk; `undefined` if the package has not published it yet. */
  readonly states: readonly (Message | undefined)[];
  /** The last message published; `undefined` if there was none. */
  readonly last: Message | undefined;
  /**
   * The errors that the package threw or reported, in order. A thrown error ends the stream: later chunks are not read.
   */
  readonly errors: readonly Error[];
}

/** One version of the package. */
export interface Peer {
  readonly version: 6 | 7;
  readonly release: string;
  /**
   * Reads `chunks` with `readUIMessageStream`. `base` is the assistant message that the stream continues; it is
   * copied first. Chunks are passed one at a time, the next one only after the package has processed the previous one.
   */
  read(chunks: readonly Chunk[], base?: Message): Promise<Reading>;
  /** `convertToModelMessages(history)`, on a copy. */
  toModelMessages(history: readonly Message[]): Promise<ModelMessage[]>;
  /** Whether `validateUIMessages` accepts the messages after a conversion to JSON and back. */
  validates(messages: readonly Message[]): Promise<boolean>;
  /**
   * Handles a request as a server does: `validateUIMessages`, `convertToModelMessages`, and `streamText` until it calls
   * the model. Returns `undefined` if the model was called, and otherwise the name of the error.
   */
  refuses(messages: readonly Message[]): Promise<string | undefined>;
  /** Passes model messages to `streamText`. Returns what {@link Peer.refuses} returns. */
  refusesPrompt(messages: readonly ModelMessage[]): Promise<string | undefined>;
  /** Whether a page's transport accepts the chunk: one with an unknown type ends the reply with an error. */
  parses(chunk: Chunk): Promise<boolean>;
}

type ReadStream = (options: {
  stream: ReadableStream<never>;
  message?: never;
  onError?: (error: unknown) => void;
}) => AsyncIterable<unknown>;

const macrotask = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function readWith(readStream: ReadStream, chunks: readonly Chunk[], base?: Message): Promise<Reading> {
  const errors: Error[] = [];
  const states: (Message | undefined)[] = [];
  const published: Message[] = [];
  // The package changes the passed message in place, unless the stream names another id. An empty message is passed,
  // because it shows the state even after chunks for which the package publishes no message, such as `start-step`.
  const named = chunks.find((chunk) => chunk.type === 'start' && chunk['messageId'] != null)?.['messageId'];
  const live: Message = base ? structuredClone(base) : { id: (named as string) ?? '', role: 'assistant', parts: [] };
  const startId = live.id;
  const replaced = (chunk: Chunk) =>
    chunk.type === 'start' && chunk['messageId'] != null && chunk['messageId'] !== startId;
  let isLive = true;
  let next = 0;
  const record = (): void => {
    if (next === 0) return;
    if (replaced(chunks[next - 1]!)) isLive = false;
    states.push(isLive ? structuredClone(live) : published.at(-1));
  };
  const stream = new ReadableStream<never>(
    {
      async pull(controller) {
        await macrotask();
        record();
        if (next === chunks.length) controller.close();
        else controller.enqueue(structuredClone(chunks[next++]) as never);
      },
    },
    { highWaterMark: 0 },
  );
  const onError = (error: unknown): void => void errors.push(error as Error);
  for await (const message of readStream({ stream, message: live as never, onError })) {
    published.push(message as Message);
  }
  return { states, last: published.at(-1), errors };
}

const received = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** Handles a request. */
async function handle(sdk: typeof ai7, version: 6 | 7, messages: readonly Message[]): Promise<string | undefined> {
  const checked = await sdk.safeValidateUIMessages({ messages: received(messages) });
  if (!checked.success) return checked.error.name;
  return callModel(sdk, version, await sdk.convertToModelMessages(checked.data as never));
}

/** Calls a scripted model. The model accepts any URL, so `streamText` downloads nothing. */
async function callModel(sdk: typeof ai7, version: 6 | 7, messages: readonly unknown[]): Promise<string | undefined> {
  const finishReason = { unified: 'stop', raw: 'stop' };
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const options = {
    supportedUrls: { '*/*': [/.*/] },
    doStream: async () => ({
      stream: new ReadableStream({
        start(controller) {
          controller.enqueue({ type: 'stream-start', warnings: [] });
          controller.enqueue({ type: 'finish', finishReason, usage });
          controller.close();
        },
      }),
    }),
  };
  const model =
    version === 7 ? new test7.MockLanguageModelV4(options as never) : new test6.MockLanguageModelV3(options as never);
  let refusal: string | undefined;
  const result = sdk.streamText({
    model: model as never,
    messages: messages as never,
    onError: ({ error }: { error: unknown }) => void (refusal ??= (error as Error).name),
  });
  await result.consumeStream();
  return refusal ?? (model.doStreamCalls.length === 1 ? undefined : 'the model was not called');
}

const peer = (version: 6 | 7, release: string, sdk: typeof ai7): Peer => ({
  version,
  release,
  validates: async (messages) => (await sdk.safeValidateUIMessages({ messages: received(messages) })).success,
  refuses: (messages) => handle(sdk, version, messages),
  refusesPrompt: (messages) => callModel(sdk, version, messages),
  parses: async (chunk) => (await sdk.asSchema(sdk.uiMessageChunkSchema).validate!(received(chunk))).success,
  read: (chunks, base) => readWith(sdk.readUIMessageStream as unknown as ReadStream, chunks, base),
  toModelMessages: async (history) =>
    (await sdk.convertToModelMessages(structuredClone(history) as never)) as unknown as ModelMessage[],
});

/** `ai` 6, the release in devDependencies. */
export const peer6: Peer = peer(6, '6.0.326', ai6 as unknown as typeof ai7);
/** `ai` 7, the release in devDependencies. */
export const peer7: Peer = peer(7, '7.0.173', ai7);
/** Both, oldest first. */
export const peers: readonly Peer[] = [peer6, peer7];
