/**
 * Runs tools: one of them, and many at a time. What becomes of their results is not decided here.
 */

/** Calls a tool; an async iterable gives preliminary outputs, the last of which is the output. */
export async function callTool(execute: () => unknown, onPreliminary: (output: unknown) => void): Promise<unknown> {
  const result = await execute();
  if (typeof result !== 'object' || result === null || !(Symbol.asyncIterator in result)) return result;
  let last: unknown;
  for await (const output of result as AsyncIterable<unknown>) onPreliminary((last = output));
  return last;
}

/**
 * Runs tasks in order, at most `limit` at a time. After a failure no further one starts; it is thrown once those that run have
 * ended.
 */
export async function pooled<T>(tasks: readonly (() => Promise<T>)[], limit: number): Promise<T[]> {
  const results: T[] = [];
  const failures: unknown[] = [];
  let next = 0;
  async function worker(): Promise<void> {
    while (next < tasks.length && failures.length === 0) {
      const at = next++;
      try {
        results[at] = await tasks[at]!();
      } catch (error) {
        failures.push(error);
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, tasks.length) }, worker));
  if (failures.length > 0) throw failures[0];
  return results;
}

/** What a person, or a model, reads of anything that was thrown. */
export function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message || error.name;
  if (typeof error === 'string') return error;
  try {
    return JSON.stringify(error) ?? String(error);
  } catch {
    return String(error);
  }
}
