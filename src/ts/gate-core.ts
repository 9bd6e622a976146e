/**
 * The core of one gate at work. Whatever is done with it is done by `run`, which tells everybody what changed, and fails
 * closed: if the core ever fails, the gate is `crashed`, shows what it last showed, and sends nothing more.
 *
 * It takes a new core into service when a snapshot is restored or another tab's state is shown. What the methods of a gate
 * mean stands in store.ts; what may happen to a call, the core decides.
 */
import { Core, names } from '../../target/bindgen/toolgate.js';
import { AuditLog } from './audit-log.js';
import { codecOf, translatorFor } from './codecs/registry.js';
import type { Translator } from './codecs/translator.js';
import type { Commands } from './commands.js';
import { digestOf } from './digest.js';
import { Environment } from './environment.js';
import { ToolGateError } from './errors.js';
import type { CoreEvent } from './gate-events.js';
import { Host, setNames } from './host.js';
import type { Keeper, Port } from './keeping.js';
import { Listeners } from './listeners.js';
import { takeOver } from './memories.js';
import { ON_DENY, ON_USER_MESSAGE } from './options.js';
import { Outbox } from './outbox.js';
import { toError, type CoreRefusal } from './refusals.js';
import { publicEvents } from './rewriting.js';
import { capture, revive } from './snapshot.js';
import { textList } from './texts.js';
import type { GateEvent, GateView, Snapshot, ToolGateOptions } from './types.js';
import { crashedView, Projection } from './view.js';

/** Stands for the id of a message that the backend did not name, until it gets one. */
const UNNAMED = '\0unnamed';

/** The core of one gate, with all that reads it. */
export class GateCore implements Port {
  declare keeper?: Keeper | undefined;
  /** Made by the `ToolGate`, whose floor is above this one. */
  declare commands: Commands;
  declare shown?: ((view: GateView) => GateView) | undefined;
  generation = 0;
  isSilent = false;
  readonly env: Environment;
  readonly listeners = new Listeners();
  readonly log: AuditLog;
  readonly outbox: Outbox;
  readonly projection: Projection;
  #core!: Core;
  #host!: Host;
  #translates: Translator | undefined;
  /** The revision that listeners were told of last. */
  #told = -1;
  /** Stands before the core's revision: that of a state which is taken over begins anew. */
  #before = 0;
  /** A state is being taken over: nobody is told what that does. */
  #quiet = false;
  #view: GateView | undefined;
  #crash: ToolGateError | undefined;
  /** `lossy` events that are still to be told. */
  readonly #lost: GateEvent[] = [];

