/**
 * For a backend whose tool waits for the browser's answer: a call is awaited by its id, and ends in one of three ways. It
 * has a result, it was rejected, or nobody answered in time; the waiting tool can tell them apart.
 *
 * A rejection is never a result, whatever came with it, and a call takes one answer. It carries no bytes: the server hands
 * it what its WebSocket received.
 */
import { refuseUnknown, type KnownOptions } from '../types/option-checks.js';
import { errorResult, ToolRejectedError, ToolTimeoutError } from './delegate-errors.js';
import type { ExpectOptions, ToolDelegateOptions, ToolResultFrame, WaitOptions } from './delegate-types.js';
import { quote, ResolveError } from './resolve-errors.js';

/** `permits`: the answer gives a permission, and is no result of a tool that ran elsewhere. */
type ToolAnswer = { readonly result: unknown; readonly permits: boolean } | { readonly error: Error };
/** A call whose answer is asked for. `permission`: see {@link ExpectOptions}. */
type Expected = { readonly permission: boolean; readonly answer?: ToolAnswer };
type ToolWaiter = { readonly permission: boolean; readonly settle: (answer: ToolAnswer) => void };

const DELEGATE: KnownOptions<ToolDelegateOptions> = { timeoutMs: true, limit: true };
const EXPECT: KnownOptions<ExpectOptions> = { permission: true };
const WAIT: KnownOptions<WaitOptions> = { ...EXPECT, signal: true, timeoutMs: true };

/** The longest time that a timer can be set to. */
const LONGEST = 2 ** 31 - 1;

/** The calls of one connection that wait for an answer. */
export class ToolDelegate {
  readonly #timeoutMs: number;
  readonly #limit: number;
  readonly #waiting = new Map<string, ToolWaiter>();
  /** Announced calls, with the answer if that came first. */
  readonly #expected = new Map<string, Expected>();
  /** Calls that are over, and how. */
  readonly #ended = new Map<string, 'already-answered' | 'too-late'>();
  #closed: ResolveError | undefined;

  /** Throws a `TypeError` for a time or limit that is none, and for an unknown option. */
  constructor(options: ToolDelegateOptions = {}) {
    refuseUnknown('ToolDelegate', options, DELEGATE);
    const { timeoutMs = 600_000, limit = 1000 } = options;
    this.#timeoutMs = checkTime(timeoutMs);
    if (!(Number.isInteger(limit) && limit > 0)) throw new TypeError('ToolDelegate: limit is a whole number above 0');
    this.#limit = limit;
  }

