/**
 * The public types of the server's half: what `collectApprovals`, `resolveApprovals` and their streamed form take and give.
 * No code.
 */
import type { ResolveError } from './resolve-errors.js';

/** A tool call as it was approved, whatever form its message has. */
export interface ApprovedCall {
  readonly toolCallId: string;
  readonly toolName: string;
  /** As the messages have it: nobody has validated it yet. */
  readonly input: unknown;
  /** The model's provider runs it, not this server. */
  readonly providerExecuted?: boolean;
}

/** One answered approval. */
export interface Approval {
  /** The id that the request had. */
  readonly approvalId: string;
  /** The call that was asked about. */
  readonly toolCallId: string;
  /** Whether it may run. */
  readonly approved: boolean;
  /** In the words of who decided. */
  readonly reason?: string;
  /** Absent if the messages hold no such call. */
  readonly toolCall?: ApprovedCall;
}

/** What {@link collectApprovals} is told. */
export interface CollectOptions {
  /** Leaves out the approvals of calls that have their result. Default `false`. */
  readonly excludeResolved?: boolean;
}

/** The answered approvals of a history, each list in call order. */
export interface CollectedApprovals {
  /** Those whose calls may run. */
  readonly approved: Approval[];
  /** Those whose calls must not. */
  readonly denied: Approval[];
}

/** What a tool's `execute` gets beside its input: what the AI SDK gives it. */
export interface ExecuteOptions {
  /** The call that runs. */
  readonly toolCallId: string;
  /** The messages as they were given. */
  readonly messages: readonly unknown[];
  /** The option `abortSignal`, as it was given. */
  readonly abortSignal: AbortSignal | undefined;
  /** The entry of `toolsContext` for this tool. */
  readonly context: unknown;
}

/**
 * A tool: the AI SDK's `tool(…)`, or anything with an `execute`. An async iterable that it returns gives preliminary results,
 * the last of which is the result. A tool without `execute` runs elsewhere: its calls are left as they are.
 */
export interface ResolvableTool {
  /** Runs an approved call: takes its input and {@link ExecuteOptions}; what it throws is the call's error. */
  execute?(input: never, options: never): unknown;
  /** What the input is checked against: a Standard Schema (Zod, Valibot, ArkType, …) or a schema of the AI SDK. */
  readonly inputSchema?: unknown;
  /** What the model gets for an output, as in the AI SDK. Default: a text as it is, all else as JSON. */
  toModelOutput?(options: never): unknown;
}

/** The server's tools by name; a function is a tool without a schema. */
export type Toolkit = Readonly<
  Record<string, ResolvableTool | ((input: never, options: never) => unknown) | undefined>
>;

/** A call whose approval was asked for: what a signature stands for, and what a record keeps. */
export interface RequestedCall {
  readonly approvalId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
}

/**
 * The server's own record of what it asked and what it started: the only thing that stops a forged approval and a repeated
 * one alike. Ids must be unique in it: make one for each chat, or put the chat's id before them.
 */
export interface ApprovalRecord {
  /** What was asked under this id; nothing if it never was. */
  get(approvalId: string): RequestedCall | undefined | null | PromiseLike<RequestedCall | undefined | null>;
  /**
   * Notes that a call is being started: `true` for the first who claims the key, and `false` ever after. It must be atomic,
   * across processes too (a unique key in a table). The key is 43 letters and digits, the same for a repeated request.
   */
  claim(key: string): boolean | PromiseLike<boolean>;
  /**
   * Keeps the result of a claimed call, as plain JSON where the output is. If it fails, the result is returned all the
   * same, and the failure is in `unrecorded`.
   */
  keep?(key: string, result: CallResult): void | PromiseLike<void>;
  /** The result that was kept, for a request that repeats it: then nothing is run, and the same is answered. */
  recall?(key: string): CallResult | undefined | null | PromiseLike<CallResult | undefined | null>;
}

