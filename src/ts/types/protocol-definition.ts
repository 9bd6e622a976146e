/**
 * What an app gives to `defineProtocol`, and what Toolgate passes to it. No code.
 *
 * Toolgate itself works with the AI SDK's form: UI message chunks while a reply arrives, and a history of messages in
 * which each call carries its request, response and result. A protocol translates between that and a backend's own
 * form.
 */
import type { GateMessage, OutcomeKind, ToolPart } from './message.js';
import type { GateTexts } from './options.js';
import type { Capabilities, Loss } from './protocol.js';
import type { RepairCode } from './event.js';
import type { AiSdkBody, OutgoingHead } from './view.js';

/**
 * A backend's wire format. It decides nothing about approvals, and keeps no state beyond one stream: what has to come
 * back later (the backend's own ids, signatures) goes into provider metadata, or into a field of an approval request.
 */
export interface ProtocolDefinition {
  /** The name in events, errors and recordings, such as `'my-backend'`. Not `'ai-sdk'`. */
  readonly name: string;
  /** What the backend can express. */
  readonly capabilities: ProtocolCapabilities;
  /** Only this client runs the tools: their calls wait for `addToolOutput`. Default `false`. */
  readonly clientRunsTools?: boolean;
  /**
   * With `clientRunsTools`: the backend has no approvals, so Toolgate asks about every call, under the call's id,
   * unless the option `needsApproval` says otherwise. Default `false`: it asks only where that option says so.
   */
  readonly clientAsks?: boolean;
  /** A call id is never used twice: until approval is asked for, a changed input belongs to the same call. */
  readonly uniqueCallIds?: boolean;
  /**
   * The backend takes no message while it waits for answers: denials are sent in a request of their own, and the
   * message after the reply to it.
   */
  readonly answersBeforeMessages?: boolean;
  /**
   * With `answersBeforeMessages`, `kind: 'answering'`: the backend replies to a denial too, not only when a tool
   * runs.
   */
  readonly repliesToDenials?: boolean;
  /** With `kind: 'answering'`: the result of a browser tool counts as its approval, which is not sent by itself. */
  readonly resultImpliesApproval?: boolean;
  /** Begins to read one stream: called at the first event of each reply. */
  createReader(stream: StreamContext): EventReader;
  /** Writes the history as the model, or the backend's own client, has it: what `gate.assemble` returns. */
  write(history: readonly HistoryMessage[], context: WriteContext): unknown[];
  /**
   * Reads a history of the backend's own form, for `gate.load`. What is damaged is left out or repaired, and
   * reported. Absent: the form is the AI SDK's `UIMessage[]` or `ModelMessage[]`.
   */
  read?(messages: readonly unknown[], context: ReadContext): HistoryMessage[];
  /**
   * Builds a request: what `Outgoing.body` is. With `kind: 'answering'`, requests are only for messages of the user;
   * with `answersBeforeMessages`, a request carries decisions or messages, never both.
   */
  body(history: readonly HistoryMessage[], context: RequestContext): unknown;
  /** With `kind: 'answering'`: builds the answer that carries one decision, or the result of one browser tool. */
  answer?(decision: DecisionToSend, context: WriteContext): unknown;
  /**
   * With `capabilities.editedInput`: whether this approval takes another input. `approval` is `part.approval` in the
   * view, with what the backend attached to its request. Default: each does.
   */
  acceptsEdit?(approval: Readonly<Record<string, unknown>>): boolean;
}

/**
 * What a backend can express; all but `kind` has a default: a reason, no edited input, no `cancel`, no `remember`,
 * the client keeps the history, denials are visible, nothing is lost, `repeat` is unknown.
 */
export type ProtocolCapabilities = Pick<Capabilities, 'kind'> & Partial<Capabilities>;

/** What a stream's reader works with. */
export interface StreamContext {
  /**
   * Takes what an event means, as AI SDK UI message chunks, in the order in which `streamText` sends them.
   * `ReplyWriter` keeps that order.
   */
  emit(chunk: ReplyChunk | undefined): void;
  /** Makes an id, where the backend has none. */
  newId(): string;
  /** The tool parts of the turn as the view shows them, oldest first. A part also has `toolName`. */
  calls(): readonly (ToolPart & { readonly toolName: string })[];
  /** All messages that the view shows. */
  messages(): readonly GateMessage[];
}

/**
 * Reads one event, and returns `false` for one that the protocol does not know: it becomes a `passthrough` event.
 * What it throws makes the event, or what is left of it, an anomaly; the stream goes on.
 */
