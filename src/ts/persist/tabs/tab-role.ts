/**
 * The role of a tab. An asynchronous task that began in an earlier role is dropped.
 */

/** The role of a tab. `taking-over`: the tab was elected and reads the stored state. */
export type Role = 'joining' | 'follower' | 'taking-over' | 'leader' | 'closed';

/** The present role of one tab. */
export class TabRole {
  #now: Role = 'joining';
  /** Counts the changes that end tasks. */
  #changes = 0;

  /** The present role. */
  get now(): Role {
    return this.#now;
  }

  /** Changes the role, and ends the tasks of the earlier one. Returns what `unchanged` returns. */
  change(to: Role): () => boolean {
    this.#now = to;
    this.#changes++;
    return this.unchanged();
  }

  /**
   * Changes the role, but lets the tasks of the earlier one continue: a tab that is taking over becomes the leader in
   * the middle of its task.
   */
  complete(to: Role): void {
    this.#now = to;
  }

  /** A function that returns whether a task that begins now may still continue. */
  unchanged(): () => boolean {
    const changes = this.#changes;
    return () => changes === this.#changes;
  }
}