/** How one call came out. `interrupted`: a later step has superseded it, and it was not run. */
export interface CallResult {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly approvalId: string;
  /** What became of it. `output`, `errorText` and `reason` go with it. */
  readonly outcome: 'executed' | 'failed' | 'denied' | 'interrupted';
  /** What the tool returned, with `executed`. */
  readonly output?: unknown;
  /** What the model reads, with `failed` and `interrupted`. */
  readonly errorText?: string;
  /** Why it was denied: the user's words, or the default text. */
  readonly reason?: string;
}

/** What {@link resolveApprovals} is told. */
export interface ResolveOptions {
  /** The server's tools. They are looked up by own keys only. */
  readonly toolkit?: Toolkit | undefined;
  /** How many calls run at a time. Default: all. */
  readonly concurrency?: number;
  /**
   * What becomes of a handler's error, an invalid input and a call that was started before. `'result'` (default): the failed
   * result of that call alone. `'throw'`: it is thrown; calls that run are awaited, no further ones start.
   */
  readonly failureMode?: 'result' | 'throw';
  /** Given to the tools. Once it is aborted no call starts, and the signal's reason is thrown when the running ones have ended. */
  readonly abortSignal?: AbortSignal | undefined;
  /**
   * The secret that requests were signed with: the AI SDK's `experimental_toolApprovalSecret`, or that of `signApproval`.
   * Unsigned and changed calls are refused with `invalid-signature`, and nothing runs. An empty or missing one is a `TypeError`.
   */
  readonly secret?: string | Uint8Array;
  /** The app's own check of an approved call: `false` is refused with `invalid-signature`, and nothing runs. */
  readonly verify?: (call: RequestedCall & { readonly signature?: string }) => boolean | PromiseLike<boolean>;
  /** The server's own record: what is not in it is refused with `not-on-record`, and no call is started twice. */
  readonly record?: ApprovalRecord;
  /** What each tool gets as `context`, by name. */
  readonly toolsContext?: Readonly<Record<string, unknown>>;
  /** The reason of a denial without one. Default: Toolgate's text for denied calls. */
  readonly deniedText?: string;
  /** What the model, and the page, read of a handler's error. Default: the error's message. */
  readonly errorText?: (error: unknown, call: ApprovedCall) => string;
  /** Takes requests and answers out of the messages once their calls have results, as some providers need. Not from `UIMessage`s. */
  readonly strip?: boolean;
}

/** What resolving gave. */
export interface ResolvedApprovals<MESSAGE> {
  /**
   * The history with every result right behind its step, in call order: what to send to the model. Requests without a call and
   * answers without a request are left out. Nothing given was changed.
   */
  readonly messages: MESSAGE[];
  /** The results that were added, in call order. */
  readonly results: readonly CallResult[];
  /**
   * For each result that `record.keep` failed to store, a `ResolveError` with the code `record-failed`: report it.
   * Those calls have run, and a repeated request will read that their outcome is unknown. Absent if none failed.
   */
  readonly unrecorded?: readonly ResolveError[];
  /** The calls that still have no result: undecided ones, and those of tools that run elsewhere. Do not ask the model yet. */
  readonly unresolved: readonly string[];
}

/** What the page is told as it happens: chunks of the AI SDK's UI message stream. */
export type ResolveChunk =
  | { type: 'tool-output-available'; toolCallId: string; output: unknown; preliminary?: boolean }
  | { type: 'tool-output-error'; toolCallId: string; errorText: string }
  | { type: 'tool-output-denied'; toolCallId: string };

/** The streamed form. Both ends may be used alone. */
export interface ApprovalStream<MESSAGE> {
  /** Denials at once, then each result when it is there. It fails as `resolved` does. Cancelling it stops no tool. */
  readonly stream: ReadableStream<ResolveChunk>;
  /** What {@link resolveApprovals} gives. */
  readonly resolved: Promise<ResolvedApprovals<MESSAGE>>;
}
