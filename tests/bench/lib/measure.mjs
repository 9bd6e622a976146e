/**
 * Timing for the benchmark: the median of several rounds and the middle half of them. Before each round the garbage is
 * collected (run Node with --expose-gc), and then warm-up rounds run, which don't count: a forced collection also
 * discards optimized code, and a round that compiles it again is not representative of a chat that has been open for a
 * minute. A large size needs as many rounds as a small one: some code runs once or twice in a round.
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

/** Warm-up rounds run for at least this time, and until their number is reached or the longest time is over. */
const WARM_UP = { ms: 300, rounds: 4, longestMs: 1200 };

/** Whether these warm-up rounds are enough. */
const isWarm = (rounds, ms) => ms >= WARM_UP.ms && (rounds >= WARM_UP.rounds || ms >= WARM_UP.longestMs);

/**
 * Runs `round` `rounds` times, warmed up each time, and returns the `spread` of each figure. `round` returns (or
 * resolves to) an object of numbers.
 */
export async function measured(round, rounds) {
  const results = [];
  for (let index = 0; index < rounds; index++) {
    globalThis.gc?.();
    const start = performance.now();
    for (let warm = 0; !isWarm(warm, performance.now() - start); warm++) await round();
    results.push(await round());
  }
  return Object.fromEntries(Object.keys(results[0]).map((key) => [key, spread(results.map((result) => result[key]))]));
}

/** A number for a table: two or three significant digits, no exponent. */
export const figure = (value) =>
  value >= 100 ? Math.round(value).toLocaleString('en') : Number(value.toPrecision(2)).toString();
