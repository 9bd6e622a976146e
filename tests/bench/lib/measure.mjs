/**
 * Timing for the benchmark: the median of several rounds. Before each round the garbage is collected (run Node with
 * --expose-gc), and then warm-up rounds run, which don't count: a forced collection also discards optimized code, and a
 * round that compiles it again is not representative of a chat that has been open for a minute.
 */

/** The median of a list of numbers. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

const WARM_UP_MS = 300;

/**
 * Runs `round` `rounds` times, warmed up each time, and returns the median of each figure. `round` returns (or
 * resolves to) an object of numbers.
 */
export async function medians(round, rounds) {
  const results = [];
  for (let index = 0; index < rounds; index++) {
    globalThis.gc?.();
    const start = performance.now();
    do await round();
    while (performance.now() - start < WARM_UP_MS);
    results.push(await round());
  }
  return Object.fromEntries(Object.keys(results[0]).map((key) => [key, median(results.map((result) => result[key]))]));
}

/**
 * Collects the times of `count` operations in sequence, and returns the µs per operation: the mean of all, of the first
 * quarter and of the last quarter. If the time of an operation grows with the number of earlier operations, `last` is
 * above `first`.
 */
export function quarters(count) {
  const marks = new Map();
  const wanted = new Set([0, Math.floor(count / 4), Math.floor((count * 3) / 4), count]);
  return {
    /**
     * Must be called before the first operation (with 0) and after each operation (with the number of completed ones).
     */
    mark(done) {
      if (wanted.has(done)) marks.set(done, performance.now());
    },
    result() {
      const [a, b, c, d] = [...marks.values()];
      const quarter = count / 4 / 1000;
      return { each: (d - a) / (count / 1000), first: (b - a) / quarter, last: (d - c) / quarter };
    },
  };
}

/** A number for the table: three significant digits, no exponent. */
export const figure = (value) =>
  value >= 100 ? Math.round(value).toLocaleString('en') : Number(value.toPrecision(2)).toString();
