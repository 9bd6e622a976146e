/** The requests that wait until their claim is stored, and why they are not sent. */
import { PersistError } from '../persist-error.js';
import { say } from '../../types/say.js';

/** A request was not sent because another tab is the leader. */
export class NotLeaderError extends PersistError {
  override readonly name = 'NotLeaderError';

  constructor() {
    super('not-leader', say`not sent: another tab is the leader of this chat`);
  }
}

/** A request was not sent because the user stopped. */
export class StoppedError extends PersistError {
  override readonly name = 'StoppedError';

  constructor() {
    super('stopped', 'stopped before it was sent');
  }
}

/** The waiting requests of one tab. */
export class ClaimWaits {
  readonly #cancels = new Set<() => void>();

  /** Resolves and rejects as `saved` does, and rejects with a `StoppedError` as soon as `cancel` is called. */
  async wait(saved: Promise<void>): Promise<void> {
    let stop!: () => void;
    const stopped = new Promise<never>((_, reject) => {
      stop = () => reject(new StoppedError());
    });
    this.#cancels.add(stop);
    try {
      await Promise.race([saved, stopped]);
    } finally {
      this.#cancels.delete(stop);
    }
  }

  /** The user stopped: the waiting requests are not sent. */
  cancel(): void {
    for (const stop of this.#cancels) stop();
  }
}
