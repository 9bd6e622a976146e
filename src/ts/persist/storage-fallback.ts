/**
 * What an elected tab does if it cannot read storage: it asks other tabs for their state. If none has one, it continues
 * without storage, and removes its actions from storage, so that the next page does not apply them again.
 */
import type { UnconfirmedActions } from './unconfirmed-actions.js';
import type { FollowerTab } from './follower-tab.js';
import type { TabMessage } from './tab-messages.js';
import type { Platform } from './platform.js';
import type { ChatStore } from './chat-store.js';

/** The dependencies. */
interface StorageFallbackDeps {
  readonly platform: Platform;
  readonly tab: string;
  readonly leaderMs: number;
  readonly chatStore: ChatStore;
  readonly actions: UnconfirmedActions;
  readonly follower: FollowerTab;
  readonly post: (message: TabMessage) => void;
  /** Asks the browser whether other tabs have opened the chat. */
  readonly hasCompetitors: () => Promise<boolean>;
  /** Whether this tab is taking over. */
  readonly isTakingOver: () => boolean;
}

/** Handles a storage that this tab cannot read. */
export class StorageFallback {
  readonly #deps: StorageFallbackDeps;
  #answered: (() => void) | undefined;

  constructor(deps: StorageFallbackDeps) {
    this.#deps = deps;
  }

  /** Whether other tabs were asked and none has answered yet. */
  get isAsking(): boolean {
    return this.#answered !== undefined;
  }

  /** Asks other tabs for their state. Resolves when one has answered, or after the time limit. */
  async askOtherTabs(): Promise<void> {
    const { platform, leaderMs, hasCompetitors, post } = this.#deps;
    if (!(await hasCompetitors().catch(() => false))) return;
    post({ type: 'want' });
    await new Promise<void>((resolve) => {
      const cancel = platform.after(leaderMs, resolve);
      this.#answered = () => {
        cancel();
        resolve();
      };
    });
    this.#answered = undefined;
  }

  /** A tab has answered. */
  answered(): void {
    this.#answered?.();
  }

  /**
   * Removes the actions of this tab from storage, because it applies them itself. Resolves with whether none remains
   * there.
   */
  async withdrawActions(): Promise<boolean> {
    const { tab, chatStore, actions, follower, isTakingOver } = this.#deps;
    if (!isTakingOver()) return false;
    follower.holdActions(true);
    await follower.storing;
    if (actions.own.length === 0) return true;
    try {
      await chatStore.storeActions([]);
      return true;
    } catch {
      // If no action was stored and storage does not answer, there may be no storage at all.
      if (!actions.stored.some(([of]) => of === tab)) return true;
      follower.holdActions(false);
      return false;
    }
  }
}
