/**
 * `./pkg-scripts/records`: runs the storm of tests/server/records with many approvals, and with `bodies` the random
 * bodies of tests/server/random-bodies.test.ts. Writes the counts into tests/server/records/README.md, even if a rule
 * was violated. With names of databases, the rows of the others stay.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { setUpDatabases } from './databases.mjs';
import { build } from './make.mjs';
import { readSection, writeSection } from './sections.mjs';
import { at, Failure, main, run } from './shell.mjs';

const PAGE = 'tests/server/records/README.md';

/** What the command runs: the variables that the test reads begin with `name`. */
const STORM = { name: 'STORM', count: 'APPROVALS', usual: '1000', test: 'tests/server/records/storm.test.ts' };
const BODIES = { name: 'BODIES', count: 'COUNT', usual: '10000', test: 'tests/server/random-bodies.test.ts' };

const DATABASES = ['memory', 'redis', 'postgres', 'sqlite', 'd1'];

await main(async () => {
  const words = process.argv.slice(2);
  const { name, count, usual, test } = words[0] === 'bodies' ? BODIES : STORM;
  if (name === 'BODIES') words.shift();
  const databases = words.filter((word) => DATABASES.includes(word));
  const text = words.find((word) => !DATABASES.includes(word)) ?? usual;
  if (!Number.isSafeInteger(Number(text)) || Number(text) < 1)
    throw new Failure(`N must be a whole number above 0, not \`${text}\`.`);
  await build();
  await setUpDatabases();
  const report = at('target/reports/records.jsonl');
  mkdirSync(at('target/reports'), { recursive: true });
  rmSync(report, { force: true });
  const env = { [name]: report, [`${name}_${count}`]: text, [`${name}_SEED`]: String(Date.now() % 1e6) };
  const args = ['run', '--project', 'unit', test, ...(databases.length ? ['-t', `^(${databases.join('|')}) `] : [])];
  const problem = await run(at('node_modules/.bin/vitest'), args, { env }).then(
    () => undefined,
    (error) => error,
  );
  if (!existsSync(report)) throw problem ?? new Failure('no test has ended.');
  const lines = readFileSync(report, 'utf8').trim().split('\n');
  const ran = name === 'BODIES' ? tableOfBodies(lines) : tableOfStorms(lines);
  console.log(`\n${ran}`);
  const others = databases.length ? readSection(PAGE, name.toLowerCase()).trim().split('\n').slice(2) : [];
  const isOther = (row) => !databases.includes(row.split(' ')[1]);
  const [head, rule, ...rows] = ran.split('\n');
  const all = [...others.filter(isOther), ...rows];
  all.sort((a, b) => DATABASES.indexOf(a.split(' ')[1]) - DATABASES.indexOf(b.split(' ')[1]));
  writeSection(PAGE, name.toLowerCase(), [head, rule, ...all].join('\n'));
  if (problem) throw problem;
});

function number(value) {
  return Math.round(value).toLocaleString('en-US');
}

/** One row for each database. A violation ends its run. */
function tableOfBodies(lines) {
  const rows = lines.map((line) => {
    const { name, bodies, refused, violations, ms } = JSON.parse(line);
    return [name, ...[bodies, refused, violations, ms / 1000].map(number)];
  });
  return table('database bodies refused violations seconds'.split(' '), rows);
}

/** One row for each storm. The kills are those at each point, and those by the test, at any time. */
function tableOfStorms(lines) {
  const rows = lines.map((line) => {
    const { name, route, approvals, ran, unknown, unknownButRan, posts, kills, failures, ms } = JSON.parse(line);
    return [
      name,
      `\`${route}\``,
      ...[approvals, ran, unknown, unknownButRan, failures.length, posts].map(number),
      ...['unclaimed', 'claimed', 'running', 'ran', 'stored', 'any'].map((point) => number(kills[point])),
      number(ms / 1000),
    ];
  });
  const names = 'database route approvals ran,once unknown had,run violations posts';
  const killed = 'before,claim claimed running ran stored any,time';
  const head = `${names} ${killed} seconds`.split(' ').map((name) => name.replace(',', ' '));
  return table(head, rows);
}

function table(head, rows) {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
