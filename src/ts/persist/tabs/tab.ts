/** One tab of a chat: what all its parts use, created once. */
import { ChangeLog } from '../storage/change-log.js';
import { ChatStore } from '../storage/chat-store.js';
import type { FencedStorage } from '../storage/fenced-storage.js';
import { Election } from './election.js';
import { TabRole, type Surroundings } from './surroundings.js';
import { TabChannel } from './tab-channel.js';
import { UnconfirmedActions } from './unconfirmed-actions.js';

type TabEvents = Pick<Surroundings, 'onElected' | 'onLost' | 'onOtherRelease' | 'onEnd'>;

/** What a tab gets from the app and the browser. */
export interface TabOptions extends Omit<Surroundings, keyof TabEvents | 'id' | 'role'> {
  /** Creates the storage. Returns undefined if the environment has none. */
  readonly storage: (holdsLock: () => Promise<boolean>) => FencedStorage | undefined;
}

/** What the parts of a tab share. */
export interface Tab extends Surroundings {
  readonly channel: TabChannel;
  readonly changeLog: ChangeLog;
  readonly actions: UnconfirmedActions;
  readonly election: Election;
  readonly chatStore: ChatStore;
}

/** Creates what the parts of a tab share. The events are emitted later. */
export function createTab({ storage, ...options }: TabOptions, events: TabEvents): Tab {
  const id = options.platform.randomId();
  const tab = { ...options, ...events, id, role: new TabRole(), channel: new TabChannel() };
  const election = new Election(tab);
  const holdsLock = async (): Promise<boolean> => election.hasLease || election.holdsLock();
  const chatStore = new ChatStore(tab, storage(holdsLock));
  const changeLog = new ChangeLog(options.internals.saving);
  return { ...tab, election, chatStore, changeLog, actions: new UnconfirmedActions(id) };
}
