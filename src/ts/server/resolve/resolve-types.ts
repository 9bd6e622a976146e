/** The public types of `collectApprovals`, `resolveApprovals` and `resolveApprovalsStream`. */
import type { Receipt, WebCryptoKey } from '../../evidence/evidence-types.js';
import type { ResolveError } from './resolve-errors.js';

/** How a server signs receipts. */
export interface ReceiptOptions {
  /** The private key: ECDSA, P-256. */
  readonly key: WebCryptoKey;
  /** The id of the chat. The server takes it from its own data, not from what the page says. */
  readonly chatId: string;
}

/** An approved tool call, independent of the message format. */
export interface ApprovedCall {
  readonly toolCallId: string;
  readonly toolName: string;
  /** The input from the messages, not validated. */
  readonly input: unknown;
  /** True if the model's provider runs the call. */
  readonly providerExecuted?: boolean;
}

/** A decided approval. */
export interface Approval {
  /** The id of the approval request. */
  readonly approvalId: string;
  /** The id of the call. */
  readonly toolCallId: string;
  /** Whether the call may run. */
  readonly approved: boolean;
  /** The reason that came with the decision. */
  readonly reason?: string;
  /** The call. Absent if the messages do not contain it. */
  readonly toolCall?: ApprovedCall;
}

/** The options of {@link collectApprovals}. */
export interface CollectOptions {
  /** Omits the approvals of calls that have a result. Default `false`. */
  readonly excludeResolved?: boolean;
}

/** The decided approvals of a history, in call order. */
export interface CollectedApprovals {
  /** Approvals of calls that may run. */
  readonly approved: Approval[];
  /** Approvals of calls that must not run. */
  readonly denied: Approval[];
}

/** The second argument of a tool's `execute`, as in the AI SDK. */
export interface ExecuteOptions {
  /** The id of the call. */
  readonly toolCallId: string;
  /** The messages that were passed to `resolveApprovals`. */
  readonly messages: readonly unknown[];
  /** The option `abortSignal`. */
  readonly abortSignal: AbortSignal | undefined;
  /** The entry of `toolsContext` for this tool. */
  readonly context: unknown;
}

/**
 * A tool: the AI SDK's `tool(…)`, or any object with an `execute`. If `execute` returns an async iterable, its values
 * are preliminary results, and the last one is the result. A tool without `execute` runs elsewhere, and its calls are
 * not changed.
 */
export interface ResolvableTool {
  /** Runs an approved call with its input and {@link ExecuteOptions}. A thrown error becomes the error of the call. */
  execute?(input: never, options: never): unknown;
  /** The schema of the input: a Standard Schema (Zod, Valibot, ArkType, …) or a schema of the AI SDK. */
  readonly inputSchema?: unknown;
  /** Converts an output for the model, as in the AI SDK. Default: strings as text, other values as JSON. */
  toModelOutput?(options: never): unknown;
}

/** The server's tools by name; a function is a tool without a schema. */
export type Toolkit = Readonly<
  Record<string, ResolvableTool | ((input: never, options: never) => unknown) | undefined>
>;

/** A call whose approval was requested, as signed and as stored in a record. */
export interface RequestedCall {
  readonly approvalId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  /**
   * The turn in which it was requested, for example the id of the user's message. Only for a record, and only needed
   * if ids come again: otherwise the same call in a later turn gets the result of the first one.
   */
  readonly turn?: string;
}

/**
 * The server's record of requested approvals and started calls. Only a record prevents both forged and replayed
 * approvals. Approval ids must be unique in it: create one record for each chat. If entries expire, a call that has
 * begun must be stored longer than its request, or a late approval runs again. `StoredRecord` does all this in a
 * database.
 */
export interface ApprovalRecord {
  /** Stores a request. Call it, and await it, when the request is sent to the page. */
  request(call: RequestedCall): void | PromiseLike<void>;
  /** Returns the request with an approval id, or undefined. */
  requested(approvalId: string): RequestedCall | undefined | null | PromiseLike<RequestedCall | undefined | null>;
  /**
   * Records that a call begins. With `result`, records that it does not run, because it was denied or superseded: store
   * the result at the same time, so that `result` returns it at once. Returns `true` for the first time with a key, and
   * `false` for later ones. Must be atomic, also across processes, for example with a unique key of a table. The key
   * has 43 characters and is the same for a repeated decision.
   */
  begin(key: string, result?: CallResult): boolean | PromiseLike<boolean>;
  /**
   * Stores the result of a call that has begun, also of one that did not run. If it throws, `resolveApprovals` still
   * returns the result, and reports the failure in `unrecorded`.
   */
  finish?(key: string, result: CallResult): void | PromiseLike<void>;
  /**
   * Returns the stored result. A repeated decision gets it, whatever it decides, and does not run the tool. A call that
   * has begun and has no result counts as one that was approved and may have run.
   */
  result?(key: string): CallResult | undefined | null | PromiseLike<CallResult | undefined | null>;
}

/** The result of one call. `interrupted`: a later step or message superseded the call, so it was not run. */
export interface CallResult {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly approvalId: string;
  /** The kind of result. It determines which of `output`, `errorText` and `reason` exist. */
  readonly outcome: 'executed' | 'failed' | 'denied' | 'interrupted';
  /** With `executed`: the output of the tool. */
  readonly output?: unknown;
  /** With `failed` and `interrupted`: the error text for the model. */
  readonly errorText?: string;
  /** With `denied`: the user's reason, or the default text. */
  readonly reason?: string;
  /** With `executed` and `failed`, and the option `receipts`: the signed statement that the call ran. */
  readonly receipt?: Receipt;
}

