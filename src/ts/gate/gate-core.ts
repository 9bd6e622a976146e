/**
 * The core of one gate at work. Whatever is done with it is done by `run`, which tells everybody what changed, and fails
 * closed: if the core ever fails, the gate is `crashed`, shows what it last showed, and sends nothing more.
 *
 * It takes a new core into service when a snapshot is restored or another tab's state is shown. What the methods of a gate
 * mean stands in tool-gate.ts; what may happen to a call, the core decides.
 */
import { Core, names } from '../../../target/bindgen/toolgate.js';
import { AuditLog } from './audit-log.js';
import { Clock, type Timed } from './clock.js';
import { AI_SDK, partsOf, protocolOf } from '../protocols/shared/protocol-value.js';
import type { Translator } from '../protocols/shared/translator.js';
import type { Commands } from './commands.js';
import { digestOf } from '../json/digest.js';
import { Environment } from './environment.js';
import { atWork, ToolGateError } from '../types/errors.js';
import type { CoreEvent } from './gate-events.js';
import { Host, setNames } from '../wasm/handle-table.js';
import type { KeeperHandle, Port } from './internals.js';
import { Listeners } from './listeners.js';
import { listMemories, takeOver } from './remembered-decisions.js';
import { ON_DENY, ON_USER_MESSAGE } from './gate-options.js';
import { Outbox } from './outbox.js';
import { toThrow, type CoreRefusal } from './refusals.js';
import { publicEvents } from './rewriting.js';
import { capture, damaged, revive, type SavedState } from './snapshot.js';
import { textList } from '../protocols/shared/result-texts.js';
import type { GateEvent, GateView, Protocol, SavedGate, ToolGateOptions } from '../types/index.js';
import { crashedView, Projection } from './projection.js';

/**
 * The id of a message that the backend did not name, until it gets one. It is in snapshots, so it is a text that
 * databases take: Postgres keeps no U+0000 in `jsonb`.
 */
const UNNAMED = 'toolgate-unnamed-6f1d0c4e9ab84f27';

