/**
 * `resolveApprovals` and `resolveApprovalsStream`: run the approved calls of a history, write the denials, and return
 * the messages with all results for the next call of the model.
 *
 * Only approved calls of the last step run. Approved calls of earlier steps that have no result are superseded and get
 * an error result. Forged approvals, unknown tools and a missing toolkit throw before any call runs.
 */
import { checkInput, checkOptions, checkOrigin, findTools, type Runnable } from './checks.js';
import { quote, ResolveError } from './resolve-errors.js';
import { readHistory, type ReadApproval, type ReadCall, type ReadHistory } from './read-history.js';
import { callTool, messageOf, pooled } from '../tools/call-tool.js';
import { digestOf } from './signature.js';
import { DENIED, MAY_HAVE_RUN } from '../tools/error-results.js';
import { own } from '../json/own-property.js';
import { RECEIPT_PART, signReceipt, type ReceiptOptions } from '../evidence/receipt.js';
import { asSent } from './canonical-json.js';
import type {
  ApprovalRecord,
  ApprovalStream,
  CallResult,
  ExecuteOptions,
  ResolvableTool,
  ResolveChunk,
  ResolvedApprovals,
  ResolveOptions,
} from './resolve-types.js';
import { answeredParts, without, writeResults } from './write-results.js';

/** Receives the progress of calls, and the results that could not be recorded. */
interface Reports {
  readonly emit: (chunk: ResolveChunk) => void;
  readonly unrecorded: (call: ReadCall, error: ResolveError) => void;
}

/**
 * Runs the approved calls of a history, writes the denials, and returns the messages to send to the model. The history
 * is the AI SDK's `ModelMessage[]` or `UIMessage[]`, or the messages of an Effect prompt. A call with a result does not
 * run again, and each call runs once even if the history repeats it. Calls that the model's provider runs are not
 * changed.
 *
 * Rejects with a `ResolveError` before any call runs: `toolkit-required`, `unknown-tool`, `invalid-signature`,
 * `not-on-record`, `malformed-messages`. With `failureMode: 'throw'` also rejects with `invalid-input`,
 * `already-started`, and errors of tools. Rejects with the reason of an aborted signal. Does not reject if the record
 * cannot store a result: see `unrecorded`.
 */
export async function resolveApprovals<MESSAGE>(
  messages: readonly MESSAGE[],
  options: ResolveOptions = {},
): Promise<ResolvedApprovals<MESSAGE>> {
  return resolve(messages, options, () => {});
}

/**
 * Like {@link resolveApprovals}, with progress for the page. `stream` emits the AI SDK's chunks for each result when it
 * arrives, for `writer.merge` in `createUIMessageStream`. `resolved` contains the messages for `streamText`. Starts at
 * once, before the stream is read.
 */
export function resolveApprovalsStream<MESSAGE>(
  messages: readonly MESSAGE[],
  options: ResolveOptions = {},
): ApprovalStream<MESSAGE> {
  let controller: ReadableStreamDefaultController<ResolveChunk> | undefined;
  const stream = new ReadableStream<ResolveChunk>({
    start: (given) => void (controller = given),
    // The page disconnected; the tools continue.
    cancel: () => void (controller = undefined),
  });
  const resolved = resolve(messages, options, (chunk) => controller?.enqueue(chunk));
  // Both the promise and the stream fail, so a caller that uses only one of them is informed.
  resolved.then(
    () => controller?.close(),
    (error: unknown) => controller?.error(error),
  );
  return { stream, resolved };
}

