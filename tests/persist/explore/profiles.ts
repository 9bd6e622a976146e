/**
 * What is explored: a share of each profile with the tests, all of it by `./pkg-scripts/explore tabs`.
 */
import type { Profile } from './search.js';

const base = { storage: 'database', tabs: ['A', 'B'], delays: 1 } as const;

export const profiles: readonly Profile[] = [
  // A tab stands still, whichever it is, and goes on at any time or never.
  {
    ...base,
    name: 'stops',
    deeds: [
      ['B', 'approve'],
      ['A', 'deny'],
    ],
    faults: { freeze: 1 },
  },
  {
    ...base,
    name: 'stops-denied',
    deeds: [
      ['B', 'deny'],
      ['A', 'approve'],
    ],
    faults: { freeze: 1 },
  },
  {
    ...base,
    name: 'stops-twice',
    deeds: [
      ['B', 'approve'],
      ['A', 'deny'],
    ],
    faults: { freeze: 2 },
    delays: 0,
  },
  {
    ...base,
    name: 'stops-message',
    deeds: [
      ['B', 'write'],
      ['A', 'approve'],
    ],
    faults: { freeze: 1 },
  },
  // ... and the user reloads the other one, and would rather say no.
  {
    ...base,
    name: 'reloads',
    deeds: [
      ['B', 'approve'],
      ['B', 'deny'],
    ],
    faults: { freeze: 1, reload: 1 },
  },
  {
    ...base,
    name: 'reloads-any',
    deeds: [
      ['A', 'approve'],
      ['B', 'deny'],
    ],
    faults: { reload: 2 },
  },
  {
    ...base,
    name: 'crashes',
    deeds: [
      ['B', 'approve'],
      ['A', 'deny'],
      ['B', 'write'],
    ],
    faults: { crash: 1, freeze: 1 },
  },
  {
    ...base,
    name: 'closes',
    deeds: [
      ['A', 'approve'],
      ['B', 'cancel'],
    ],
    faults: { close: 1, freeze: 1 },
  },
  {
    ...base,
    name: 'stolen',
    deeds: [
      ['A', 'approve'],
      ['B', 'deny'],
    ],
    faults: { rob: 1, freeze: 1 },
  },
  {
    ...base,
    name: 'storage',
    deeds: [
      ['A', 'approve'],
      ['B', 'deny'],
    ],
    faults: { fails: 1, hangs: 1, freeze: 1 },
  },
  {
    ...base,
    name: 'doubled',
    deeds: [
      ['B', 'approve'],
      ['A', 'deny'],
    ],
    faults: { twice: 2, freeze: 1 },
  },
  // A storage of the app's own, that is slow and knows nothing of tabs.
  {
    ...base,
    name: 'own',
    storage: 'own',
    deeds: [
      ['A', 'approve'],
      ['B', 'deny'],
    ],
    faults: { freeze: 1, crash: 1 },
  },
  {
    ...base,
    name: 'own-storage',
    storage: 'own',
    deeds: [
      ['B', 'approve'],
      ['A', 'deny'],
    ],
    faults: { fails: 1, hangs: 1, freeze: 1 },
  },
  // A third tab is opened in the middle of it.
  {
    ...base,
    name: 'opens',
    opens: 'C',
    deeds: [
      ['B', 'approve'],
      ['C', 'deny'],
    ],
    faults: { freeze: 1, crash: 1 },
  },
  {
    ...base,
    name: 'three',
    tabs: ['A', 'B', 'C'],
    deeds: [
      ['B', 'approve'],
      ['C', 'deny'],
    ],
    faults: { freeze: 1 },
    delays: 1,
  },
];
