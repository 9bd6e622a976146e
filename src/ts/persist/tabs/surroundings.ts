/** What a tab is given, what it learns from outside, and its role. */
import type { GateInternals } from '../../gate/internals.js';
import type { ToolGate } from '../../gate/tool-gate.js';
import type { PersistError } from '../persist-error.js';
import type { PersistOptions } from '../persist-options.js';
import { deferred, type Platform } from './platform.js';

/** What all parts of a tab know: what it gets from the app and the browser, and what it learns from outside. */
export interface Surroundings {
  readonly id: string;
  readonly role: TabRole;
  readonly gate: ToolGate;
  readonly internals: GateInternals;
  readonly name: string;
  readonly platform: Platform;
  /** The time limits of one call of the storage, and of an answer of the leader or of the locks, in ms. */
  readonly storeMs: number;
  readonly leaderMs: number;
  readonly onError: (error: unknown) => void;
  readonly onStop: PersistOptions['onStop'];
  /** The browser has given this tab the lock. */
  readonly onElected: () => void;
  /** Another tab is the leader. */
  readonly onLost: () => void;
  /** A newer release of the page uses the chat, or an older one leads. */
  readonly onOtherRelease: (isNewer: boolean) => void;
  /** This tab must not use the chat any more: it was ended by `logOut`, or is that of a newer release. */
  readonly onEnd: (error: PersistError) => void;
}

/** The role of a tab. `taking-over`: the tab was elected and reads the stored state. */
type Role = 'joining' | 'follower' | 'taking-over' | 'leader' | 'closed';

/** The role of one tab. A task that began in an earlier role is dropped. Only this class sets its fields. */
export class TabRole {
  readonly #joined = deferred();
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
