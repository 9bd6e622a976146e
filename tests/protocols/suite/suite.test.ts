/**
 * Every scenario in every protocol: what is shown and sent is what the model produced, however the stream was cut,
 * interleaved, repeated or completed. `./pkg-scripts/fuzz streams` plays more streams (STREAMS, STREAMS_SEED), and
 * writes their numbers down.
 */
import { afterAll, expect, test } from 'vitest';
import { writeCounts } from './counts.js';
import { encoders } from './encoders/index.js';
import { check, scenariosFor, scenariosOf } from './play.js';

/** The number of streams for each protocol. */
const STREAMS = Number(process.env['STREAMS'] ?? 150);
const SEED = Number(process.env['STREAMS_SEED'] ?? 1);

const played = new Map<string, number>();
const began = performance.now();

test.each(encoders.map((encoder) => [encoder.protocol, encoder] as const))(
  '%s',
  async (protocol, encoder) => {
    const scenarios = new Set<string>();
    for (let at = 0; at < STREAMS; at++) {
      const script = await check(encoder, SEED * 1_000_003 + at);
      for (const scenario of scenariosOf(script)) scenarios.add(scenario);
    }
    played.set(protocol, STREAMS);
    expect([...scenarios]).toEqual(expect.arrayContaining(scenariosFor(encoder.features)));
  },
  STREAMS * 1000,
);

// Only runs that a person asked for are written down.
afterAll(() => process.env['STREAMS'] && writeCounts(played, SEED, performance.now() - began));
