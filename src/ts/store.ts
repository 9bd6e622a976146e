/**
 * `ToolGate`: the public class.
 *
 * Each method checks what it was called with, gives it to the core in the core's numbers (gate-core.ts), and says the
 * answer in the package's words. Every rule about approvals and deliveries is the core's.
 */
import { codecOf } from './codecs/registry.js';
import { deliverAll } from './deliver.js';
import { digestOf } from './digest.js';
import { ToolGateError } from './errors.js';
import { GateCore } from './gate-core.js';
import { assertInitialized } from './init.js';
import { openPort } from './keeping.js';
import { listMemories } from './memories.js';
import { numberIn, REMEMBERED } from './numbered-ids.js';
import { toRepair } from './refusals.js';
import { checkResponse, toRemember } from './responses.js';
import { endStream, receive } from './streams.js';
import type {
  About,
  AuditEntry,
  GateEvent,
  GateView,
  Outgoing,
  PendingApproval,
  Protocol,
  RememberedDecision,
  RepairReport,
  ResponseInput,
  ResponseToAll,
  Snapshot,
  StreamEnd,
  ToolGateOptions,
  ToolOutput,
  Undelivered,
  UserMessage,
} from './types.js';

/** One chat's approvals, decisions and history. */
export class ToolGate {
  readonly #inside: GateCore;

  /** Throws `not-initialized` before `init()`, and a `TypeError` for an option that does not exist. */
  constructor(options: ToolGateOptions = {}) {
    assertInitialized();
    openPort(this, (this.#inside = new GateCore(options)));
  }

  /**
   * A gate that goes on where `toJSON()` was called. What was on its way then is `unconfirmed` now: it never leaves again
   * by itself. Reads the snapshots of earlier versions too. Throws `bad-snapshot` for a damaged snapshot or one of a
   * later version.
   */
  static restore(snapshot: Snapshot, options: ToolGateOptions = {}): ToolGate {
    const gate = new ToolGate(options);
    gate.#inside.adopt(snapshot, 0);
    if (options.incompleteTurn === 'drop') gate.#inside.run((core) => core.drop_turn());
    return gate;
  }

  /**
   * Takes one event of the protocol's stream. `about` says which request it answers; without it, the one in flight. Never throws
   * on content: what cannot be used becomes an `anomaly` event, and what is not known a `passthrough` event.
   */
  receive(event: unknown, about?: About): void {
    receive(this.#inside, event, about);
  }

  /**
   * The stream ended: what waited for that may leave now. `about` says which request it answers; without it, the one in flight.
   * Only the first ending of a reply counts. Throws a `TypeError` for a status that does not exist.
   */
  streamEnded(how: StreamEnd, about?: About): void {
    endStream(this.#inside, how, about);
  }

  /**
   * Takes in a history that an app has kept, in place of the present one: the protocol's own messages, or `UIMessage[]`
   * (for the AI SDK `ModelMessage[]` too). It is not changed; what had to be mended is reported. Nothing leaves by loading.
   */
  load(messages: readonly unknown[]): RepairReport {
    const { history, repairs: read } = this.#inside.translator?.load(messages) ?? { history: messages, repairs: [] };
    return this.#inside.runNow((core, host) => {
      const repairs = host.take(core.load(host.give(history))) as Parameters<typeof toRepair>[0][];
      this.#inside.projection.clear();
      this.#inside.outbox.note();
      return { repairs: [...read, ...repairs.map(toRepair)] };
    });
  }

  /**
   * Sends the user's message, or queues it behind what must reach the backend first. With `replace`, it takes the place
   * of that message and of all behind it. Throws `message-blocked` if the policy says so, `busy` for `replace` during a
   * request.
   */
  sendUserMessage(message: UserMessage, options?: { replace?: string }): 'sent' | 'queued' {
    if (typeof message !== 'object' || message === null) {
      throw new TypeError('sendUserMessage: a message is { text } or an AI SDK user message');
    }
    const given = (message as { id?: unknown }).id;
    const id = typeof given === 'string' ? given : this.#inside.env.freshId();
    const isSent = this.#inside.ask((core, host) => {
      const replace = host.idOrNone(options?.replace);
      return core.send_user_message(host.give(message), host.idOf(id), replace);
    });
    return isSent ? 'sent' : 'queued';
  }

