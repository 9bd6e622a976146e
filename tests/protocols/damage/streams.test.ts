/**
 * Damaged recorded streams in every protocol: no method throws, only the damaged part is lost, and reading a gate after
 * every event changes nothing. `./pkg-scripts/fuzz protocols` runs more cases (FUZZ_EVENTS, FUZZ_SEED), and prints a
 * minimal failing input.
 */
import { afterAll, expect, test } from 'vitest';
import type { Act, Recording } from '../../interop/recorder';
import type { Data } from '../support';
import { anyDamage, damaged, picker, plainDamage, withoutPiece, type Damage } from './mutate';
import { Broken, missing, play, playTwice, said } from './play';
import { writeCounts } from './counts';
import { recordings } from './recordings';
import { shrunk } from './shrink';
import { PROTOCOL_NAMES } from '../all.js';

/** The total number of events. 0: `ROUNDS` seeds for each recording, which takes seconds. */
const EVENTS = Number(process.env['FUZZ_EVENTS'] ?? 0);
const SEED = Number(process.env['FUZZ_SEED'] ?? 1);
const ROUNDS = 12;

/** The counts so far: events, events after which everything was read, and damaged inputs. */
const counts = { events: 0, whole: 0, cases: 0 };
const began = performance.now();
let finished = 0;

/** The positions of the events in a recording. */
const eventsOf = ({ acts }: Recording): number[] =>
  acts.flatMap(([method], place) => (method === 'receive' ? [place] : []));

const withEvent = (acts: readonly Act[], place: number, event: unknown): Act[] =>
  acts.map((act, at) => (at === place ? ['receive', event, ...act.slice(2)] : act) as Act);

/** Returns the content that a reply loses in addition to the damaged part, compared with a reply without that part. */
function lost(recording: Recording, place: number, damage: Damage): string[] {
  const { acts } = recording;
  const next = acts.findIndex(([method], at) => at > place && method !== 'receive');
  // Stops before the user's next action, because that depends on what the page shows.
  const until = acts.slice(0, next < 0 ? acts.length : next);
  const event = until[place]?.[1] as Data;
  const piece: unknown = withoutPiece(event, damage);
  const whole = said(play(recording, until));
  const without = said(
    play(recording, piece === undefined ? until.toSpliced(place, 1) : withEvent(until, place, piece)),
  );
  return missing(whole, without, said(play(recording, withEvent(until, place, damaged(event, damage)))));
}

/** Damages random events of a recording and plays it. Throws `Broken`. Returns the number of played events. */
function damageAtRandom(recording: Recording, seed: number): number {
  const pick = picker(seed);
  const places = eventsOf(recording);
  let { acts } = recording;
  for (let count = 1 + pick(3); count > 0; count--) {
    const place = places[pick(places.length)] as number;
    const act = acts[place] as Act;
    const how = pick(12);
    // Whole events are dropped, duplicated and moved too.
    if (how === 0) acts = acts.toSpliced(place, 1);
    else if (how === 1) acts = acts.toSpliced(place, 0, act);
    else if (how === 2) acts = acts.toSpliced(place, 1).toSpliced(places[pick(places.length)] as number, 0, act);
    else if (act[0] === 'receive') acts = withEvent(acts, place, damaged(act[1], anyDamage(act[1], pick)));
  }
  try {
    playTwice(recording, acts);
  } catch (error) {
    if (error instanceof Broken)
      throw new Broken(`${recording.source}, seed ${seed}\n${shrunk(recording, acts)}`, { cause: error });
    throw error;
  }
  const events = acts.filter(([method]) => method === 'receive').length;
  counts.whole += events;
  return 2 * events;
}

/** Damages one event recognizably. Throws `Broken`. Returns the number of played events. */
function damageOnePiece(recording: Recording, seed: number): number {
  const pick = picker(seed);
  const places = eventsOf(recording);
  const place = places[pick(places.length)] as number;
  const damage = plainDamage((recording.acts[place] as Act)[1], pick);
  const pieces = lost(recording, place, damage);
  // At most one piece may be lost: the damaged call, or the damaged text.
  if (pieces.length > 1)
    throw new Broken(
      `${recording.source}, seed ${seed}, event ${place}: ${JSON.stringify(damage)}\nlost: ${pieces.join('\nand ')}`,
    );
  return 3 * places.filter((at) => at < place).length;
}

test('each protocol has a recording', () => {
  expect([...new Set(recordings.map(({ protocol }) => protocol))].sort()).toEqual([...PROTOCOL_NAMES].sort());
});

test.each(recordings.map((recording) => [recording.source, recording] as const))(
  '%s',
  (_, recording) => {
    const share = EVENTS / recordings.length;
    let events = 0;
    let inputs = 0;
    for (let seed = SEED; EVENTS ? events < share : seed < SEED + ROUNDS; seed++) {
      events += damageOnePiece(recording, seed) + damageAtRandom(recording, seed);
      inputs += 2;
    }
    counts.events += events;
    counts.cases += inputs;
    finished++;
  },
  EVENTS ? 86_400_000 : undefined,
);

afterAll(() => {
  const file = process.env['FUZZ_COUNTS'];
  if (EVENTS && file && finished === recordings.length)
    writeCounts(file, SEED, counts, (performance.now() - began) / 60_000);
});
