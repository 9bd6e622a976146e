/**
 * `./pkg-scripts/explore`: the long profiles of tests/explore, in a build that is fast and checks its arithmetic.
 *
 * It prints one line for each profile, and one for them all that can go into the README. `EXPLORE_WORKERS` is the number of
 * threads, half of the processors without it.
 */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { exploreTabs } from './explore-tabs.mjs';
import { at, Failure, main, run } from './shell.mjs';

const TEST = 'what_is_asked_for';

await main(async () => {
  if (process.argv[2] === 'tabs') return exploreTabs(process.argv.slice(3));
  const source = readFileSync(at('tests/explore/profiles.rs'), 'utf8');
  const known = [...source.matchAll(/profile\("([\w-]+)"/g)].map(([, name]) => name);
  const long = [...source.slice(source.indexOf('pub const LONG')).matchAll(/profile\("([\w-]+)"/g)].map(([, name]) => name);
  const asked = process.argv.slice(2);
  const unknown = asked.filter((name) => !known.includes(name));
  if (unknown.length) throw new Failure(`there is no profile \`${unknown.join('`, `')}\`; there are ${known.join(', ')}.`);

  const names = asked.length ? asked : long;
  const started = Date.now();
  const seen = { states: 0, transitions: 0, histories: 0, depth: 0 };
  for (const name of names) {
    const env = {
      EXPLORE: name,
      EXPLORE_WORKERS: process.env.EXPLORE_WORKERS ?? String(Math.max(1, availableParallelism() >> 1)),
      RUST_BACKTRACE: '0',
    };
    const output = await run('cargo', ['test', '--quiet', '--profile', 'explore', '--test', 'explore', TEST, '--', '--nocapture'], { env, capture: true });
    for (const line of output.matchAll(/: (\d+) states, (\d+) transitions, depth (\d+), (\d+) histories/g)) {
      const [states, transitions, depth, histories] = line.slice(1).map(Number);
      seen.states += states;
      seen.transitions += transitions;
      seen.histories += histories;
      seen.depth = Math.max(seen.depth, depth);
    }
  }
  const number = (value) => value.toLocaleString('en-US');
  const minutes = ((Date.now() - started) / 60_000).toFixed(1);
  console.log(
    `\n${names.length} profiles explored to the end: ${number(seen.states)} states, ${number(seen.transitions)} transitions, ` +
      `ways of up to ${seen.depth} inputs, ${number(seen.histories)} histories written and read, ${minutes} minutes. No invariant is broken.`,
  );
});
