/**
 * Keeps one gate in one tab: follows the tab that leads, or leads.
 *
 * A tab that leads has the gate to itself, stores every change and tells the others. A tab that follows shows what it is
 * told, with what the user did here and the other tab has not taken in yet done on top of it; each such act is told until
 * it is stored, and has a number, so that it is done once. Where chats are stored, how tabs talk and which one leads is in
 * the files beside this one.
 */
import { decode } from '../encode.js';
import { ToolGateError } from '../errors.js';
import type { Act, Keeper as KeeperPort, Port } from '../keeping.js';
import { randomId } from '../options.js';
import type { ToolGate } from '../store.js';
import type { GateEvent, JSONValue } from '../types.js';
import { openChannel, type Channel, type Message, type SentAct } from './channel.js';
import { elect, type Election } from './election.js';
import { Front } from './front.js';
import { Pace } from './pace.js';
import { appliedOf, isNewer, readRecord, toRecord, type KeptRecord } from './record.js';
import { Saver } from './saver.js';
import type { Vault } from './vault.js';

/** How long the others wait for what comes in at least, in ms. Decisions and deliveries they hear of at once. */
const PAUSE = 75;

/** What a keeper works with. */
export interface KeeperParts {
  readonly gate: ToolGate;
  readonly port: Port;
  readonly name: string;
  readonly vault: Vault;
  readonly onError: (error: unknown) => void;
  readonly onStop: (() => void) | undefined;
}

/** `taking`: it leads, and reads what is stored. */
type Role = 'joining' | 'follower' | 'taking' | 'leader' | 'closed';

/** A keeper. */
export class Keeper implements KeeperPort {
  readonly joined: Promise<void>;

  readonly #parts: KeeperParts;
  readonly #tab = randomId();
  readonly #front: Front;
  readonly #saver: Saver<KeptRecord>;
  readonly #publisher = new Pace(() => this.#publish(), PAUSE);
  readonly #ends: (() => void)[] = [];
  #channel: Channel | undefined;
  #election: Election | undefined;
  #role: Role = 'joining';
  #isAlone = false;
  #join!: () => void;

  /** The newest state that is known, while another tab leads. */
  #latest: KeptRecord | undefined;
  #epoch = 0;
  #seq = 0;
  #applied = new Map<string, number>();
  /** Somebody follows. */
  #isHeard = false;
  /** The last state that was written down, and after how many changes. */
  #record: { readonly change: number; readonly record: KeptRecord } | undefined;
  #change = 0;

