/**
 * `ToolDelegate`: lets a tool on the server wait for the browser's answer. The tool awaits the answer by the id of its
 * call, and gets a result, a rejection or a timeout, each distinguishable.
 *
 * A rejection is never treated as a result, and each call accepts one answer only. The delegate does not open
 * connections: the server passes it the frames of its WebSocket.
 */
import { checkOptions, type Checks } from '../../types/option-checks.js';
import { DelegateError, errorResult, ToolRejectedError, ToolTimeoutError } from './delegate-errors.js';
import type { ExpectOptions, ToolDelegateOptions, ToolResultFrame, WaitOptions } from './delegate-types.js';
import { aBoolean, aCount, aDuration, anything, MAX_DELAY_MS } from '../option-values.js';
import { quoted } from '../../json/quoted.js';

/** `permits`: the answer is a permission, not a result of a tool that ran in the browser. */
type ToolAnswer = { readonly result: unknown; readonly permits: boolean } | { readonly error: Error };
/** An announced call. `permission`: see {@link ExpectOptions}. */
type Expected = { readonly permission: boolean; readonly answer?: ToolAnswer };
type ToolWaiter = { readonly permission: boolean; readonly settle: (answer: ToolAnswer) => void };

const DELEGATE: Checks<ToolDelegateOptions> = { timeoutMs: aDuration, limit: aCount };
const EXPECT: Checks<ExpectOptions> = { permission: aBoolean };
const WAIT: Checks<WaitOptions> = { ...EXPECT, signal: anything, timeoutMs: aDuration };

/** The pending calls of one connection. */
export class ToolDelegate {
  readonly #timeoutMs: number;
  readonly #limit: number;
  readonly #waiting = new Map<string, ToolWaiter>();
  /** Announced calls, with their answers if these arrived before `wait`. */
  readonly #expected = new Map<string, Expected>();
  /** Ended calls, with the error code for later answers. */
  readonly #ended = new Map<string, 'already-answered' | 'too-late'>();
  #closed: DelegateError | undefined;

  /** Throws a `TypeError` for an invalid `timeoutMs` or `limit`, and for an unknown option. */
  constructor(options: ToolDelegateOptions = {}) {
    checkOptions('ToolDelegate', options, DELEGATE);
    const { timeoutMs = 600_000, limit = 1000 } = options;
    this.#timeoutMs = timeoutMs;
    this.#limit = limit;
  }

