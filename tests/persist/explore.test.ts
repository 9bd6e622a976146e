/**
 * Tabs that are frozen, reloaded or killed, or lose their lock, between any two steps: see README.md. The test explores
 * some states of each profile. `./pkg-scripts/explore tabs` explores all states, and sets `EXPLORE` to the file for its
 * counts.
 */
import { appendFileSync } from 'node:fs';
import { expect, it } from 'vitest';

import { profiles } from './explore/profiles.js';
import { explore } from './explore/search.js';

const { EXPLORE: file, EXPLORE_STATES: most = '100000', EXPLORE_ONLY: only, EXPLORE_SEED: seed = '1' } = process.env;
const limits = file === undefined ? { states: 300, every: 2 } : { states: Number(most), every: 3 };

/** `only`: profiles with their number of delays, as `name:1`. */
const chosen =
  only === undefined
    ? profiles
    : only.split(',').map((one) => {
        const [name, delays] = one.split(':');
        return { ...profiles.find((profile) => profile.name === name)!, delays: Number(delays) };
      });

it.each(chosen)(
  '$name, delays: $delays',
  async (profile) => {
    const began = Date.now();
    const seen = await explore(profile, { ...limits, depth: 200, seed: Number(seed) });
    const { name, delays } = profile;
    const line = { name, delays, ...seen, minutes: (Date.now() - began) / 60_000 };
    if (file !== undefined) appendFileSync(file, `${JSON.stringify(line)}\n`);
    // A failure prints the broken rule and the steps that lead to it.
    expect(seen.broken).toBeUndefined();
    expect(seen.states).toBeGreaterThan(200);
  },
  24 * 3_600_000,
);