export type EventReader = (event: unknown) => boolean;

/** A UI message chunk of the AI SDK. */
export interface ReplyChunk {
  /** Such as `'text-delta'`, `'tool-input-available'` or `'tool-approval-request'`. */
  readonly type: string;
  readonly [field: string]: unknown;
}

/** One message of a history. One of the assistant is one step: what one model call produced. */
export interface HistoryMessage {
  /** Who says it. Results are not messages of their own: each is in its call. */
  role: 'system' | 'user' | 'assistant';
  /** Its parts, in order. */
  content: (HistoryPart | HistoryCall)[];
}

/** A part of a message as the AI SDK's `ModelMessage` has it: `text`, `reasoning`, `file`, or custom content. */
export interface HistoryPart {
  /** What it is. */
  type: string;
  /** What a provider attached, by its name. */
  providerOptions?: Record<string, unknown>;
  [field: string]: unknown;
}

/** A tool call with all that belongs to it, each part in the AI SDK's form. `isToolCall` recognizes one. */
export interface HistoryCall extends HistoryPart {
  type: 'tool-call';
  /** The call's id. */
  toolCallId: string;
  /** The tool. */
  toolName: string;
  /** What the model wrote. */
  input: unknown;
  /** The backend runs the tool. */
  providerExecuted?: boolean;
  /** The approval request, with its `approvalId`. */
  request?: HistoryPart;
  /** The decision: `approved`, and `reason`. */
  response?: HistoryPart;
  /** The result, in `output`: see `resultOf`. */
  result?: HistoryPart;
}

/** What writing a history takes beside it. */
export interface WriteContext {
  /** The chat's id; for some backends that of the session, or thread. */
  readonly chatId: string;
  /** The app's own words for results that no tool wrote: the option `texts`. */
  readonly texts: Partial<GateTexts> | undefined;
  /** Reports what the protocol cannot say, about one call or the whole history: a `lossy` event, once for each call. */
  reportLoss(loss: Loss, toolCallId?: string): void;
}

/** What reading a history takes beside it. */
export interface ReadContext extends WriteContext {
  /** Reports what was wrong with the history, and what was made of it, in words: it is in the report of `gate.load`. */
  reportRepair(code: RepairCode, detail: string, toolCallId?: string): void;
}

/** What building a request takes. */
export interface RequestContext extends WriteContext {
  /** Who keeps the history. */
  readonly history: 'client' | 'server';
  /** The item: its id, its idempotency key, and which approvals it carries. */
  readonly item: OutgoingHead;
  /** What the AI SDK's own client would post. */
  readonly request: AiSdkBody;
  /** The metadata of the assistant's last message. */
  readonly metadata: unknown;
  /** What the item carries: decisions, and results of browser tools, in call order. */
  readonly decisions: readonly DecisionToSend[];
  /** The user's messages that the item carries: those after the assistant's last one. */
  readonly newMessages: readonly HistoryMessage[];
}

/** What became of one call, as it is sent to the backend: a decision, or the result of a browser tool. */
export interface DecisionToSend {
  /** The approval's id. */
  readonly approvalId: string;
  /** The call's id. */
  readonly toolCallId: string;
  /** The tool. */
  readonly toolName: string;
  /** As the model wrote it. */
  readonly input: unknown;
  /** As the user changed it, with `outcome: 'approved'`; absent if it is unchanged. */
  readonly editedInput?: unknown;
  /** `executed` and `failed`: the tool ran in the browser, and this is its result, not a decision. */
  readonly outcome: 'approved' | 'denied' | 'skipped' | 'expired' | 'cancelled' | 'executed' | 'failed';
  /** Why, for the model: the user's words, or those of the policy. Of a failed tool: its error. */
  readonly reason?: string;
  /** What a browser tool returned. */
  readonly output?: unknown;
  /** The backend is asked to remember the decision, where it can. */
  readonly remember?: 'chat' | 'always';
  /** The approval with every field that the backend attached to its request. */
  readonly approval: unknown;
  /** The call's provider metadata. */
  readonly metadata: unknown;
}

/** How a call settled, as the model is told. */
export interface CallResult {
  /** How it settled. */
  readonly kind: OutcomeKind;
  /** The output or the error as text; the text for the outcome where no tool wrote any. */
  readonly text: string;
  /** The output or the error as it is. */
  readonly value: unknown;
  /** It has no output. */
  readonly failed: boolean;
}
