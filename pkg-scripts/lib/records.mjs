/**
 * `./pkg-scripts/records`: runs the storm of tests/server/records with many approvals. Writes its counts into
 * tests/server/records/README.md, even if a rule was violated.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { setUpDatabases } from './databases.mjs';
import { build } from './make.mjs';
import { writeSection } from './sections.mjs';
import { at, Failure, main, run } from './shell.mjs';

const PAGE = 'tests/server/records/README.md';

await main(async () => {
  const [text = '1000'] = process.argv.slice(2);
  const approvals = Number(text);
  if (!Number.isSafeInteger(approvals) || approvals < 1)
    throw new Failure(`N must be a whole number above 0, not \`${text}\`.`);
  await build();
  await setUpDatabases();
  const report = at('target/reports/records.jsonl');
  mkdirSync(at('target/reports'), { recursive: true });
  rmSync(report, { force: true });
  const env = { STORM: report, STORM_APPROVALS: String(approvals), STORM_SEED: String(Date.now() % 1e6) };
  const args = ['run', '--project', 'unit', 'tests/server/records/storm.test.ts'];
  const problem = await run(at('node_modules/.bin/vitest'), args, { env }).then(
    () => undefined,
    (error) => error,
  );
  if (!existsSync(report)) throw problem ?? new Failure('no storm has ended.');
  const table = tableOf(readFileSync(report, 'utf8').trim().split('\n'));
  console.log(`\n${table}`);
  writeSection(PAGE, 'storm', table);
  if (problem) throw problem;
});

/** One row for each storm. */
function tableOf(lines) {
  const number = (value) => Math.round(value).toLocaleString('en-US');
  const rows = lines.map((line) => {
    const { name, route, approvals, ran, unknown, unknownButRan, posts, kills, failures, ms } = JSON.parse(line);
    return [
      name,
      `\`${route}\``,
      ...[approvals, ran, unknown, unknownButRan, failures.length, posts, kills, ms / 1000].map(number),
    ];
  });
  const names = 'database route approvals ran,once unknown had,run violations posts kills seconds'.split(' ');
  const head = names.map((name) => name.replace(',', ' '));
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
