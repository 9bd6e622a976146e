/**
 * Stores the actions of a follower before it forwards them, so that after a reload this tab still knows what the leader
 * may apply. One write at a time.
 */
import type { ChatStore } from '../storage/chat-store.js';
import type { UnconfirmedActions } from '../tabs/unconfirmed-actions.js';

/** The dependencies. */
interface ActionStoringDeps {
  readonly chatStore: ChatStore;
  readonly actions: UnconfirmedActions;
  /** Called when a write has succeeded, or failed with this error. */
  readonly onStored: (error: unknown) => void;
}

/** Stores the actions of one tab. */
export class ActionStoring {
  readonly #deps: ActionStoringDeps;
  /** The write that is under way; and whether another one has to follow. */
  #storing: Promise<void> | undefined;
  #isStoreDue = false;

  constructor(deps: ActionStoringDeps) {
    this.#deps = deps;
  }

  /** Resolves when the write that is under way has succeeded or failed. */
  get storing(): Promise<void> | undefined {
    return this.#storing;
  }

  /** Stores the actions of this tab that are not stored. */
  store(): void {
    const { actions, chatStore, onStored } = this.#deps;
    this.#isStoreDue = this.#storing !== undefined;
    const { own } = actions;
    if (this.#isStoreDue || actions.stored.length === actions.waiting.length) return;
    const over = (error?: unknown): void => {
      this.#storing = undefined;
      if (error === undefined) actions.markStored(own);
      onStored(error);
      if (this.#isStoreDue) this.store();
    };
    this.#storing = chatStore.storeActions(own).then(() => over(), over);
  }
}
