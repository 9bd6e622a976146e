/**
 * `Resolution`: settles the checked calls of a history. Calls that do not run get their results first, then the
 * approved calls run. With a record, the recorded result of a call is its result, whatever the messages say.
 */
import { callKey } from './call-key.js';
import { namesOf, requestOf, type CheckedCalls, type Decided, type OtherCall, type Runnable } from './checks.js';
import type { ReadCall } from './read-history.js';
import { errorAbout, ResolveError } from './resolve-errors.js';
import type { CallResult, ExecuteOptions, RequestedCall, ResolveChunk, ResolveOptions } from './resolve-types.js';
import { chunksOf } from './result-chunks.js';
import { asSent } from './canonical-json.js';
import { shownResult } from './written.js';
import { signReceipt } from './receipts.js';
import { own } from '../../json/own-property.js';
import { callTool, messageOf, pooled } from '../../tools/call-tool.js';
import { DENIED, FAILED, MAY_HAVE_RUN, SUPERSEDED } from '../../tools/error-results.js';

/** The page that gets the chunks of a resolution. */
export interface Page {
  /** The calls that it can find in its last message. */
  readonly shown: ReadonlySet<ReadCall>;
  readonly emit: (chunk: ResolveChunk) => void;
}

/** The progress and the results of one `resolveApprovals`. */
export class Resolution {
  /** The results, in the order in which they arrived. */
  readonly results = new Map<ReadCall, CallResult>();
  /** What the record, or a receipt, lacks. */
  readonly unrecorded = new Map<ReadCall, ResolveError>();
  readonly #messages: readonly unknown[];
  readonly #options: ResolveOptions;
  readonly #page: Page;
  /** Approved calls that were not started, because the record failed. */
  readonly #unstarted = new Map<Decided, ResolveError>();
  #hasBegun = false;

  /** `messages` are passed to the tools. */
  constructor(messages: readonly unknown[], options: ResolveOptions, page: Page) {
    this.#messages = messages;
    this.#options = options;
    this.#page = page;
  }

