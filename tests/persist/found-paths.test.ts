/** Paths on which `./pkg-scripts/explore tabs` once found a broken rule. They are taken again. */
import { expect, it } from 'vitest';

import found from './explore/found.json' with { type: 'json' };
import { profiles } from './explore/profiles.js';
import { complete, Way } from './explore/search.js';

it.each(found as [rule: string, profile: string, steps: string[]][])('%s', async (_, name, steps) => {
  const way = await Way.begin(profiles.find((profile) => profile.name === name)!);
  try {
    let taken = 0;
    for (const step of steps) {
      // The persister may have fewer or other steps than when the path was found.
      if (!way.options().includes(step)) continue;
      await way.take(step);
      taken++;
    }
    expect(taken).toBeGreaterThan(steps.length / 2);
    expect(await complete(way)).toEqual([]);
  } finally {
    way.world.end();
  }
});