async function resolve<MESSAGE>(
  messages: readonly MESSAGE[],
  options: ResolveOptions,
  emit: Reports['emit'],
): Promise<ResolvedApprovals<MESSAGE>> {
  checkOptions(options);
  const { abortSignal, concurrency = Infinity, strip } = options;
  abortSignal?.throwIfAborted();
  const history = readHistory(messages);
  const results = new Map<ReadCall, CallResult>();
  const unrecorded = new Map<ReadCall, ResolveError>();
  const reports: Reports = { emit, unrecorded: (call, error) => void unrecorded.set(call, error) };
  const run = (tasks: Task[]): Promise<Settled[]> => pooled(tasks, concurrency);
  for (const [call, result] of await decide(messages, history, options, reports, run)) results.set(call, result);
  const written = await writeResults(messages, history, results, options.toolkit);
  for (const call of results.keys()) call.resolved = true;
  const failures = [...unrecorded].sort(([a], [b]) => a.order - b.order).map(([, error]) => error);
  // The AI SDK and Effect both reject an approval without its call.
  const gone = new Set([...history.orphans, ...(strip ? answeredParts(history) : [])]);
  return {
    messages: without(written, gone) as MESSAGE[],
    results: [...results.values()],
    unresolved: history.calls
      .filter((call) => !call.resolved && !call.providerExecuted)
      .map(({ toolCallId }) => toolCallId),
    ...(failures.length > 0 && { unrecorded: failures }),
  };
}

type Settled = readonly [ReadCall, CallResult];
type Task = () => Promise<Settled>;

/** Returns the results of all decided calls, in call order. */
async function decide(
  messages: readonly unknown[],
  { approvals, lastStep }: ReadHistory,
  options: ResolveOptions,
  reports: Reports,
  run: (tasks: Task[]) => Promise<Settled[]>,
): Promise<Settled[]> {
  const open = approvals.filter(
    (asked): asked is Runnable =>
      !!asked.answer && !!asked.call && !asked.call.resolved && !asked.call.providerExecuted,
  );
  const approved = open.filter(({ answer, step }) => answer?.approved && step === lastStep);
  const tools = findTools(approved, [...new Set(open.map(({ call }) => call.toolName))], options);
  // Tools without `execute` run elsewhere.
  const here = approved.map((asked, i) => ({ asked, tool: tools[i]! })).filter(({ tool }) => tool.execute);
  for (const { asked } of here) await checkOrigin(asked, options);

  const settled: Settled[] = [];
  for (const asked of open.filter((each) => !approved.includes(each))) {
    const result: CallResult = asked.answer?.approved
      ? { ...about(asked), outcome: 'interrupted', errorText: MAY_HAVE_RUN }
      : await deny(asked, options, reports);
    settled.push([asked.call, result]);
  }
  const invalid = new Map<Runnable, ResolveError>();
  for (const { asked, tool } of here)
    await checkInput(asked, tool).catch((error: ResolveError) => handleFailure(error, () => invalid.set(asked, error)));
  function handleFailure(error: ResolveError, note: () => void): void {
    if (options.failureMode === 'throw') throw error;
    note();
  }
  for (const [, result] of settled) report(result, reports);

  const tasks = here.map(({ asked, tool }) => async (): Promise<Settled> => {
    options.abortSignal?.throwIfAborted();
    const error = invalid.get(asked);
    const result = error ? failure(asked, error, options) : await execute(asked, tool, messages, options, reports);
    report(result, reports);
    return [asked.call, result];
  });
  settled.push(...(await run(tasks)));
  options.abortSignal?.throwIfAborted();
  return settled.sort(([a], [b]) => a.order - b.order);
}

/** Runs a call, unless the record says that it was started already. */
async function execute(
  asked: Runnable,
  tool: ResolvableTool,
  messages: readonly unknown[],
  options: ResolveOptions,
  reports: Reports,
): Promise<CallResult> {
  const { call, toolCallId, approvalId } = asked;
  const { record, abortSignal, toolsContext, failureMode, receipts } = options;
  const key = record ? await keyOf(asked) : '';
  if (record && (await record.claim(key)) !== true) {
    const kept = await record.recall?.(key);
    if (kept) return kept;
    const why = `Call ${quote(toolCallId)} was started by an earlier request. Its result is unknown.`;
    const error = new ResolveError('already-started', why, { toolCallId, approvalId, toolName: call.toolName });
    if (failureMode === 'throw') throw error;
    return { ...about(asked), outcome: 'failed', errorText: MAY_HAVE_RUN };
  }
  const context: ExecuteOptions = { toolCallId, messages, abortSignal, context: own(toolsContext, call.toolName) };
  // A tool may change its input while it runs.
  const input = receipts && asSent(call.input);
  let result: CallResult;
  try {
    const preliminary = (output: unknown): void =>
      reports.emit({ type: 'tool-output-available', toolCallId, output, preliminary: true });
    result = {
      ...about(asked),
      outcome: 'executed',
      output: await callTool(() => tool.execute!(call.input as never, context as never), preliminary),
    };
  } catch (error) {
    if (failureMode === 'throw' || abortSignal?.aborted) throw error;
    result = failure(asked, error, options);
  }
  if (receipts) result = await withReceipt(result, input, asked, receipts, reports);
  await keep(record, key, result, asked, reports);
  return result;
}

