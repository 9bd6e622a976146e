/**
 * `./pkg-scripts/explore tabs`: explores all profiles of tests/persist/explore/profiles.ts, completely or up to
 * `EXPLORE_STATES` states each, and writes a table of the results into tests/persist/README.md.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { build } from './make.mjs';
import { writeSection } from './sections.mjs';
import { at, Failure, run } from './shell.mjs';

const PAGE = 'tests/persist/README.md';

/** Explores the named profiles, or all. Throws a `Failure` if one of them breaks a rule. */
export async function exploreTabs(names) {
  const source = readFileSync(at('tests/persist/explore/profiles.ts'), 'utf8');
  const known = [...source.matchAll(/name: '([\w-]+)'/g)].map(([, name]) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length) throw new Failure(`unknown profile \`${unknown.join('`, `')}\`. Expected: ${known.join(', ')}.`);
  await build();
  mkdirSync(at('target/reports'), { recursive: true });
  const report = at('target/reports/tabs.jsonl');
  rmSync(report, { force: true });
  const env = { EXPLORE: report, ...(names.length && { EXPLORE_PROFILES: names.join(',') }) };
  await run(at('node_modules/.bin/vitest'), ['run', '--project', 'unit', 'tests/persist/explore.test.ts'], { env });
  const seen = readFileSync(report, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const table = tableOf(seen);
  console.log(`\n${table}`);
  if (names.length === 0) writeSection(PAGE, 'explored', table);
}

function tableOf(seen) {
  const number = (value) => value.toLocaleString('en-US');
  const sum = (key) => seen.reduce((all, entry) => all + entry[key], 0);
  const rows = seen.map(
    ({ profile, states, transitions, completions, depth, isComplete, seconds }) =>
      `| ${profile} | ${number(states)} | ${number(transitions)} | ${number(completions)} | ${depth} | ${isComplete ? 'yes' : 'no'} | ${(seconds / 60).toFixed(1)} |`,
  );
  const all = `| all | ${number(sum('states'))} | ${number(sum('transitions'))} | ${number(sum('completions'))} | ${Math.max(...seen.map(({ depth }) => depth))} | | ${(sum('seconds') / 60).toFixed(1)} |`;
  return [
    '| profile | states | transitions | continued to the end | steps | complete | minutes |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    all,
  ].join('\n');
}

/** Writes the table into the page. */