/** The core of one gate, with all that reads it. */
export class GateCore implements Port {
  declare keeper?: KeeperHandle | undefined;
  /** Made by the `ToolGate`, whose floor is above this one. */
  declare commands: Commands;
  declare shown?: ((view: GateView) => GateView) | undefined;
  generation = 0;
  isSilent = false;
  readonly env: Environment;
  readonly listeners = new Listeners(() => this.#host.isAtWork || this.#clock.look());
  readonly log: AuditLog;
  readonly outbox: Outbox;
  readonly projection: Projection;
  readonly protocol: Protocol;
  /** Undefined for the AI SDK's protocol, which is the core's own. */
  readonly translator: Translator | undefined;
  #core!: Core;
  #host!: Host;
  /** One for each protocol that was assembled for: it reports what is lost once. */
  readonly #translators = new Map<Protocol, Translator>();
  /** The revision that listeners were told of last. */
  #told = -1;
  /** Stands before the core's revision: that of a state which is taken over begins anew. */
  #before = 0;
  /** A state is being taken over: nobody is told what that does. */
  #quiet = false;
  #view: GateView | undefined;
  #crash: ToolGateError | undefined;
  /** Events that are not the core's and are still to be emitted. */
  readonly #later: GateEvent[] = [];
  readonly #clock: Clock;
  /** Calls in progress: the memory of a core that is freed meanwhile is given back after the last of them. */
  #calls = 0;
  #isFreed = false;

  /** `gate` has the methods that the timer calls. Throws a `TypeError` for an option that does not exist. */
  constructor(given: ToolGateOptions, gate: Timed) {
    this.env = new Environment(given);
    this.#clock = new Clock(
      gate,
      () => this.env.now(),
      () => this.listeners.areAny && !this.#crash,
    );
    const { options } = this.env;
    setNames(names());
    this.protocol = protocolOf(options.protocol) ?? AI_SDK;
    this.translator = this.translatorOf(this.protocol);
    this.#begin();
    this.projection = new Projection(this.#core, this.#host, {
      undelivered: () => this.outbox.undelivered(),
      remembered: () => listMemories(this.#core, this.#host),
      isEditable: (approval) => this.translator?.isEditable(approval) ?? false,
    });
    this.outbox = new Outbox(this.#core, this.#host, this);
    this.log = new AuditLog(options.logLimit ?? 1000, {
      item: (id) => this.outbox.listed(id),
      input: (approvalId) => this.#inputOf(approvalId),
    });
    this.#takeOverMemories();
  }

  /** Whether the core failed, or was freed. */
  get isCrashed(): boolean {
    return this.#crash !== undefined;
  }

  /** Whether another tab sends for this gate, or may. */
  get isFollowing(): boolean {
    return this.keeper?.isLeader === false;
  }

  inputDigest(approvalId: string): string {
    return digestOf(this.run(() => this.#inputOf(approvalId)));
  }

  get hasReady(): boolean {
    return this.peek((core) => core.has_ready()) ?? false;
  }

  /** What translates between a protocol and this gate; undefined for the AI SDK's. */
  translatorOf(protocol: Protocol): Translator | undefined {
    let translator = this.#translators.get(protocol);
    if (translator) return translator;
    translator = partsOf(protocol)?.translatorFor(this);
    if (translator) this.#translators.set(protocol, translator);
    return translator;
  }

  /** Acts on the core, then tells everybody what changed. Throws what `act` refuses, and `crashed` if the core fails, or has. */
  run<T>(act: (core: Core, host: Host) => T): T {
    if (this.#crash) throw this.#crash;
    if (this.#host.isAtWork) throw atWork();
    return this.#during(() => {
      try {
        const result = act(this.#core, this.#host);
        this.#tell();
        return result;
      } catch (error) {
        this.#host.end();
        if (error instanceof ToolGateError || error instanceof TypeError) throw error;
        throw this.#fail(error);
      }
    });
  }

  /** As `run`, for an act that the core may refuse: it answers 1 for yes, 0 for no, and throws its refusal else. */
  ask(act: (core: Core, host: Host) => number): boolean {
    return this.run((core, host) => {
      const answer = act(core, host);
      if (answer >= 0) return answer === 1;
      throw toThrow(host.take(core.take_refusal()) as CoreRefusal);
    });
  }

  /** Reads off the core what nobody has to be told of; undefined once it failed. */
  peek<T>(read: (core: Core) => T): T | undefined {
    return this.#crash ? undefined : read(this.#core);
  }

  /** What to show. The same object as long as nothing changed. */
  view(): GateView {
    if (this.#crash) return (this.#view = crashedView(this.#view));
    if (this.#host.isAtWork) throw atWork();
    const revision = this.#revision;
    if (this.#view?.revision === revision) return this.#view;
    return this.#during(() => {
      try {
        const view = this.projection.view(revision);
        this.#host.end();
        return (this.#view = this.shown?.(view) ?? view);
      } catch (error) {
        this.#fail(error);
        return (this.#view = crashedView(this.#view));
      }
    });
  }

  /** Everything the core knows. Throws `unserializable` for what JSON cannot hold. */
  save(): SavedGate {
    const { chatId } = this.env;
    return this.run((core, host) => {
      const [numbers, texts, values]: [number[], string[], unknown[]] = [[], [], []];
      core.save(host.give(numbers), host.give(texts), host.give(values));
      return capture({ chatId, numbers, texts, values });
    });
  }

  /** Takes a state over in place of the present one: see `Port` in internals.ts. */
  adopt(snapshot: SavedGate, follows: boolean, then?: () => void): void {
    if (this.#crash) throw this.#crash;
    if (this.#host.isAtWork) throw atWork();
    const state = revive(snapshot);
    this.#during(() => this.#takeOver(state, follows, then));
    this.#tell();
    this.#clock.look();
  }

  #takeOver({ chatId, numbers, texts, values }: SavedState, follows: boolean, then?: () => void): void {
    const [core, host, revision] = [this.#core, this.#host, this.#revision];
    this.#begin();
    this.#quiet = true;
    try {
      const isSound = this.run((core, host) =>
        core.restore(host.give(numbers), host.give(texts), host.give(values), follows),
      );
      if (!isSound) {
        this.#core.free();
        [this.#core, this.#host] = [core, host];
        throw damaged();
      }
      this.projection.settle();
      core.free();
      this.env.restoreChat(chatId);
      this.#before = revision + 1;
      this.projection.turnTo(this.#core, this.#host);
      this.outbox.turnTo(this.#core, this.#host);
      this.outbox.note();
      if (!follows) this.#takeOverMemories();
      then?.();
    } finally {
      this.#quiet = false;
    }
  }

  /** Takes a `lossy` event: it is emitted after the core's. */
  lose(event: GateEvent): void {
    this.later(event);
  }

  /** Looks for the next deadline, where no event says that there is another one. */
  watch(): void {
    this.#clock.look();
  }

  /** Takes an event that is not the core's: it is emitted after those. */
  later(event: GateEvent): void {
    this.#later.push(event);
  }

  /** Tells listeners that something changed beside the core. */
  touch(): void {
    this.#before++;
    this.#tell();
    this.#clock.look();
  }

  /** Ends the gate, and tells everybody: everything is refused from then on. Once is enough; again changes nothing. */
  free(): void {
    if (this.#isFreed) return;
    this.#isFreed = true;
    this.#during(() => this.#end(new ToolGateError('crashed', 'the gate was freed')));
  }

  /** Calls `call`, and then gives the core's memory back if the gate was freed meanwhile. */
  #during<T>(call: () => T): T {
    this.#calls++;
    try {
      return call();
    } finally {
      if (--this.#calls === 0 && this.#isFreed) this.#giveBack();
    }
  }

  #giveBack(): void {
    try {
      this.#core.free();
    } catch {
      // It failed in the middle of a call, and its memory cannot be given back.
    }
  }

  get #revision(): number {
    return this.#before + this.#core.revision();
  }

  /** An empty core, and the host of its values. */
  #begin(): void {
    const { options } = this.env;
    const host = (this.#host = new Host());
    const [texts] = textList(options.texts).map((text) => host.keep(host.give(text)));
    this.#core = new Core(
      host,
      ON_USER_MESSAGE.indexOf(options.onUserMessage ?? 'deny-pending'),
      ON_DENY.indexOf(options.onDeny ?? 'continue'),
      options.approvalTimeoutMs ?? 0,
      options.rewriteResult !== undefined,
      host.give(options.browserTools),
      this.translator?.codec.clientRunsTools === true,
      this.translator?.kind ?? 0,
      texts as number,
      host.idOf(UNNAMED),
    );
    host.end();
  }

  /** Takes over the decisions that the app remembers. */
  #takeOverMemories(): void {
    const { remembered } = this.env.options;
    if (!remembered?.length) return;
    // Outside: the clock is a function of the app.
    const now = this.env.now();
    this.run((core, host) => takeOver(core, host, remembered, now));
  }

  #tell(): void {
    // A function of the app has freed the gate meanwhile.
    if (this.#crash) return;
    const events = this.#core.has_events() ? this.#takeEvents() : [];
    this.#host.end();
    if (this.#host.isFull) this.#host.sweep(this.#core.live());
    if (this.#host.hasManyIds) this.#host.sweepIds(this.#core.live_ids());
    if (this.#quiet) return;
    const revision = this.#revision;
    const changed = revision !== this.#told;
    this.#told = revision;
    for (const event of events) if (!this.#crash) this.#report(event);
    if (this.#later.length > 0) this.#later.splice(0).forEach((event) => this.#report(event));
    if (changed && !this.#crash) this.listeners.changed();
    if (events.length > 0 && this.listeners.areAny) this.#watch(events);
  }

  /**
   * Deadlines that came or went with these events. All that wait are not looked at for each: there may be thousands.
   */
  #watch(events: readonly GateEvent[]): void {
    if (this.#crash) return;
    if (this.#core.undecided() === 0) return this.#clock.look();
    for (const event of events) {
      if (event.type !== 'transition' || event.approvalId === undefined) continue;
      const approval = this.#host.find(event.approvalId);
      if (approval !== undefined) this.#clock.expect(this.#core.expires_at(approval));
    }
  }

  #takeEvents(): GateEvent[] {
    // What is done in a tab that follows is done in the one that sends, and rewritten there.
    const { texts, rewriteResult } = this.env.options;
    const events = this.#host.take(this.#core.take_events()) as CoreEvent[];
    events.forEach((event) => this.outbox.know(event));
    return publicEvents(events, texts, this.isFollowing ? undefined : rewriteResult, (call, event, text, isLate) => {
      const write = (core: Core, host: Host): boolean => core.rewrite(call, host.give(text));
      if (!isLate) write(this.#core, this.#host);
      // What nobody waits for any more was told when it was given up.
      else if (!this.#crash && this.run(write)) this.#report(event);
    });
  }

  /** The input of the call that an approval is about. */
  #inputOf(approvalId: string): unknown {
    const id = this.#host.find(approvalId);
    return id === undefined ? undefined : this.#host.take(this.#core.approval_input(id));
  }

  #report(event: GateEvent): void {
    this.log.add(event, this.env.now());
    this.listeners.emit(event);
  }

  #fail(cause: unknown): ToolGateError {
    const why = cause instanceof Error ? cause.message : String(cause);
    const message = `the state machine failed (${why}): nothing more is sent. Restore the last saved snapshot`;
    return this.#end(new ToolGateError('crashed', message, { cause }));
  }

  /** Nothing is taken any more. Views that are read later show what they would have shown. */
  #end(crash: ToolGateError): ToolGateError {
    if (this.#crash) return this.#crash;
    try {
      this.projection.settle(true);
    } catch {
      // The core cannot be read any more: what nobody has looked at is not shown.
    }
    this.#crash = crash;
    this.#clock.stop();
    this.listeners.emit({ type: 'crashed', error: crash });
    this.listeners.changed();
    return crash;
  }
}
