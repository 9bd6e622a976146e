/**
 * Timing for the benchmark: the median of several rounds and the middle half of them. Before each round the garbage is
 * collected (run Node with --expose-gc), and then warm-up rounds run, which don't count: a forced collection also
 * discards optimized code, and a round that compiles it again is not representative of a chat that has been open for a
 * minute.
 */

/** Returns the value below which a share (0 to 1) of the numbers lies, interpolated. */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const [below, above] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return below + (above - below) * (place - Math.floor(place));
}

/** The median of a list of numbers. */
export const median = (values) => quantile(values, 0.5);

/** The median and the quartiles of a list of numbers. */
export const spread = (values) => ({
  median: median(values),
  low: quantile(values, 0.25),
  high: quantile(values, 0.75),
});

const WARM_UP_MS = 300;

/**
 * Runs `round` `rounds` times, warmed up each time, and returns the `spread` of each figure. `round` returns (or
 * resolves to) an object of numbers.
 */
export async function measured(round, rounds) {
  const results = [];
  for (let index = 0; index < rounds; index++) {
    globalThis.gc?.();
    const start = performance.now();
    do await round();
    while (performance.now() - start < WARM_UP_MS);
    results.push(await round());
  }
  return Object.fromEntries(Object.keys(results[0]).map((key) => [key, spread(results.map((result) => result[key]))]));
}

/** A number for a table: two or three significant digits, no exponent. */
export const figure = (value) =>
  value >= 100 ? Math.round(value).toLocaleString('en') : Number(value.toPrecision(2)).toString();
