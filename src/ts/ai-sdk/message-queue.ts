/**
 * The message queue of a chat that asked for one (`experimental_queue`, 7.0.173): messages sent while a reply comes in,
 * or while the assistant waits for the user, are sent one at a time afterwards.
 *
 * It is in front of the gate, because it can take a message back. Stopping, an error or an interruption pauses it until
 * the user sends again. It never sends: it says what may be handed to the gate next.
 */
import type { ToolGate } from '../gate/tool-gate.js';
import { isToolPart } from '../types/tool-part.js';
import type { GateMessage, ToolPart } from '../types/index.js';
import type { ChatProjection } from './chat-projection.js';
import type { ChatInternals, RequestOptions } from './chat-internals.js';

/** A message that waits, with what the app attached to its request. */
interface QueueEntry {
  readonly message: GateMessage;
  readonly options: RequestOptions | undefined;
}

/** The queue of one chat; always empty if the chat did not ask for it. */
export class MessageQueue {
  readonly #chat: ChatInternals;
  readonly #gate: ToolGate;
  readonly #projection: ChatProjection;
  #entries: readonly QueueEntry[] = [];
  #isPaused = false;
  /** The next message goes even if the assistant waits for the user: a stopped reply is not waiting any more. */
  #skipsWaiting = false;

  constructor(chat: ChatInternals, gate: ToolGate, projection: ChatProjection) {
    this.#chat = chat;
    this.#gate = gate;
    this.#projection = projection;
  }

  /** Whether the chat asked for a queue. */
  get isEnabled(): boolean {
    return this.#chat.queueEnabled === true;
  }

  /** Whether a message that is sent now has to wait, while no request is on its way. */
  get mustWait(): boolean {
    return this.#entries.length > 0 || this.#isAsking();
  }

  /**
   * Adds a message at the end. The user has sent it, so a paused queue goes on; and unless the user is being asked
   * something, or a request is on its way, the first message goes past whatever is held or never got its result.
   */
  add(entry: QueueEntry, isBusy: boolean): void {
    this.#change([...this.#entries, entry]);
    this.resume();
    if (!isBusy && !this.#isAsking()) this.#skipsWaiting = true;
  }

  /** Takes a message out. Nothing happens if it is not there. */
  remove(id: string): void {
    this.#change(this.#entries.filter(({ message }) => message.id !== id));
  }

  /** Puts a message first. `false` if it is not there. */
  putFirst(id: string): boolean {
    const entry = this.#entries.find(({ message }) => message.id === id);
    if (entry) this.#change([entry, ...this.#entries.filter((other) => other !== entry)]);
    return entry !== undefined;
  }

  /** Puts a message back that the gate refused, and waits for the user's next message. */
  putBack(entry: QueueEntry): void {
    this.#change([entry, ...this.#entries]);
    this.pause();
  }

  /** Drops all: the history they were written for is changed. */
  clear(): void {
    this.#change([]);
  }

  /** Nothing leaves until {@link resume}. */
  pause(): void {
    this.#isPaused = true;
  }

  /** Goes on. After a pause the assistant is not waited for. */
  resume(): void {
    this.#skipsWaiting ||= this.#isPaused && this.#entries.length > 0;
    this.#isPaused = false;
  }

  /** Whether the first message may be handed over, if no request is on its way. */
  isReady(): boolean {
    if (this.#entries.length === 0 || this.#isPaused || this.#projection.hasWaiting) return false;
    return this.#skipsWaiting || !this.#isUnsettled();
  }

  /** Takes the first message out, if it may be handed over. */
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
    this.#projection.showQueue(entries.map(({ message }) => message));
  }

  /** Whether a call of the last step waits for the user's answer or for a browser tool. */
  #isAsking(): boolean {
    return this.#lastStep().some(
      ({ state, providerExecuted }) =>
        state === 'approval-requested' ||
        (!providerExecuted && (state === 'input-streaming' || state === 'input-available')),
    );
  }

  /** Whether a call of the last step waits for anything. Nothing follows in a turn that is over or stalled. */
  #isUnsettled(): boolean {
    const { status } = this.#gate.getSnapshot().turn;
    if (status === 'done' || status === 'stalled') return false;
    return this.#isAsking() || this.#lastStep().some(({ state }) => state === 'approval-responded');
  }

  #lastStep(): ToolPart[] {
    const last = this.#gate.getSnapshot().messages.at(-1);
    if (last?.role !== 'assistant') return [];
    const start = last.parts.findLastIndex(({ type }) => type === 'step-start');
    return last.parts.slice(start + 1).filter(isToolPart);
  }
}
