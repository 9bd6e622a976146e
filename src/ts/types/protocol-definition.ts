/**
 * The argument of `defineProtocol`, and the values that Toolgate passes to its functions. No code.
 *
 * Internally, Toolgate uses the AI SDK's format: UI message chunks while a reply streams, and a history of messages in
 * which each call carries its request, response and result. A protocol translates between that format and a backend's.
 */
import type { GateMessage, OutcomeKind, ToolPart } from './message.js';
import type { GateTexts } from './options.js';
import type { Capabilities, Loss } from './protocol.js';
import type { RepairCode } from './event.js';
import type { AiSdkBody, OutgoingHead } from './view.js';

/**
 * A backend's wire format. It makes no decisions about approvals and has no state beyond one stream. Data that must be
 * sent back later (the backend's ids, signatures) belongs in provider metadata or in a field of an approval request.
 *
 * The type parameters say what the functions expect and return. Nothing checks that what a backend sends has these
 * types: a function that throws for other values is enough.
 */
export interface ProtocolDefinition<BODY = unknown, EVENT = unknown, MESSAGE = unknown, ANSWER = unknown> {
  /** The name in events, errors and recordings, such as `'my-backend'`. Not `'ai-sdk'`. */
  readonly name: string;
  /** What the backend can express. */
  readonly capabilities: ProtocolCapabilities;
  /**
   * With the kind `'raw-model'`: whether the backend asks the user itself, so that the gate asks only if the option
   * `needsApproval` says so. Default `false`: every call needs approval if that option is absent.
   */
  readonly asksItself?: boolean;
  /**
   * Whether the backend accepts no message while it waits for decisions. If so, denials are sent as a separate
   * request, and the message follows after the reply to it.
   */
  readonly answersBeforeMessages?: boolean;
  /**
   * With `answersBeforeMessages` and `kind: 'answering'`: whether the backend also replies to a denial, not only when
   * a tool runs.
   */
  readonly repliesToDenials?: boolean;
  /** With `kind: 'answering'`: whether a browser tool's result implies its approval, which is then not sent. */
  readonly resultImpliesApproval?: boolean;
  /**
   * With `kind: 'answering'`: set if a denial closes more than the request that it names. `'call'`: every request about
   * the call, because answers name the call. `'session'`: every open request. Otherwise, a request that another one
   * replaces, or that the user cannot be asked about, is refused by an answer of its own.
   */
  readonly denialCloses?: 'call' | 'session';
  /** Creates the reader of one stream. Called at the first event of each reply. */
  createReader(stream: StreamContext): EventReader<EVENT>;
  /**
   * Returns the history in the format of the model or the backend's own client, for `gate.assemble`. An entry of the
   * history that has not changed is the same object as in earlier calls: do not change it.
   */
  write(history: readonly HistoryMessage[], context: WriteContext): MESSAGE[];
  /**
   * Reads a history in the backend's format, for `gate.load`. Omit or repair damaged entries, and report each.
   * Absent: the format is the AI SDK's `UIMessage[]` or `ModelMessage[]`. As there, a call without a result in a
   * finished reply then belongs to the page, unless the option `browserTools` is set.
   */
  read?(messages: readonly MESSAGE[], context: ReadContext): HistoryMessage[];
  /**
   * Returns the `Outgoing.body` of a request. With `kind: 'answering'`, requests carry only user messages. With
   * `answersBeforeMessages`, a request carries either decisions or messages.
   */
  body(history: readonly HistoryMessage[], context: RequestContext): BODY;
  /** With `kind: 'answering'`: returns the body for one decision, or for the result of one browser tool. */
  answer?(decision: DecisionToSend, context: WriteContext): ANSWER;
  /**
   * With `capabilities.editedInput`: whether this approval accepts an edited input. `approval` is `part.approval` of
   * the view, with the fields that the backend attached. Default: every approval does.
   */
  acceptsEdit?(approval: Readonly<Record<string, unknown>>): boolean;
  /**
   * Whether an approval of this call lacks a choice that its request requires, such as the answer to a question.
   * `asked`: the call with its `part.approval`. `choice`: what the user decided. Default: none is required, except by
   * the options of an `approvalDescriptor`.
   */
  lacksChoice?(
    asked: { readonly toolName: string; readonly input: unknown; readonly approval: Readonly<Record<string, unknown>> },
    choice: { readonly reason?: string; readonly input?: unknown },
  ): boolean;
}

/**
 * What a backend can express. Only `kind` is required. Defaults: `reason` and `denialVisible` are true; `editedInput`,
 * `cancel` and `remember` are false; `history` is `'client'`; `lost` is empty; `repeat` is `'unknown'`.
 */
export type ProtocolCapabilities = Pick<Capabilities, 'kind'> & Partial<Capabilities>;

/** The argument of `createReader`. */
export interface StreamContext {
  /**
   * Adds an AI SDK UI message chunk to the reply. The chunks must be in the order in which `streamText` sends them;
   * `ReplyWriter` ensures that order.
   */
  emit(chunk: ReplyChunk | undefined): void;
  /**
   * Reports that the backend refused the decisions of this request, before it sent anything else: they can then be
   * sent again with `retry`. The event that is being read becomes a `passthrough` event.
   */
  refuse(): void;
  /**
   * Reports that the turn has ended and the model did not read the message of this request (`RequestContext.item.id`),
   * which was sent while an approval was pending. The message is sent again, as the next one.
   */
  unread(requestId: string): void;
  /**
   * Reports a request of the backend that nobody here can answer: an `anomaly` event with the code
   * `unanswerable-request`. `what`: names the request.
   */
  unanswerable(what: string): void;
  /**
   * Calls a function when the stream has ended well, before the gate ends the reply: for wires that do not say when a
   * reply ends, or say it too early.
   */
  onEnd(end: () => void): void;
  /** Returns a new id, for when the backend has none. */
  newId(): string;
  /** The tool parts of the turn, as in the view, oldest first. Each also has `toolName`. */
  calls(): readonly (ToolPart & { readonly toolName: string })[];
  /** All messages, as in the view. */
  messages(): readonly GateMessage[];
}

