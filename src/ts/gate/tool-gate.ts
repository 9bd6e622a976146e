/// <reference lib="esnext.disposable" preserve="true" />
/**
 * `ToolGate`: the public class.
 *
 * A method that changes something is a command (commands.ts), dispatched in the form in which another tab could take it; what
 * it does with the core is in handlers.ts. Every rule about approvals and deliveries is the core's.
 */
import { A_PROTOCOL, protocolOf } from '../protocols/shared/protocol-value.js';
import { Commands, type CommandName, type CommandTypes, type ReadName } from './commands.js';
import { deliverAll } from './deliver.js';
import { GateCore } from './gate-core.js';
import { handle } from './handlers.js';
import { assertInitialized } from '../wasm/init.js';
import { openPort } from './internals.js';
import { checkOptions } from '../types/option-checks.js';
import { RESTORE_OPTIONS } from './gate-options.js';
import { unwritable } from './refusals.js';
import { readTarget } from './responses.js';
import { checkUserMessage } from './user-message.js';
import type {
  ApprovalTarget,
  AuditEntry,
  Decision,
  DecisionForAll,
  GateEvent,
  GateView,
  Outgoing,
  PendingApproval,
  Protocol,
  RememberedDecision,
  RepairReport,
  ReplyTo,
  RestoreOptions,
  SavedGate,
  StreamEnd,
  ToolGateOptions,
  ToolOutput,
  Undelivered,
  UserMessage,
} from '../types/index.js';

/** What a gate lists that does not send: another tab does. */
const NOTHING: readonly never[] = Object.freeze([]);

/** One chat's approvals, decisions and history. */
export class ToolGate {
  /** `using gate = new ToolGate()` frees the gate at the end of its block. */
  declare readonly [Symbol.dispose]: () => void;
  readonly #inside: GateCore;

  static {
    // Vue makes no proxy of an object that has this, and private fields cannot be read through one: `ref(gate)` holds
    // the gate.
    Object.defineProperty(this.prototype, '__v_skip', { value: true });
    // Older browsers have no such symbol.
    if (typeof Symbol.dispose === 'symbol') {
      Object.defineProperty(this.prototype, Symbol.dispose, {
        value(this: ToolGate) {
          this.free();
        },
      });
    }
  }

