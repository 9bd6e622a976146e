/**
 * `./pkg-scripts/explore tabs`: explores the profiles of tests/persist/explore/profiles.ts: first with all events in
 * their order, then with the profile's delays. Each exploration is complete, or ends after `EXPLORE_STATES` states.
 *
 * Each one that ends writes its row into the table of tests/persist/README.md, with a digest of the code that ran. A
 * run without names explores what has no row of this code, or an incomplete one with fewer states, so an interrupted
 * run can be continued.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { digestOf } from './files.mjs';
import { build } from './make.mjs';
import { readSection, writeSection } from './sections.mjs';
import { at, Failure, run } from './shell.mjs';

const PAGE = 'tests/persist/README.md';

/** The folders of the code that an exploration runs, apart from the core. */
const CODE = ['src/ts/persist', 'src/ts/gate', 'tests/persist/explore'];

const COLUMNS = ['profile', 'delays', 'states', 'transitions', 'ended', 'steps', 'complete', 'minutes', 'code'];

/** Explores the named profiles, or all. Throws a `Failure` if one of them breaks a rule. */
export async function exploreTabs(names) {
  const source = readFileSync(at('tests/persist/explore/profiles.ts'), 'utf8');
  const known = [...source.matchAll(/name: '([\w-]+)'/g)].map(([, name]) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length) throw new Failure(`unknown profile \`${unknown.join('`, `')}\`. Expected: ${known.join(', ')}.`);
  const profiles = source.split(/(?=name: ')/).slice(1);
  const ordered = profiles.filter((text) => text.includes('delays: 0')).map((text) => text.split("'")[1]);
  const all = [0, 1].flatMap((delays) =>
    known.filter((name) => delays === 0 || !ordered.includes(name)).map((name) => `${name}:${delays}`),
  );
  const code = digestOf(CODE, '.ts');
  const states = Number(process.env.EXPLORE_STATES ?? 100_000);
  const rows = new Map(
    readRows()
      .filter((row) => all.includes(row.id))
      .map((row) => [row.id, row]),
  );
  const isDone = (row) => row?.code === code && (row.complete === 'yes' || row.states >= states);
  const chosen = all.filter((id) => (names.length ? names.includes(id.split(':')[0]) : !isDone(rows.get(id))));
  if (!chosen.length) return console.log('Every row of the table is of this code.');
  await build();
  mkdirSync(at('target/reports'), { recursive: true });
  const report = at('target/reports/tabs.jsonl');
  rmSync(report, { force: true });
  let isBroken = false;
  const writeRows = () => {
    if (!existsSync(report)) return;
    for (const line of readFileSync(report, 'utf8').split('\n').slice(0, -1)) {
      const { name, delays, broken, completions, depth, isComplete, minutes, ...counts } = JSON.parse(line);
      const id = `${name}:${delays}`;
      isBroken ||= broken !== undefined;
      if (broken) rows.delete(id);
      else {
        const row = { ...counts, ended: completions, steps: depth, complete: isComplete ? 'yes' : 'no', minutes, code };
        rows.set(id, { id, ...row });
      }
    }
    writeSection(
      PAGE,
      'explored',
      tableOf(
        all.flatMap((id) => rows.get(id) ?? []),
        all.length,
      ),
    );
  };
  const timer = setInterval(writeRows, 5_000);
  const env = { EXPLORE: report, EXPLORE_ONLY: chosen.join(','), EXPLORE_STATES: String(states) };
  const args = ['run', '--project', 'unit', 'tests/persist/explore.test.ts'];
  try {
    await run(at('node_modules/.bin/vitest'), args, { env });
  } finally {
    clearInterval(timer);
    writeRows();
  }
  if (isBroken) throw new Failure('a rule is broken: see above.');
}

/** The rows of the table. */
function readRows() {
  return readSection(PAGE, 'explored')
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll(',', '')),
    )
    .filter((cells) => cells.length === COLUMNS.length && /^[0-9a-f]{8}$/.test(cells.at(-1)))
    .map(([name, delays, states, transitions, ended, steps, complete, minutes, code]) => ({
      ...{ id: `${name}:${delays}`, complete, code },
      ...{ states: Number(states), transitions: Number(transitions), ended: Number(ended) },
      ...{ steps: Number(steps), minutes: Number(minutes) },
    }));
}

function tableOf(rows, all) {
  const number = (value) => value.toLocaleString('en-US');
  const sum = (key) => rows.reduce((all, row) => all + row[key], 0);
  const lines = rows.map(({ id, states, transitions, ended, steps, complete, minutes, code }) => [
    ...[
      ...id.split(':'),
      number(states),
      number(transitions),
      number(ended),
      steps,
      complete,
      minutes.toFixed(1),
      code,
    ],
  ]);
  const codes = new Set(rows.map(({ code }) => code));
  const complete = rows.filter((row) => row.complete === 'yes').length;
  const total = [
    ...[`${rows.length} of ${all}`, '', number(sum('states')), number(sum('transitions')), number(sum('ended'))],
    ...[Math.max(...rows.map(({ steps }) => steps)), `${complete}`, sum('minutes').toFixed(1)],
    codes.size === 1 ? 'all the same' : `${codes.size} versions`,
  ];
  return [COLUMNS, COLUMNS.map(() => '---'), ...lines, total].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
