/**
 * What the tab that leads does: stores every change, publishes it to the others, and does what users did there, each act once.
 * Which tab leads is not decided here.
 */
import type { CommandOf } from '../gate/commands.js';
import { ToolGateError } from '../types/errors.js';
import type { Port } from '../gate/internals.js';
import type { ToolGate } from '../gate/tool-gate.js';
import type { GateEvent, JSONValue } from '../types/index.js';
import { actOf, type Acts } from './acts.js';
import { attempt } from './attempt.js';
import { Done } from './done.js';
import type { TabMessage } from './tab-messages.js';
import { Pace } from './pace.js';
import { PersistError } from './persist-error.js';
import type { Platform } from './platform.js';
import { isCount, isNewer, toRecord, type KeptRecord, type SentAct } from './kept-record.js';
import { Saver } from './saver.js';
import type { Vault } from './vault.js';

/** How long the others wait at least for what comes in, in ms. Decisions and claims are published at once. */
const PAUSE = 75;

/** What a tab that leads works with. */
interface LeadingParts {
  readonly gate: ToolGate;
  readonly port: Port;
  readonly platform: Platform;
  readonly vault: Vault;
  /** This page, as no other one is called. */
  readonly tab: string;
  readonly acts: Acts;
  readonly post: (message: TabMessage) => void;
  readonly onError: (error: unknown) => void;
  readonly onStop: (() => void) | undefined;
  /** Whether this tab still leads, asked of the browser; and whether that was answered so lately that it is sure. */
  readonly holds: () => Promise<boolean>;
  readonly isSure: () => boolean;
  /** It does not. */
  readonly onLost: () => void;
}

/** Another tab leads by now. */
export class LostError extends PersistError {
  override readonly name = 'LostError';

  constructor() {
    super('not-leader', 'not sent: another tab sends for this chat');
  }
}

/** The user stopped. */
export class StoppedError extends PersistError {
  override readonly name = 'StoppedError';

  constructor() {
    super('stopped', 'stopped before it was sent');
  }
}

/** One tab's leading; idle until `begin`. */
export class Leading {
  readonly #parts: LeadingParts;
  readonly #publisher: Pace;
  #saver: Saver<KeptRecord>;
  #isOn = false;
  /** An act of another tab is being done. */
  #isPerforming = false;
  /** The page is gone for now; resolves when it is back. */
  #away: { readonly over: Promise<void>; readonly end: () => void } | undefined;
  #epoch = 0;
  #seq = 0;
  #done: Done;
  /** Acts that are done stand among those that wait. */
  #isCleaningDue = false;
  /** Acts may be stored that nobody hands on any more: something urgent happened since they were looked for. */
  #isCollectingDue = false;
  /** Somebody follows. */
  #isHeard = false;
  /** The browser is being asked whether the state may be published. */
  #isAsking = false;
  #changes = 0;
  /** The last state that was written down, and after how many changes. */
  #last: { readonly changes: number; readonly record: KeptRecord } | undefined;
  /** Ends the waiting of requests whose claims are being stored. */
  readonly #stops = new Set<() => void>();

  constructor(parts: LeadingParts) {
    this.#parts = parts;
    this.#publisher = new Pace(parts.platform, () => this.publish(), PAUSE);
    this.#saver = this.#newSaver();
    this.#done = new Done(parts.tab);
  }

  /** The number of this lead. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Whether an act of another tab is being done right now. */
  get isPerforming(): boolean {
    return this.#isPerforming;
  }

  /** Whether the page is gone for now. */
  get isAway(): boolean {
    return this.#away !== undefined;
  }

  /**
   * This tab leads from now on. `applied`: the acts that are part of the state it goes on with. `own`: what the user did here, and
   * nobody confirmed.
   */
  begin(epoch: number, applied: KeptRecord['applied'], own: readonly SentAct[]): void {
    this.#isOn = true;
    this.#saver = this.#newSaver();
    this.#epoch = epoch;
    this.#done = new Done(this.#parts.tab, applied, own);
    this.#last = undefined;
  }

