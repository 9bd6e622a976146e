/**
 * Every scenario in every protocol: what is shown and sent is what the model produced, however the stream was cut,
 * interleaved, repeated or completed. `./pkg-scripts/fuzz streams` plays more streams (STREAMS, STREAMS_SEED), and
 * writes their numbers down.
 */
import { expect, test } from 'vitest';
import { writeCount } from './counts.js';
import { encoders } from './encoders/index.js';
import { check, scenariosFor, scenariosOf } from './play.js';

/** The number of streams for each protocol. */
const STREAMS = Number(process.env['STREAMS'] ?? 150);
const SEED = Number(process.env['STREAMS_SEED'] ?? 1);

test.each(encoders.map((encoder) => [encoder.protocol, encoder] as const))(
  '%s',
  async (protocol, encoder) => {
    const scenarios = new Set<string>();
    for (let at = 0; at < STREAMS; at++) {
      const script = await check(encoder, SEED * 1_000_003 + at);
      for (const scenario of scenariosOf(script)) scenarios.add(scenario);
    }
    expect([...scenarios]).toEqual(expect.arrayContaining(scenariosFor(encoder.features)));
    // Only runs that a person asked for are written down, each protocol as soon as it is played.
    if (process.env['STREAMS']) writeCount(protocol, STREAMS, SEED);
  },
  STREAMS * 1000,
);
