/**
 * Runs the core of one gate. Every change goes through `run`, which emits events and notifies listeners afterwards, and
 * fails closed: if the core fails, the gate is `crashed`, keeps its last view, and sends nothing more.
 *
 * Restoring a snapshot or showing another tab's state replaces the core. The public methods are in tool-gate.ts; the
 * core has all rules about calls.
 */
import type { Core } from '../../../target/bindgen/toolgate.js';
import { AuditLog } from './audit-log.js';
import { ChangeReporter } from './change-reporter.js';
import { callIn } from './call-index.js';
import { Clock, type DeadlineTarget } from './clock.js';
import { AI_SDK, protocolOf } from '../protocols/shared/protocol-value.js';
import type { Translator } from '../protocols/shared/translator.js';
import type { Commands, CommandTypes } from './commands.js';
import { createCore, registerNames } from './create-core.js';
import { digestOf } from '../json/digest.js';
import { Environment } from './environment.js';
import { atWork } from '../types/at-work.js';
import { NONE } from '../types/empty-list.js';
import { ToolGateError } from '../types/errors.js';
import { readList } from '../wasm/records.js';
import type { HandleTable } from '../wasm/handle-table.js';
import type { GateInternals, PersisterHandle } from './internals.js';
import { Listeners } from './listeners.js';
import { addRemembered, dropRemembered, listRemembered } from './remembered-decisions.js';
import { Outbox } from './outbox.js';
import { coreFailed, errorToThrow, type CoreRefusal } from './error-messages.js';
import { Saving } from './saving.js';
import { revive, type SavedState } from './snapshot.js';
import type {
  ApprovalTarget,
  GateEvent,
  GateView,
  PendingApproval,
  Protocol,
  ToolGateOptions,
  ToolPart,
} from '../types/index.js';
import { crashedView } from './crashed-view.js';
import { lastCall, shownRevision } from './pending-approval.js';
import { Projection } from './projection.js';
import { translatorsOf } from './translators.js';
import { say } from '../types/say.js';

const nothing = (): undefined => undefined;

/** The core of one gate, with its view, outbox, log and listeners. */
export class GateCore implements GateInternals {
  declare persister?: PersisterHandle | undefined;
  /** Set by the `ToolGate`, which this file must not import. */
  declare commands: Commands;
  declare shown?: ((view: GateView) => GateView) | undefined;
  generation = 0;
  isPaused = false;
  readonly env: Environment;
  readonly listeners = new Listeners(
    () => this.#onListeners(),
    () => this.#takeChanged(),
  );
  readonly log: AuditLog;
  readonly outbox: Outbox;
  readonly projection: Projection;
  readonly protocol: Protocol;
  readonly saving: Saving;
  /** The translator of a protocol for this gate. */
  readonly translatorOf = translatorsOf(this);
  /** Undefined for the AI SDK's protocol, which the core handles itself. */
  readonly translator: Translator | undefined;
  #core!: Core;
  #handles!: HandleTable;
  /** Offset added to the core's revision, which restarts at 0 when a snapshot is adopted. */
  #revisionOffset = 0;
  /** True while a snapshot is being adopted: no notifications. */
  #isAdopting = false;
  /** True while the gate continues from a snapshot: then it rewrites results, although its tab does not lead yet. */
  #isContinuing = false;
  /** True while the commands of `then` are executed during that. Their events are not emitted, but they happened. */
  #isLogging = false;
  #view: GateView | undefined;
  /** Whether the view differs from the core's. */
  #isReplaced = false;
  #crash: ToolGateError | undefined;
  readonly #clock: Clock;
  readonly #reporter: ChangeReporter;
  /** The number of calls in progress. A core that is freed during a call is released after the last one. */
  #calls = 0;
  #isFreed = false;

