/**
 * What a tab that was elected does where it cannot read the storage: it asks other tabs for the chat that they show, and if nobody
 * shows one it goes on without the storage, in which it leaves nothing that the next page would do again.
 */
import type { Acts } from './acts.js';
import type { Following } from './following.js';
import type { TabMessage } from './tab-messages.js';
import type { Platform } from './platform.js';
import type { Vault } from './vault.js';

/** What it works with. */
interface UnreadableParts {
  readonly platform: Platform;
  readonly tab: string;
  readonly leaderTimeoutMs: number;
  readonly vault: Vault;
  readonly acts: Acts;
  readonly following: Following;
  readonly post: (message: TabMessage) => void;
  /** Whether other tabs have the chat, asked of the browser. */
  readonly hasOthers: () => Promise<boolean>;
  /** This tab was elected, and does not lead yet. */
  readonly isTaking: () => boolean;
}

/** A storage that this tab cannot read. */
export class Unreadable {
  readonly #parts: UnreadableParts;
  #answered: (() => void) | undefined;

  constructor(parts: UnreadableParts) {
    this.#parts = parts;
  }

  /** Other tabs were asked, and none has answered. */
  get isAsking(): boolean {
    return this.#answered !== undefined;
  }

  /** Asks other tabs for the state that they show. Resolves when one has answered, or nobody has in time. */
  async askOthers(): Promise<void> {
    const { platform, leaderTimeoutMs, hasOthers, post } = this.#parts;
    if (!(await hasOthers().catch(() => false))) return;
    post({ type: 'want' });
    await new Promise<void>((resolve) => {
      const cancel = platform.after(leaderTimeoutMs, resolve);
      this.#answered = () => {
        cancel();
        resolve();
      };
    });
    this.#answered = undefined;
  }

  /** One of them has answered. */
  answered(): void {
    this.#answered?.();
  }

  /**
   * Takes back from the storage what the user did here, which this tab does by itself. Resolves with whether none of it is left
   * there.
   */
  async withdraw(): Promise<boolean> {
    const { tab, vault, acts, following, isTaking } = this.#parts;
    if (!isTaking()) return false;
    following.hold(true);
    await following.storing;
    if (acts.own.length === 0) return true;
    try {
      await vault.storeActs([]);
      return true;
    } catch {
      // A storage that stored none of them, and does not answer, may be none at all.
      if (!acts.stored.some(([of]) => of === tab)) return true;
      following.hold(false);
      return false;
    }
  }
}
