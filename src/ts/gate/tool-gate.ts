/// <reference lib="esnext.disposable" preserve="true" />
/**
 * `ToolGate`: the public class.
 *
 * A method that changes the gate dispatches a command (commands.ts) that another tab could execute too.
 * command-handlers.ts calls the core for each. The core has every rule about approvals and deliveries.
 */
import { aProtocol, protocolOf } from '../protocols/shared/protocol-value.js';
import { Commands, type CommandName, type CommandTypes, type ReadName } from './commands.js';
import { deliverAll } from './delivery/deliver.js';
import { GateCore } from './gate-core.js';
import { handle } from './handlers/command-handlers.js';
import { assertInitialized } from '../wasm/init.js';
import { registerInternals } from './internals.js';
import { checkOptions } from '../types/option-checks.js';
import { RESTORE_OPTIONS } from './gate-options.js';
import { unwritable } from './error-messages.js';
import { approvalIdOf, readTarget } from './handlers/decisions.js';
import { checkUserMessage } from './handlers/user-message.js';
import type {
  ApprovalTarget,
  AuditEntry,
  CancelOnly,
  Decision,
  DecisionForAll,
  GateEvent,
  GateMessage,
  GateView,
  Outgoing,
  PendingApproval,
  Protocol,
  RememberedDecision,
  RepairReport,
  ReplyTo,
  InputOfTarget,
  RestoreOptions,
  SavedGate,
  StreamEnd,
  ToolGateOptions,
  ToolOutput,
  ToolPart,
  TypesOf,
  AnyTools,
  Undelivered,
  UserMessage,
} from '../types/index.js';
import { randomId } from '../json/random-id.js';
import { say } from '../types/say.js';

/** A key for a request for another reply: in a new page the history can be the same, and the reply must not be. */
const newKey = (): { readonly key: string } => ({ key: `tg_${randomId()}` });

/** The approvals, decisions and history of one chat. `P`: the protocol, which types events, requests and messages. */
export class ToolGate<P extends Protocol = Protocol> {
  /** Calls `free()` at the end of the block of `using gate = new ToolGate()`. */
  declare readonly [Symbol.dispose]: () => void;
  readonly #gateCore: GateCore;

  static {
    // Prevents Vue from wrapping the gate in a proxy, through which private fields cannot be read.
    Object.defineProperty(this.prototype, '__v_skip', { value: true });
    // Older browsers lack `Symbol.dispose`.
    if (typeof Symbol.dispose === 'symbol') {
      Object.defineProperty(this.prototype, Symbol.dispose, {
        value(this: ToolGate) {
          this.free();
        },
      });
    }
  }

