/**
 * The chat backend: one function from a web `Request` to a web `Response`, around the AI SDK's `streamText`. The same
 * code runs inside the page and in the Node server. It is also the server half that every app with approvals needs: it
 * validates the messages, signs its approval requests, and records the idempotency key before anything runs, so that a
 * repeated request gets the recorded reply and runs no tool again. A client that disconnects does not stop a reply,
 * because a reload and a lost connection look alike from here. Stopping is a separate request.
 */
import {
  convertToModelMessages,
  createUIMessageStreamResponse,
  generateId,
  isStepCount,
  safeValidateUIMessages,
  streamText,
  toUIMessageStream,
  wrapLanguageModel,
  type UIMessage,
  type UIMessageChunk,
} from 'ai';
import { decisionsOf } from './decisions';
import { cutBehindOutput, faultSequence, networkError, slowness, type FaultPlan } from './faults';
import { sleep, type Model, type Pace } from './model';
import { Recorder } from './record';
import { ReplyLog } from './reply-log';
import { createTools, TOOL_APPROVAL } from './tools';
import { Workspace, type Files } from './workspace';

/** Instructions for the model. A scripted one ignores them. */
const INSTRUCTIONS =
  'You look after the files of a small café. Use the tools to read and change them. ' +
  'Several changes are made by several tool calls in one step. When the user denies a call, do not try it again: ' +
  'say what was changed, what was not, and why. Answer in short plain text.';

/** How many replies are stored for repeated requests. */
const KEPT_REPLIES = 200;

/** The options of a backend. */
export interface BackendOptions {
  model: Model;
  modelName: string;
  files: Files;
  pace: Pace;
  faults?: FaultPlan | undefined;
}

/** One chat's backend. */
export interface Backend {
  recorder: Recorder;
  /** Answers `POST` with a UI message stream. Rejects if the scenario lets the network fail. */
  handle(request: Request): Promise<Response>;
  /** Stops the replies that are being written, because the user asked for it. */
  stop(): void;
}

/** Builds the backend of one chat. */
export function createBackend(options: BackendOptions): Backend {
  const workspace = new Workspace(options.files);
  const recorder = new Recorder(workspace.snapshot(), options.modelName);
  const tools = createTools({ workspace, recorder, pause: (signal) => sleep(options.pace.tool, signal) });
  const nextFault = faultSequence(options.faults);
  const replies = new Map<string, Promise<ReplyLog<UIMessageChunk>>>();
  const writing = new Set<AbortController>();
  const secret = approvalSecret();

  const answer = async (
    messages: UIMessage[],
    requestNumber: number,
    signal: AbortSignal,
  ): Promise<ReadableStream<UIMessageChunk>> => {
    const model = wrapLanguageModel({
      model: options.model,
      middleware: {
        specificationVersion: 'v4',
        wrapStream: ({ doStream, params }) => {
          recorder.modelCall(requestNumber, params.prompt);
          return doStream();
        },
      },
    });
    const result = streamText({
      model,
      instructions: INSTRUCTIONS,
      messages: await convertToModelMessages(messages, { tools }),
      tools,
      toolApproval: TOOL_APPROVAL,
      stopWhen: isStepCount(8),
      maxRetries: 0,
      abortSignal: signal,
      ...(secret ? { experimental_toolApprovalSecret: secret } : {}),
      onError: () => undefined, // the stream carries the error to the client
    });
    return toUIMessageStream({
      stream: result.stream,
      tools,
      originalMessages: messages,
      generateMessageId: generateId,
      onError: (error) => (error instanceof Error ? error.message : String(error)),
    });
  };

  const handle = async (request: Request): Promise<Response> => {
    const key = request.headers.get('idempotency-key');
    const body: unknown = await request.json().catch(() => null);
    const messages = body !== null && typeof body === 'object' && 'messages' in body ? body.messages : null;
    const decisions = decisionsOf(messages);
    const fault = nextFault({ decisions: decisions.length });
    if (fault === 'unreachable') throw networkError();

    const note = (handling: 'model' | 'replayed' | 'nothing' | 'refused'): number =>
      recorder.request({ key, body, decisions, handling });

    const known = key === null ? undefined : replies.get(key);
    if (known) {
      recorder.reply(note('replayed'), 'finished');
      return createUIMessageStreamResponse({ stream: (await known).read() });
    }
    if (fault === 'nothing') {
      recorder.reply(note('nothing'), 'finished');
      return createUIMessageStreamResponse({ stream: emptyReply(messages) });
    }

    const start = async (): Promise<{ n: number; log: ReplyLog<UIMessageChunk> }> => {
      const valid = await safeValidateUIMessages<UIMessage>({ messages, tools: tools as never });
      if (!valid.success) throw new InvalidMessages(valid.error.message);
      const n = note('model');
      const own = new AbortController();
      writing.add(own);
      const stream = await answer(valid.data, n, own.signal);
      const ended = (): void => {
        writing.delete(own);
        recorder.reply(n, 'finished');
      };
      return { n, log: new ReplyLog(stream, ended) };
    };
    // Nothing is awaited between the look-up above and this line, so two equal requests cannot both pass it.
    const started = start();
    if (key !== null)
      remember(
        replies,
        key,
        started.then(({ log }) => log),
      );
    try {
      const { n, log } = await started;
      if (fault === 'lost-reply') {
        recorder.reply(n, 'cut');
        throw networkError();
      }
      if (fault === 'slow-reply') await slowness(request.signal);
      if (fault === 'cut-reply') recorder.reply(n, 'cut');
      return createUIMessageStreamResponse({
        stream: fault === 'cut-reply' ? cutBehindOutput(log.read()) : log.read(),
      });
    } catch (error) {
      if (!(error instanceof InvalidMessages)) throw error;
      if (key !== null) replies.delete(key);
      recorder.reply(note('refused'), 'failed');
      return Response.json({ error: error.message }, { status: 400 });
    }
  };

  const stop = (): void => {
    for (const controller of writing) controller.abort();
  };

  return { recorder, handle, stop };
}

/** A reply that starts and finishes without content, as a worker sends it when it is stopped at the wrong moment. */
function emptyReply(messages: unknown): ReadableStream<UIMessageChunk> {
  const last = Array.isArray(messages) ? (messages.at(-1) as UIMessage | undefined) : undefined;
  const messageId = last?.role === 'assistant' ? last.id : generateId();
  const chunks: UIMessageChunk[] = [
    { type: 'start', messageId },
    { type: 'finish', finishReason: 'stop' },
  ];
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

/** A secret for the lifetime of this backend; undefined without Web Crypto (a page over plain HTTP, not localhost). */
function approvalSecret(): Uint8Array | undefined {
  return globalThis.crypto?.subtle ? crypto.getRandomValues(new Uint8Array(32)) : undefined;
}

function remember<Reply>(replies: Map<string, Promise<Reply>>, key: string, reply: Promise<Reply>): void {
  reply.catch(() => undefined); // reported where the reply is awaited
  replies.set(key, reply);
  const oldest = replies.keys().next();
  if (replies.size > KEPT_REPLIES && !oldest.done) replies.delete(oldest.value);
}

/** The request's messages are not what the AI SDK's client sends. */
class InvalidMessages extends Error {}