  /** The calls that wait now, the oldest first. */
  get waiting(): readonly string[] {
    return [...this.#waiting.keys()];
  }

  /**
   * Announces a call whose approval is asked for: an answer that comes before `wait` is kept for it. Call it when the
   * request is sent to the browser; an answer to a call that was neither announced nor awaited is refused. Throws a
   * `TypeError` for an unknown option.
   */
  expect(toolCallId: string, options: ExpectOptions = {}): void {
    const permission = checkPermission('expect', options, EXPECT);
    if (this.#closed || this.#waiting.has(toolCallId) || this.#ended.has(toolCallId) || this.#expected.has(toolCallId))
      return;
    remember(this.#expected, toolCallId, { permission }, this.#limit);
  }

  /**
   * Waits for the answer to a call. Resolves with its result; rejects with a {@link ToolRejectedError}, with a
   * {@link ToolTimeoutError}, with the signal's reason, or with a `ResolveError`: `already-waiting`, `already-answered` or
   * `too-late` for a call that is over, `malformed-answer` for a permission whose early answer was a result, `closed`.
   */
  async wait<RESULT = unknown>(toolCallId: string, options: WaitOptions = {}): Promise<RESULT> {
    const permission = checkPermission('wait', options, WAIT);
    const { signal, timeoutMs } = options;
    const ms = timeoutMs === undefined ? this.#timeoutMs : checkTime(timeoutMs);
    checkId(toolCallId);
    if (this.#closed) throw this.#closed;
    const expected = this.#expected.get(toolCallId);
    const known = expected?.answer;
    if (known === undefined && this.#waiting.has(toolCallId)) throw refusal('already-waiting', toolCallId);
    if (known === undefined && this.#ended.has(toolCallId)) throw refusal(this.#ended.get(toolCallId)!, toolCallId);
    this.#expected.delete(toolCallId);
    if (known !== undefined) {
      if (permission && !('error' in known || known.permits)) throw unclear(toolCallId);
      return outcome(known) as RESULT;
    }
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
          timer = setTimeout(() => giveUp(new ToolTimeoutError(toolCallId, ms)), Math.min(ms, LONGEST));
        abort = () => giveUp(signal?.reason);
        signal?.addEventListener('abort', abort);
      });
      return outcome(answer) as RESULT;
    } finally {
      clearTimeout(timer);
      if (abort) signal?.removeEventListener('abort', abort);
    }
  }

  /** As `wait`, but a rejection and a timeout become an {@link ToolErrorResult}, for the tool to return to the model. */
  async ask(toolCallId: string, options?: WaitOptions): Promise<unknown> {
    return this.wait(toolCallId, options).catch(errorResult);
  }

  /**
   * The call has a result; `true` gives the permission that is awaited. Throws `missing-call-id`, `unknown-call`,
   * `already-answered`, `too-late`, `closed`, and `malformed-answer` for anything but `true` where a permission is
   * awaited.
   */
  resolve(toolCallId: string, result: unknown): void {
    this.#check(toolCallId);
    if (this.#asksPermission(toolCallId) && result !== true) throw unclear(toolCallId);
    this.#answer(toolCallId, { result, permits: result === true });
  }

  /** The user said no. Throws as `resolve` does. */
  reject(toolCallId: string, reason?: string): void {
    this.#answer(toolCallId, { error: new ToolRejectedError(toolCallId, reason) });
  }

  /**
   * Takes a frame of the WebSocket, parsed or as text; `false` for one that is not a `tool_result`. Throws
   * `missing-result` for an approval without data (the call goes on waiting), but where the permission alone is
   * awaited; `malformed-answer` for one that cannot be read, and for a permission that is not exactly a yes; and as
   * `resolve`.
   */
  receive(frame: unknown): boolean {
    const { type, data } = (typeof frame === 'string' ? parse(frame) : (frame ?? {})) as Partial<ToolResultFrame>;
    if (type !== 'tool_result') return false;
    const answer = (data ?? {}) as Partial<ToolResultFrame['data']>;
    const { toolCallId, approved } = answer;
    this.#check(toolCallId);
    if (approved !== undefined && typeof approved !== 'boolean') {
      const why = `approved is a ${typeof approved}: send true or false`;
      throw new ResolveError('malformed-answer', why, { toolCallId });
    }
    if (this.#asksPermission(toolCallId)) this.#permit(toolCallId, answer);
    else this.#take(toolCallId, answer);
    return true;
  }

  /** The answer of a tool that ran in the browser. */
  #take(toolCallId: string, { approved, status, reason, result }: Partial<ToolResultFrame['data']>): void {
    if (approved === false || status === 'rejected' || status === 'denied') this.reject(toolCallId, textOf(reason));
    else if (result === undefined || result === null) {
      const why = 'the answer approves and brings no result: send data.result, or approved: false';
      throw new ResolveError('missing-result', why, { toolCallId });
    } else this.#answer(toolCallId, { result, permits: false });
  }

  /** The answer to a question: what is neither a clear yes nor a no is refused, and the call goes on waiting. */
  #permit(toolCallId: string, { approved, status, reason, result }: Partial<ToolResultFrame['data']>): void {
    if (approved === false || /^(rejected|denied)$/i.test(String(status))) this.reject(toolCallId, textOf(reason));
    else if (approved && result === undefined && (status === undefined || status === 'approved')) {
      this.#answer(toolCallId, { result: true, permits: true });
    } else if ((result === undefined && !approved) || result === null) {
      const why = 'the answer says neither yes nor no: send approved: true without a result, or approved: false';
      throw new ResolveError('missing-result', why, { toolCallId });
    } else throw unclear(toolCallId);
  }

  /** The connection is gone: every wait ends with `closed`, and so does every later one. */
  close(reason?: string): void {
    this.#closed ??= new ResolveError('closed', `the delegate was closed${reason ? `: ${reason}` : ''}`);
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

  /** Throws unless the call takes an answer now. */
  #check(toolCallId: unknown): asserts toolCallId is string {
    checkId(toolCallId);
    if (this.#closed) throw this.#closed;
    const ended = this.#ended.get(toolCallId);
    if (ended) throw refusal(ended, toolCallId);
    if (!this.#waiting.has(toolCallId) && !this.#expected.has(toolCallId)) throw refusal('unknown-call', toolCallId);
  }

  #end(toolCallId: string, how: 'already-answered' | 'too-late'): void {
    this.#waiting.delete(toolCallId);
    remember(this.#ended, toolCallId, how, this.#limit);
  }
}

const WORDS = {
  'already-waiting': 'is awaited already: wait once for each call',
  'already-answered': 'has its answer: the first one counts',
  'too-late': 'waits no longer: it timed out or was given up',
  'unknown-call': 'is not awaited: announce it with expect() when its request leaves, or wait() for it',
} as const;

function refusal(code: keyof typeof WORDS, toolCallId: string): ResolveError {
  return new ResolveError(code, `the tool call ${quote(toolCallId)} ${WORDS[code]}`, { toolCallId });
}

/** Of an answer to a question that is neither a yes nor a no. */
function unclear(toolCallId: string): ResolveError {
  const how = 'approved: true without a result gives it, approved: false denies it';
  const why = `the tool call ${quote(toolCallId)} waits for a permission: ${how}`;
  return new ResolveError('malformed-answer', why, { toolCallId });
}

function textOf(reason: unknown): string | undefined {
  return typeof reason === 'string' ? reason : undefined;
}

function checkPermission<OPTIONS extends ExpectOptions>(
  method: string,
  options: OPTIONS,
  known: KnownOptions<OPTIONS>,
): boolean {
  refuseUnknown(`ToolDelegate.${method}`, options, known);
  const { permission = false } = options;
  if (typeof permission === 'boolean') return permission;
  throw new TypeError(`ToolDelegate.${method}: permission is true or false`);
}

function checkId(toolCallId: unknown): asserts toolCallId is string {
  if (typeof toolCallId === 'string' && toolCallId !== '') return;
  throw new ResolveError('missing-call-id', 'no call is named: toolCallId is the id that the request had');
}

function outcome(answer: ToolAnswer): unknown {
  if ('error' in answer) throw answer.error;
  return answer.result;
}

function parse(text: string): object {
  try {
    return Object(JSON.parse(text)) as object;
  } catch (cause) {
    throw new ResolveError('malformed-answer', 'the frame is not valid JSON', { cause });
  }
}

function remember<T>(map: Map<string, T>, key: string, value: T, limit: number): void {
  map.set(key, value);
  if (map.size > limit) map.delete(map.keys().next().value as string);
}

function checkTime(ms: number): number {
  if (typeof ms === 'number' && ms > 0) return ms;
  throw new TypeError('ToolDelegate: timeoutMs is a number of ms above 0, or Infinity');
}
