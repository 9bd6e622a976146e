/**
 * What a guard knows of an AI SDK chat, written down structurally, member by member, for version 6 and 7.
 *
 * Half of these members are private to the AI SDK; a test pins their names for each version and framework. Nothing is
 * imported from `ai`: the chat brings its own copy, and mostly not the app's.
 */
import type { GateMessage } from '../types/index.js';

/** The AI SDK's status of a chat. */
export type ChatStatus = 'submitted' | 'streaming' | 'ready' | 'error';

/** What an app may add to one request; the transport decides where it goes. */
export interface RequestOptions {
  headers?: Record<string, string> | Headers | undefined;
  body?: object | undefined;
  metadata?: unknown;
}

/** A message in one of the forms that `sendMessage` takes. */
export interface MessageForm {
  /** Replaces the user message with this id, and drops all behind it. */
  messageId?: string | undefined;
  text?: string | undefined;
  /** A `FileList` of an input element, or file parts. */
  files?: ArrayLike<unknown> | undefined;
  metadata?: unknown;
  parts?: readonly unknown[] | undefined;
  id?: string | undefined;
  role?: string | undefined;
}

/** A part of a user message that holds a file. */
export interface FilePartInput {
  type: 'file';
  mediaType: string;
  filename?: string | undefined;
  url: string;
}

/** What `addToolApprovalResponse` takes. `id` is the approval's id, not the tool call's. */
export interface ApprovalAnswer {
  id: string;
  approved: boolean;
  reason?: string | undefined;
  options?: RequestOptions | undefined;
}

/** What `addToolOutput` takes. */
export interface OutputAnswer {
  toolCallId: string;
  state?: 'output-available' | 'output-error' | undefined;
  output?: unknown;
  errorText?: string | undefined;
  options?: RequestOptions | undefined;
}

/** What a transport is asked to send: these eight keys, in this order, as the AI SDK has them. */
interface SendRequest extends RequestOptions {
  chatId: string;
  messages: GateMessage[];
  abortSignal: AbortSignal | undefined;
  trigger: 'submit-message' | 'regenerate-message';
  messageId: string | undefined;
}

/** What a transport is asked to reconnect to. */
interface ReconnectRequest extends RequestOptions {
  chatId: string;
  abortSignal?: AbortSignal;
}

/** A stream of UI message chunks. Nothing is taken for granted about a chunk. */
export type ChunkStream = ReadableStream<unknown>;

/** The AI SDK's `ChatTransport`. */
interface Transport {
  sendMessages(request: SendRequest): Promise<ChunkStream>;
  reconnectToStream(request: ReconnectRequest): Promise<ChunkStream | null>;
  /** Releases what the transport keeps open (7.0.173). */
  close?(): void;
  /** Whether reconnecting tells a reply from its beginning (7). */
  readonly resumeStreamIsReplay?: boolean;
}

/** What `onFinish` is given. */
interface FinishReport {
  message: GateMessage;
  messages: GateMessage[];
  isAbort: boolean;
  isDisconnect: boolean;
  isError: boolean;
  finishReason: string | undefined;
}

/** A chat's own state object: the framework's store. Guarded, it only signals that something changed. */
export interface FrameworkState {
  messages: readonly unknown[];
  status: ChatStatus;
  error: Error | undefined;
  /** Only where the framework's package knows message queues. */
  experimental_queuedMessages?: readonly unknown[];
}

/** What stands in the place of a chat's state object: the chat's getters read it. */
export interface Facade {
  readonly messages: GateMessage[];
  readonly status: ChatStatus;
  readonly error: Error | undefined;
  readonly experimental_queuedMessages?: GateMessage[];
}

/** The inside of an `AbstractChat`, as far as it is read. All of it is read when it is needed, never kept. */
export interface ChatInternals {
  /** In 7.0.173 it is made up when first read. */
  readonly id: string;
  state: FrameworkState;
  readonly transport: Transport;
  generateId(): string;
  readonly messageMetadataSchema?: unknown;
  readonly dataPartSchemas?: Readonly<Record<string, unknown>>;
  onToolCall?: ((event: { toolCall: unknown }) => unknown) | undefined;
  onData?: ((part: unknown) => unknown) | undefined;
  onFinish?(report: FinishReport): unknown;
  onError?(error: Error): unknown;
  sendAutomaticallyWhen?(state: { messages: GateMessage[] }): boolean | PromiseLike<boolean>;
  /** Only in 7.0.173 and later. */
  readonly queueEnabled?: boolean;
}