  /**
   * Throws `not-initialized` before `init()`, and a `TypeError` for an option that does not exist or has a wrong
   * value.
   */
  constructor(options: ToolGateOptions = {}) {
    assertInitialized();
    const inside = new GateCore(options, { nextDeadline: () => this.nextDeadline(), tick: (now) => this.tick(now) });
    inside.commands = new Commands((command) => handle(inside, command));
    openPort(this, (this.#inside = inside));
  }

  /**
   * A gate that goes on where `toJSON()` was called. What was on its way then is `unconfirmed` now: it never leaves
   * again by itself. Throws `bad-snapshot` for a snapshot that was changed, or is of another version; and what the
   * constructor throws.
   */
  static restore(saved: SavedGate, options: RestoreOptions = {}): ToolGate {
    assertInitialized();
    checkOptions('ToolGate.restore', options, RESTORE_OPTIONS);
    const { incompleteTurn } = options;
    // An object over the app's own, which may have getters: all of it, but for what only this method takes.
    const gate = new ToolGate(Object.create(options, { incompleteTurn: { value: undefined } }) as ToolGateOptions);
    gate.#inside.adopt(saved, false);
    if (incompleteTurn === 'drop') gate.#inside.run((core) => core.drop_turn());
    return gate;
  }

  /** The gate's protocol: its name, and what it can express. */
  get protocol(): Protocol {
    return this.#inside.protocol;
  }

  /**
   * Takes one event of the protocol's stream. `about` says which request it answers; without it, the one in flight.
   * Never throws on content: what cannot be used becomes an `anomaly` event, and what is not known a `passthrough`
   * event. What is in the event is kept by reference. The input of a call is frozen in depth when the call is first
   * shown, so do not reuse that object.
   */
  receive(event: unknown, about?: ReplyTo): void {
    this.#do('receive', event, about);
  }

  /**
   * The stream ended: what waited for that may leave now. `about` says which request it answers; without it, the one in flight.
   * Only the first ending of a reply counts. Throws a `TypeError` for a status that does not exist.
   */
  streamEnded(how: StreamEnd, about?: ReplyTo): void {
    this.#do('streamEnded', how, about);
  }

  /**
   * The host begins to reconnect to a stream: decisions are accepted, and held until the first event of it,
   * `streamEnded`, or ten seconds. Its events say `about.reconnect`.
   */
  reconnecting(about?: ReplyTo): void {
    this.#do('reconnecting', about);
  }

  /**
   * Takes in a history that an app has kept, in place of the present one: the protocol's own messages, or
   * `UIMessage[]` (for the AI SDK `ModelMessage[]` too). It is not changed; every repair is reported. Nothing is sent
   * by loading. Throws a `TypeError` for anything but an array, and changes nothing then: the response of a server
   * that refused is not a history.
   */
  load(messages: readonly unknown[]): RepairReport {
    return this.#do('load', messages);
  }

  /**
   * Sends the user's message, or queues it behind what must reach the backend first. With `replace`, it takes the place
   * of that message and of all behind it. Throws `message-blocked` if the policy says so, `busy` for `replace` during a
   * request, and a `TypeError` for a message without content or with tool parts.
   */
  sendUserMessage(message: UserMessage, options?: { replace?: string }): 'sent' | 'queued' {
    checkUserMessage(message);
    return this.#do('sendUserMessage', this.#identified(message), options);
  }

  /**
   * Asks for the last answer, or the one at `messageId`, once more: it and all behind it are taken out, and their approvals
   * closed. Throws `busy` during a request, and `malformed-event` for a message that is not there.
   */
  regenerate(options?: { messageId?: string }): void {
    this.#do('regenerate', options);
  }

  /**
   * The user's decision about one approval: an entry of `pending()`, the part that was shown, or an approval's id. An
   * entry or a part binds the decision to its input; with an id, `inputDigest` does. The first decision counts: the same
   * again is `'duplicate'`, the opposite throws `already-decided`. Also throws `unknown-approval`, `superseded`,
   * `already-settled`, `stale-input`, `edit-unsupported`.
   */
  respond(target: ApprovalTarget, decision: Decision): 'accepted' | 'duplicate' {
    const { approvalId, inputDigest, shown } = readTarget(target, decision?.inputDigest);
    return this.#do('respond', approvalId, inputDigest === undefined ? decision : { ...decision, inputDigest }, shown);
  }

  /** Decides every pending approval, or those that `where` picks, all before anything is sent. Returns how many. */
  respondAll(decision: DecisionForAll): number {
    if (typeof decision !== 'object' || decision === null) return this.#do('respondAll', decision);
    const chosen = this.pending().filter(decision.where ?? (() => true));
    return this.#do('respondAll', { ...decision, where: chosen.map(({ approvalId }) => approvalId) });
  }

  /**
   * Withdraws without answering: undecided calls and undelivered approvals are cancelled, and the chat goes on. `reason` is what
   * the model reads about them, behind the text for cancelled calls. Calls that run on the server are left to it.
   */
  cancel(reason?: string): void {
    this.#do('cancel', reason);
  }

  /** Voids what was about to leave by itself, and holds decisions until `resume()` or the next message. */
  stop(): void {
    this.#do('stop');
  }

  /** Lets go what `stop()` or a bad ending held. */
  resume(): void {
    this.#do('resume');
  }

  /**
   * The result of a tool that ran in the browser. Throws `unknown-call`, `approval-pending`, and `already-settled` for a
   * call that has its result or was denied: a denial needs no output.
   */
  addToolOutput(toolCallId: string, result: ToolOutput): void {
    this.#do('addToolOutput', toolCallId, result);
  }

  /**
   * What may be sent now: the same list as before if nothing changed. Looking at it sends nothing. An item that
   * cannot be written in the protocol's form is not listed: it becomes `failed`, with an `anomaly` event
   * (`unserializable`).
   */
  outgoing(): readonly Outgoing[] {
    const { isCrashed, isSilent } = this.#inside;
    return isCrashed || isSilent ? NOTHING : this.#inside.run(() => this.#inside.outbox.outgoing());
  }

  /** Takes the item off the list: call it before bytes leave. `true` for one caller only; `false` for an item that is not on it. */
  claim(id: string): boolean {
    return this.#do('claim', id);
  }

  /** The backend has the item. Claims it too, if nobody did. Throws `unknown-outgoing`. */
  markSent(id: string): void {
    this.#do('markSent', id);
  }

  /** The item could not be sent; `error` says why, for the UI. It is listed again only after `retry`. Throws `unknown-outgoing`. */
  markFailed(id: string, error: string): void {
    this.#do('markFailed', id, error);
  }

  /** Sends an item of `undelivered()` again: same key, equal body, `attempt + 1`. Throws `unknown-outgoing`, `busy`. */
  retry(id: string): void {
    this.#do('retry', id);
  }

  /** Items that need the user, oldest first: failed, unconfirmed and stalled ones. The same list as in the view. */
  undelivered(): readonly Undelivered[] {
    return this.getSnapshot().undelivered;
  }

  /**
   * Sends all that may be sent now: claims each item, calls `send`, and marks it sent or failed by what becomes of
   * its promise. Resolves when nothing is left to send and no `rewriteResult` is pending, and when the gate is freed.
   * Never rejects because of `send`.
   */
  deliver(send: (item: Outgoing) => Promise<void>): Promise<void> {
    const inside = this.#inside;
    return deliverAll(this, send, {
      isWriting: () => inside.peek((core) => core.is_writing()) ?? false,
      isOver: () => inside.isCrashed,
      claimed: () => inside.outbox.claimed,
    });
  }

  /**
   * The complete history, every call once, with one result or one response: as the AI SDK's `ModelMessage[]`, or as
   * the protocol has it. Default: the gate's own. Throws a `TypeError` for what is not a protocol, and
   * `unserializable` for a history that the protocol cannot express.
   */
  assemble(protocol: 'ai-sdk' | Protocol = this.protocol): unknown[] {
    const known = protocolOf(protocol);
    if (!known) throw new TypeError(`assemble: not a protocol. Expected ${A_PROTOCOL}`);
    return this.#inside.run(() => {
      const model = this.#inside.projection.modelMessages();
      try {
        return this.#inside.translatorOf(known)?.assemble(model) ?? model;
      } catch (cause) {
        throw unwritable(`the history cannot be written for "${known.name}"`, cause);
      }
    });
  }

