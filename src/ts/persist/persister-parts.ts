/**
 * The parts of a persister, and how they are connected: storage, election, the two roles, and what replaces a storage
 * that cannot be read.
 */
import type { GateInternals } from '../gate/internals.js';
import type { ToolGate } from '../gate/tool-gate.js';
import type { ChangeLog } from './change-log.js';
import { ChatStore } from './chat-store.js';
import { Election } from './election.js';
import type { FencedStorage } from './fenced-storage.js';
import { FollowerTab } from './follower-tab.js';
import { LeaderTab } from './leader-tab.js';
import type { PersistOptions } from './persist-options.js';
import type { Platform } from './platform.js';
import { StorageFallback } from './storage-fallback.js';
import type { TabMessage } from './tab-messages.js';
import type { Role } from './tab-role.js';
import { UnconfirmedActions } from './unconfirmed-actions.js';

/** The dependencies of a persister. */
export interface PersisterDeps {
  readonly gate: ToolGate;
  readonly internals: GateInternals;
  readonly name: string;
  readonly platform: Platform;
  readonly storeMs: number;
  readonly leaderMs: number;
  /** Creates the storage. Returns undefined if the environment has none. */
  readonly storage: (holdsLock: () => Promise<boolean>) => FencedStorage | undefined;
  readonly onError: (error: unknown) => void;
  readonly onStop: PersistOptions['onStop'];
}

/** What the parts need from the persister. */
interface PersisterHooks {
  readonly role: () => Role;
  /** Called when this tab is elected. */
  readonly onElected: () => void;
  /** Called when another tab turns out to be the leader. */
  readonly onLost: () => void;
  /** Called when the follower's part shows the chat. `hasState`: with the leader's or a stored state. */
  readonly onShown: (hasState: boolean) => void;
}

/** The parts of one persister. */
export interface PersisterParts {
  readonly chatStore: ChatStore;
  readonly actions: UnconfirmedActions;
  readonly leader: LeaderTab;
  readonly follower: FollowerTab;
  readonly election: Election;
  readonly fallback: StorageFallback;
}

/**
 * Creates the parts. `changeLog`: of the gate. `tab`: the id of this tab. `post`: sends a message to the other tabs.
 */
export function createParts(
  deps: PersisterDeps,
  changeLog: ChangeLog,
  tab: string,
  post: (message: TabMessage) => void,
  { role, onElected, onLost, onShown }: PersisterHooks,
): PersisterParts {
  const { gate, internals, name, platform, storeMs, leaderMs, onError } = deps;
  const election = new Election({
    ...{ platform, name, tab, onElected, onLost, onError },
    timeoutMs: leaderMs,
  });
  const holdsLock = (): Promise<boolean> => election.holdsLock();
  const chatStore = new ChatStore({
    ...{ name, tab, platform, onError },
    storage: deps.storage(async () => election.hasLease || holdsLock()),
    timeoutMs: storeMs,
    chatId: () => internals.env.options.chatId,
  });
  const actions = new UnconfirmedActions(tab);
  const leader = new LeaderTab({
    ...{ gate, internals, changeLog, platform, tab, chatStore, actions, post, holdsLock, onLost, onError },
    onStop: deps.onStop,
    hasLease: () => election.hasLease,
  });
  const follower = new FollowerTab({
    ...{ gate, internals, changeLog, name, platform, leaderMs, chatStore, actions, post, onShown, onError },
    isFollower: () => role() === 'follower',
    onLate: () => {
      leader.scheduleCleanUp();
      leader.markChanged(false);
    },
    onSilence: (isSilent) => election.steal(isSilent),
  });
  const fallback = new StorageFallback({
    ...{ platform, tab, leaderMs, chatStore, actions, follower, post },
    hasCompetitors: () => election.hasCompetitors(),
    isTakingOver: () => role() === 'taking-over',
  });
  return { chatStore, actions, leader, follower, election, fallback };
}
