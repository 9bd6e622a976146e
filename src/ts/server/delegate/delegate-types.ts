/**
 * The public types of `ToolDelegate`. No code.
 */

/** The options of a `ToolDelegate`. */
export interface ToolDelegateOptions {
  /** The default timeout of `wait` in ms. Default 10 minutes; `Infinity` for no timeout. */
  readonly timeoutMs?: number;
  /** Maximum number of announced calls, and of ended calls, to remember. The oldest are forgotten. Default 1000. */
  readonly limit?: number;
}

/** The options of `expect`: which answers of the browser are valid. */
export interface ExpectOptions {
  /**
   * `true`: the tool runs on the server and waits only for the permission. Only `approved: true` without a result
   * approves, and the wait resolves with `true`. Default `false`: the tool runs in the browser, and an approval without
   * a result is rejected with an error.
   */
  readonly permission?: boolean;
}

/** The options of `wait`. */
export interface WaitOptions extends ExpectOptions {
  /** Ends the wait with the signal's reason. */
  readonly signal?: AbortSignal;
  /** The timeout in ms; `Infinity` for no timeout. Default: the delegate's `timeoutMs`. */
  readonly timeoutMs?: number;
}

/** The WebSocket frame with the browser's answer. Other fields are ignored. */
export interface ToolResultFrame {
  readonly type: 'tool_result';
  readonly data: {
    readonly toolCallId: string;
    /**
     * `false` rejects the call, regardless of the other fields. If absent, a result approves, unless the call waits for
     * a permission.
     */
    readonly approved?: boolean;
    /**
     * In any letter case: `'rejected'` and `'denied'` reject the call too. With a permission, the only other valid
     * value is `'approved'`.
     */
    readonly status?: string;
    /** The reason of a rejection. */
    readonly reason?: string;
    /** The result of the tool in the browser. */
    readonly result?: unknown;
  };
}

/** The result that `errorResult` returns for the model. */
export interface ToolErrorResult {
  readonly success: false;
  readonly error: string;
  /** The user denied the call. */
  readonly denied?: true;
  /** The call was not answered in time. */
  readonly timedOut?: true;
}
