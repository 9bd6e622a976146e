/**
 * Which messages of the page Codex has read. A `turn/start` request while a turn runs adds a message to that turn, and
 * the response names the turn. Before its next request to the model, Codex reports an item with the message, which has
 * the id that the request gave it. A turn that is interrupted before drops the message.
 */
import type { Item } from './items.js';

/** The messages of the page in one stream. */
export class SentMessages {
  readonly #drop: (request: string) => void;
  /** The requests with messages that were not read yet, each with its turn; undefined if Codex refused the request. */
  readonly #unread = new Map<string, string | undefined>();
  /** The requests with messages that were read. Requests of other pages may have the same ids. */
  readonly #read = new Set<string>();
  /** The turn that runs. */
  #turn: string | undefined;
  /** Whether an item of the turn had no id: the server may not pass the ids on, so no message can be recognized. */
  #lacksIds = false;

  /** `drop` is called with the request of each message that the turn ended without. */
  constructor(drop: (request: string) => void) {
    this.#drop = drop;
  }

  /** Whether a turn runs. */
  get isInTurn(): boolean {
    return this.#turn !== undefined;
  }

  /** An event belongs to this turn. */
  enter(turn: unknown): void {
    if (typeof turn === 'string') this.#turn = turn;
  }

  /** Codex added the message of a request to a turn. Without a turn, it refused the request. */
  add(request: unknown, turn?: string): void {
    if (typeof request === 'string' && !this.#read.has(request)) this.#unread.set(request, turn);
  }

  /** Codex has read a message. */
  read({ clientId }: Item): void {
    if (typeof clientId !== 'string') this.#lacksIds = true;
    else this.#read.add(clientId);
    this.#unread.delete(`${clientId}`);
  }

  /** A turn has ended. */
  end({ id }: { readonly id?: string | undefined }): void {
    for (const [request, turn] of this.#unread) {
      if (turn !== undefined && turn !== id) continue;
      this.#unread.delete(request);
      if (turn === undefined || !this.#lacksIds) this.#drop(request);
    }
    [this.#turn, this.#lacksIds] = [undefined, false];
    this.#read.clear();
  }
}