  /** Whether another state of the chat looks newer than the one that this tab publishes. */
  isBefore(record: KeptRecord): boolean {
    const { epoch, seq } = record;
    return isCount(epoch) && isCount(epoch + 1) && isNewer({ epoch, seq }, { epoch: this.#epoch, seq: this.#seq });
  }

  /** What this tab publishes from now on is newer than what is of this epoch. */
  raise(epoch: number): void {
    if (!this.#isOn || epoch < this.#epoch) return;
    this.#epoch = epoch + 1;
    this.#last = undefined;
    this.#isHeard = true;
    this.mark(true);
  }

  /**
   * The user is about to do something here: from now on it is part of what is stored, since a request can follow from it at
   * once. `act` is undefined if no other tab could do it. Returns a function for an act that the gate refused.
   */
  does(act: JSONValue | undefined): () => void {
    const undo = this.#done.addOwn(this.#parts.acts.next(), act);
    this.mark(true);
    return undo;
  }

  /** The gate changed. */
  changed(): void {
    this.mark(false);
  }

  /** The gate reported something. Only what must not be done twice is urgent: decisions, and what is about to be sent. */
  happened(event: GateEvent): void {
    if (event.type === 'decision' || (event.type === 'delivery' && event.to === 'in-flight')) this.mark(true);
  }

  /** There is something to store, and to publish. */
  mark(isUrgent: boolean): void {
    if (!this.#isOn || this.#away) return;
    this.#changes++;
    this.#isCollectingDue ||= isUrgent;
    this.#saver.changed(isUrgent);
    if (this.#isHeard) this.#publisher.request(isUrgent);
  }

  /** Somebody follows. */
  heard(): void {
    this.#isHeard = true;
  }

  /** Publishes the state. A page that stood still may be led by another one by now: then what it shows is nobody's. */
  publish(): void {
    if (!this.#isOn || this.#away || this.#isAsking) return;
    const { isSure, holds, onLost } = this.#parts;
    if (isSure()) return this.#publishNow();
    this.#isAsking = true;
    const turn = this.#saver;
    const over = (isHeld: boolean | undefined): void => {
      this.#isAsking = false;
      if (turn !== this.#saver || !this.#isOn) return;
      if (isHeld) this.#publishNow();
      else if (isHeld === false) onLost();
      // The browser did not answer: it is asked again, or what changed last would never be shown.
      else this.#publisher.request(false);
    };
    holds().then(over, () => over(undefined));
  }

  #publishNow(): void {
    if (!this.#isOn || this.#away) return;
    try {
      this.#parts.post({ type: 'state', record: this.#capture() });
    } catch {
      // It cannot be written down: whoever stores it says so.
    }
  }

  /**
   * Does what users did in other tabs, unless it is done. Not while the page is away: nothing of it would be stored. What the gate
   * refuses is said there, and here if `isReported`: those pages may be gone.
   */
  perform(acts: readonly SentAct[], isReported = false): void {
    if (!this.#isOn || this.#away) return;
    this.#isHeard = true;
    const missing = this.#done.missing(acts);
    for (const act of missing) {
      this.#done.add(act[0], act[1]);
      if (!this.#do(act, isReported)) this.#done.refused(act);
    }
    if (acts.length === 0) return;
    this.cleanUp();
    if (missing.length > 0) return this.mark(true);
    // Told again, so it has not heard that they are stored.
    const saved: TabMessage = { type: 'saved', epoch: this.#epoch, applied: [...this.#done.applied] };
    this.saved().then(
      () => this.#parts.post(saved),
      () => {},
    );
  }

  /** Does what is stored and not done: a tab can be gone before it hands its acts on. Called with every urgent save. */
  async collect(): Promise<void> {
    const turn = this.#saver;
    this.#isCollectingDue = false;
    // What cannot be read now is read with the next one.
    const stored = await this.#parts.vault.acts().catch(() => []);
    if (turn === this.#saver && this.#done.missing(stored).length > 0) this.perform(stored, true);
  }

  /** Among the acts that wait may be some that are done: with the next save they are deleted. */
  cleanUp(): void {
    this.#isCleaningDue = true;
  }

  /** Resolves when what is known now is stored; rejects if it cannot be, with a `LostError` if another tab leads. */
  async saved(): Promise<void> {
    while (this.#away) await this.#away.over;
    await this.#saver.saved();
  }

  /** As `saved`, for a request that is about to be sent: rejects as soon as the user stops. */
  async claimed(): Promise<void> {
    let stop!: () => void;
    const stopped = new Promise<never>((_, reject) => {
      stop = () => reject(new StoppedError());
    });
    this.#stops.add(stop);
    try {
      await Promise.race([this.saved(), stopped]);
    } finally {
      this.#stops.delete(stop);
    }
  }

  /** The user stopped: what waits for its claim to be stored is not sent. */
  stopClaims(): void {
    for (const stop of this.#stops) stop();
  }

  /** Begins to store what is not stored, at once. */
  flush(): void {
    if (this.#isOn && !this.#away) this.#saver.flush();
  }

  /**
   * The page goes. The browser now fails its requests, which says nothing about whether they arrived: what happens from
   * here on is neither stored nor published, unless the page comes back.
   */
  pause(): void {
    if (!this.#isOn || this.#away) return;
    this.flush();
    this.#publisher.cancel();
    let end!: () => void;
    this.#away = { over: new Promise((resolve) => (end = resolve)), end };
  }

  /** The page is back, and with it what happened meanwhile. */
  resume(): void {
    const away = this.#away;
    this.#away = undefined;
    if (away) this.mark(true);
    away?.end();
  }

  /** What is known now is not to be stored. */
  drop(): void {
    this.#saver.drop();
  }

  /**
   * Another tab leads: nothing more is stored or published. Returns what the user did here and may not be known there, and the
   * state until now, if it can be written down: should that tab publish none, this one goes on with it.
   */
  halt(): { readonly unsaved: readonly SentAct[]; readonly record: KeptRecord | undefined } {
    const record = this.#isOn ? attempt(() => this.#capture()) : undefined;
    this.#isOn = false;
    this.#away?.end();
    this.#away = undefined;
    this.#publisher.cancel();
    this.#saver.stop(new LostError());
    return { unsaved: this.#done.unsaved, record };
  }

  /** Publishes nothing more, and stores what is not stored. Resolves when that is over, well or not. */
  async end(): Promise<void> {
    this.resume();
    this.#publisher.cancel();
    if (this.#isOn) await this.#saver.saved().catch(() => {});
    this.#isOn = false;
    this.#saver.stop();
  }

  #newSaver(): Saver<KeptRecord> {
    const { platform, onError } = this.#parts;
    return new Saver({
      platform,
      capture: () => this.#capture(),
      write: (record) => this.#write(record),
      onSaved: (record) => this.#saved(record),
      onError: (error) => {
        if (!isCrash(error) && !(error instanceof LostError)) onError(error);
      },
    });
  }

  #write(record: KeptRecord): void | Promise<void> {
    const written = this.#parts.vault.write(record);
    return written === true ? undefined : this.#written(written, record);
  }

  async #written(written: boolean | Promise<boolean>, record: KeptRecord): Promise<void> {
    if (await written) return;
    const { vault, holds, onLost } = this.#parts;
    // What is stored says that another tab leads. The browser knows.
    const isHeld = await holds();
    const epoch = isHeld && this.#isOn ? await vault.retake(this.#epoch) : undefined;
    if (epoch !== undefined && this.#isOn) {
      this.#epoch = epoch;
      this.#last = undefined;
      if (await vault.write({ ...record, epoch })) return this.mark(true);
    }
    onLost();
    throw new LostError();
  }

  #saved(record: KeptRecord): void {
    const { vault, post } = this.#parts;
    const { applied } = record;
    this.#done.saved(applied);
    post({ type: 'saved', epoch: record.epoch, applied });
    if (this.#isCollectingDue) void this.collect();
    if (!this.#isCleaningDue) return;
    this.#isCleaningDue = false;
    const again = (): void => this.cleanUp();
    try {
      vault.clearActs(applied)?.catch(again);
    } catch {
      again();
    }
  }

  /** Returns whether the gate took it. */
  #do(sent: SentAct, isReported: boolean): boolean {
    const { port, post, onError, onStop } = this.#parts;
    const [tab, number] = sent;
    this.#isPerforming = true;
    try {
      const act = actOf(sent);
      port.commands.dispatch({ ...act, isForwarded: true } as CommandOf<'stop'>);
      if (act.name === 'stop') {
        this.stopClaims();
        onStop?.();
      }
      return true;
    } catch (error) {
      if (!(error instanceof ToolGateError)) {
        onError(error);
        return false;
      }
      const { code, message, toolCallId, approvalId } = error;
      if (isCrash(error)) return false;
      if (isReported) onError(error);
      post({ type: 'refused', tab, number, code, message, toolCallId, approvalId });
      return false;
    } finally {
      this.#isPerforming = false;
    }
  }

  #capture(): KeptRecord {
    if (this.#last?.changes !== this.#changes) {
      const { gate } = this.#parts;
      const state = { epoch: this.#epoch, seq: this.#seq + 1 };
      this.#last = { changes: this.#changes, record: toRecord(state, this.#done.applied, gate.toJSON()) };
      this.#seq++;
    }
    return this.#last.record;
  }
}

/** Whether the gate has failed or was freed: it says so itself. */
export function isCrash(error: unknown): boolean {
  return error instanceof ToolGateError && error.code === 'crashed';
}