  /**
   * Sets the time, in ms since 1970: approvals whose deadline has come expire, and so do remembered decisions. The gate
   * calls it itself while somebody listens (`subscribe`, `onEvent`). A time that is not the present one stays the gate's time until the
   * next `tick`, unless the option `now` is its clock.
   */
  tick(nowMs: number): void {
    this.#do('tick', nowMs);
  }

  /** When `tick` has something to do next, in ms since 1970; null while nothing expires. */
  nextDeadline(): number | null {
    const { isFollowing } = this.#inside;
    return isFollowing ? null : this.#inside.peek((core) => core.next_deadline()) || null;
  }

  /** The approvals that can be answered now, in call order: the same list as in the view. */
  pending(): readonly PendingApproval[] {
    return this.getSnapshot().pending;
  }

  /** What to show. The same object as long as nothing changed, and unchanged messages and parts stay `===`. */
  getSnapshot(): GateView {
    return this.#inside.view();
  }

  /** Calls `listener` after every change. Returns an unsubscribe function. */
  subscribe(listener: () => void): () => void {
    return this.#inside.listeners.onChange(listener);
  }

  /**
   * Calls `listener` with every event, as it happens. What it throws is reported as an uncaught error. Returns an
   * unsubscribe function.
   */
  onEvent(listener: (event: GateEvent) => void): () => void {
    return this.#inside.listeners.onEvent(listener);
  }

  /**
   * Decisions that answer later calls too, oldest first: the same list as in the view. Those that expired by the gate's
   * clock are removed first.
   */
  remembered(): readonly RememberedDecision[] {
    const now = this.#inside.env.now();
    const isOver = ({ expiresAt }: RememberedDecision): boolean => expiresAt !== undefined && expiresAt <= now;
    if (this.getSnapshot().remembered.some(isOver)) this.tick(now);
    return this.getSnapshot().remembered;
  }

  /** Removes a remembered decision. Unknown ids are ignored. */
  forget(id: string): void {
    this.#do('forget', id);
  }

  /** The record of what happened: oldest first, at most `logLimit` entries. */
  auditLog(): readonly AuditEntry[] {
    return this.#inside.log.entries();
  }

  /** Everything the gate knows, as plain JSON. Throws `unserializable`, naming the path, for what JSON cannot hold. */
  toJSON(): SavedGate {
    return this.#inside.save();
  }

  /**
   * Ends the gate: subscribers are notified (status `crashed`), its timer ends, `deliver` in progress resolves, and
   * its memory is given back at once. Afterwards every act throws `crashed`; views that were taken stay as they are.
   * Again it does nothing. A gate that nobody refers to any more needs no `free`.
   */
  free(): void {
    this.#do('free');
  }

  #do<N extends CommandName>(name: N, ...args: Parameters<CommandTypes[N]>): ReturnType<CommandTypes[N]> {
    return this.#inside.commands.dispatch({ name, args });
  }

  /** The message with an id: it must be the same in each tab. */
  #identified(message: UserMessage): UserMessage {
    if (typeof message !== 'object' || message === null) return message;
    const { id } = message as { id?: unknown };
    return typeof id === 'string' ? message : { ...message, id: this.#inside.env.freshId() };
  }
}

// Each method is a command, or changes nothing: a new one that is neither in commands.ts is an error here, by its name.
({}) satisfies Record<Exclude<keyof ToolGate, CommandName | ReadName | symbol>, never>;