  /**
   * Throws `not-initialized` before `await init()`, and a `TypeError` for an unknown option or an invalid value.
   */
  constructor(options: ToolGateOptions<P> = {}) {
    assertInitialized();
    const gateCore = new GateCore(options, { nextDeadline: () => this.nextDeadline(), tick: (now) => this.tick(now) });
    gateCore.commands = new Commands((command) => handle(gateCore, command));
    registerInternals(this, (this.#gateCore = gateCore));
  }

  /**
   * Returns a gate with the state that `toJSON()` saved. An item that was in flight then is `unconfirmed` now, and is
   * never sent again automatically. Throws `bad-snapshot` for a snapshot that is damaged or has another version, and
   * the same errors as the constructor.
   */
  static restore<P extends Protocol = Protocol>(saved: SavedGate, options: RestoreOptions<P> = {}): ToolGate<P> {
    assertInitialized();
    checkOptions('ToolGate.restore', options, RESTORE_OPTIONS);
    const { incompleteTurn } = options;
    // Inherits from the app's options, which may have getters, and hides the option that only this method accepts.
    const gate = new ToolGate(Object.create(options, { incompleteTurn: { value: undefined } }) as ToolGateOptions<P>);
    gate.#dispatch('adopt', saved, false);
    if (incompleteTurn === 'drop') gate.#gateCore.run((core) => core.drop_turn());
    return gate;
  }

  /** The gate's protocol, with its name and capabilities. */
  get protocol(): P {
    return this.#gateCore.protocol as P;
  }

  /**
   * Handles one event of the protocol's stream. `about` names the request that it replies to (default: the one in
   * flight). Never throws because of the event: an invalid event becomes an `anomaly` event, and an unknown one becomes
   * a `passthrough` event. Values in the event are stored by reference. The input of a call is deeply frozen when the
   * call is first shown, so do not reuse that object.
   */
  receive(event: TypesOf<P>['event'], about?: ReplyTo): void {
    this.#dispatch('receive', event, about);
  }

  /**
   * Ends a reply's stream, so that requests that waited for this can be sent. `about` names the request that it
   * replies to (default: the one in flight). Only the first end of a reply counts. Throws a `TypeError` for an unknown
   * status.
   */
  streamEnded(how: StreamEnd, about?: ReplyTo): void {
    this.#dispatch('streamEnded', how, about);
  }

  /**
   * Announces that the host reconnects to a stream. Decisions are accepted, but held until the stream's first event,
   * until `streamEnded`, or for ten seconds. Pass the stream's events with `about.reconnect`.
   */
  reconnecting(about?: ReplyTo): void {
    this.#dispatch('reconnecting', about);
  }

  /**
   * Replaces the history with one that the app stored: the protocol's own messages or `UIMessage[]` (for the AI SDK
   * also `ModelMessage[]`). The argument is not mutated. Returns all repairs. Loading sends nothing. Throws a
   * `TypeError` for a value that is not an array, such as the error response of a server, and changes nothing then.
   */
  load(messages: readonly TypesOf<P>['message'][] | readonly GateMessage[]): RepairReport {
    return this.#dispatch('load', messages);
  }

  /**
   * Sends the user's message, or queues it if other items must reach the backend first. With `replace`, it replaces the
   * message with that id and all messages after it. Throws `message-blocked` if `onUserMessage` is `'block'` and
   * approvals are pending, `busy` for `replace` during a request, `malformed-event` if no message has the id `replace`,
   * and a `TypeError` for a message without content, with tool parts, or with the id of another message.
   */
  sendUserMessage(message: UserMessage, options?: { replace?: string }): 'sent' | 'queued' {
    checkUserMessage(message);
    const { replace } = options ?? {};
    return this.#dispatch(
      'sendUserMessage',
      this.#withId(message),
      replace === undefined ? options : { replace, ...newKey() },
    );
  }

  /**
   * Requests the last assistant message again, or the one with the id `messageId`; for the id of a user message, the
   * reply to it. Removes the old reply and all messages after it; their approvals are superseded. Throws `busy` during
   * a request, and `malformed-event` for an unknown message id.
   */
  regenerate(options?: { messageId?: string | undefined }): void {
    this.#dispatch('regenerate', { ...options, ...newKey() });
  }

  /**
   * Decides one approval. `target` is an entry of `pending()`, the tool part that was shown, or an approval id. An
   * entry or a part binds the decision to what it shows; for an id, pass `inputDigest` and `shownRevision`. Only the
   * first decision counts: the same decision again returns `'duplicate'`, the opposite one throws `already-decided`.
   * Also throws `unknown-approval`, `superseded`, `already-settled`, `stale-input`, `stale-shown`, `edit-unsupported`,
   * and `choice-required` for an approval without the choice that its request requires.
   */
  respond<TARGET extends ApprovalTarget>(
    target: TARGET,
    decision: Decision<InputOfTarget<TARGET>>,
  ): 'accepted' | 'duplicate' {
    const { approvalId, inputDigest, shown } = readTarget(target, decision?.inputDigest);
    const shownRevision = decision?.shownRevision ?? this.#gateCore.outdatedRevision(target);
    const isBound = inputDigest !== undefined || shownRevision !== undefined;
    const bindings = { ...(inputDigest !== undefined && { inputDigest }), ...(shownRevision && { shownRevision }) };
    return this.#dispatch('respond', approvalId, isBound ? { ...decision, ...bindings } : decision, shown);
  }

  /**
   * Decides all pending approvals, or those that `where` selects, before anything is sent. Returns their number. An
   * approval leaves out requests that require a choice for each call, such as questions.
   */
  respondAll<T extends AnyTools = AnyTools>(decision: DecisionForAll<T>): number {
    if (typeof decision !== 'object' || decision === null) return this.#dispatch('respondAll', decision);
    const chosen = this.pending<T>().filter(decision.where ?? (() => true));
    return this.#dispatch('respondAll', { ...decision, where: chosen.map(({ approvalId }) => approvalId) });
  }

  /**
   * Gives the user more time for an approval that the option `approvalTimeoutMs` lets expire: until `expiresAt`, in ms
   * since 1970. Returns whether that changed something: `false` if the approval is decided, expires later already or
   * never, or if the backend set its deadline (`extendable` of the entry in `pending()` is `false`). Throws
   * `unknown-approval`, `superseded`, and a `TypeError` for a value that is not a time.
   */
  extend(target: ApprovalTarget, expiresAt: number): boolean {
    return this.#dispatch('extend', approvalIdOf(target, 'extend'), expiresAt);
  }

  /**
   * Cancels undecided calls and undelivered approvals without deciding them, so that the chat can continue. The model
   * reads `reason` after the text for cancelled calls. Calls that run on the server are not affected. `only` limits it
   * to one approval that is held, or to one item of `undelivered()`.
   */
  cancel(reason?: string, only?: CancelOnly): void {
    this.#dispatch('cancel', reason, only);
  }

  /**
   * Cancels automatic requests that have not started. Holds unsent decisions until `resume()`, the next decision or
   * tool result, `retry` or the next message.
   */
  stop(): void {
    this.#dispatch('stop');
  }

  /**
   * Releases decisions held by `stop()` or by a stream that ended badly. With a model's own API, also continues a reply
   * that reached a step limit or paused.
   */
  resume(): void {
    this.#dispatch('resume');
  }

  /**
   * Adds the result of a tool that ran in the browser. Throws `unknown-call`, `approval-pending`, `busy` while the
   * call's input or streamed output is still arriving, and `already-settled` for a call that has a result or was
   * denied: a denied call needs no output. Throws `unserializable`, with the path, for an output that JSON cannot
   * express (a cycle, a BigInt), and a `TypeError` for invalid `content`; report the error to the model as `errorText`.
   */
  addToolOutput(toolCallId: string, result: ToolOutput): void {
    this.#dispatch('addToolOutput', toolCallId, result);
  }

  /**
   * Returns the items that may be sent now; the same list as before if nothing changed. Sends nothing. An item that the
   * protocol cannot express is not listed: it becomes `failed`, with an `anomaly` event (`unserializable`).
   */
  outgoing(): readonly Outgoing<TypesOf<P>['body']>[] {
    return this.#gateCore.sendable((outbox) => outbox.outgoing());
  }

  /**
   * Removes an item from `outgoing()`. Call it before you send the item. Returns `true` to one caller only, and `false`
   * for an item that is not listed.
   */
  claim(id: string): boolean {
    return this.#dispatch('claim', id);
  }

  /**
   * Reports that the backend received the item. Also claims it if that has not been done. Throws `unknown-outgoing`.
   */
  markSent(id: string): void {
    this.#dispatch('markSent', id);
  }

  /**
   * Reports that the item could not be sent. `error` is the reason, for the UI. The item is listed again only after
   * `retry`. Throws `unknown-outgoing`.
   */
  markFailed(id: string, error: string): void {
    this.#dispatch('markFailed', id, error);
  }

  /**
   * Sends an item of `undelivered()` again, with the same key, an equal body and `attempt + 1`. Throws
   * `unknown-outgoing`, `busy`, `repeat-unsafe`, and `approval-pending` if the backend has requested approval of one of
   * its calls again.
   */
  retry(id: string): void {
    this.#dispatch('retry', id);
  }

  /** Returns the failed, unconfirmed and stalled items, oldest first: the same list as in the view. */
  undelivered(): readonly Undelivered[] {
    return this.getSnapshot().undelivered;
  }

  /**
   * Sends all items that may be sent now: claims each one, calls `send`, and marks the item sent if the promise
   * resolves, or failed if it rejects. Resolves when nothing is left to send and no `rewriteResult` is pending, or when
   * the gate is freed. Never rejects because `send` failed.
   */
  deliver(send: (item: Outgoing<TypesOf<P>['body']>) => Promise<void>): Promise<void> {
    const gateCore = this.#gateCore;
    return deliverAll(this, send, {
      ready: () => gateCore.sendable((outbox) => outbox.readyIds()),
      isRewriting: () => gateCore.peek((core) => core.is_writing()) ?? false,
      isOver: () => gateCore.isCrashed,
      claimed: () => gateCore.outbox.claimed,
    });
  }

  /**
   * Returns the complete history, in which each call occurs once, with one result or one response. The format is the
   * AI SDK's `ModelMessage[]` or that of the `protocol` (default: the gate's). Throws a `TypeError` for a value that is
   * not a protocol, and `unserializable` for a history that the protocol cannot express.
   */
  assemble<Q extends 'ai-sdk' | Protocol = P>(protocol: Q = this.protocol as unknown as Q): TypesOf<Q>['message'][] {
    const known = protocolOf(protocol);
    if (!known) throw new TypeError(say`assemble: not a protocol. Expected ${aProtocol()}.`);
    return this.#gateCore.run(() => {
      const { projection } = this.#gateCore;
      const translator = this.#gateCore.translatorOf(known);
      try {
        return translator ? translator.assemble(projection.entries()) : projection.modelMessages();
      } catch (cause) {
        throw unwritable(say`The history cannot be written for "${known.name}"`, cause);
      }
    });
  }

  /**
   * Sets the gate's time, in ms since 1970. Approvals and remembered decisions whose deadline has passed expire. The
   * gate calls it automatically while it has listeners (`subscribe`, `onEvent`). A time that differs from the system's
   * by a second or more stays the gate's time until the next `tick`, unless the option `now` is set.
   */
  tick(nowMs: number): void {
    this.#dispatch('tick', nowMs);
  }

  /** Returns when the next approval or remembered decision expires, in ms since 1970; null for never. */
  nextDeadline(): number | null {
    const { isFollowing } = this.#gateCore;
    return isFollowing ? null : this.#gateCore.peek((core) => core.next_deadline()) || null;
  }

  /**
   * Returns the approvals that can be decided now, in call order: the same list as in the view. `T`: the app's tools or
   * message type, which nothing checks. The same applies to the type parameters of the methods below.
   */
  pending<T extends AnyTools = AnyTools>(): readonly PendingApproval<T>[] {
    return this.getSnapshot<T>().pending;
  }

  /** Returns the view. It is the same object until something changes; unchanged messages and parts stay `===`. */
  getSnapshot<T extends AnyTools = AnyTools>(): GateView<T> {
    return this.#gateCore.view() as GateView as GateView<T>;
  }

  /** Returns the part of the newest call with this id, as the view shows it; undefined if there is none. */
  part<T extends AnyTools = AnyTools>(toolCallId: string): ToolPart<T> | undefined {
    return this.#gateCore.part(toolCallId) as ToolPart<T> | undefined;
  }

  /**
   * Returns the approval of a call: its entry in `pending()`; undefined if it cannot be decided now. `call` is the
   * call's id, or its tool part. If several calls have the same id, the id means the newest one; a part always means
   * its own call.
   */
  approval<T extends AnyTools = AnyTools>(call: string | ToolPart): PendingApproval<T> | undefined {
    const entry = this.#gateCore.approval(call) as PendingApproval<T> | undefined;
    const approvalId = typeof call === 'string' ? entry?.approvalId : call.approval?.id;
    if (approvalId === undefined || entry?.approvalId === approvalId) return entry;
    return this.pending<T>().find((other) => other.approvalId === approvalId);
  }

  /**
   * Calls `listener` after every change; with `toolCallId`, only after changes of the calls with that id, which `part`
   * and `approval` read. Returns an unsubscribe function.
   */
  subscribe(listener: () => void, toolCallId?: string): () => void {
    const { listeners } = this.#gateCore;
    return toolCallId === undefined ? listeners.onChange(listener) : listeners.onCall(toolCallId, listener);
  }

  /**
   * Calls `listener` with every event. An error that it throws is reported as an uncaught error. Returns an unsubscribe
   * function.
   */
  onEvent<T extends AnyTools = AnyTools>(listener: (event: GateEvent<T>) => void): () => void {
    return this.#gateCore.listeners.onEvent(listener as (event: GateEvent) => void);
  }

  /**
   * Returns the decisions that apply to later calls too, oldest first: the same list as in the view. Removes those that
   * have expired by the gate's clock.
   */
  remembered(): readonly RememberedDecision[] {
    const now = this.#gateCore.env.now();
    const isExpired = ({ expiresAt }: RememberedDecision): boolean => expiresAt !== undefined && expiresAt <= now;
    if (this.getSnapshot().remembered.some(isExpired)) this.tick(now);
    return this.getSnapshot().remembered;
  }

  /** Removes a remembered decision. Unknown ids are ignored. */
  forget(id: string): void {
    this.#dispatch('forget', id);
  }

  /** Returns the audit log: at most `logLimit` entries, oldest first. */
  auditLog(): readonly AuditEntry[] {
    return this.#gateCore.log.entries();
  }

  /** Returns the state as plain JSON. Throws `unserializable`, with the path, for a value that JSON cannot express. */
  toJSON(): SavedGate {
    return this.#gateCore.saving.snapshot();
  }

  /**
   * Ends the gate: notifies subscribers (status `crashed`), stops its timer, resolves a `deliver` in progress, and
   * releases its memory. Afterwards every command throws `crashed`; earlier views stay readable. A second call does
   * nothing. A gate without references is garbage-collected and needs no `free`.
   */
  free(): void {
    this.#dispatch('free');
  }

  #dispatch<N extends CommandName>(name: N, ...args: Parameters<CommandTypes[N]>): ReturnType<CommandTypes[N]> {
    return this.#gateCore.commands.dispatch({ name, args });
  }

  /** Adds an id to a message without one: the id must be the same in every tab. */
  #withId(message: UserMessage): UserMessage {
    if (typeof message !== 'object' || message === null) return message;
    const { id } = message as { id?: unknown };
    return typeof id === 'string' ? message : { ...message, id: this.#gateCore.env.freshId() };
  }
}

// Compile-time check: each method is a command or a read in commands.ts. A new method that is neither is an error here.
({}) satisfies Record<Exclude<keyof ToolGate, CommandName | ReadName | symbol>, never>;
