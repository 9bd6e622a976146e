/**
 * `resolveApprovals` and `resolveApprovalsStream`: run the approved calls of a history, write the denials, and return
 * the messages with all results for the next call of the model.
 *
 * Only approved calls of the last step run. Approved calls of earlier steps, or before a message of the user, that have
 * no result are superseded and get an error result. All of the last step is checked before its first call runs.
 */
import { reporter } from '../report.js';
import { checkCalls } from './checks.js';
import { readHistory, type ReadCall, type ReadHistory } from './read-history.js';
import { Resolution } from './resolution.js';
import { ResolveError } from './resolve-errors.js';
import { checkResolveOptions } from './resolve-options.js';
import type { ApprovalStream, ResolveChunk, ResolvedApprovals, ResolveOptions } from './resolve-types.js';
import { shownCalls } from './result-chunks.js';
import { writeResults } from './write-results.js';

/**
 * Runs the approved calls of a history, writes the denials, and returns the messages to send to the model. The history
 * is the AI SDK's `ModelMessage[]` or `UIMessage[]`, or the messages of an Effect prompt. A call with a result does not
 * run again, and each call runs once even if the history repeats it. Calls that the model's provider runs are not
 * changed.
 *
 * Rejects with a `ResolveError` before any call runs: `toolkit-required`, `unknown-tool`, `invalid-signature`,
 * `not-on-record`, `malformed-messages`, `too-long`. `onError` is called with each of these. With `failureMode:
 * 'throw'` also rejects with `invalid-input`, `already-started`, and errors of tools. Rejects with the reason of an
 * aborted signal. Once a call runs, does not reject because of the record: see `unrecorded`.
 *
 * With a record, the first decision about a call counts: the messages contain it and the recorded result, whatever was
 * posted.
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
export function resolveApprovalsStream<MESSAGE, AI_SDK extends 6 | 7 = 7>(
  messages: readonly MESSAGE[],
  options: ResolveOptions & { readonly aiSdk?: AI_SDK } = {},
): ApprovalStream<MESSAGE, AI_SDK> {
  let controller: ReadableStreamDefaultController<ResolveChunk<AI_SDK>> | undefined;
  const stream = new ReadableStream<ResolveChunk<AI_SDK>>({
    start: (given) => void (controller = given),
    // The page disconnected; the tools continue.
    cancel: () => void (controller = undefined),
  });
  const resolved = resolve(messages, options, (chunk) => controller?.enqueue(chunk as ResolveChunk<AI_SDK>));
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
  emit: (chunk: ResolveChunk) => void,
): Promise<ResolvedApprovals<MESSAGE>> {
  checkResolveOptions(options);
  options.abortSignal?.throwIfAborted();
  const { onUserMessage, maxParts = 200_000 } = options;
  const report = reporter(options.onError);
  try {
    const history = readHistory(messages, { userEndsStep: onUserMessage !== 'run', maxParts });
    if (history.problem) throw history.problem;
    const resolved = await resolveHistory(messages, history, options, emit);
    resolved.unrecorded?.forEach(report);
    return resolved;
  } catch (error) {
    // The AI SDK's streams neither log nor send the errors of their writers.
    if (error instanceof ResolveError) report(error);
    throw error;
  }
}

async function resolveHistory<MESSAGE>(
  messages: readonly MESSAGE[],
  history: ReadHistory,
  options: ResolveOptions,
  emit: (chunk: ResolveChunk) => void,
): Promise<ResolvedApprovals<MESSAGE>> {
  const calls = await checkCalls(history, options);
  const resolution = new Resolution(messages, options, { shown: shownCalls(messages, history), emit });
  await resolution.settle(calls);
  const { results, unrecorded } = resolution;
  const inOrder = <VALUE>(of: ReadonlyMap<ReadCall, VALUE>): VALUE[] =>
    [...of].sort(([a], [b]) => a.order - b.order).map(([, value]) => value);
  return {
    messages: (await writeResults(messages, history, results, options)) as MESSAGE[],
    results: inOrder(results),
    unresolved: history.calls
      .filter((call) => !call.resolved && !call.providerExecuted && !results.has(call))
      .map(({ toolCallId }) => toolCallId),
    ...(unrecorded.size > 0 && { unrecorded: inOrder(unrecorded) }),
  };
}
