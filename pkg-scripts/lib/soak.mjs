/**
 * `./pkg-scripts/soak`: runs the chats of tests/soak, in Node or in a browser. Writes its counts into
 * tests/soak/README.md, even if runs failed. `SOAK_WORKERS` is the number of processes. Default: half of the
 * processors.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setUpBrowser } from './browser.mjs';
import { build } from './make.mjs';
import { writeSection } from './sections.mjs';
import { at, Failure, main, run } from './shell.mjs';

const PAGE = 'tests/soak/README.md';

/** The number of runs in one process. Their timers and memory end with the process. */
const CHUNK = 500;

await main(async () => {
  const [word, ...rest] = process.argv.slice(2);
  if (word === 'replay') return replay(numberOf('SEED', rest[0]));
  if (word === 'browser') return browser(numberOf('N', rest[0], 200), numberOf('SEED', rest[1], 1));
  return inNode(numberOf('N', word, 10_000), numberOf('SEED', rest[0], 1));
});

function numberOf(name, text, without) {
  const value = text === undefined ? without : Number(text);
  if (!Number.isSafeInteger(value) || value < 0)
    throw new Failure(`${name} must be a whole number, not \`${text ?? ''}\`.`);
  return value;
}

async function replay(seed) {
  await build();
  await soak('unit', 'tests/soak/soak.test.ts', { SOAK_SEED: String(seed), SOAK_RUNS: '1', SOAK_REPLAY: '1' });
}

async function inNode(runs, seed) {
  await build();
  const workers = Number(process.env.SOAK_WORKERS ?? Math.max(1, availableParallelism() >> 1));
  const chunks = [];
  for (let done = 0; done < runs; done += CHUNK)
    chunks.push({ first: seed + done, runs: Math.min(CHUNK, runs - done) });
  const report = reportOf('soak');
  let hasFailed = false;
  const work = async () => {
    for (let chunk = chunks.shift(); chunk; chunk = chunks.shift()) {
      const env = { SOAK: report, SOAK_SEED: String(chunk.first), SOAK_RUNS: String(chunk.runs) };
      await soak('unit', 'tests/soak/soak.test.ts', env).catch(() => (hasFailed = true));
      // The README is updated after each process, so that the counts are not lost if a long run is interrupted.
      writeSection(PAGE, 'node', read(report, seed).table);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  conclude('node', report, { runs, seed, hasFailed });
}

async function browser(runs, seed) {
  await setUpBrowser();
  await build();
  const report = reportOf('soak-browser');
  const env = { SOAK: report, SOAK_SEED: String(seed), SOAK_RUNS: String(runs) };
  let hasFailed = false;
  await soak('persist', 'tests/soak/browser/soak.test.ts', env).catch(() => (hasFailed = true));
  conclude('browser', report, { runs, seed, hasFailed });
}

function reportOf(name) {
  const report = at(`target/reports/${name}.jsonl`);
  mkdirSync(at('target/reports'), { recursive: true });
  rmSync(report, { force: true });
  return report;
}

function soak(project, file, env) {
  return run(at('node_modules/.bin/vitest'), ['run', '--project', project, file], { env });
}

/** Adds up the counts, writes them to the README, and throws a `Failure` if a run has failed. */
function conclude(where, report, { runs, seed, hasFailed }) {
  const { table, failed, seen } = read(report, seed);
  console.log(`\n${table}`);
  writeSection(PAGE, where, table);
  if (failed.length > 0) {
    const how = where === 'node' ? '\nTo repeat one with all its events: ./pkg-scripts/soak replay SEED' : '';
    throw new Failure(`${failed.length} runs failed:\n${failed.join('\n')}${how}`);
  }
  if (hasFailed || seen !== runs) throw new Failure(`only ${seen} of ${runs} runs finished.`);
}

/** The counts so far, as a table. */
function read(report, seed) {
  const all = readFileSync(report, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const sum = (key) => all.reduce((total, entry) => total + entry[key], 0);
  const failed = all.flatMap((entry) => entry.failed);
  const number = (value) => Math.round(value).toLocaleString('en-US');
  const columns = [
    ['runs', sum('runs')],
    ['failed', failed.length],
    ['actions', sum('acts')],
    ['requests', sum('requests')],
    ['executions', sum('executions')],
    ['approved', sum('approved')],
    ['denied', sum('denied')],
    ['reported calls', sum('toldCalls')],
    ['reported actions', sum('toldActs')],
    ['faults', sum('faults')],
    ['seconds', sum('seconds')],
  ];
  const table = [
    `| ${columns.map(([name]) => name).join(' | ')} | first seed |`,
    `|${'---|'.repeat(columns.length + 1)}`,
    `| ${columns.map(([, value]) => number(value)).join(' | ')} | ${seed} |`,
  ].join('\n');
  return { table, failed, seen: sum('runs') };
}