  /**
   * Settles all calls. Rejects with the errors of the record as long as no tool has begun. Afterwards rejects only with
   * `failureMode: 'throw'`, and with the reason of an aborted signal.
   */
  async settle({ runnable, others }: CheckedCalls): Promise<void> {
    const { abortSignal, concurrency = Infinity } = this.#options;
    const settled: [Decided, CallResult | undefined][] = [];
    for (const other of others) settled.push([other.asked, await this.#withoutRunning(other)]);
    for (const [asked, result] of settled) this.#add(asked, result);
    const tasks = runnable.map((call) => async (): Promise<void> => {
      abortSignal?.throwIfAborted();
      this.#add(call.asked, await this.#run(call));
    });
    await pooled(tasks, concurrency);
    abortSignal?.throwIfAborted();
    for (const [asked, error] of this.#unstarted) {
      // The client can repeat a request in which nothing has begun.
      if (!this.#hasBegun) throw error;
      this.unrecorded.set(asked.call, error);
      this.#add(asked, this.#failure(asked, error));
    }
  }

  #add(asked: Decided, result: CallResult | undefined): void {
    if (!result) return;
    this.results.set(asked.call, result);
    if (this.#page.shown.has(asked.call)) chunksOf(asked, result, this.#options).forEach(this.#page.emit);
  }

  /**
   * Returns the result of a denied or superseded call. An approved call whose tool runs elsewhere has a result only if
   * the record has one.
   */
  async #withoutRunning({ asked, found, isSuperseded }: OtherCall): Promise<CallResult | undefined> {
    const { record, deniedText = DENIED } = this.#options;
    const { approved, reason = deniedText } = asked.answer;
    let given: CallResult | undefined;
    if (!approved) given = { ...namesOf(asked), outcome: 'denied', reason };
    else if (isSuperseded) given = { ...namesOf(asked), outcome: 'interrupted', errorText: MAY_HAVE_RUN };
    if (!record || found instanceof ResolveError) return given;
    const key = await keyOf(asked, found);
    // For a request that the server did not store nothing is recorded: any page could send such decisions.
    if (found && given) {
      // The first to record it knows that the call has not begun.
      const unrun: CallResult = isSuperseded ? { ...given, errorText: SUPERSEDED } : given;
      if ((await record.begin(key, unrun)) === true) {
        await this.#finish(key, unrun, asked);
        return unrun;
      }
    }
    const kept = await this.#recorded(key, asked);
    // A call that has begun, and has no result, runs, unless the record keeps no results.
    return kept ?? (found && !approved && record.result ? this.#startedBefore(asked) : given);
  }

  /** Runs a call, unless the record says that it was started or denied already. */
  async #run(runnable: Runnable): Promise<CallResult | undefined> {
    const { asked, found } = runnable;
    const { record, failureMode } = this.#options;
    const key = record ? await keyOf(asked, found) : '';
    let isFirst = true;
    let kept: CallResult | undefined;
    try {
      if (record) isFirst = (await record.begin(key)) === true;
      if (!isFirst) kept = await this.#recorded(key, asked);
    } catch (cause) {
      const error = errorAbout('record-failed', namesOf(asked), 'Not started, because the record failed.', { cause });
      if (failureMode === 'throw') throw error;
      return void this.#unstarted.set(asked, error);
    }
    if (!isFirst) return kept ?? this.#startedBefore(asked);
    const result = runnable.invalid ? this.#failure(asked, runnable.invalid) : await this.#execute(runnable);
    await this.#finish(key, result, asked);
    return result;
  }

  async #execute({ asked, tool }: Runnable): Promise<CallResult> {
    const { abortSignal, toolsContext, failureMode, receipts } = this.#options;
    const { call, toolCallId } = asked;
    const context = own(toolsContext, call.toolName);
    const given: ExecuteOptions = { toolCallId, messages: this.#messages, abortSignal, context };
    const preliminary = (output: unknown): void => {
      const shown = shownResult({ ...namesOf(asked), outcome: 'executed', output });
      if (this.#page.shown.has(call) && shown.state === 'output-available')
        this.#page.emit({ type: 'tool-output-available', toolCallId, output: shown.output, preliminary: true });
    };
    this.#hasBegun = true;
    let result: CallResult;
    try {
      const output = await callTool(() => tool.execute!(copyOf(call.input) as never, given as never), preliminary);
      result = { ...namesOf(asked), outcome: 'executed', output };
    } catch (error) {
      if (failureMode === 'throw' || abortSignal?.aborted) throw error;
      result = this.#failure(asked, error);
    }
    if (receipts) {
      const { outcome, output } = result as CallResult & { outcome: 'executed' | 'failed' };
      try {
        const ran = { ...namesOf(asked), input: asSent(call.input), outcome, output: asSent(output) };
        result = { ...result, receipt: await signReceipt(ran, receipts) };
      } catch (cause) {
        this.#notRecorded('receipt', asked, cause);
      }
    }
    return result;
  }

  /** The result of a call that an earlier request has started, and that has no recorded result. */
  #startedBefore(asked: Decided): CallResult {
    if (this.#options.failureMode === 'throw')
      throw errorAbout('already-started', namesOf(asked), 'Started by an earlier request. Its result is unknown.');
    return { ...namesOf(asked), outcome: 'failed', errorText: MAY_HAVE_RUN };
  }

  /** Returns the recorded result of a call. */
  async #recorded(key: string, asked: Decided): Promise<CallResult | undefined> {
    const kept = await this.#options.record?.result?.(key);
    return kept ? { ...kept, ...namesOf(asked) } : undefined;
  }

  /** Stores a result. The call is settled if that fails: only a repeated request cannot get it. */
  async #finish(key: string, result: CallResult, asked: Decided): Promise<void> {
    try {
      await this.#options.record?.finish?.(key, result);
    } catch (cause) {
      this.#notRecorded('result', asked, cause);
    }
  }

  #notRecorded(what: string, asked: Decided, cause: unknown): void {
    const why = `The ${what} could not be recorded: ${messageOf(cause)}`;
    this.unrecorded.set(asked.call, errorAbout('record-failed', namesOf(asked), why, { cause }));
  }

  #failure(asked: Decided, error: unknown): CallResult {
    const { toolCallId, toolName, input } = asked.call;
    const { errorText = messageOf } = this.#options;
    let text: unknown;
    try {
      text = errorText(error, { toolCallId, toolName, input });
    } catch {
      // The message may be what `errorText` was to hide.
    }
    return { ...namesOf(asked), outcome: 'failed', errorText: typeof text === 'string' ? text : FAILED };
  }
}

/** The key of a call in the record. Its turn is that of the recorded request: a client could send another one. */
const keyOf = (asked: Decided, found: RequestedCall | undefined): Promise<string> => callKey(found ?? requestOf(asked));

/** A tool may change its input, and must not change it in the messages. */
function copyOf(input: unknown): unknown {
  try {
    return structuredClone(input);
  } catch {
    return input;
  }
}
