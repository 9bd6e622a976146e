/**
 * Runs one call of a browser tool: validates the input, limits the time, and ends on abort even if the tool ignores the
 * signal.
 */
import type { ToolOutput } from '../types/index.js';
import type { BrowserCall, BrowserTool, BrowserToolContext } from './tool-types.js';
import { callTool, messageOf } from './call-tool.js';
import { parseInput } from './standard-schema.js';
import { MAY_HAVE_RUN } from './error-results.js';

/** The maximum delay of a timer, in ms. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** Returns the result for the gate, or undefined if the call was aborted. Does not call `onProgress` after an abort. */
export async function runTool(
  tool: BrowserTool,
  { toolCallId, input }: BrowserCall,
  controller: AbortController,
  onProgress: (output: unknown) => void,
): Promise<ToolOutput | undefined> {
  const { signal } = controller;
  const { timeoutMs = Infinity } = tool;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const aborted = new Promise<ToolOutput | undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined));
    if (timeoutMs === Infinity) return;
    const end = (): void => {
      const errorText = `${MAY_HAVE_RUN} It took longer than ${timeoutMs} ms.`;
      resolve({ errorText });
      controller.abort(new DOMException(errorText, 'TimeoutError'));
    };
    timer = setTimeout(end, Math.min(timeoutMs, MAX_DELAY_MS));
  });
  const progress = (output: unknown): void => {
    if (!signal.aborted) onProgress(output);
  };
  const run = async (): Promise<ToolOutput> => {
    if (tool.inputSchema !== undefined) await parseInput(tool.inputSchema, structuredClone(input));
    const context: BrowserToolContext = { toolCallId, signal, onProgress: progress };
    return { output: await callTool(() => tool.execute(input as never, context), progress) };
  };
  const ran = run().catch((error: unknown): ToolOutput => ({ errorText: messageOf(error) }));
  const result = await Promise.race([ran, aborted]);
  clearTimeout(timer);
  return result;
}