  /**
   * Asks for the last answer, or the one at `messageId`, once more: it and all behind it are taken out, and their approvals
   * closed. Throws `busy` during a request, and `malformed-event` for a message that is not there.
   */
  regenerate(options?: { messageId?: string }): void {
    this.#inside.ask((core, host) => core.regenerate(host.idOrNone(options?.messageId)));
  }

  /**
   * The user's answer to one approval. The first one counts: the same again is `'duplicate'`, the opposite throws
   * `already-decided`. Also throws `unknown-approval`, `superseded`, `already-settled`, `stale-input`, `edit-unsupported`.
   */
  respond(approvalId: string, response: ResponseInput): 'accepted' | 'duplicate' {
    const { approved, reason, inputDigest } = checkResponse(response);
    const remember = toRemember(response.remember);
    if (response.input !== undefined && !this.takesEdit(approvalId)) {
      throw new ToolGateError('edit-unsupported', 'the backend takes no edited input here: deny with a reason that says what to change', {
        approvalId,
      });
    }
    const isAccepted = this.#inside.ask((core, host) => {
      const id = host.idOf(approvalId);
      const asShown = inputDigest === undefined || inputDigest === digestOf(host.take(core.approval_input(id)));
      core.set_now(this.#inside.env.now());
      const answer = core.respond(id, approved, host.give(reason), asShown, host.give(response.input));
      if (remember && answer === 1) core.remember(id, remember.scope === 'input', remember.for === 'always', remember.expiresAt ?? 0);
      return answer;
    });
    return isAccepted ? 'accepted' : 'duplicate';
  }

  /** Whether an answer to this approval can carry another `input`. Some protocols have a place for one, some only in some requests. */
  takesEdit(approvalId: string): boolean {
    return this.#inside.translator?.takesEdit(approvalId) ?? false;
  }

  /** Answers every pending approval, or those that `where` picks, all before anything leaves. Returns how many. */
  respondAll(response: ResponseToAll): number {
    const { approved, reason } = checkResponse(response);
    const chosen = this.pending().filter(response.where ?? (() => true));
    const ids = chosen.map((entry) => entry.approvalId);
    return this.#inside.run((core, host) => core.respond_all(host.give(ids), approved, host.give(reason)));
  }

  /**
   * Withdraws without answering: undecided calls and undelivered approvals are cancelled, and the chat goes on. `reason` is what
   * the model reads about them, behind the text for cancelled calls. Calls that run on the server are left to it.
   */
  cancel(reason?: string): void {
    this.#inside.run((core, host) => core.cancel(host.give(reason)));
  }

  /** Voids what was about to leave by itself, and holds decisions until `resume()` or the next message. */
  stop(): void {
    this.#inside.run((core) => core.stop());
    this.#inside.listeners.emit({ type: 'stopped' });
  }

  /** Lets go what `stop()` or a bad ending held. */
  resume(): void {
    this.#inside.run((core) => core.resume());
  }

  /**
   * The result of a tool that ran in the browser. Throws `unknown-call`, `approval-pending`, and `already-settled` for a
   * call that has its result or was denied: a denial needs no output.
   */
  addToolOutput(toolCallId: string, result: ToolOutput): void {
    const failed = 'errorText' in result;
    const value = failed ? result.errorText : result.output;
    this.#inside.ask((core, host) => core.add_output(host.idOf(toolCallId), host.give(value), failed));
  }

  /** What may be sent now. Changes nothing; the same list as before if nothing changed. */
  outgoing(): readonly Outgoing[] {
    return this.#inside.isCrashed ? [] : this.#inside.run(() => this.#inside.outbox.outgoing());
  }

  /** Takes the item off the list: call it before bytes leave. `true` for one caller only; `false` for an item that is not on it. */
  claim(id: string): boolean {
    return !this.#inside.isCrashed && this.#inside.run(() => this.#inside.outbox.claim(id));
  }

  /** The backend has the item. Claims it too, if nobody did. Throws `unknown-outgoing`. */
  markSent(id: string): void {
    this.#inside.ask((core) => core.mark_sent(this.#inside.outbox.take(id)));
  }

  /** The item could not be sent; `error` says why, for the UI. It is listed again only after `retry`. Throws `unknown-outgoing`. */
  markFailed(id: string, error: string): void {
    this.#inside.ask((core, host) => core.mark_failed(this.#inside.outbox.take(id), host.give(String(error))));
  }

  /** Sends an item of `undelivered()` again: same key, equal body, `attempt + 1`. Throws `unknown-outgoing`, `busy`. */
  retry(id: string): void {
    this.#inside.ask((core) => core.retry(this.#inside.outbox.number(id)));
  }

  /** Items that need the user, oldest first: failed, unconfirmed and stalled ones. */
  undelivered(): readonly Undelivered[] {
    return this.#inside.run(() => this.#inside.outbox.undelivered());
  }

  /**
   * Sends all that may be sent now: claims each item, calls `send`, and marks it sent or failed by what becomes of its
   * promise. Resolves when nothing is left to send, nor waits for `rewriteResult`; rejects never because of `send`.
   */
  deliver(send: (item: Outgoing) => Promise<void>): Promise<void> {
    return deliverAll(this, send, () => this.#inside.peek((core) => core.is_writing()) ?? false, () => this.#inside.outbox.claimed);
  }

  /**
   * The complete history, every call once, with one result or one response: as the AI SDK's `ModelMessage[]`, or as the
   * protocol has it. Default: the gate's own. Throws a `TypeError` for an unknown protocol.
   */
  assemble(protocol?: Protocol): unknown[] {
    codecOf(protocol);
    return this.#inside.run(() => {
      const model = this.#inside.projection.modelMessages();
      return this.#inside.translator?.assemble(model, protocol) ?? model;
    });
  }

  /**
   * Tells the time, in ms since 1970: approvals whose deadline has come expire. `runClock` calls it when it is due. A time
   * that is not the present one stays the gate's time until the next `tick`, unless the option `now` is its clock.
   */
  tick(nowMs: number): void {
    if (!Number.isFinite(nowMs)) throw new TypeError('tick: a time is a number of ms since 1970');
    this.#inside.env.setTime(nowMs);
    this.#inside.run((core) => core.tick(nowMs));
  }

  /** When `tick` has to be called next, in ms since 1970; null while nothing expires. */
  nextDeadline(): number | null {
    return this.#inside.peek((core) => core.next_deadline()) || null;
  }

  /** The approvals that can be answered now, in call order: the same list as in the view. */
  pending(): readonly PendingApproval[] {
    return this.getSnapshot().pending;
  }

  /** What to show. The same object as long as nothing changed, and unchanged messages and parts stay `===`. */
  getSnapshot(): GateView {
    return this.#inside.view();
  }

  /** Calls `listener` after every change. Returns the function that ends it. */
  subscribe(listener: () => void): () => void {
    return this.#inside.listeners.onChange(listener);
  }

  /** Calls `listener` with every event, as it happens. What it throws is reported as an uncaught error. Returns the function that ends it. */
  onEvent(listener: (event: GateEvent) => void): () => void {
    return this.#inside.listeners.onEvent(listener);
  }

  /** Decisions that answer later calls too, oldest first. Those whose time is over are not among them. */
  remembered(): readonly RememberedDecision[] {
    return this.#inside.runNow(listMemories);
  }

  /** Ends a remembered decision. Unknown ids are no error: it is over either way. */
  forget(id: string): void {
    const number = numberIn(REMEMBERED, id);
    if (number !== undefined) this.#inside.run((core) => core.forget(number));
  }

  /** The record of what happened: oldest first, at most `logLimit` entries. */
  auditLog(): readonly AuditEntry[] {
    return this.#inside.log.entries();
  }

  /** Everything the gate knows, as plain JSON. Throws `unserializable`, naming the path, for what JSON cannot hold. */
  toJSON(): Snapshot {
    return this.#inside.save();
  }

  /** Frees the gate's memory at once; without it, the garbage collector does. Afterwards every act throws `crashed`. */
  free(): void {
    this.#inside.free();
  }
}
