/**
 * `./pkg-scripts/explore`: explores the long profiles of tests/explore, with an optimised build that still checks for
 * arithmetic overflow.
 *
 * Each profile that ends writes its row into the table of tests/explore/README.md, with a digest of the code that ran
 * (rust-digest.mjs). A run without names explores the profiles whose row is missing or names other code, so an
 * interrupted run can be continued. A profile with a counterexample loses its row, and the others still run.
 * `EXPLORE_WORKERS` is the number of threads. Default: half of the processors.
 */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { exploreTabs } from './explore-tabs.mjs';
import { listed } from './files.mjs';
import { rustDigest } from './rust-digest.mjs';
import { readSection, writeSection } from './sections.mjs';
import { at, Failure, main, run } from './shell.mjs';

const TEST = 'the_requested_profiles';

const PAGE = 'tests/explore/README.md';

const MAIN = readFileSync(at('tests/explore/main.rs'), 'utf8');

/** The files of tests/host that an exploration runs. */
const SHARED = [...MAIN.matchAll(/#\[path = "\.\.\/(host\/\w+\.rs)"\]/g)].map(([, file]) => `tests/${file}`);

/** The code that an exploration runs. */
const CODE = ['src/machine', 'src/wire', 'src/json', 'tests/explore', ...SHARED];

const COLUMNS = ['profile', 'explores', 'policies', 'states', 'transitions', 'longest path', 'minutes', 'code'];

const WORKERS = process.env.EXPLORE_WORKERS ?? String(Math.max(1, availableParallelism() >> 1));

/** Descriptions of the special options of a profile, for the table. */
const SPECIALS = {
  labelled: 'events name their request',
  rewritten: 'the host rewrites results',
  with_extras: 'all kinds of events',
  damaged: '1 reconnect, 1 damaged event',
  loaded: '1 load',
};

await main(async () => {
  if (process.argv[2] === 'tabs') return exploreTabs(process.argv.slice(3));
  const source = readFileSync(at('tests/explore/profiles.rs'), 'utf8');
  const known = [...source.matchAll(/profile\("([\w-]+)"/g)].map(([, name]) => name);
  const long = [...source.slice(source.indexOf('pub const LONG')).matchAll(/profile\("([\w-]+)"/g)].map(
    ([, name]) => name,
  );
  const asked = process.argv.slice(2);
  const unknown = asked.filter((name) => !known.includes(name));
  if (unknown.length) throw new Failure(`unknown profile \`${unknown.join('`, `')}\`. Expected: ${known.join(', ')}.`);

  const about = new Map(
    [...source.matchAll(/([^\n]*)profile\("([\w-]+)", &\[(.*?)\], budget\(([^)]*)\)/g)].map((found) => [
      found[2],
      found,
    ]),
  );
  const code = rustDigest(listed(CODE, '.rs').map((path) => readFileSync(at(path), 'utf8')));
  const rows = readRows();
  for (const name of rows.keys()) if (!long.includes(name)) rows.delete(name);
  const names = asked.length ? asked : long.filter((name) => rows.get(name)?.code !== code);
  if (!names.length) console.log('Every row of the table is of this code.');
  const failed = [];
  for (const name of names) {
    const row = await explore(name, explores(about.get(name)), code);
    if (!row) failed.push(name);
    if (row) rows.set(name, row);
    else rows.delete(name);
    if (long.includes(name))
      writeTable(
        long.flatMap((name) => rows.get(name) ?? []),
        long.length,
      );
  }
  if (failed.length) throw new Failure(`an invariant is broken in: ${failed.join(', ')}`);
});

/** Explores one profile. Returns its row, or null after a counterexample, which is printed. */
async function explore(name, explores, code) {
  const env = { EXPLORE: name, EXPLORE_WORKERS: WORKERS, RUST_BACKTRACE: '0' };
  const begun = Date.now();
  const args = ['test', '--quiet', '--profile', 'explore', '--test', 'explore', TEST, '--', '--nocapture'];
  const output = await run('cargo', args, { env, capture: true }).catch((error) => {
    console.error(error);
    return '';
  });
  const found = [...output.matchAll(/: (\d+) states, (\d+) transitions, depth (\d+), /g)].map((line) =>
    line.slice(1).map(Number),
  );
  if (!found.length) return null;
  const sum = (place) => found.reduce((sum, figures) => sum + figures[place], 0);
  return {
    name,
    explores,
    policies: found.length,
    states: sum(0),
    transitions: sum(1),
    depth: Math.max(...found.map(([, , depth]) => depth)),
    minutes: ((Date.now() - begun) / 60_000).toFixed(1),
    code,
  };
}

function number(value) {
  return value.toLocaleString('en-US');
}

/** Describes a profile from its line: the calls of each step, the budgets of a path, the protocol and the ids. */
function explores([, before, , steps, budget]) {
  const places = { S: 'server', B: 'page', P: 'provider' };
  const calls = [...steps.matchAll(/\[([^\]]*)\]/g)].map(([, step]) =>
    step
      .split(', ')
      .map((place) => places[place])
      .join(' and '),
  );
  const words = ['failure', 'reload', 'stray', 'message', 'edit'];
  const counts = budget.split(', ').map(Number);
  const spends = words.map((word, place) => [counts[place], word]).filter(([count]) => count > 0);
  const reconnects = before.match(/reconnects\((\d)/)?.[1];
  const spent = [...spends, ...(reconnects ? [[Number(reconnects), 'reconnect']] : [])].map(
    ([count, word]) => `${count} ${word}${count === 1 ? '' : 's'}`,
  );
  const special = [
    ...before.matchAll(/Protocol::(\w+)|Names::(\w+)|(labelled|rewritten|with_extras|damaged|loaded)\(/g),
  ].map(([, protocol, ids, other]) => (protocol ? `protocol ${protocol}` : ids ? `ids ${ids}` : SPECIALS[other]));
  return [`calls: ${calls.join('; then ')}`, spent.join(', '), ...special].join(' · ');
}

/** The rows of the table, by the name of the profile. */
function readRows() {
  const cells = readSection(PAGE, 'explored')
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .filter((cells) => cells.length === COLUMNS.length && /^[0-9a-f]{8}$/.test(cells.at(-1)));
  const count = (cell) => Number(cell.replaceAll(',', ''));
  return new Map(
    cells.map(([name, explores, policies, states, transitions, depth, minutes, code]) => [
      name,
      {
        name,
        explores,
        policies: count(policies),
        states: count(states),
        transitions: count(transitions),
        depth: count(depth),
        minutes,
        code,
      },
    ]),
  );
}

/** Writes the table of the profiles that are complete between the marks of the README. */
function writeTable(rows, all) {
  const sum = (of) => rows.reduce((sum, row) => sum + Number(row[of]), 0);
  const codes = new Set(rows.map((row) => row.code));
  const total = {
    name: `${rows.length} of ${all} profiles`,
    explores: '',
    policies: sum('policies'),
    states: sum('states'),
    transitions: sum('transitions'),
    depth: Math.max(...rows.map((row) => row.depth)),
    minutes: sum('minutes').toFixed(1),
    code: codes.size === 1 ? 'all the same' : `${codes.size} versions`,
  };
  const line = (row) =>
    `| ${row.name} | ${row.explores} | ${row.policies} | ${number(row.states)} | ${number(row.transitions)} | ${row.depth} | ${row.minutes} | ${row.code} |`;
  const table = [
    'No invariant is broken in these profiles. The last column is a digest of the code that was explored.',
    '',
    `| ${COLUMNS.join(' | ')} |`,
    `|${'---|'.repeat(COLUMNS.length)}`,
    ...rows.map(line),
    line(total),
  ].join('\n');
  writeSection(PAGE, 'explored', table);
}
