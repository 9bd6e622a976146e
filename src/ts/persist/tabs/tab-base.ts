/** What a tab gets from the app, the browser and other tabs. */
import type { GateInternals } from '../../gate/internals.js';
import type { ToolGate } from '../../gate/tool-gate.js';
import type { PersistError } from '../persist-error.js';
import type { PersistOptions } from '../persist-options.js';
import type { FencedStorage } from '../storage/fenced-storage.js';
import type { Platform } from './platform.js';

/** What a tab gets from the app and the browser. */
export interface TabOptions {
  readonly gate: ToolGate;
  readonly internals: GateInternals;
  readonly name: string;
  readonly platform: Platform;
  /** The time limits of one call of the storage, and of an answer of the leader or of the locks, in ms. */
  readonly storeMs: number;
  readonly leaderMs: number;
  readonly onError: (error: unknown) => void;
  readonly onStop: PersistOptions['onStop'];
  /** Creates the storage. Returns undefined if the environment has none. */
  readonly storage: (holdsLock: () => Promise<boolean>) => FencedStorage | undefined;
}

/** What a tab learns from outside. */
export interface TabEvents {
  /** The browser has given this tab the lock. */
  readonly onElected: () => void;
  /** Another tab is the leader. */
  readonly onLost: () => void;
  /** A newer release of the page uses the chat, or an older one leads. */
  readonly onOtherRelease: (isNewer: boolean) => void;
  /** This tab must not use the chat any more: it was ended by `logOut`, or is that of a newer release. */
  readonly onEnd: (error: PersistError) => void;
}

/** The part of a tab that does not depend on its own parts. */
export type TabBase = Omit<TabOptions, 'storage'> & TabEvents & { readonly id: string };
