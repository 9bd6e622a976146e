/**
 * `ToolGate`: the public class, over the core.
 *
 * It turns the core's refusals into `ToolGateError`s, tells listeners what changed, and fails closed: if the core ever
 * fails, the gate is `crashed`, shows what it last showed, and sends nothing more. Every rule about approvals and
 * deliveries is the core's.
 */
import { Core, names } from '../../target/bindgen/toolgate.js';
import { AuditLog } from './audit-log.js';
import { codecOf, translatorFor } from './codecs/registry.js';
import type { Translator } from './codecs/translator.js';
import { deliverAll } from './deliver.js';
import { digest, digestOf } from './digest.js';
import { ToolGateError } from './errors.js';
import { toGateEvent, type CoreEvent } from './gate-events.js';
import { Host, setNames } from './host.js';
import { assertInitialized } from './init.js';
import { isFollowing, openPort } from './keeping.js';
import { guarded, Listeners } from './listeners.js';
import { listMemories, memoryNumber, takeOver } from './memories.js';
import { checkOptions, ON_DENY, ON_USER_MESSAGE, randomId } from './options.js';
import { Outbox } from './outbox.js';
import { toError, toRepair, type CoreRefusal } from './refusals.js';
import { checkResponse, toRemember } from './responses.js';
import { rewritten } from './rewriting.js';
import { capture, revive } from './snapshot.js';
import { textList } from './texts.js';
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
  ToolResultEvent,
  Undelivered,
  UserMessage,
} from './types.js';
import { crashedView, Projection } from './view.js';

/** In the order of the numbers in `src/wasm/mod.rs`. */
const ENDINGS = ['finished', 'error', 'aborted', 'disconnected', 'step-limit'] as const;

/** Stands for the id of a message that the backend did not name, until it gets one. */
const UNNAMED = '\0unnamed';

/** One chat's approvals, decisions and history. */
export class ToolGate {
  readonly #options: ToolGateOptions;
  #core!: Core;
  #host!: Host;
  #translates: Translator | undefined;
  readonly #projection: Projection;
  readonly #outbox: Outbox;
  readonly #log: AuditLog;
  readonly #listeners = new Listeners();
  #chatId: string | undefined;
  #time: number | undefined;
  #seen = -1;
  /** Stands before the core's revision: that of a state which is taken over begins anew. */
  #before = 0;
  /** A state is being taken over: nobody is told what that does. */
  #quiet = false;
  #view: GateView | undefined;
  #crash: ToolGateError | undefined;
  /** `lossy` events that are still to be told. */
  #lost: GateEvent[] = [];

  /** Throws `not-initialized` before `init()`, and a `TypeError` for an option that does not exist. */
  constructor(options: ToolGateOptions = {}) {
    assertInitialized();
    checkOptions(options);
    setNames(names());
    // Over the app's: what is put here does not change those.
    this.#options = options = Object.create(options) as ToolGateOptions;
    codecOf(options.protocol);
    this.#begin();
    this.#projection = new Projection(this.#core, this.#host);
    this.#outbox = new Outbox(this.#core, this.#host, this.#projection, () => this.#translator);
    this.#log = new AuditLog(options.logLimit ?? 1000);
    this.#takeOver();
    openPort(this, {
      options,
      now: () => this.#now(),
      chatId: () => options.chatId,
      freshId: () => this.#freshId(),
      adopt: (snapshot, live, then) => this.#adopt(snapshot, live, then),
      touch: () => {
        this.#before++;
        this.#tell();
      },
    });
  }

