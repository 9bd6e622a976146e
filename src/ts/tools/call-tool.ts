/** Runs a tool, and runs tasks concurrently. */

/**
 * Calls a tool and returns its output. If it returns an async iterable, reports each value as preliminary; the last one
 * is the output.
 */
export async function callTool(execute: () => unknown, onPreliminary: (output: unknown) => void): Promise<unknown> {
  const result = await execute();
  if (typeof result !== 'object' || result === null || !(Symbol.asyncIterator in result)) return result;
  let last: unknown;
  for await (const output of result as AsyncIterable<unknown>) onPreliminary((last = output));
  return last;
}

/**
 * Runs tasks in order, at most `limit` concurrently. After a failure starts no further task, and throws the error when
 * the running tasks have ended.
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

/** Returns the message of a thrown value. Does not throw. */
export function messageOf(error: unknown): string {
  try {
    if (error instanceof Error) return String(error.message || error.name);
    if (typeof error === 'string') return error;
    return JSON.stringify(error) ?? String(error);
  } catch {
    return typeof error === 'object' ? '[object Object]' : String(error);
  }
}
