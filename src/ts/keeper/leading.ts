/**
 * What the tab that leads does: stores every change, tells the others, and does what the user did there, each act once.
 * Which tab leads is not decided here.
 */
import type { Act } from '../commands.js';
import { decode } from '../encode.js';
import { ToolGateError } from '../errors.js';
import type { Port } from '../keeping.js';
import type { ToolGate } from '../store.js';
import type { GateEvent } from '../types.js';
import type { Message, SentAct } from './channel.js';
import type { Front } from './front.js';
import { Pace } from './pace.js';
import { toRecord, type KeptRecord } from './record.js';
import { Saver } from './saver.js';
import type { Vault } from './vault.js';

/** How long the others wait for what comes in at least, in ms. Decisions and deliveries they hear of at once. */
const PAUSE = 75;

/** What a tab that leads works with. */
interface LeadingParts {
  readonly gate: ToolGate;
  readonly port: Port;
  readonly vault: Vault;
  readonly front: Front;
  readonly post: (message: Message) => void;
  readonly onError: (error: unknown) => void;
  readonly onStop: (() => void) | undefined;
}

/** One tab's leading; idle until `begin`. */
export class Leading {
  readonly #parts: LeadingParts;
  readonly #saver: Saver<KeptRecord>;
  readonly #publisher = new Pace(() => this.publish(), PAUSE);
  #isOn = false;
  /** The page is gone for now; resolves when it is back. */
  #away: { readonly over: Promise<void>; readonly end: () => void } | undefined;
  #epoch = 0;
  #seq = 0;
  #applied = new Map<string, number>();
  /** Somebody follows. */
  #isHeard = false;
  #changes = 0;
  /** The last state that was written down, and after how many changes. */
  #last: { readonly changes: number; readonly record: KeptRecord } | undefined;

  constructor(parts: LeadingParts) {
    this.#parts = parts;
    this.#saver = new Saver({
      capture: () => this.#capture(),
      write: record => parts.vault.write(record),
      onSaved: record => parts.post({ type: 'saved', applied: record.applied }),
      onError: error => {
        if (!isCrash(error)) parts.onError(error);
      },
    });
  }

  /** This tab leads from now on. `applied`: the acts that are in the state it goes on with. */
  begin(epoch: number, applied: KeptRecord['applied']): void {
    this.#isOn = true;
    this.#epoch = epoch;
    this.#applied = new Map(applied);
  }

  /** The gate changed. */
  changed(): void {
    if (!this.#isOn) return;
    // A reply that comes in changes something with every chunk.
    this.mark(this.#parts.gate.getSnapshot().status !== 'streaming');
  }

  /** The gate told of something. */
  happened({ type }: GateEvent): void {
    if (type === 'decision' || type === 'delivery' || type === 'transition') this.mark(true);
  }

  /** There is something to store, and to tell. */
  mark(isUrgent: boolean): void {
    if (!this.#isOn || this.#away) return;
    this.#changes++;
    this.#saver.changed(isUrgent);
    if (this.#isHeard) this.#publisher.request(isUrgent);
  }

  /** Somebody follows. */
  heard(): void {
    this.#isHeard = true;
  }

  /** Tells the state. */
  publish(): void {
    if (!this.#isOn || this.#away) return;
    try {
      this.#parts.post({ type: 'state', record: this.#capture() });
    } catch {
      // It cannot be written down: whoever stores it says so.
    }
  }

  /** Does what the user did in another tab, unless it is done. */
  perform(tab: string, acts: readonly SentAct[]): void {
    this.#isHeard = true;
    const before = this.#applied.get(tab) ?? 0;
    const missing = acts.filter(([number]) => number > before);
    for (const [number, act] of missing) {
      // Anew each time: the tabs that were heard last are remembered longest.
      this.#applied.delete(tab);
      this.#applied.set(tab, number);
      this.#do(tab, decode(act) as Act);
    }
    if (missing.length > 0) return this.mark(true);
    // Told again, so it has not heard that they are stored.
    const applied = [...this.#applied];
    this.saved().then(() => this.#parts.post({ type: 'saved', applied }), () => {});
  }

  /** Resolves when what is known now is stored; rejects if it cannot be. */
  async saved(): Promise<void> {
    while (this.#away) await this.#away.over;
    await this.#saver.saved();
  }

  /** Begins to store what is not stored, at once. */
  flush(): void {
    if (this.#isOn && !this.#away) this.#saver.flush();
  }

  /**
   * The page goes. The browser now fails its requests, which says nothing about whether they arrived: what happens from
   * here on is neither stored nor told, unless the page comes back.
   */
  pause(): void {
    if (!this.#isOn || this.#away) return;
    this.flush();
    this.#publisher.cancel();
    let end!: () => void;
    this.#away = { over: new Promise(resolve => (end = resolve)), end };
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

  /** Tells nothing more, and stores what is not stored. Resolves when that is over, well or not. */
  async end(): Promise<void> {
    this.resume();
    this.#publisher.cancel();
    if (this.#isOn) await this.#saver.saved().catch(() => {});
    this.#isOn = false;
    this.#saver.stop();
  }

  #do(tab: string, act: Act): void {
    const { front, post, onError, onStop } = this.#parts;
    try {
      front.perform(act);
      if (act.name === 'stop') onStop?.();
    } catch (error) {
      if (!(error instanceof ToolGateError)) return onError(error);
      const { code, message, toolCallId, approvalId } = error;
      if (!isCrash(error)) post({ type: 'refused', tab, code, message, toolCallId, approvalId });
    }
  }

  #capture(): KeptRecord {
    if (this.#last?.changes !== this.#changes) {
      const { gate } = this.#parts;
      const shown = gate.getSnapshot().status === 'streaming';
      const state = { epoch: this.#epoch, seq: this.#seq + 1, shown };
      this.#last = { changes: this.#changes, record: toRecord(state, this.#applied, gate.toJSON()) };
      this.#seq++;
    }
    return this.#last.record;
  }
}

/** Whether the gate has failed or was freed: it says so itself. */
export function isCrash(error: unknown): boolean {
  return error instanceof ToolGateError && error.code === 'crashed';
}