  /** `gate` has the methods that the timer calls. Throws a `TypeError` for an unknown option or an invalid value. */
  constructor(given: ToolGateOptions, gate: DeadlineTarget) {
    this.env = new Environment(given);
    this.#clock = new Clock(
      gate,
      () => this.env.now(),
      () => this.listeners.isNotEmpty && !this.#crash,
    );
    this.#reporter = new ChangeReporter(this, this.#clock);
    const { options } = this.env;
    registerNames();
    this.protocol = protocolOf(options.protocol) ?? AI_SDK;
    this.translator = this.translatorOf(this.protocol);
    [this.#core, this.#handles] = createCore(this.env, this.translator);
    this.projection = new Projection(this.#core, this.#handles, {
      undelivered: () => this.outbox.undelivered(),
      remembered: () => listRemembered(this.#core, this.#handles),
      isEditable: (approval) => this.translator?.isEditable(approval) ?? false,
      isRememberable: (toolName) => !options.neverRemember?.includes(toolName),
    });
    this.outbox = new Outbox(this.#core, this.#handles, this);
    this.saving = new Saving(this);
    this.log = new AuditLog(options.logLimit ?? 1000, {
      item: (id) => this.outbox.known(id),
      input: (approvalId) => this.#inputOf(approvalId),
    });
    this.#addRemembered();
  }

  /** Whether the core failed or was freed. */
  get isCrashed(): boolean {
    return this.#crash !== undefined;
  }

  /** Whether another tab sends, or may send, for this gate. */
  get isFollowing(): boolean {
    return !this.#isContinuing && this.persister?.isLeader === false;
  }

  readonly digestOf = digestOf;

  inputDigest(approvalId: string): string {
    return digestOf(this.run(() => this.#inputOf(approvalId)));
  }

  shownRevision(approvalId: string): string | undefined {
    const asked = lastCall(this.view(), approvalId);
    return asked && shownRevision(asked);
  }

  /** The `shownRevision` of an entry of `pending` or a part; undefined if it is what is shown now. */
  outdatedRevision(target: ApprovalTarget): string | undefined {
    if (typeof target !== 'object' || target === null) return undefined;
    if ('approvalId' in target) return this.approval(target.toolCallId) === target ? undefined : target.shownRevision;
    return this.part(target.toolCallId) === target ? undefined : shownRevision(target);
  }

  get hasReady(): boolean {
    return this.peek((core) => core.hasReady) ?? false;
  }

  /**
   * Calls `act`, then emits events and notifies listeners. Throws the errors of `act`, and `crashed` if the core
   * failed.
   */
  run<T>(act: (core: Core, handles: HandleTable) => T): T {
    if (this.#crash) throw this.#crash;
    if (this.#handles.isAtWork) throw atWork();
    this.#calls++;
    try {
      const result = act(this.#core, this.#handles);
      this.#notify();
      return result;
    } catch (error) {
      this.#handles.end();
      if (error instanceof ToolGateError || error instanceof TypeError) throw error;
      throw this.#fail(error);
    } finally {
      this.#leave();
    }
  }

  /**
   * As `run`, for a command that the core may refuse. Returns whether `act` returned 1. Throws the core's refusal if
   * `act` returned a negative number.
   */
  ask(act: (core: Core, handles: HandleTable) => number): boolean {
    return this.run((core, handles) => {
      const answer = act(core, handles);
      if (answer >= 0) return answer === 1;
      throw errorToThrow(handles.take(core.take_refusal()) as CoreRefusal);
    });
  }

  /** What `list` returns; nothing while sending is paused, and after a crash. */
  sendable<T>(list: (outbox: Outbox) => readonly T[]): readonly T[] {
    return this.#crash || this.isPaused ? NONE : this.run(() => list(this.outbox));
  }

  /** Reads from the core without notifying listeners; undefined after a crash. */
  peek<T>(read: (core: Core, handles: HandleTable) => T): T | undefined {
    return this.#crash ? undefined : read(this.#core, this.#handles);
  }

  /** Returns the view. It is the same object until something changes. */
  view(): GateView {
    if (this.#crash) return (this.#view = crashedView(this.#view));
    if (this.#handles.isAtWork) throw atWork();
    const revision = this.#revision;
    if (this.#view?.revision === revision) return this.#view;
    return this.#read(
      () => {
        const view = this.projection.view(revision);
        const shown = this.shown?.(view) ?? view;
        // The persister shows calls differently while it has actions that another tab has not confirmed.
        if (this.#isReplaced || shown !== view) this.projection.changed.addAll();
        this.#isReplaced = shown !== view;
        return (this.#view = shown);
      },
      () => (this.#view = crashedView(this.#view)),
    );
  }

  /** The part of the newest call with this id; undefined if there is none. */
  part(toolCallId: string): ToolPart | undefined {
    const inView = (): ToolPart | undefined => callIn(this.view().messages, toolCallId);
    if (this.shown) this.view();
    return this.#crash || this.#isReplaced ? inView() : this.#read(() => this.projection.part(toolCallId), inView);
  }

  /** The approval of a call, or of the newest call with this id, if the user can decide it. */
  approval(call: string | ToolPart): PendingApproval | undefined {
    return this.#crash ? undefined : this.#read(() => this.projection.approval(call), nothing);
  }

  /** Reads from the core. If that fails, the gate has crashed, and `otherwise` is called. */
  #read<T>(read: () => T, otherwise: () => T): T {
    if (this.#handles.isAtWork) throw atWork();
    return this.#during(() => {
      try {
        const result = read();
        this.#handles.end();
        return result;
      } catch (error) {
        this.#fail(error);
        return otherwise();
      }
    });
  }

  #onListeners(): void {
    const { changed } = this.projection;
    const { hasCalls } = this.listeners;
    if (this.#handles.isAtWork) return void (changed.isUsed = hasCalls);
    // The first listener is not called for earlier changes.
    if (hasCalls && !changed.isUsed) this.#takeChanged();
    changed.isUsed = hasCalls;
    this.#clock.update();
  }

  /** The ids of the calls that have changed; undefined if any may have changed. */
  #takeChanged(): readonly string[] | undefined {
    if (this.#crash) return undefined;
    const { changed } = this.projection;
    if (this.shown) this.view();
    return this.#read(() => (this.projection.sync(), changed.take()), nothing);
  }

  /** Replaces the state with a saved one: see `GateInternals.commands`. */
  adopt(...[snapshot, follows, then, continued]: Parameters<CommandTypes['adopt']>): void {
    if (this.#crash) throw this.#crash;
    if (this.#handles.isAtWork) throw atWork();
    const state = revive(snapshot);
    this.#during(() => this.#replaceCore(state, follows, then, continued));
    this.#notify();
    this.updateClock();
    if (!follows) this.commands.dispatch({ name: 'ask', args: [] });
  }

  #replaceCore(
    state: SavedState,
    follows: boolean,
    then?: () => void,
    continued?: (values: readonly unknown[]) => void,
  ): void {
    const { chatId } = state;
    const core = this.#core;
    const handles = this.#handles;
    const revision = this.#revision;
    [this.#core, this.#handles] = createCore(this.env, this.translator);
    this.#isAdopting = true;
    this.#isContinuing = !follows;
    try {
      try {
        this.saving.read(state, follows, continued);
      } catch (error) {
        if (this.#crash) throw error;
        this.#core.free();
        this.#core = core;
        this.#handles = handles;
        throw error;
      }
      this.projection.settle();
      core.free();
      this.env.restoreChat(chatId);
      this.#revisionOffset = revision + 1;
      this.projection.switchTo(this.#core, this.#handles);
      this.outbox.switchTo(this.#core, this.#handles);
      this.outbox.recordAll();
      if (!follows) this.#addRemembered();
      // A follower only shows what the leader decides.
      this.#isLogging = !follows;
      then?.();
    } finally {
      this.#isAdopting = this.#isContinuing = this.#isLogging = false;
    }
  }

  /** Looks for the next deadline after a change that emits no event. */
  updateClock(): void {
    this.#clock.update();
  }

  /** Queues an event from outside the core, which is emitted after the core's events. */
  queueEvent(event: GateEvent): void {
    this.#reporter.queueEvent(event);
  }

  /** Notifies listeners of a change outside the core. */
  notifyChanged(): void {
    this.#revisionOffset++;
    this.projection.changed.addAll();
    this.#notify();
    this.updateClock();
  }

  /** Ends the gate and notifies listeners. Every later command throws. A second call does nothing. */
  free(): void {
    if (this.#isFreed) return;
    this.#isFreed = true;
    this.#during(() => this.#end(new ToolGateError('crashed', say`The gate was freed.`)));
  }

  /** Calls `call`, then releases the core's memory if the gate was freed during it. */
  #during<T>(call: () => T): T {
    this.#calls++;
    try {
      return call();
    } finally {
      this.#leave();
    }
  }

  #leave(): void {
    if (--this.#calls === 0 && this.#isFreed) this.#release();
  }

  #release(): void {
    try {
      this.#core.free();
    } catch {
      // The core failed during a call, so its memory cannot be released.
    }
  }

  get #revision(): number {
    return this.#revisionOffset + this.#core.revision;
  }

  /** Adds the decisions of the option `remembered` to the core, without those of `neverRemember`. */
  #addRemembered(): void {
    const { remembered = [], neverRemember = [] } = this.env.options;
    if (neverRemember.length > 0) this.run((core, handles) => dropRemembered(core, handles, neverRemember));
    const allowed = remembered.filter(({ toolName }) => !neverRemember.includes(toolName));
    if (allowed.length === 0) return;
    // Called before `run`, because the clock is a function of the app.
    const now = this.env.now();
    this.run((core, handles) => addRemembered(core, handles, allowed, now));
  }

  #notify(): void {
    // A function of the app may have freed the gate during the command.
    if (this.#crash) return;
    const events = this.#reporter.takeEvents(this.#core, this.#handles);
    this.#handles.end();
    if (this.#handles.isFull) this.#handles.sweep(readList(this.#handles, this.#core.live()));
    if (this.#handles.hasManyIds) this.#handles.sweepIds(readList(this.#handles, this.#core.live_ids()));
    if (this.#isLogging) for (const event of events) this.log.add(event, this.env.now());
    if (this.#isAdopting) return;
    this.#reporter.report(events, this.#revision);
  }

  /** The input of the call that needs this approval. */
  #inputOf(approvalId: string): unknown {
    const id = this.#handles.find(approvalId);
    return id === undefined ? undefined : this.#handles.take(this.#core.approval_input(id));
  }

  #fail(cause: unknown): ToolGateError {
    return this.#end(coreFailed(cause));
  }

  /** Ends the gate with this error. Earlier views stay readable. */
  #end(crash: ToolGateError): ToolGateError {
    if (this.#crash) return this.#crash;
    try {
      this.projection.settle(true);
    } catch {
      // The core cannot be read any more, so lists that have not been read stay empty.
    }
    this.#crash = crash;
    this.#clock.stop();
    this.listeners.emit({ type: 'crashed', error: crash });
    this.listeners.changed();
    return crash;
  }
}
