/** The public types of `registerTools`: tools that run in the browser. */

/** The second argument of a tool's `execute`. */
export interface BrowserToolContext {
  /** The id of the call. */
  readonly toolCallId: string;
  /** Aborted when the user stops or cancels, when the result is no longer needed, on timeout, and on disposal. */
  readonly signal: AbortSignal;
  /** Emits a `progress` event. The model does not receive progress. */
  readonly onProgress: (output: unknown) => void;
}

/** A tool that runs in the browser. */
export interface BrowserTool {
  /**
   * Runs a call. The return value is the result; the message of a thrown error is the error text. Values of an async
   * iterable are emitted as progress, and the last one is the result.
   */
  execute(input: never, context: BrowserToolContext): unknown;
  /** Validates the input before the call runs: a Standard Schema, or a schema of the AI SDK. */
  readonly inputSchema?: unknown;
  /**
   * `true`: the gate asks the user before each call runs; the backend gets the result only. `false`: the backend never
   * requests an approval, so the call runs as soon as its input is complete, unless the gate's option `needsApproval`
   * asks. Needed if the reply remains open until the result arrives. Default: the call runs when it is approved, or
   * when the reply has ended without an approval request.
   */
  readonly needsApproval?: boolean;
  /** The timeout of a call in ms. Default: no timeout. */
  readonly timeoutMs?: number;
}

/** A call to run. */
export interface BrowserCall {
  readonly toolCallId: string;
  readonly toolName: string;
  /** The model's input. The tool's schema validates it but does not transform it. */
  readonly input: unknown;
}

/** An event of a call. Later versions may add types. */
export type BrowserToolEvent =
  | { readonly type: 'started'; readonly toolCallId: string; readonly toolName: string }
  | { readonly type: 'progress'; readonly toolCallId: string; readonly toolName: string; readonly output: unknown }
  /** `aborted`: the gate got no result. The call is closed by the cause of the abort or the user's next message. */
  | {
      readonly type: 'ended';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly how: 'executed' | 'failed' | 'aborted';
    }
  /**
   * The call is not run, because it may have been started before (reload, another tab), was aborted with the disposal
   * of its tool, or was not started because the user stopped. Emitted once for each call. `retry` runs the call;
   * `gate.addToolOutput` or the user's next message closes it.
   */
  | { readonly type: 'interrupted'; readonly toolCallId: string; readonly toolName: string }
  /** The gate rejected the result, or `claim` failed. */
  | { readonly type: 'error'; readonly toolCallId: string; readonly toolName: string; readonly error: unknown };

/** The options of `registerTools`. */
export interface RegisterOptions {
  /** Maximum number of calls that run concurrently. Default: no limit. */
  readonly concurrency?: number;
  /** Called for each event, including progress. The gate's view shows a running call as open. */
  readonly onEvent?: (event: BrowserToolEvent) => void;
  /**
   * Called directly before a call starts. If the result is not `true`, the call is interrupted instead. For apps that
   * store the gate's state themselves and must never run a call twice: store the call's id here, and return `false` for
   * a stored id. Not needed with `toolgate/persist`.
   */
  readonly claim?: (call: BrowserCall) => boolean | PromiseLike<boolean>;
}

/**
 * Disposes the registration when called. Running calls are aborted and add no result to the gate, unless the same task
 * registers their tools again.
 */
export interface RegisteredTools {
  (): void;
  /** The ids of running calls, the oldest first. */
  readonly running: readonly string[];
  /** The ids of open calls that do not start automatically, in call order: for a button that calls `retry`. */
  readonly interrupted: readonly string[];
  /** Runs one of the `interrupted` calls at the user's request. Does nothing for other calls. */
  retry(toolCallId: string): void;
}

/** The tools of one registration, by name. */
export type Tools = Readonly<Record<string, BrowserTool>>;