  /** Throws a `TypeError` for an option that does not exist, and `not-initialized` for a protocol that is not loaded. */
  constructor(given: ToolGateOptions) {
    this.env = new Environment(given);
    const { options } = this.env;
    setNames(names());
    codecOf(options.protocol);
    this.#begin();
    this.projection = new Projection(this.#core, this.#host);
    this.outbox = new Outbox(this.#core, this.#host, this);
    this.log = new AuditLog(options.logLimit ?? 1000);
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
    return this.run((core, host) => digestOf(host.take(core.approval_input(host.idOf(approvalId)))));
  }

  get hasReady(): boolean {
    return this.peek((core) => core.has_ready()) ?? false;
  }

  /** There is none as long as only the AI SDK's protocol is loaded. */
  get translator(): Translator | undefined {
    return (this.#translates ??= translatorFor(this));
  }

  /** Acts on the core, then tells everybody what changed. Throws what `act` refuses, and `crashed` if the core fails, or has. */
  run<T>(act: (core: Core, host: Host) => T): T {
    if (this.#crash) throw this.#crash;
    let result;
    try {
      result = act(this.#core, this.#host);
    } catch (error) {
      this.#host.end();
      if (error instanceof ToolGateError || error instanceof TypeError) throw error;
      throw this.#fail(error);
    }
    this.#tell();
    return result;
  }

  /** As `run`, at the present time. */
  runNow<T>(act: (core: Core, host: Host) => T): T {
    return this.run((core, host) => {
      core.set_now(this.env.now());
      return act(core, host);
    });
  }

  /** As `run`, for an act that the core may refuse: it answers 1 for yes, 0 for no, and throws its refusal else. */
  ask(act: (core: Core, host: Host) => number): boolean {
    return this.run((core, host) => {
      const answer = act(core, host);
      if (answer >= 0) return answer === 1;
      throw toError(host.take(core.take_refusal()) as CoreRefusal);
    });
  }

  /** Reads off the core what nobody has to be told of; undefined once it failed. */
  peek<T>(read: (core: Core) => T): T | undefined {
    return this.#crash ? undefined : read(this.#core);
  }

  /** What to show. The same object as long as nothing changed. */
  view(): GateView {
    if (this.#crash) return (this.#view = crashedView(this.#view));
    const revision = this.#revision;
    if (this.#view?.revision === revision) return this.#view;
    try {
      const view = this.projection.view(revision);
      this.#host.end();
      return (this.#view = this.shown?.(view) ?? view);
    } catch (error) {
      this.#fail(error);
      return (this.#view = crashedView(this.#view));
    }
  }

  /** Everything the core knows. Throws `unserializable` for what JSON cannot hold. */
  save(): Snapshot {
    const { chatId } = this.env;
    return this.run((core, host) => {
      const [numbers, values]: [number[], unknown[]] = [[], []];
      core.save(host.give(numbers), host.give(values));
      return capture({ chatId, numbers, texts: host.texts, values });
    });
  }

  /** Takes a state over in place of the present one: see `Port` in keeping.ts. */
  adopt(snapshot: Snapshot, live: 0 | 1 | 2, then?: () => void): void {
    const { version, chatId, numbers, texts, values } = revive(snapshot);
    const [core, host, revision] = [this.#core, this.#host, this.#revision];
    this.#begin(texts);
    this.#quiet = true;
    try {
      const isSound = this.runNow((core, host) => core.restore(host.give(numbers), host.give(values), version, texts.length, live));
      if (!isSound) {
        this.#core.free();
        [this.#core, this.#host] = [core, host];
        throw new ToolGateError('bad-snapshot', 'the snapshot is damaged: pass what toJSON() returned, whole and unchanged');
      }
      core.free();
      this.env.restoreChat(chatId);
      this.#before = revision + 1;
      this.projection.turnTo(this.#core, this.#host);
      this.outbox.turnTo(this.#core, this.#host);
      this.outbox.note();
      if (!live) this.#takeOverMemories();
      then?.();
    } finally {
      this.#quiet = false;
    }
    this.#tell();
  }

  /** Takes a `lossy` event: it is told with what else happened. */
  lose(event: GateEvent): void {
    this.#lost.push(event);
  }

  /** Tells listeners that something changed beside the core. */
  touch(): void {
    this.#before++;
    this.#tell();
  }

  /** Frees the core's memory. Everything is refused from then on. */
  free(): void {
    this.#crash ??= new ToolGateError('crashed', 'the gate was freed');
    this.#core.free();
  }

  get #revision(): number {
    return this.#before + this.#core.revision();
  }

  /** An empty core, and the host of its values. */
  #begin(known?: readonly string[]): void {
    const { options } = this.env;
    const host = (this.#host = new Host(known));
    const [texts] = textList(options.texts).map((text) => host.keep(host.give(text)));
    this.#core = new Core(
      host,
      ON_USER_MESSAGE.indexOf(options.onUserMessage ?? 'deny-pending'),
      ON_DENY.indexOf(options.onDeny ?? 'continue'),
      options.approvalTimeoutMs ?? 0,
      options.rewriteResult !== undefined,
      host.give(options.browserTools),
      this.translator?.codec?.runsHere === true,
      this.translator?.kind ?? 0,
      texts as number,
      host.idOf(UNNAMED),
    );
    host.end();
  }

  /** Takes over the decisions that the app remembers. */
  #takeOverMemories(): void {
    const { remembered } = this.env.options;
    if (remembered?.length) this.runNow((core, host) => takeOver(core, host, remembered));
  }

  #tell(): void {
    const events = this.#core.has_events() ? this.#takeEvents() : [];
    this.#host.end();
    if (this.#host.isFull) this.#host.sweep(this.#core.live());
    if (this.#quiet) return;
    const revision = this.#revision;
    const changed = revision !== this.#told;
    this.#told = revision;
    events.forEach((event) => this.#report(event));
    this.#lost.splice(0).forEach((event) => this.listeners.emit(event));
    if (changed && !this.#crash) this.listeners.changed();
  }

  #takeEvents(): GateEvent[] {
    // What is done in a tab that follows is done in the one that sends, and rewritten there.
    const { texts, rewriteResult } = this.env.options;
    const events = this.#host.take(this.#core.take_events()) as CoreEvent[];
    events.forEach((event) => this.outbox.know(event));
    return publicEvents(events, texts, this.isFollowing ? undefined : rewriteResult, (event, text, isLate) => {
      const write = (core: Core, host: Host): boolean => core.rewrite(host.idOf(event.toolCallId), host.give(text));
      if (!isLate) write(this.#core, this.#host);
      // What nobody waits for any more was told when it was given up.
      else if (!this.#crash && this.run(write)) this.#report(event);
    });
  }

  #report(event: GateEvent): void {
    this.log.add(event, this.env.now(), (id) => this.outbox.listed(id));
    this.listeners.emit(event);
  }

  #fail(cause: unknown): ToolGateError {
    const why = cause instanceof Error ? cause.message : String(cause);
    this.#crash = new ToolGateError('crashed', `the state machine failed (${why}): nothing more is sent. Restore the last saved snapshot`, {
      cause,
    });
    this.listeners.emit({ type: 'crashed', error: this.#crash });
    this.listeners.changed();
    return this.#crash;
  }
}