  /** The ids of the calls that wait, the oldest first. */
  get waiting(): readonly string[] {
    return [...this.#waiting.keys()];
  }

  /**
   * Announces a call, so that an answer that arrives before `wait` is stored for it. Call it when the request is sent
   * to the browser: an answer to a call that was neither announced nor awaited is rejected. Throws a `TypeError` for an
   * unknown option.
   */
  expect(toolCallId: string, options: ExpectOptions = {}): void {
    checkOptions('ToolDelegate.expect', options, EXPECT);
    const { permission = false } = options;
    if (this.#closed || this.#waiting.has(toolCallId) || this.#ended.has(toolCallId) || this.#expected.has(toolCallId))
      return;
    remember(this.#expected, toolCallId, { permission }, this.#limit);
  }

  /**
   * Waits for the answer to a call and resolves with its result. Rejects with a {@link ToolRejectedError}, a {@link
   * ToolTimeoutError}, the signal's reason, or a `DelegateError`: `already-waiting`; `already-answered` or `too-late`
   * for a call that has ended; `malformed-answer` for a permission if a result arrived before; `closed`.
   */
  async wait<RESULT = unknown>(toolCallId: string, options: WaitOptions = {}): Promise<RESULT> {
    checkOptions('ToolDelegate.wait', options, WAIT);
    const { permission = false, signal, timeoutMs: ms = this.#timeoutMs } = options;
    checkId(toolCallId);
    if (this.#closed) throw this.#closed;
    const expected = this.#expected.get(toolCallId);
    const known = expected?.answer;
    if (known) {
      this.#expected.delete(toolCallId);
      if (permission && !('error' in known || known.permits)) throw ambiguousAnswer(toolCallId);
      return outcome(known) as RESULT;
    }
    const why = this.#waiting.has(toolCallId) ? 'already-waiting' : this.#ended.get(toolCallId);
    if (why) throw callError(why, toolCallId);
    this.#expected.delete(toolCallId);
    if (signal?.aborted) this.#end(toolCallId, 'too-late');
    signal?.throwIfAborted();

    let timer: ReturnType<typeof setTimeout> | undefined;
    let abort: (() => void) | undefined;
    try {
      const answer = await new Promise<ToolAnswer>((settle) => {
        this.#waiting.set(toolCallId, { settle, permission: permission || expected?.permission === true });
        const giveUp = (error: unknown): void => {
          if (!this.#waiting.has(toolCallId)) return;
          this.#end(toolCallId, 'too-late');
          settle({ error: error as Error });
        };
        if (ms !== Infinity)
          timer = setTimeout(() => giveUp(new ToolTimeoutError(toolCallId, ms)), Math.min(ms, MAX_DELAY_MS));
        abort = () => giveUp(signal?.reason);
        signal?.addEventListener('abort', abort);
      });
      return outcome(answer) as RESULT;
    } finally {
      clearTimeout(timer);
      if (abort) signal?.removeEventListener('abort', abort);
    }
  }

  /**
   * Like `wait`, but resolves with a {@link ToolErrorResult} for a rejection or a timeout, for the tool to return to
   * the model.
   */
  async ask(toolCallId: string, options?: WaitOptions): Promise<unknown> {
    return this.wait(toolCallId, options).catch(errorResult);
  }

  /**
   * Answers a call with its result. For a call that waits for a permission, only `true` is valid: it grants the
   * permission. Other values throw `malformed-answer`. Also throws `missing-call-id`, `unknown-call`,
   * `already-answered`, `too-late` and `closed`.
   */
  resolve(toolCallId: string, result: unknown): void {
    this.#check(toolCallId);
    if (this.#asksPermission(toolCallId) && result !== true) throw ambiguousAnswer(toolCallId);
    this.#answer(toolCallId, { result, permits: result === true });
  }

  /** Answers a call with the user's denial. Throws the same errors as `resolve`. */
  reject(toolCallId: string, reason?: string): void {
    this.#answer(toolCallId, { error: new ToolRejectedError(toolCallId, reason) });
  }

  /**
   * Processes a WebSocket frame, parsed or as text. Returns false for a frame that is not a `tool_result`. Throws
   * `missing-result` for an approval without a result, unless the call waits for a permission; `malformed-answer` for
   * an answer that cannot be read, and for an ambiguous permission; and the errors of `resolve`. After an error the
   * call still waits.
   */
  receive(frame: unknown): boolean {
    const { type, data } = (typeof frame === 'string' ? parse(frame) : (frame ?? {})) as Partial<ToolResultFrame>;
    if (type !== 'tool_result') return false;
    const { toolCallId, approved, status, reason, result } = (data ?? {}) as Partial<ToolResultFrame['data']>;
    this.#check(toolCallId);
    if (approved !== undefined && typeof approved !== 'boolean')
      throw new DelegateError('malformed-answer', '`approved` is neither true nor false.', toolCallId);
    const isPermission = this.#asksPermission(toolCallId);
    if (approved === false || /^(rejected|denied)$/i.test(String(status))) {
      this.reject(toolCallId, typeof reason === 'string' ? reason : undefined);
    } else if (result === null || (result === undefined && !(isPermission && approved))) {
      const why = isPermission
        ? `The answer has no decision. ${HOW_TO_PERMIT}`
        : 'The answer approves without a result. Send `data.result`, or `approved: false`.';
      throw new DelegateError('missing-result', why, toolCallId);
    } else if (
      isPermission &&
      (result !== undefined || (status !== undefined && !/^approved$/i.test(String(status))))
    ) {
      // The call still waits.
      throw ambiguousAnswer(toolCallId);
    } else this.#answer(toolCallId, { result: isPermission || result, permits: isPermission });
    return true;
  }

  /** Closes the delegate, for example when the connection is lost. All current and later waits reject with `closed`. */
  close(reason?: string): void {
    this.#closed ??= new DelegateError('closed', `The delegate is closed${reason ? `: ${reason}` : ''}`);
    for (const [toolCallId, { settle }] of [...this.#waiting]) {
      this.#end(toolCallId, 'too-late');
      settle({ error: this.#closed });
    }
    this.#expected.clear();
  }

  #answer(toolCallId: string, answer: ToolAnswer): void {
    this.#check(toolCallId);
    const settle = this.#waiting.get(toolCallId)?.settle;
    this.#end(toolCallId, 'already-answered');
    if (settle) settle(answer);
    else this.#expected.set(toolCallId, { permission: false, answer });
  }

  #asksPermission(toolCallId: string): boolean {
    return (this.#waiting.get(toolCallId) ?? this.#expected.get(toolCallId))?.permission === true;
  }

  /** Throws unless the call can be answered now. */
  #check(toolCallId: unknown): asserts toolCallId is string {
    checkId(toolCallId);
    if (this.#closed) throw this.#closed;
    const ended = this.#ended.get(toolCallId);
    if (ended) throw callError(ended, toolCallId);
    if (!this.#waiting.has(toolCallId) && !this.#expected.has(toolCallId)) throw callError('unknown-call', toolCallId);
  }

  #end(toolCallId: string, how: 'already-answered' | 'too-late'): void {
    this.#waiting.delete(toolCallId);
    remember(this.#ended, toolCallId, how, this.#limit);
  }
}

const HOW_TO_PERMIT = 'Send `approved: true` without a result, or `approved: false`.';

const REASONS = {
  'already-waiting': 'is awaited already. Call `wait` once for each call.',
  'already-answered': 'is answered already. The first answer counts.',
  'too-late': 'does not wait any more: it timed out or was aborted.',
  'unknown-call': 'is not awaited. Call `expect` when its request is sent, or `wait`.',
} as const;

function callError(code: keyof typeof REASONS, toolCallId: string): DelegateError {
  return new DelegateError(code, `Tool call ${quoted(toolCallId)} ${REASONS[code]}`, toolCallId);
}

/** The error for an ambiguous answer to a permission request. */
function ambiguousAnswer(toolCallId: string): DelegateError {
  const why = `Ambiguous answer to tool call ${quoted(toolCallId)}, which waits for a permission. ${HOW_TO_PERMIT}`;
  return new DelegateError('malformed-answer', why, toolCallId);
}

function checkId(toolCallId: unknown): asserts toolCallId is string {
  if (typeof toolCallId === 'string' && toolCallId !== '') return;
  throw new DelegateError('missing-call-id', '`toolCallId` is missing. Expected the id of the requested call.');
}

function outcome(answer: ToolAnswer): unknown {
  if ('error' in answer) throw answer.error;
  return answer.result;
}

function parse(text: string): object {
  try {
    return Object(JSON.parse(text)) as object;
  } catch (cause) {
    throw new DelegateError('malformed-answer', 'The frame is not valid JSON.', undefined, { cause });
  }
}

function remember<T>(map: Map<string, T>, key: string, value: T, limit: number): void {
  map.set(key, value);
  if (map.size > limit) map.delete(map.keys().next().value as string);
}
