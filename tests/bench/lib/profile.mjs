/**
 * Where Toolgate's time goes: runs a subject under V8's sampling profiler, and groups the samples by what the code
 * does.
 */
import { existsSync, readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/** The time between two samples, in µs. */
const INTERVAL = 100;

/** The groups, by the source file of the code. The first one that matches counts. */
const GROUPS = [
  ['the core', /^wasm:/],
  ['values for the core, and records read', /src\/ts\/wasm\/|bindgen|wasm-to-js|js-to-wasm|safe-reading/],
  ['the partial JSON', /partial-json|growing-tree|own-property|json-characters/],
  ['the view', /projection|message-list|turn-view|waiting-for|pending-|kept-items|lazy-property|call-index|tool-part/],
  ['lists and bodies of requests', /outbox|translators|protocols\//],
  ['digests and keys', /digest|sha256|encode/],
  ['inputs frozen', /freeze/],
  ['listeners, events and log', /listeners|change-reporter|gate-events|audit-log|changed-calls|clock|rewrite-results/],
  ['the command', /gate-core|tool-gate|command|decisions|streams|environment|load-history|history-index|option/],
];

/** The name of V8's garbage collector in a profile. */
const COLLECTOR = '(garbage collector)';

const maps = new Map();

/** The source file of a function in a profile. */
function sourceOf({ url, functionName, lineNumber, columnNumber }) {
  if (url.startsWith('wasm') || functionName.startsWith('wasm-function')) return 'wasm:';
  if (!url.startsWith('file:')) return functionName;
  const map = `${fileURLToPath(url)}.map`;
  if (!existsSync(map)) return url;
  if (!maps.has(map)) maps.set(map, new SourceMap(JSON.parse(readFileSync(map, 'utf8'))));
  return maps.get(map).findEntry(lineNumber, columnNumber).originalSource ?? url;
}

function groupOf(frame) {
  if (frame.functionName === COLLECTOR) return 'garbage collection';
  const source = sourceOf(frame);
  return GROUPS.find(([, pattern]) => pattern.test(source))?.[0] ?? 'the rest, with the benchmark itself';
}

/**
 * Calls `round` for some seconds. Returns the share of each group in the measured time, largest first. `round` reads
 * `performance.now()` right before and right after what it measures; only samples in between count.
 */
export async function profile(round, seconds = 3) {
  const session = new Session();
  session.connect();
  const marks = [];
  const { now } = performance;
  try {
    const until = now.call(performance) + seconds * 1000;
    for (let warm = 0; warm < 5; warm++) await round();
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: INTERVAL });
    await session.post('Profiler.start');
    // The profiler's times are those of `process.hrtime`.
    performance.now = () => {
      marks.push(Number(process.hrtime.bigint() / 1000n));
      return now.call(performance);
    };
    do await round();
    while (now.call(performance) < until);
    performance.now = now;
    const { profile } = await session.post('Profiler.stop');
    return shares(profile, marks);
  } finally {
    performance.now = now;
    session.disconnect();
  }
}

/** The shares of the groups. `marks`: the beginnings and ends of what was measured, one after the other. */
function shares({ nodes, samples, timeDeltas, startTime }, marks) {
  const groups = new Map(nodes.map(({ id, callFrame }) => [id, groupOf(callFrame)]));
  const sums = new Map();
  let [time, next, all] = [startTime, 0, 0];
  samples.forEach((id, at) => {
    time += timeDeltas[at];
    while (next < marks.length && marks[next] <= time) next++;
    if (next % 2 === 0) return;
    all += timeDeltas[at];
    sums.set(groups.get(id), (sums.get(groups.get(id)) ?? 0) + timeDeltas[at]);
  });
  if (all === 0) throw new Error('the profiler took no sample of what was measured');
  return [...sums].map(([group, sum]) => [group, sum / all]).sort((a, b) => b[1] - a[1]);
}
