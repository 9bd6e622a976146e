/**
 * The message queue of a chat with `experimental_queue` (7.0.173): messages that the user sends during a reply, or
 * while the assistant waits for the user, are sent later, one at a time.
 *
 * The queue is outside the gate, because its messages can be removed. A stop, an error or an interruption pauses it
 * until the user sends again. The driver passes its messages to the gate.
 */
import type { GateMessage } from '../../types/index.js';
import type { RequestOptions } from '../chat-host.js';
import type { Ports } from './exchange.js';

/** A queued message with the app's request options. */
export interface QueueEntry {
  readonly message: GateMessage;
  readonly options: RequestOptions | undefined;
}

/** The queue of one chat; always empty if the chat did not enable it. */
export class MessageQueue {
  readonly #ports: Ports;
  #entries: readonly QueueEntry[] = [];
  #isPaused = false;
  /** Send the next message even if the assistant waits for the user: a stopped reply does not wait any more. */
  #skipsWaiting = false;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** Whether the chat enabled the queue. */
  get isEnabled(): boolean {
    return this.#ports.chat.queueEnabled === true;
  }

  /** Whether a new message must be queued although no request is in flight. */
  get mustWait(): boolean {
    return this.#entries.length > 0 || this.#waitsForUser();
  }

  /**
   * Appends a message and resumes a paused queue. Unless a call waits for the user or a request is in flight, the first
   * message is sent even if the last step has held decisions or missing results.
   */
  add(entry: QueueEntry, isBusy: boolean): void {
    this.#change([...this.#entries, entry]);
    this.resume();
    if (!isBusy && !this.#waitsForUser()) this.#skipsWaiting = true;
  }

  /** Removes a message, if it is queued. */
  remove(id: string): void {
    this.#change(this.#entries.filter(({ message }) => message.id !== id));
  }

  /** Moves a message to the front. Returns false if it is not queued. */
  putFirst(id: string): boolean {
    const entry = this.#entries.find(({ message }) => message.id === id);
    if (entry) this.#change([entry, ...this.#entries.filter((other) => other !== entry)]);
    return entry !== undefined;
  }

  /** Returns a message that the gate rejected to the front, and pauses the queue. */
  putBack(entry: QueueEntry): void {
    this.#change([entry, ...this.#entries]);
    this.pause();
  }

  /** Removes all messages, because the history changes. */
  clear(): void {
    this.#change([]);
  }

  /** Sends nothing until {@link resume}. */
  pause(): void {
    this.#isPaused = true;
  }

  /** Resumes the queue. After a pause, the next message does not wait for open calls of the last step. */
  resume(): void {
    this.#skipsWaiting ||= this.#isPaused && this.#entries.length > 0;
    this.#isPaused = false;
  }

  /** Whether the first message may be sent if no request is in flight. */
  isReady(): boolean {
    if (this.#entries.length === 0 || this.#isPaused) return false;
    // A message that the user sends while another one waits for a failed request gives that request up.
    return this.#skipsWaiting || !this.#isUnsettled();
  }

  /** Removes and returns the first message, if it may be sent. */
  shift(): QueueEntry | undefined {
    if (!this.isReady()) return undefined;
    const [first, ...rest] = this.#entries;
    this.#skipsWaiting = false;
    this.#change(rest);
    return first;
  }

  #change(entries: readonly QueueEntry[]): void {
    if (entries.length === 0 && this.#entries.length === 0) return;
    this.#entries = entries;
    this.#ports.projection.showQueue(entries.map(({ message }) => message));
  }

  /** Whether the chat waits for a decision of the user or for a tool of the page. */
  #waitsForUser(): boolean {
    return this.#ports.gate.getSnapshot().turn.waitingFor.some(({ kind }) => kind === 'user' || kind === 'tool');
  }

  /**
   * Whether the turn waits for something. A stalled turn counts as ended, and so does one that could be continued after
   * a step limit: the next message begins another turn.
   */
  #isUnsettled(): boolean {
    const { turn, queued } = this.#ports.gate.getSnapshot();
    const { status, ending, waitingFor } = turn;
    const isPaused = ending === 'step-limit' && waitingFor.every(({ kind }) => kind === 'resume');
    return queued.length > 0 || (status !== 'done' && status !== 'stalled' && !isPaused && waitingFor.length > 0);
  }
}
