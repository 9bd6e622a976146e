/**
 * Two tabs explored: see tests/keeper/README.md.
 */
import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';

import { profiles } from './explore/profiles.js';
import { explore } from './explore/search.js';

it.each(profiles)('$name', async (profile) => {
  const began = Date.now();
  const seen = await explore(profile, { states: Number(process.env['STATES'] ?? 500), depth: 150, every: 3, seed: Number(process.env['SEED'] ?? 1) });
  if (seen.broken) writeFileSync(`/tmp/way-${profile.name}.json`, JSON.stringify({ name: profile.name, steps: seen.broken.steps }));
  console.log(profile.name, JSON.stringify(seen, null, 1), Date.now() - began);
  expect(seen.broken).toBeUndefined();
}, 3_600_000);
