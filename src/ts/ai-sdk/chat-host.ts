/**
 * What the driver of a chat needs to know about it: the app's options, and the arguments of the AI SDK's methods, for
 * versions 6 and 7. Nothing is imported from `ai`, because the chat usually uses another copy of it than the app.
 */
import type { GateMessage } from '../types/index.js';

/** The AI SDK's status of a chat. */
export type ChatStatus = 'submitted' | 'streaming' | 'ready' | 'error';

/** The app's options for one request. The transport decides how to send them. */
export interface RequestOptions {
  headers?: Record<string, string> | Headers | undefined;
  body?: object | undefined;
  metadata?: unknown;
}

/** A message in one of the forms that `sendMessage` accepts. */
export interface MessageForm {
  /** Replaces the user message with this id, and removes all messages after it. */
  messageId?: string | undefined;
  text?: string | undefined;
  /** A `FileList` of an input element, or file parts. */
  files?: ArrayLike<unknown> | undefined;
  metadata?: unknown;
  parts?: readonly unknown[] | undefined;
  id?: string | undefined;
  role?: string | undefined;
}

/** The argument of `addToolApprovalResponse`. `id` is the approval's id, not the tool call's. */
export interface ApprovalAnswer {
  id: string;
  approved: boolean;
  reason?: string | undefined;
  options?: RequestOptions | undefined;
}

/** The argument of `addToolOutput`. */
export interface OutputAnswer {
  toolCallId: string;
  state?: 'output-available' | 'output-error' | undefined;
  output?: unknown;
  errorText?: string | undefined;
  options?: RequestOptions | undefined;
}

/** The argument of the transport's `sendMessages`: these eight keys in this order, as in the AI SDK. */
export interface SendRequest extends RequestOptions {
  chatId: string;
  messages: GateMessage[];
  abortSignal: AbortSignal | undefined;
  trigger: 'submit-message' | 'regenerate-message';
  messageId: string | undefined;
}

/** The argument of the transport's `reconnectToStream`. */
export interface ReconnectRequest extends RequestOptions {
  chatId: string;
  abortSignal?: AbortSignal;
}

/** A stream of UI message chunks, which are not validated. */
export type ChunkStream = ReadableStream<unknown>;

/** The AI SDK's `ChatTransport`. */
export interface Transport {
  sendMessages(request: SendRequest): Promise<ChunkStream>;
  reconnectToStream(request: ReconnectRequest): Promise<ChunkStream | null>;
  /** Closes open connections of the transport (7.0.173). */
  close?(): void;
  /** Whether a reconnected stream replays the reply from its beginning (7). */
  readonly resumeStreamIsReplay?: boolean;
}

/** The argument of `onFinish`. */
export interface FinishReport {
  message: GateMessage;
  messages: GateMessage[];
  isAbort: boolean;
  isDisconnect: boolean;
  isError: boolean;
  finishReason: string | undefined;
}

/** What the driver reads from a chat: the options of the app. They are read on each use and never cached. */
export interface ChatHost {
  /** Version 7.0.173 generates it on the first read. */
  readonly id: string;
  readonly transport: Transport;
  generateId(): string;
  readonly messageMetadataSchema?: unknown;
  readonly dataPartSchemas?: Readonly<Record<string, unknown>> | undefined;
  readonly onToolCall?: ((event: { toolCall: unknown }) => unknown) | undefined;
  readonly onData?: ((part: unknown) => unknown) | undefined;
  readonly onFinish?: ((report: FinishReport) => unknown) | undefined;
  readonly onError?: ((error: Error) => unknown) | undefined;
  readonly sendAutomaticallyWhen?: ((state: { messages: GateMessage[] }) => boolean | PromiseLike<boolean>) | undefined;
  /** Only in 7.0.173 and later. */
  readonly queueEnabled?: boolean;
}