/**
 * Reads one event. Returns `false` for an unknown event, which becomes a `passthrough` event. If it throws, the
 * unread rest of the event becomes an `anomaly` event, and the stream continues.
 */
export type EventReader<EVENT = unknown> = (event: EVENT) => boolean;

/** A UI message chunk of the AI SDK. */
export interface ReplyChunk {
  /** Such as `'text-delta'`, `'tool-input-available'` or `'tool-approval-request'`. */
  readonly type: string;
  readonly [field: string]: unknown;
}

/** One message of a history. An assistant message is one step: the parts that one model call produced. */
export interface HistoryMessage {
  /** The author. Results are not separate messages: each is in its call. */
  role: 'system' | 'user' | 'assistant';
  /** Its parts, in order. */
  content: (HistoryPart | HistoryCall)[];
}

/** A part of a message as in the AI SDK's `ModelMessage`: `text`, `reasoning`, `file` or custom content. */
export interface HistoryPart {
  /** The kind of part. */
  type: string;
  /** Data that providers attached, by provider name. */
  providerOptions?: Record<string, unknown>;
  [field: string]: unknown;
}

/** A tool call with its request, decision and result, in the AI SDK's format. `isToolCall` recognizes one. */
export interface HistoryCall extends HistoryPart {
  type: 'tool-call';
  /** The call's id. */
  toolCallId: string;
  /** The tool's name. */
  toolName: string;
  /** The input that the model wrote. */
  input: unknown;
  /** Whether the backend runs the tool. */
  providerExecuted?: boolean;
  /** The approval request, with its `approvalId`. */
  request?: HistoryPart;
  /** The decision: `approved`, and `reason`. */
  response?: HistoryPart;
  /** The result, in `output`: see `resultOf`. */
  result?: HistoryPart;
}

/** The second argument of the functions that write a history. */
export interface WriteContext {
  /** The chat's id. Some backends call it session or thread id. */
  readonly chatId: string;
  /** The option `texts`: the app's texts for results that no tool wrote. */
  readonly texts: Partial<GateTexts> | undefined;
  /** Reports a loss about one call or the whole history. Emits a `lossy` event, once for each call and loss. */
  reportLoss(loss: Loss, toolCallId?: string): void;
}

/** The second argument of the function that reads a history. */
export interface ReadContext extends WriteContext {
  /** Adds a repair to the report of `gate.load`. `detail` says what was wrong and how it was repaired. */
  reportRepair(code: RepairCode, detail: string, toolCallId?: string): void;
}

/** The second argument of the function that builds a request. */
export interface RequestContext extends WriteContext {
  /** Where the history is stored. */
  readonly history: 'client' | 'server';
  /** The outgoing item, with its id, idempotency key and approvals. */
  readonly item: OutgoingHead;
  /** The body that the AI SDK's own client would send. */
  readonly request: AiSdkBody;
  /** The metadata of the last assistant message. */
  readonly metadata: unknown;
  /** The decisions and browser tool results that the item carries, in call order. */
  readonly decisions: readonly DecisionToSend[];
  /** The user messages that the item carries: those after the last assistant message. */
  readonly newMessages: readonly HistoryMessage[];
}

/** A decision, or the result of a browser tool, that is sent to the backend. */
export interface DecisionToSend {
  /** The approval's id. */
  readonly approvalId: string;
  /** The call's id. */
  readonly toolCallId: string;
  /** The tool's name. */
  readonly toolName: string;
  /** The input that the model wrote. */
  readonly input: unknown;
  /** The input that the user edited. Only with `outcome: 'approved'`; absent if it is unchanged. */
  readonly editedInput?: unknown;
  /**
   * `executed` and `failed` are results of a browser tool. The others are decisions; interrupted calls are not sent. A
   * protocol that only knows approve and deny treats every decision but `approved` as a denial.
   */
  readonly outcome: 'approved' | Exclude<OutcomeKind, 'interrupted'>;
  /** The reason for the model, from the user or the policy. For `failed`: the error text. */
  readonly reason?: string;
  /** The output of a browser tool. If it consists of parts and `capabilities.lost` has `content`: their text. */
  readonly output?: unknown;
  /** The parts of such an output: see `HistoryResult.content`. */
  readonly content?: readonly HistoryPart[];
  /** Asks the backend to remember the decision, if it can. */
  readonly remember?: 'chat' | 'always';
  /** The approval, with every field that the backend attached to its request. */
  readonly approval: unknown;
  /** The call's provider metadata. */
  readonly metadata: unknown;
}

/** The result of a call, as the model reads it. */
export interface HistoryResult {
  /** How it settled. */
  readonly kind: OutcomeKind;
  /** The output or error as text, or the text for the outcome if no tool wrote one. */
  readonly text: string;
  /** The unchanged output or error; the text if there is `content`. */
  readonly value: unknown;
  /**
   * The parts of an output that consists of parts: those of type `text` and `file` have the fields of such parts in
   * messages. Write them, or report the loss `content`.
   */
  readonly content?: readonly HistoryPart[];
  /** Whether the call has no output. */
  readonly failed: boolean;
}
