/** One tab of a chat: what all its parts use, created once, and its role. */
import { ChangeLog } from '../storage/change-log.js';
import { ChatStore } from '../storage/chat-store.js';
import { Election } from './election.js';
import { Deferred } from './platform.js';
import type { TabBase, TabEvents, TabOptions } from './tab-base.js';
import { TabChannel } from './tab-channel.js';
import { UnconfirmedActions } from './unconfirmed-actions.js';

/** What the parts of a tab share. Events are emitted after it was created. */
export type Tab = ReturnType<typeof createTab>;

/** Creates what the parts of a tab share. */
export function createTab({ storage, ...options }: TabOptions, events: TabEvents) {
  const id = options.platform.randomId();
  const base: TabBase = { ...options, ...events, id };
  const election = new Election(base);
  return {
    ...base,
    election,
    chatStore: new ChatStore(
      base,
      storage(async () => election.hasLease || election.holdsLock()),
    ),
    role: new TabRole(),
    channel: new TabChannel(),
    changeLog: new ChangeLog(options.internals.saving),
    actions: new UnconfirmedActions(id),
  };
}

/** The role of a tab. `taking-over`: the tab was elected and reads the stored state. */
type Role = 'joining' | 'follower' | 'taking-over' | 'leader' | 'closed';

/** The role of one tab. A task that began in an earlier role is dropped. Only this class sets its fields. */
export class TabRole {
  readonly #joined = new Deferred();
  /** Resolves when this tab is leader or follower and has restored the stored state, or is closed. */
  readonly joined = this.#joined.promise;
  now: Role = 'joining';
  hasJoined = false;
  /**
   * Whether this tab has restored or shown a state, or was the leader. If so, the chat must not continue as a new one
   * when storage cannot be read.
   */
  hasState = false;
  /** Counts the changes that end tasks. */
  #changes = 0;

  get isLeader(): boolean {
    return this.now === 'leader';
  }

  get isFollower(): boolean {
    return this.now === 'follower';
  }

  get isClosed(): boolean {
    return this.now === 'closed';
  }

  /** The tab has joined. `hasState`: it has a state, so the chat is not a new one. */
  join(hasState: boolean): void {
    this.hasState ||= hasState;
    this.hasJoined = true;
    this.#joined.resolve();
  }

  /** Changes the role, and ends the tasks of the earlier one. Returns what `unchanged` returns. */
  change(to: Role): () => boolean {
    this.now = to;
    this.#changes++;
    return this.unchanged();
  }

  /** A tab that is taking over becomes the leader in the middle of its task, which continues. */
  lead(): void {
    this.now = 'leader';
    this.hasState = true;
  }

  /** A function that returns whether a task that begins now may still continue. */
  unchanged(): () => boolean {
    const changes = this.#changes;
    return () => changes === this.#changes;
  }
}