/** The options of {@link resolveApprovals}. */
export interface ResolveOptions {
  /** The server's tools. Only own keys count. */
  readonly toolkit?: Toolkit | undefined;
  /** Maximum number of calls that run concurrently. Default: no limit. */
  readonly concurrency?: number;
  /**
   * How to handle an error of a tool, an invalid input, and a call that was started before. `'result'` (default): that
   * call alone gets a failed result. `'throw'`: rejects with the error after the running calls have ended, and starts
   * no further calls.
   */
  readonly failureMode?: 'result' | 'throw';
  /**
   * What a user message after an approval does to a call that has not begun. `'supersede'` (default): the call does not
   * run, as in `streamText`. `'run'`: it runs first, and its result is written before the message.
   */
  readonly onUserMessage?: 'supersede' | 'run';
  /** The maximum number of messages and parts. More reject with `too-long`. Default 200,000. */
  readonly maxParts?: number;
  /** Called with the error of a refused request, and with each of `unrecorded`. Default: `console.error`. */
  readonly onError?: (error: ResolveError) => void;
  /**
   * Passed to the tools. When aborted, no further call starts, and `resolveApprovals` rejects with the signal's reason
   * after the running calls have ended.
   */
  readonly abortSignal?: AbortSignal | undefined;
  /**
   * The secret that requests were signed with: the AI SDK's `experimental_toolApprovalSecret`, or that of
   * `signApproval`. Unsigned and changed calls reject with `invalid-signature` before any call runs. An empty secret,
   * or `undefined`, throws a `TypeError`.
   */
  readonly secret?: string | Uint8Array;
  /**
   * The app's check of an approved call. Any value but `true` rejects with `invalid-signature` before any call runs.
   */
  readonly verify?: (call: RequestedCall & { readonly signature?: string }) => boolean | PromiseLike<boolean>;
  /** The server's record. A call that is not in it rejects with `not-on-record`, and no call is started twice. */
  readonly record?: ApprovalRecord;
  /**
   * Signs a receipt of each call that runs in this chat, for `toolgate/evidence`. The result has it, and
   * `resolveApprovalsStream` sends it to the page as a data part.
   */
  readonly receipts?: ReceiptOptions;
  /** The `context` of each tool, by tool name. */
  readonly toolsContext?: Readonly<Record<string, unknown>>;
  /** The reason for denials without one. Default: Toolgate's text for denied calls. */
  readonly deniedText?: string;
  /** Returns the text that the model and the page receive for a tool's error. Default: the error's message. */
  readonly errorText?: (error: unknown, call: ApprovedCall) => string;
  /**
   * Removes requests and decisions of calls with results from the messages, which some providers require. Does not
   * change `UIMessage`s.
   */
  readonly strip?: boolean;
  /**
   * The version of the AI SDK that reads the stream of `resolveApprovalsStream`. Default 7. `ai` 6 has no chunk for the
   * recorded decision of a call that the page has decided otherwise: with 6, the page gets a recorded denial as an
   * error, and no result of a call that it has denied.
   */
  readonly aiSdk?: 6 | 7;
}

/** The result of {@link resolveApprovals}. */
export interface ResolvedApprovals<MESSAGE> {
  /**
   * The messages to send to the model, with the results of each step directly after it, in call order. Requests without
   * a call and decisions without a request are omitted. The given messages are not changed.
   */
  readonly messages: MESSAGE[];
  /** The results that were added, in call order. */
  readonly results: readonly CallResult[];
  /**
   * A `ResolveError` with the code `record-failed` for each call whose result `record.finish` failed to store: it has
   * run, and a repeated request gets an unknown outcome. Also for each call that did not run because the record failed.
   * Absent if none failed.
   */
  readonly unrecorded?: readonly ResolveError[];
  /**
   * The ids of calls without a result: undecided calls, and calls of tools that run elsewhere. If there are any, do not
   * call the model yet.
   */
  readonly unresolved: readonly string[];
}

/** A chunk of the AI SDK's UI message stream, for `ai` 7 or 6. */
export type ResolveChunk<AI_SDK extends 6 | 7 = 7> =
  | { type: 'tool-output-available'; toolCallId: string; output: unknown; preliminary?: boolean }
  | { type: 'tool-output-error'; toolCallId: string; errorText: string }
  | { type: 'tool-output-denied'; toolCallId: string }
  | { type: 'data-toolgate-receipt'; id: string; data: Receipt }
  | (AI_SDK extends 7
      ? { type: 'tool-approval-response'; approvalId: string; approved: boolean; reason?: string }
      : never);

/** The result of `resolveApprovalsStream`. Each property can be used alone. */
export interface ApprovalStream<MESSAGE, AI_SDK extends 6 | 7 = 7> {
  /**
   * Emits the denials first, then each result when it arrives. Before a result whose decision differs from the posted
   * one, emits the recorded decision. Emits nothing about calls of earlier messages, which the page could not find.
   * Fails with the error of `resolved`. Cancelling the stream does not stop the tools.
   */
  readonly stream: ReadableStream<ResolveChunk<AI_SDK>>;
  /** The result of {@link resolveApprovals}. */
  readonly resolved: Promise<ResolvedApprovals<MESSAGE>>;
}
