/**
 * `./pkg-scripts/explore`: explores the long profiles of tests/explore, with an optimised build that still checks for
 * arithmetic overflow.
 *
 * It prints one line for each profile, and one line with the sums. A run of all profiles writes its table into
 * tests/explore/README.md, and updates it after each profile. `EXPLORE_WORKERS` is the number of threads. Default: half
 * of the processors.
 */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { exploreTabs } from './explore-tabs.mjs';
import { writeSection } from './sections.mjs';
import { at, Failure, main, run } from './shell.mjs';

const TEST = 'the_requested_profiles';

/** Descriptions of the special options of a profile, for the table. */
const SPECIALS = {
  labelled: 'events name their request',
  rewritten: 'the host rewrites results',
  with_extras: 'all kinds of events',
  damaged: '1 reconnect, 1 damaged event',
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

  const names = asked.length ? asked : long;
  const about = new Map(
    [...source.matchAll(/([^\n]*)profile\("([\w-]+)", &\[(.*?)\], budget\(([^)]*)\)/g)].map((found) => [
      found[2],
      found,
    ]),
  );
  const started = Date.now();
  const rows = [];
  for (const name of names) {
    const env = {
      EXPLORE: name,
      EXPLORE_WORKERS: process.env.EXPLORE_WORKERS ?? String(Math.max(1, availableParallelism() >> 1)),
      RUST_BACKTRACE: '0',
    };
    const begun = Date.now();
    const output = await run(
      'cargo',
      ['test', '--quiet', '--profile', 'explore', '--test', 'explore', TEST, '--', '--nocapture'],
      { env, capture: true },
    );
    const row = {
      name,
      explores: explores(about.get(name)),
      policies: 0,
      states: 0,
      transitions: 0,
      depth: 0,
      minutes: 0,
    };
    for (const line of output.matchAll(/: (\d+) states, (\d+) transitions, depth (\d+), /g)) {
      const [states, transitions, depth] = line.slice(1).map(Number);
      row.policies += 1;
      row.states += states;
      row.transitions += transitions;
      row.depth = Math.max(row.depth, depth);
    }
    row.minutes = (Date.now() - begun) / 60_000;
    rows.push(row);
    if (!asked.length) writeTable(rows, names.length, Number(env.EXPLORE_WORKERS));
  }
  const sum = (of) => rows.reduce((sum, row) => sum + row[of], 0);
  const minutes = ((Date.now() - started) / 60_000).toFixed(1);
  console.log(
    `\n${names.length} profiles explored completely: ${number(sum('states'))} states, ${number(sum('transitions'))} transitions, ` +
      `paths of up to ${Math.max(...rows.map((row) => row.depth))} inputs, ${minutes} minutes. No invariant is broken.`,
  );
});

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
  const special = [...before.matchAll(/Protocol::(\w+)|Names::(\w+)|(labelled|rewritten|with_extras|damaged)\(/g)].map(
    ([, protocol, ids, other]) => (protocol ? `protocol ${protocol}` : ids ? `ids ${ids}` : SPECIALS[other]),
  );
  return [`calls: ${calls.join('; then ')}`, spent.join(', '), ...special].join(' · ');
}

/** Writes the table of the profiles that are complete so far between the marks of the README. */
function writeTable(rows, all, workers) {
  const head = [
    '| profile | explores | policies | states | transitions | longest path | minutes |',
    '|---|---|---|---|---|---|---|',
  ];
  const lines = rows.map(
    (row) =>
      `| ${row.name} | ${row.explores} | ${row.policies} | ${number(row.states)} | ${number(row.transitions)} | ${row.depth} | ${row.minutes.toFixed(1)} |`,
  );
  const sum = (of) => rows.reduce((sum, row) => sum + row[of], 0);
  const total = `| ${rows.length} of ${all} profiles | | ${sum('policies')} | ${number(sum('states'))} | ${number(sum('transitions'))} | ${Math.max(...rows.map((row) => row.depth))} | ${sum('minutes').toFixed(1)} |`;
  const table = [
    `By ${workers} thread${workers === 1 ? '' : 's'}. No invariant is broken.`,
    '',
    ...head,
    ...lines,
    total,
  ].join('\n');
  writeSection('tests/explore/README.md', 'explored', table);
}