  /** What the user did here and the tab that leads has not stored. */
  #acts: SentAct[] = [];
  #lastAct = 0;
  #unsaved: (() => void)[] = [];
  /** The tab whose state could not be shown: it is told once. */
  #unread = 0;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
    this.joined = new Promise(resolve => (this.#join = resolve));
    this.#front = new Front(parts.gate, act => this.#done(act));
    this.#saver = new Saver({
      capture: () => this.#capture(),
      write: record => parts.vault.write(record),
      onSaved: record => this.#post({ type: 'saved', applied: record.applied }),
      onError: error => {
        if (!isCrash(error)) parts.onError(error);
      },
    });
  }

  /** Whether this tab sends. */
  get isLeader(): boolean {
    return this.#role === 'leader';
  }

  /** Whether no other tab can send. */
  get isExclusive(): boolean {
    return !this.#isAlone;
  }

  /** Begins. Resolves as `joined` does. */
  async start(): Promise<void> {
    const { gate, name, vault } = this.#parts;
    this.#front.follow();
    this.#channel = openChannel(name, message => this.#hear(message));
    this.#ends.push(
      gate.subscribe(() => this.#changed()),
      gate.onEvent(event => this.#happened(event)),
      this.#watchPage(),
    );
    this.#election = elect(name, () => void this.#lead());
    const outcome = await this.#election.outcome;
    this.#isAlone = outcome === 'alone';
    if (outcome === 'follower') {
      const stored = await vault.peek();
      if (this.#role === 'joining') {
        this.#role = 'follower';
        if (stored && isNewer(stored, this.#latest)) this.#follow(stored);
        this.#post({ type: 'hello' });
        this.#join();
      }
    }
    await this.joined;
  }

  /** Resolves when what the gate knows is stored; rejects if it cannot be, or another tab leads by then. */
  readonly claimed = async (): Promise<void> => {
    try {
      await this.saved();
    } catch (error) {
      // Where nothing is stored, there is nothing to wait for.
      if (this.#parts.vault.isOff) return;
      throw new Error(`not sent, because the chat could not be stored first: ${String(error)}`, { cause: error });
    }
    if (!this.isLeader) throw new Error('not sent: another tab sends for this chat');
  };

  /** See `Kept`. */
  saved(): Promise<void> {
    if (this.#role === 'leader' || this.#role === 'closed') return this.#saver.saved();
    if (this.#acts.length === 0) return this.joined;
    return new Promise(resolve => this.#unsaved.push(resolve));
  }

  /** See `Kept`. */
  async forget(): Promise<void> {
    // Of what is being written nothing may come after.
    await this.#saver.saved().catch(() => {});
    this.#saver.drop();
    await this.#parts.vault.forget();
  }

  /** See `Kept`. */
  close(): void {
    if (this.#role === 'closed') return;
    const wasLeader = this.#role === 'leader';
    this.#role = 'closed';
    this.#front.retire();
    this.#parts.port.keeper = undefined;
    for (const end of this.#ends) end();
    this.#publisher.cancel();
    const leave = (): void => {
      this.#saver.stop();
      this.#election?.leave();
      this.#channel?.close();
      this.#join();
    };
    // The next tab to lead reads what this one has stored.
    if (wasLeader) void this.#saver.saved().then(leave, leave);
    else leave();
  }

  // ---- leading

  async #lead(): Promise<void> {
    if (this.#role === 'closed') return;
    this.#role = 'taking';
    const { vault, gate, port, onError } = this.#parts;
    const stored = await vault.read();
    if (this.#isClosed()) return;
    const candidates = [stored, this.#latest].filter(record => record !== undefined);
    candidates.sort((a, b) => (isNewer(a, b) ? -1 : 1));
    this.#epoch = Math.max(0, ...candidates.map(({ epoch }) => epoch)) + 1;
    // The gate is the class's again, and nobody has been told yet: what is to be done comes first.
    this.#front.lead();
    let taken: KeptRecord | undefined;
    for (const record of candidates) {
      try {
        this.#takeOver(record);
        taken = record;
        break;
      } catch (error) {
        this.#front.follow();
        if (isCrash(error)) return this.close();
        if (record === stored) await vault.refuse(error);
        else onError(error);
        if (this.#isClosed()) return;
        this.#front.lead();
      }
    }
    // What was done before anything was known is done already: it stands in this very gate.
    if (!taken) this.#role = 'leader';
    this.#acts = [];
    this.#latest = undefined;
    this.#join();
    this.#settleUnsaved();
    if (!taken) port.touch();
    if (gate.getSnapshot().status === 'crashed') return this.close();
    this.#mark(true);
    this.#publish();
  }

  /** Goes on with a state, and does what the user did here and is not in it. */
  #takeOver(record: KeptRecord): void {
    const { port, onError } = this.#parts;
    const acts = this.#missingIn(record);
    const take = (): void =>
      port.adopt(record.snapshot, 0, () => {
        this.#role = 'leader';
        this.#applied = new Map(record.applied);
        for (const act of acts) {
          try {
            this.#front.perform(act);
          } catch (error) {
            onError(error);
          }
        }
      });
    if (port.companion) port.companion.together(take);
    else take();
  }

  /** Does what the user did in another tab, unless it is done. */
  #perform(tab: string, acts: readonly SentAct[]): void {
    const { onError, onStop, port } = this.#parts;
    this.#isHeard = true;
    const before = this.#applied.get(tab) ?? 0;
    for (const [number, encoded] of acts) {
      if (number <= (this.#applied.get(tab) ?? 0)) continue;
      // Again at the end: the tabs that were heard last are remembered longest.
      this.#applied.delete(tab);
      this.#applied.set(tab, number);
      try {
        const act = decode(encoded) as Act;
        this.#front.perform(act);
        if (act.method === 'stop' && !port.companion) onStop?.();
      } catch (error) {
        if (!(error instanceof ToolGateError)) onError(error);
        else if (!isCrash(error)) {
          const { code, message, toolCallId, approvalId } = error;
          this.#post({ type: 'refused', tab, code, message, toolCallId, approvalId });
        }
      }
    }
    if (this.#applied.get(tab) !== before) return this.#mark(true);
    // Told again, so it has not heard that they are stored.
    const applied = [...this.#applied];
    this.#saver.saved().then(() => this.#post({ type: 'saved', applied }), () => {});
  }

  #mark(isUrgent: boolean): void {
    this.#change++;
    this.#saver.changed(isUrgent);
    if (this.#isHeard) this.#publisher.request(isUrgent);
  }

  #changed(): void {
    if (!this.isLeader) return;
    // A reply that comes in changes something with every chunk.
    this.#mark(this.#parts.gate.getSnapshot().status !== 'streaming');
  }

  #happened({ type }: GateEvent): void {
    if (type === 'crashed') this.close();
    else if (this.isLeader && (type === 'decision' || type === 'delivery' || type === 'transition')) this.#mark(true);
  }

  #capture(): KeptRecord {
    if (this.#record?.change !== this.#change) {
      const { gate } = this.#parts;
      const shown = gate.getSnapshot().status === 'streaming';
      const state = { epoch: this.#epoch, seq: this.#seq + 1, shown };
      const record = toRecord(state, this.#applied, gate.toJSON());
      this.#seq++;
      this.#record = { change: this.#change, record };
    }
    return this.#record.record;
  }

  #publish(): void {
    if (!this.isLeader) return;
    try {
      this.#post({ type: 'state', record: this.#capture() });
    } catch {
      // It cannot be written down: whoever stores it says so.
    }
  }

  // ---- following

  #follow(record: KeptRecord): void {
    const { port, name, onError } = this.#parts;
    try {
      readRecord(record, name, port.chatId());
      this.#latest = record;
      port.adopt(record.snapshot, record.shown ? 2 : 1, () => {
        for (const act of this.#missingIn(record)) this.#front.replay(act);
      });
    } catch (error) {
      if (this.#unread !== record.epoch && !isCrash(error)) onError(error);
      this.#unread = record.epoch;
    }
  }

  /** The user did something here, while another tab leads. */
  #done(act: JSONValue): void {
    this.#acts.push([++this.#lastAct, act]);
    this.#tellActs();
  }

  /** All of them, each time: a tab that has just begun to lead may not have heard the first ones. */
  #tellActs(): void {
    if (this.#acts.length > 0 && this.#role === 'follower') this.#post({ type: 'acts', tab: this.#tab, acts: this.#acts });
  }

  #missingIn(record: KeptRecord): Act[] {
    const applied = appliedOf(record, this.#tab);
    return this.#acts.filter(([number]) => number > applied).map(([, act]) => decode(act) as Act);
  }

  #settleUnsaved(): void {
    if (this.#acts.length > 0) return;
    for (const resolve of this.#unsaved.splice(0)) resolve();
  }

  // ---- the other tabs, and the page

  #hear(message: Message): void {
    if (this.#role === 'leader') {
      if (message.type === 'hello') {
        this.#isHeard = true;
        this.#publish();
      } else if (message.type === 'here') this.#isHeard = true;
      else if (message.type === 'acts') this.#perform(message.tab, message.acts);
      return;
    }
    switch (message.type) {
      case 'state': {
        const { record } = message;
        if (!isNewer(record, this.#latest)) return;
        const isOther = record.epoch !== this.#latest?.epoch;
        this.#follow(record);
        if (isOther) {
          this.#post({ type: 'here' });
          this.#tellActs();
        }
        return;
      }
      case 'saved': {
        const stored = message.applied.find(([tab]) => tab === this.#tab)?.[1] ?? 0;
        this.#acts = this.#acts.filter(([number]) => number > stored);
        this.#settleUnsaved();
        return;
      }
      case 'refused': {
        const { tab, code, message: text, ...about } = message;
        if (tab === this.#tab) this.#parts.onError(new ToolGateError(code, text, about));
      }
    }
  }

  #post(message: Message): void {
    this.#channel?.post(message);
  }

  #isClosed(): boolean {
    return this.#role === 'closed';
  }

  /** Stores what is not stored yet when the page may be about to go. */
  #watchPage(): () => void {
    if (typeof addEventListener !== 'function') return () => {};
    const flush = (): void => {
      if (this.isLeader) this.#saver.flush();
    };
    const types = ['pagehide', 'visibilitychange'];
    for (const type of types) addEventListener(type, flush);
    return () => {
      for (const type of types) removeEventListener(type, flush);
    };
  }
}

function isCrash(error: unknown): boolean {
  return error instanceof ToolGateError && error.code === 'crashed';
}