/** Adds the receipt to the result of a call that ran with this input. Reports a failure to sign it. */
async function withReceipt(
  result: CallResult,
  input: unknown,
  asked: Runnable,
  receipts: ReceiptOptions,
  reports: Reports,
): Promise<CallResult> {
  try {
    const ran = { ...about(asked), input, outcome: result.outcome as 'executed' | 'failed', output: result.output };
    return { ...result, receipt: await signReceipt({ ...ran, output: asSent(ran.output) }, receipts) };
  } catch (cause) {
    reports.unrecorded(asked.call, recordFailed('receipt', asked, cause));
    return result;
  }
}

/** The error for a result or a receipt of a settled call that could not be kept. */
function recordFailed(what: string, { call, toolCallId, approvalId }: Runnable, cause: unknown): ResolveError {
  const why = `The ${what} of call ${quote(toolCallId)} could not be recorded: ${messageOf(cause)}`;
  return new ResolveError('record-failed', why, { toolCallId, approvalId, toolName: call.toolName, cause });
}

/**
 * Returns the result of a denied call. With a record the first decision counts: a call that has run keeps its result,
 * and a later approval does not run a denied one.
 */
async function deny(asked: Runnable, options: ResolveOptions, reports: Reports): Promise<CallResult> {
  const { record } = options;
  const denied = denial(asked, options);
  // A denial of a request that the server did not store is not recorded: any page could send such denials.
  if (!record || !(await record.get(asked.approvalId))) return denied;
  const key = await keyOf(asked);
  if ((await record.claim(key)) !== true) return (await record.recall?.(key)) ?? denied;
  await keep(record, key, denied, asked, reports);
  return denied;
}

/** Stores a result, and reports a failure to do so. */
async function keep(
  record: ApprovalRecord | undefined,
  key: string,
  result: CallResult,
  asked: Runnable,
  reports: Reports,
): Promise<void> {
  try {
    await record?.keep?.(key, result);
  } catch (cause) {
    // The call is settled, so the page and the model still get its result. Only a repeated request cannot get it.
    reports.unrecorded(asked.call, recordFailed('result', asked, cause));
  }
}

/** The key of a call in the record. */
const keyOf = ({ approvalId, toolCallId }: Runnable): Promise<string> =>
  digestOf(['toolgate-call-v1', approvalId, toolCallId]);

function failure(asked: Runnable, error: unknown, { errorText }: ResolveOptions): CallResult {
  const { toolCallId, toolName, input } = asked.call;
  return {
    ...about(asked),
    outcome: 'failed',
    errorText: errorText?.(error, { toolCallId, toolName, input }) ?? messageOf(error),
  };
}

function denial(asked: Runnable, { deniedText = DENIED }: ResolveOptions): CallResult {
  return { ...about(asked), outcome: 'denied', reason: asked.answer?.reason ?? deniedText };
}

const about = ({
  toolCallId,
  approvalId,
  call,
}: ReadApproval & { call: ReadCall }): Pick<CallResult, 'toolCallId' | 'toolName' | 'approvalId'> => ({
  toolCallId,
  toolName: call.toolName,
  approvalId,
});

function report({ toolCallId, outcome, output, errorText = '', receipt }: CallResult, { emit }: Reports): void {
  if (receipt) emit({ type: RECEIPT_PART, id: toolCallId, data: receipt });
  if (outcome === 'denied') emit({ type: 'tool-output-denied', toolCallId });
  else if (outcome === 'executed') emit({ type: 'tool-output-available', toolCallId, output });
  else emit({ type: 'tool-output-error', toolCallId, errorText });
}
