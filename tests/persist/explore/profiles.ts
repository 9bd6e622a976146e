/**
 * The profiles of the exploration. Tests explore some states of each; `./pkg-scripts/explore tabs` explores all.
 */
import type { Profile } from './search.js';

const base = { storage: 'database', tabs: ['A', 'B'], delays: 1 } as const;

export const profiles: readonly Profile[] = [
  // A tab may freeze at any step: once in a path, in `freeze-twice` two times. It continues at a later step, or never.
  {
    ...base,
    name: 'freeze',
    actions: [
      ['B', 'approve'],
      ['A', 'deny'],
    ],
    faults: { freeze: 1 },
  },
  {
    ...base,
    name: 'freeze-denied',
    actions: [
      ['B', 'deny'],
      ['A', 'approve'],
    ],
    faults: { freeze: 1 },
  },
  {
    ...base,
    name: 'freeze-twice',
    actions: [
      ['B', 'approve'],
      ['A', 'deny'],
    ],
    faults: { freeze: 2 },
    delays: 0,
  },
  {
    ...base,
    name: 'freeze-message',
    actions: [
      ['B', 'write'],
      ['A', 'approve'],
    ],
    faults: { freeze: 1 },
  },
  // A tab may also be reloaded, killed or closed, or another fault may occur.
  {
    ...base,
    name: 'reload',
    actions: [
      ['B', 'approve'],
      ['B', 'deny'],
    ],
    faults: { freeze: 1, reload: 1 },
  },
  {
    ...base,
    name: 'reload-any',
    actions: [
      ['A', 'approve'],
      ['B', 'deny'],
    ],
    faults: { reload: 2 },
  },
  {
    ...base,
    name: 'crash',
    actions: [
      ['B', 'approve'],
      ['A', 'deny'],
      ['B', 'write'],
    ],
    faults: { crash: 1, freeze: 1 },
  },
  {
    ...base,
    name: 'close',
    actions: [
      ['A', 'approve'],
      ['B', 'cancel'],
    ],
    faults: { close: 1, freeze: 1 },
  },
  {
    ...base,
    name: 'stolen-lock',
    actions: [
      ['A', 'approve'],
      ['B', 'deny'],
    ],
    faults: { steal: 1, freeze: 1 },
  },
  {
    ...base,
    name: 'storage-faults',
    actions: [
      ['A', 'approve'],
      ['B', 'deny'],
    ],
    faults: { fails: 1, hangs: 1, freeze: 1 },
  },
  {
    ...base,
    name: 'repeated-message',
    actions: [
      ['B', 'approve'],
      ['A', 'deny'],
    ],
    faults: { twice: 2, freeze: 1 },
  },
  // A custom storage, which is slow and does not check which tab is the leader.
  {
    ...base,
    name: 'custom',
    storage: 'custom',
    actions: [
      ['A', 'approve'],
      ['B', 'deny'],
    ],
    faults: { freeze: 1, crash: 1 },
  },
  {
    ...base,
    name: 'custom-storage-faults',
    storage: 'custom',
    actions: [
      ['B', 'approve'],
      ['A', 'deny'],
    ],
    faults: { fails: 1, hangs: 1, freeze: 1 },
  },
  // What is stored is deleted, by the app, the browser or a log-out.
  {
    ...base,
    name: 'emptied',
    actions: [
      ['A', 'approve'],
      ['B', 'deny'],
    ],
    faults: { empty: 1, freeze: 1 },
  },
  {
    ...base,
    name: 'emptied-killed',
    actions: [
      ['B', 'approve'],
      ['B', 'write'],
    ],
    faults: { empty: 1, crash: 1 },
  },
  {
    ...base,
    name: 'clear',
    actions: [
      ['B', 'approve'],
      ['A', 'deny'],
    ],
    faults: { clear: 1, freeze: 1 },
  },
  {
    ...base,
    name: 'clear-killed',
    actions: [],
    faults: { clear: 1, crash: 1, reload: 1, freeze: 1 },
  },
  {
    ...base,
    name: 'log-out',
    actions: [
      ['A', 'approve'],
      ['B', 'deny'],
      ['B', 'write'],
    ],
    faults: { 'log-out': 1, freeze: 1 },
  },
  // A custom storage that is emptied: the leader reads before it writes.
  {
    ...base,
    name: 'custom-emptied',
    storage: 'custom',
    actions: [
      ['A', 'approve'],
      ['B', 'deny'],
    ],
    faults: { empty: 1, crash: 1 },
  },
  // A browser without locks, in which the tabs elect the leader by messages and by what is stored.
  {
    ...base,
    name: 'no-locks',
    locks: false,
    actions: [
      ['A', 'approve'],
      ['B', 'deny'],
    ],
    faults: { freeze: 1, crash: 1 },
  },
  // A browser without BroadcastChannel, in which no tab hears of another one.
  {
    ...base,
    name: 'no-channel',
    channel: false,
    actions: [
      ['A', 'approve'],
      ['B', 'deny'],
    ],
    faults: { freeze: 1, crash: 1 },
  },
  {
    ...base,
    name: 'no-channel-write',
    channel: false,
    actions: [
      ['B', 'write'],
      ['A', 'approve'],
    ],
    faults: { reload: 1, crash: 1 },
  },
  // Two releases: the tab N runs the next one, whose records and messages A does not read.
  {
    ...base,
    name: 'next-release-opens',
    tabs: ['A'],
    opens: 'N',
    actions: [
      ['A', 'approve'],
      ['N', 'deny'],
    ],
    faults: { freeze: 1, crash: 1 },
  },
  {
    ...base,
    name: 'next-release-leads',
    tabs: ['N', 'A'],
    actions: [
      ['N', 'approve'],
      ['A', 'deny'],
    ],
    faults: { freeze: 1, crash: 1 },
  },
  {
    ...base,
    name: 'next-release-no-locks',
    locks: false,
    tabs: ['A'],
    opens: 'N',
    actions: [
      ['A', 'approve'],
      ['N', 'deny'],
    ],
    faults: { crash: 1, reload: 1 },
  },
  // The user chooses a tab ("Use here"), of the same release or of another one.
  {
    ...base,
    name: 'use-here',
    actions: [
      ['A', 'approve'],
      ['B', 'deny'],
    ],
    faults: { lead: 2, freeze: 1 },
  },
  {
    ...base,
    name: 'next-release-use-here',
    tabs: ['A', 'N'],
    actions: [
      ['A', 'approve'],
      ['N', 'deny'],
    ],
    faults: { lead: 1, freeze: 1, crash: 1 },
  },
  // Three tabs, of which one may be opened later.
  {
    ...base,
    name: 'third-tab-opens',
    opens: 'C',
    actions: [
      ['B', 'approve'],
      ['C', 'deny'],
    ],
    faults: { freeze: 1, crash: 1 },
  },
  {
    ...base,
    name: 'three-tabs',
    tabs: ['A', 'B', 'C'],
    actions: [
      ['B', 'approve'],
      ['C', 'deny'],
    ],
    faults: { freeze: 1 },
    delays: 1,
  },
];
