/**
 * What is explored: a share with the tests, all of it by `./pkg-scripts/explore tabs`.
 */
import type { Profile } from './search.js';

const base = { storage: 'database', tabs: ['A', 'B'], delays: 1 } as const;

export const profiles: readonly Profile[] = [
  { ...base, name: 'freeze', deeds: [['B', 'approve'], ['A', 'deny']], faults: { freeze: 1 } },
  { ...base, name: 'freeze reload', deeds: [['B', 'approve'], ['B', 'deny']], faults: { freeze: 1, reload: 1 } },
  { ...base, name: 'crash', deeds: [['B', 'approve'], ['A', 'deny'], ['B', 'write']], faults: { crash: 1, freeze: 1 } },
  { ...base, name: 'close', deeds: [['A', 'approve'], ['B', 'cancel']], faults: { close: 1, freeze: 1 } },
  { ...base, name: 'rob', deeds: [['A', 'approve'], ['B', 'deny']], faults: { rob: 1, freeze: 1 } },
  { ...base, name: 'fails', deeds: [['A', 'approve'], ['B', 'deny']], faults: { fails: 1, hangs: 1, freeze: 1 } },
  { ...base, name: 'own', storage: 'own', deeds: [['A', 'approve'], ['B', 'deny']], faults: { freeze: 1, crash: 1 } },
  { ...base, name: 'opens', opens: 'C', deeds: [['B', 'approve'], ['C', 'deny']], faults: { freeze: 1, crash: 1 } },
];
