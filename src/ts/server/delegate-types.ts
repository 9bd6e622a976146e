/**
 * The public types of `ToolDelegate`. No code.
 */

/** How a `ToolDelegate` behaves. */
export interface ToolDelegateOptions {
  /** How long a call waits, in ms, unless `wait` says otherwise. Default 10 minutes; `Infinity`: for ever. */
  readonly timeoutMs?: number;
  /** How many announced, and how many ended, calls are remembered; the oldest are forgotten. Default 1000. */
  readonly limit?: number;
}

/** What is asked of the browser. */
export interface ExpectOptions {
  /**
   * The tool runs here, and waits for the permission alone: only `approved: true` without a result is a yes, and the
   * wait resolves with `true`. Default `false`: the tool runs in the browser, and an approval without its result is
   * refused.
   */
  readonly permission?: boolean;
}

/** How one call is awaited. */
export interface WaitOptions extends ExpectOptions {
  /** Ends the wait with the signal's reason. */
  readonly signal?: AbortSignal;
  /** How long, in ms; `Infinity`: for ever. Default: the delegate's. */
  readonly timeoutMs?: number;
}

/** The frame by which the browser answers, over the WebSocket. Further fields are ignored. */
export interface ToolResultFrame {
  readonly type: 'tool_result';
  readonly data: {
    readonly toolCallId: string;
    /**
     * `false` rejects the call, whatever else is here. Absent: the result approves, but where a permission is awaited.
     */
    readonly approved?: boolean;
    /** `'rejected'` or `'denied'` reject as well. Beside a permission it may be `'approved'`, and nothing else. */
    readonly status?: string;
    /** Why, of a rejection. */
    readonly reason?: string;
    /** What the tool returned, in the browser. */
    readonly result?: unknown;
  };
}

/** What `errorResult` gives the model. */
export interface ToolErrorResult {
  readonly success: false;
  readonly error: string;
  /** The user said no. */
  readonly denied?: true;
  /** Nobody answered in time. */
  readonly timedOut?: true;
}