  /** An empty core, and the host of its values. */
  #begin(known?: readonly string[]): void {
    const options = this.#options;
    const host = (this.#host = new Host(known));
    const [texts] = textList(options.texts).map((text) => host.keep(host.give(text)));
    this.#core = new Core(
      host,
      ON_USER_MESSAGE.indexOf(options.onUserMessage ?? 'deny-pending'),
      ON_DENY.indexOf(options.onDeny ?? 'continue'),
      options.approvalTimeoutMs ?? 0,
      options.rewriteResult !== undefined,
      host.give(options.browserTools),
      this.#translator?.codec?.runsHere === true,
      this.#translator?.kind ?? 0,
      texts as number,
      host.idOf(UNNAMED),
    );
    host.end();
  }

  /**
   * A gate that goes on where `toJSON()` was called. What was on its way then is `unconfirmed` now: it never leaves again
   * by itself. Reads the snapshots of earlier versions too. Throws `bad-snapshot` for a damaged snapshot or one of a
   * later version.
   */
  static restore(snapshot: Snapshot, options: ToolGateOptions = {}): ToolGate {
    const gate = new ToolGate(options);
    gate.#adopt(snapshot, 0);
    if (options.incompleteTurn === 'drop') gate.#run(() => gate.#core.drop_turn());
    return gate;
  }

  /** Takes a state over in place of the present one: see `Port` in keeping.ts. */
  #adopt(snapshot: Snapshot, live: number, then?: () => void): void {
    const { version, chatId, numbers, texts, values } = revive(snapshot);
    const [core, host, revision] = [this.#core, this.#host, this.#revision];
    this.#begin(texts);
    this.#quiet = true;
    try {
      const isSound = this.#run(() => {
        this.#core.set_now(this.#now());
        return this.#core.restore(this.#host.give(numbers), this.#host.give(values), version, texts.length, live);
      });
      if (!isSound) {
        this.#core.free();
        [this.#core, this.#host] = [core, host];
        throw new ToolGateError('bad-snapshot', 'the snapshot is damaged: pass what toJSON() returned, whole and unchanged');
      }
      core.free();
      this.#chatId = this.#options.chatId ?? chatId;
      this.#before = revision + 1;
      this.#projection.turnTo(this.#core, this.#host);
      this.#outbox.turnTo(this.#core, this.#host);
      this.#outbox.note(() => this.#chat());
      if (!live) this.#takeOver();
      then?.();
    } finally {
      this.#quiet = false;
    }
    this.#tell();
  }

  /** Takes over the decisions that the app remembers. */
  #takeOver(): void {
    const { remembered } = this.#options;
    if (!remembered?.length) return;
    this.#run(() => {
      this.#core.set_now(this.#now());
      takeOver(this.#core, this.#host, remembered);
    });
  }

  /** There is none as long as only the AI SDK's protocol is loaded. */
  get #translator(): Translator | undefined {
    return (this.#translates ??= translatorFor(
      this.#options,
      () => this.#freshId(),
      (event) => this.#lost.push(event),
      () => this.getSnapshot().messages,
    ));
  }

  /** Takes one event of the protocol's stream. Never throws on content: what cannot be used becomes an `anomaly` event. */
  receive(event: unknown, about?: About): void {
    const now = this.#now();
    const translator = this.#translator;
    const chunks = translator ? translator.chunks(event, about) : [event];
    this.#run(() => {
      this.#core.set_now(now);
      const listed = this.#core.has_ready() ? this.#outbox.outgoing(this.#chat()) : [];
      let isKnown = chunks !== undefined;
      for (const chunk of chunks ?? []) {
        const code = this.#core.receive(this.#host.give(chunk), requestNumber(about), about?.attempt ?? 0);
        if (code & 4) this.#core.name_message(this.#host.idOf(this.#freshId()));
        if ((code & 3) === 1) isKnown = false;
      }
      this.#outbox.freezeTaken(listed);
      if (!isKnown) this.#listeners.emit({ type: 'passthrough', event });
      if (this.#listeners.hasEvents && isDataPart(event)) this.#listeners.emit({ type: 'data', part: event });
    });
  }

  /** The stream ended. Only the first ending of a reply counts. */
  streamEnded(how: StreamEnd, about?: About): void {
    const status = ENDINGS.indexOf(how.status);
    if (status < 0) throw new TypeError(`streamEnded: status "${how.status}" is none of ${ENDINGS.join(', ')}`);
    this.#translator?.ended(about);
    this.#run(() => this.#core.stream_ended(status, requestNumber(about), about?.attempt ?? 0));
  }

  /**
   * Takes in a history that an app has kept, in place of the present one: the protocol's own messages, or `UIMessage[]`
   * (for the AI SDK `ModelMessage[]` too). It is not changed; what had to be mended is reported. Nothing leaves by loading.
   */
  load(messages: readonly unknown[]): RepairReport {
    const history = this.#translator?.load(messages) ?? messages;
    return this.#run(() => {
      this.#core.set_now(this.#now());
      const repairs = this.#host.take(this.#core.load(this.#host.give(history))) as Parameters<typeof toRepair>[0][];
      this.#projection.clear();
      this.#outbox.note(() => this.#chat());
      return { repairs: repairs.map(toRepair) };
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
    const replace = this.#optional(options?.replace);
    const given = (message as { id?: unknown }).id;
    const id = this.#host.idOf(typeof given === 'string' ? given : this.#freshId());
    return this.#run(() => (this.#yes(this.#core.send_user_message(this.#host.give(message), id, replace)) ? 'sent' : 'queued'));
  }

  /** Asks for the last answer, or the one at `messageId`, once more. Throws `busy` during a request. */
  regenerate(options?: { messageId?: string }): void {
    this.#run(() => this.#yes(this.#core.regenerate(this.#optional(options?.messageId))));
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
    return this.#run(() => {
      const host = this.#host;
      const id = host.idOf(approvalId);
      const asShown = inputDigest === undefined || inputDigest === digestOf(host.take(this.#core.approval_input(id)));
      this.#core.set_now(this.#now());
      if (!this.#yes(this.#core.respond(id, approved, host.give(reason), asShown, host.give(response.input)))) return 'duplicate';
      if (remember) this.#core.remember(id, remember.scope === 'input', remember.for === 'always', remember.expiresAt ?? 0);
      return 'accepted';
    });
  }

  /** Whether an answer to this approval can carry another `input`. Some protocols have a place for one, some only in some requests. */
  takesEdit(approvalId: string): boolean {
    return this.#translator?.takesEdit(approvalId) ?? false;
  }

  /** Answers every pending approval, or those that `where` picks, all before anything leaves. Returns how many. */
  respondAll(response: ResponseToAll): number {
    const { approved, reason } = checkResponse(response);
    const chosen = this.pending().filter(response.where ?? (() => true));
    return this.#run(() => this.#core.respond_all(this.#host.give(chosen.map((entry) => entry.approvalId)), approved, this.#host.give(reason)));
  }

  /** Withdraws without answering: undecided calls and undelivered approvals are cancelled, and the chat goes on. */
  cancel(reason?: string): void {
    this.#run(() => this.#core.cancel(this.#host.give(reason)));
  }

  /** Voids what was about to leave by itself, and holds decisions until `resume()` or the next message. */
  stop(): void {
    this.#run(() => this.#core.stop());
    this.#listeners.emit({ type: 'stopped' });
  }

  /** Lets go what `stop()` or a bad ending held. */
  resume(): void {
    this.#run(() => this.#core.resume());
  }

  /**
   * The result of a tool that ran in the browser. Throws `unknown-call`, `approval-pending`, and `already-settled` for a
   * call that has its result or was denied: a denial needs no output.
   */
  addToolOutput(toolCallId: string, result: ToolOutput): void {
    const failed = 'errorText' in result;
    const value = failed ? result.errorText : result.output;
    this.#run(() => this.#yes(this.#core.add_output(this.#host.idOf(toolCallId), this.#host.give(value), failed)));
  }

  /** What may be sent now. Changes nothing; the same list as before if nothing changed. */
  outgoing(): readonly Outgoing[] {
    if (this.#crash) return [];
    return this.#run(() => this.#outbox.outgoing(this.#chat()));
  }

  /** Takes the item off the list, for one caller only: call it before bytes leave. */
  claim(id: string): boolean {
    if (this.#crash) return false;
    return this.#run(() => this.#outbox.claim(id, this.#chat()));
  }

  /** The backend has the item. Throws `unknown-outgoing`. */
  markSent(id: string): void {
    this.#run(() => {
      this.#outbox.claim(id, this.#chat());
      this.#yes(this.#core.mark_sent(this.#outbox.number(id)));
    });
  }

  /** The item could not be sent: it is listed again only after `retry`. Throws `unknown-outgoing`. */
  markFailed(id: string, error: string): void {
    this.#run(() => {
      this.#outbox.claim(id, this.#chat());
      this.#yes(this.#core.mark_failed(this.#outbox.number(id), this.#host.give(String(error))));
    });
  }

  /** Sends an item of `undelivered()` again: same key, equal body, `attempt + 1`. Throws `unknown-outgoing`, `busy`. */
  retry(id: string): void {
    this.#run(() => this.#yes(this.#core.retry(this.#outbox.number(id))));
  }

  /** Items that need the user: failed, unconfirmed and stalled ones. */
  undelivered(): readonly Undelivered[] {
    return this.#run(() => this.#outbox.undelivered(this.#chat()));
  }

  /**
   * Sends all that may be sent now: claims each item, calls `send`, and marks it sent or failed by what becomes of its
   * promise. Resolves when nothing is left to send, nor waits for `rewriteResult`; rejects never because of `send`.
   */
  deliver(send: (item: Outgoing) => Promise<void>): Promise<void> {
    return deliverAll(this, send, () => !this.#crash && this.#core.is_writing());
  }

  /**
   * The complete history, every call once, with one result or one response: as the AI SDK's `ModelMessage[]`, or as the
   * protocol has it. Default: the gate's own. Throws a `TypeError` for an unknown protocol.
   */
  assemble(protocol?: Protocol): unknown[] {
    codecOf(protocol);
    return this.#run(() => {
      const model = this.#projection.modelMessages();
      return this.#translator?.assemble(model, protocol) ?? model;
    });
  }

  /**
   * Tells the time, in ms since 1970: approvals whose deadline has come expire. `runClock` calls it when it is due. A time
   * that is not the present one stays the gate's time until the next `tick`, unless the option `now` is its clock.
   */
  tick(nowMs: number): void {
    if (!Number.isFinite(nowMs)) throw new TypeError('tick: a time is a number of ms since 1970');
    this.#time = Math.abs(nowMs - Date.now()) < 1000 ? undefined : nowMs;
    this.#run(() => this.#core.tick(nowMs));
  }

  /** When `tick` has to be called next, in ms since 1970; null while nothing expires. */
  nextDeadline(): number | null {
    return (!this.#crash && this.#core.next_deadline()) || null;
  }

  /** The approvals that wait for the user, in call order. */
  pending(): readonly PendingApproval[] {
    return this.getSnapshot().pending;
  }

  /** What to show. The same object as long as nothing changed, and unchanged messages and parts stay `===`. */
  getSnapshot(): GateView {
    if (this.#crash) return (this.#view = crashedView(this.#view));
    const revision = this.#revision;
    if (this.#view?.revision === revision) return this.#view;
    try {
      const view = this.#projection.view(revision);
      this.#host.end();
      return (this.#view = view);
    } catch (error) {
      this.#fail(error);
      return (this.#view = crashedView(this.#view));
    }
  }

  /** Calls `listener` after every change. Returns the function that ends it. */
  subscribe(listener: () => void): () => void {
    return this.#listeners.onChange(listener);
  }

  /** Calls `listener` with every event. Returns the function that ends it. */
  onEvent(listener: (event: GateEvent) => void): () => void {
    return this.#listeners.onEvent(listener);
  }

  /** Decisions that answer later calls too, oldest first. Those whose time is over are not among them. */
  remembered(): readonly RememberedDecision[] {
    return this.#run(() => {
      this.#core.set_now(this.#now());
      return listMemories(this.#core, this.#host);
    });
  }

  /** Ends a remembered decision. Unknown ids are no error: it is over either way. */
  forget(id: string): void {
    const number = memoryNumber(id);
    if (number !== undefined) this.#run(() => this.#core.forget(number));
  }

  /** The record of what happened: oldest first, at most `logLimit` entries. */
  auditLog(): readonly AuditEntry[] {
    return this.#log.entries();
  }

  /** Everything the gate knows, as plain JSON. Throws `unserializable`, naming the path, for what JSON cannot hold. */
  toJSON(): Snapshot {
    const chatId = this.#chat();
    return this.#run(() => {
      const [numbers, values]: [number[], unknown[]] = [[], []];
      this.#core.save(this.#host.give(numbers), this.#host.give(values));
      return capture({ chatId, numbers, texts: this.#host.texts, values });
    });
  }

  /** Frees the gate's memory. It must not be used afterwards. */
  free(): void {
    this.#crash ??= new ToolGateError('crashed', 'the gate was freed');
    this.#core.free();
  }

  get #revision(): number {
    return this.#before + this.#core.revision();
  }

  #chat(): string {
    return (this.#chatId ??= this.#options.chatId ?? this.#freshId());
  }

  /** An id that may be missing, as the core takes it. */
  #optional(id: string | undefined): number {
    return id === undefined ? 0 : this.#host.idOf(id) + 1;
  }

  /** The app's own id, or a random one if the app's function fails: its failure is not the core's. */
  #freshId(): string {
    let id: unknown;
    guarded(() => (id = this.#options.generateId?.()));
    return typeof id === 'string' ? id : randomId();
  }

  #now(): number {
    let now: unknown;
    guarded(() => (now = this.#options.now?.()));
    return typeof now === 'number' ? now : (this.#time ?? Date.now());
  }

  /** Runs something on the core, then tells everybody what changed. */
  #run<T>(act: () => T): T {
    if (this.#crash) throw this.#crash;
    let result;
    try {
      result = act();
    } catch (error) {
      this.#host.end();
      if (error instanceof ToolGateError || error instanceof TypeError) throw error;
      throw this.#fail(error);
    }
    this.#tell();
    return result;
  }

  /** What the core answered: 1 yes, 0 no, else it refused. */
  #yes(answer: number): boolean {
    if (answer >= 0) return answer === 1;
    throw toError(this.#host.take(this.#core.take_refusal()) as CoreRefusal);
  }

  #tell(): void {
    const events = this.#core.has_events() ? this.#takeEvents() : [];
    this.#host.end();
    if (this.#host.isFull) this.#host.sweep(this.#core.live());
    if (this.#quiet) return;
    const revision = this.#revision;
    const changed = revision !== this.#seen;
    this.#seen = revision;
    events.forEach((event) => this.#report(event));
    this.#lost.splice(0).forEach((event) => this.#listeners.emit(event));
    if (changed && !this.#crash) this.#listeners.changed();
  }

  /** What happened in the core; a result that the app still rewrites is told when it has. */
  #takeEvents(): GateEvent[] {
    const { rewriteResult, texts } = this.#options;
    const told: GateEvent[] = [];
    for (const event of this.#host.take(this.#core.take_events()) as CoreEvent[]) {
      const shown = toGateEvent(event, texts);
      if (event['key']) this.#outbox.know(event, this.#chat());
      // What is done in a tab that follows is done in the one that sends, and rewritten there.
      if (!event['rewrite'] || !rewriteResult || isFollowing(this)) {
        told.push(shown);
        continue;
      }
      let isLate = false;
      rewritten(event, shown as ToolResultEvent, rewriteResult, (text) => {
        const result = shown as ToolResultEvent;
        const now = { ...result, result: text };
        if (!isLate) {
          this.#write(result, text);
          told.push(now);
          // What nobody waits for any more was told when it was given up.
        } else if (!this.#crash && this.#run(() => this.#write(result, text))) {
          this.#report(now);
        }
      });
      isLate = true;
    }
    return told;
  }

  /** A text that the app left as it was stays the core's own. `false` if nobody waits for it. */
  #write({ toolCallId, result }: ToolResultEvent, text: string): boolean {
    return this.#core.rewrite(this.#host.idOf(toolCallId), this.#host.give(text === result ? undefined : text));
  }

  #report(event: GateEvent): void {
    this.#log.add(event, this.#now(), (id) => this.#outbox.listed(id));
    this.#listeners.emit(event);
  }

  #fail(cause: unknown): ToolGateError {
    const why = cause instanceof Error ? cause.message : String(cause);
    this.#crash = new ToolGateError('crashed', `the state machine failed (${why}): nothing more is sent. Restore the last saved snapshot`, {
      cause,
    });
    this.#listeners.emit({ type: 'crashed', error: this.#crash });
    this.#listeners.changed();
    return this.#crash;
  }
}

function requestNumber(about: About | undefined): number {
  return about?.requestId === undefined ? 0 : (Outbox.parse(about.requestId) ?? 0xffff_ffff);
}

function isDataPart(event: unknown): event is Extract<GateEvent, { type: 'data' }>['part'] {
  try {
    const type: unknown = (event as { type?: unknown } | null | undefined)?.type;
    return typeof type === 'string' && type.startsWith('data-');
  } catch {
    return false;
  }
}

// The digest that a decision is bound to is the public one.
export { digest };
