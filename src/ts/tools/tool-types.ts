/**
 * The public types of `registerTools`: tools that run in the browser. No code.
 */
/** What a tool gets beside its input. */
export interface BrowserToolContext {
  /** The call that runs. */
  readonly toolCallId: string;
  /** Aborted when the user stops or cancels, when nobody needs the result any more, at the timeout, and at the disposal. */
  readonly signal: AbortSignal;
  /** Tells listeners how far it has come; nothing of it reaches the model. */
  readonly onProgress: (output: unknown) => void;
}

/** A tool that runs in the browser. */
export interface BrowserTool {
  /** Runs a call. What it returns is the result, what it throws the error text; an async iterable tells progress, the last of it is the result. */
  execute(input: never, context: BrowserToolContext): unknown;
  /** What the input is checked against before it runs: a Standard Schema, or a schema of the AI SDK. */
  readonly inputSchema?: unknown;
  /**
   * `false`: the backend never asks the user about it, so it runs as soon as its input is complete. Needed where the reply stays
   * open until the result is there. Default: it runs once approved, or when the reply has ended without asking.
   */
  readonly needsApproval?: boolean;
  /** After how many ms the call fails. Default: never. */
  readonly timeoutMs?: number;
}

/** A call that runs, or is about to. */
export interface BrowserCall {
  readonly toolCallId: string;
  readonly toolName: string;
  /** As the model wrote it. The tool's schema only checks it. */
  readonly input: unknown;
}

/** What happens to calls. Later releases may add types. */
export type BrowserToolEvent =
  | { readonly type: 'started'; readonly toolCallId: string; readonly toolName: string }
  | { readonly type: 'progress'; readonly toolCallId: string; readonly toolName: string; readonly output: unknown }
  /** `aborted`: the gate was given no result; the call is closed by what aborted it, or with the user's next message. */
  | {
      readonly type: 'ended';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly how: 'executed' | 'failed' | 'aborted';
    }
  /**
   * The call may have been started before this page knew of it (a reload, another tab), was aborted because its tool
   * was disposed of, or was not started because the user stopped: it is not run. Emitted once for each call. `retry`
   * runs it, `gate.addToolOutput` closes it, and so does the user's next message.
   */
  | { readonly type: 'interrupted'; readonly toolCallId: string; readonly toolName: string }
  /** The gate did not take the result, or the claim failed. */
  | { readonly type: 'error'; readonly toolCallId: string; readonly toolName: string; readonly error: unknown };

/** How tools are run. */
export interface RegisterOptions {
  /** How many calls run at a time. Default: all. */
  readonly concurrency?: number;
  /** Told what happens, progress included: the gate itself shows a call that runs as open. */
  readonly onEvent?: (event: BrowserToolEvent) => void;
  /**
   * Asked right before a call starts; anything but `true` leaves it as interrupted. For apps that store snapshots themselves and
   * must never run a call twice: note the call's id there, and answer `false` for one that is noted. With `toolgate/persist` this
   * is not needed.
   */
  readonly claim?: (call: BrowserCall) => boolean | PromiseLike<boolean>;
}

/**
 * Registered tools. Calling it ends the registration: what runs is aborted and gives the gate no result, unless its
 * tool is registered again in the same task.
 */
export interface RegisteredTools {
  (): void;
  /** The calls that run now, the oldest first. */
  readonly running: readonly string[];
  /** The calls that are open and not run by themselves, in call order: for a button that calls `retry`. */
  readonly interrupted: readonly string[];
  /** Runs one of the `interrupted` calls, because the user says so. Does nothing for any other. */
  retry(toolCallId: string): void;
}
