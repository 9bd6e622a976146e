/**
 * Keeps one gate in one tab: follows the tab that leads, or leads.
 *
 * A tab that follows shows what it is told, with what the user did here and the other tab has not taken in yet done on top
 * of it; each such act is told until it is stored, and has a number, so that it is done once. A tab that begins to lead
 * goes on with the newest state that is stored or was told. What it does then is in leading.ts; where chats are stored, how
 * tabs talk and which one leads is in the files beside this one.
 */
import { ToolGateError } from '../errors.js';
import type { Keeper as KeeperPort, Port } from '../keeping.js';
import { randomId } from '../random-id.js';
import type { ToolGate } from '../store.js';
import { Acts } from './acts.js';
import { openChannel, type Channel, type Message } from './channel.js';
import { elect, type Election } from './election.js';
import { Front } from './front.js';
import { isCrash, Leading } from './leading.js';
import { isNewer, readRecord, type KeptRecord } from './record.js';
import type { Vault } from './vault.js';

/** What a keeper works with. */
interface KeeperParts {
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
  readonly #acts = new Acts(this.#tab);
  readonly #front: Front;
  readonly #leading: Leading;
  readonly #ends: (() => void)[] = [];
  #channel: Channel | undefined;
  #election: Election | undefined;
  #role: Role = 'joining';
  #isAlone = false;
  #join!: () => void;
  /** The newest state that is known, while another tab leads. */
  #latest: KeptRecord | undefined;
  /** The tab whose state could not be shown: it is told once. */
  #unread = 0;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
    this.joined = new Promise(resolve => (this.#join = resolve));
    this.#front = new Front(parts.port, act => {
      this.#acts.add(act);
      this.#tellActs();
    });
    this.#leading = new Leading({ ...parts, front: this.#front, post: message => this.#post(message) });
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
      gate.subscribe(() => this.#leading.changed()),
      gate.onEvent(event => (event.type === 'crashed' ? this.close() : this.#leading.happened(event))),
      listen('visibilitychange', () => this.#leading.flush()),
      listen('pagehide', () => this.#leading.pause()),
      listen('pageshow', () => this.#leading.resume()),
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
      if (!this.#parts.vault.isOff) {
        throw new Error(`not sent, because the chat could not be stored first: ${String(error)}`, { cause: error });
      }
    }
    if (!this.isLeader) throw new Error('not sent: another tab sends for this chat');
  };

  /** See `Kept`. */
  async saved(): Promise<void> {
    const isStoring = (): boolean => this.#role === 'leader' || this.#role === 'closed';
    if (!isStoring()) await this.joined;
    if (!isStoring()) await this.#acts.saved();
    // It may have begun to lead meanwhile.
    if (isStoring()) await this.#leading.saved();
  }

  /** See `Kept`. */
  async forget(): Promise<void> {
    // Of what is being written nothing may come after.
    await this.#leading.saved().catch(() => {});
    this.#leading.drop();
    await this.#parts.vault.forget();
  }

  /** See `Kept`. */
  close(): void {
    if (this.#role === 'closed') return;
    this.#role = 'closed';
    this.#front.retire();
    this.#parts.port.keeper = undefined;
    for (const end of this.#ends) end();
    // The next tab to lead reads what this one has stored.
    void this.#leading.end().then(() => {
      this.#election?.leave();
      this.#channel?.close();
      this.#channel = undefined;
      this.#acts.clear();
      this.#join();
    });
  }

  async #lead(): Promise<void> {
    if (this.#isClosed()) return;
    this.#role = 'taking';
    const { vault, port, onError } = this.#parts;
    const stored = await vault.read();
    if (this.#isClosed()) return;
    const known = [stored, this.#latest].filter(record => record !== undefined);
    known.sort((a, b) => (isNewer(a, b) ? -1 : 1));
    const epoch = Math.max(0, ...known.map(record => record.epoch)) + 1;
    let isTaken = false;
    for (const record of known) {
      try {
        this.#takeOver(record, epoch);
        isTaken = true;
        break;
      } catch (error) {
        if (isCrash(error)) return this.close();
        if (record === stored) await vault.refuse(error);
        else onError(error);
        if (this.#isClosed()) return;
      }
    }
    if (!isTaken) {
      // What was done before anything was known is done already: it stands in this very gate.
      this.#front.lead();
      this.#leadWith(epoch, []);
      port.touch();
    }
    this.#acts.clear();
    this.#latest = undefined;
    this.#join();
    this.#leading.mark(true);
    this.#leading.publish();
  }

  /** Goes on with a state, and does what the user did here and is not in it. Nobody is told before that is done. */
  #takeOver(record: KeptRecord, epoch: number): void {
    const { port, onError } = this.#parts;
    const acts = this.#acts.missingIn(record);
    const go = (): void => {
      this.#leadWith(epoch, record.applied);
      for (const act of acts) {
        try {
          this.#front.perform(act);
        } catch (error) {
          onError(error);
        }
      }
    };
    const take = (): void => {
      this.#front.lead();
      try {
        port.commands.dispatch({ name: 'adopt', args: [record.snapshot, 0, go] });
      } catch (error) {
        this.#front.follow();
        throw error;
      }
    };
    take();
  }

  #leadWith(epoch: number, applied: KeptRecord['applied']): void {
    this.#role = 'leader';
    this.#leading.begin(epoch, applied);
  }

  #follow(record: KeptRecord): void {
    const { port, name, onError } = this.#parts;
    try {
      readRecord(record, name, port.env.options.chatId);
      this.#latest = record;
      const show = (): void => this.#acts.missingIn(record).forEach(act => this.#front.replay(act));
      port.commands.dispatch({ name: 'adopt', args: [record.snapshot, record.shown ? 2 : 1, show] });
    } catch (error) {
      if (this.#unread !== record.epoch && !isCrash(error)) onError(error);
      this.#unread = record.epoch;
    }
  }

  /** All of them, each time: a tab that has just begun to lead may not have heard the first ones. */
  #tellActs(): void {
    const acts = this.#acts.waiting;
    if (acts.length > 0 && this.#role === 'follower') this.#post({ type: 'acts', tab: this.#tab, acts });
  }

  #hear(message: Message): void {
    if (this.isLeader) this.#hearFollower(message);
    else if (!this.#isClosed()) this.#hearLeader(message);
  }

  #hearFollower(message: Message): void {
    if (message.type === 'acts') return this.#leading.perform(message.tab, message.acts);
    if (message.type !== 'hello' && message.type !== 'here') return;
    this.#leading.heard();
    if (message.type === 'hello') this.#leading.publish();
  }

  #hearLeader(message: Message): void {
    if (message.type === 'saved') return this.#acts.stored(message.applied);
    if (message.type === 'refused' && message.tab === this.#tab) {
      const { code, message: text, toolCallId, approvalId } = message;
      return this.#parts.onError(new ToolGateError(code, text, { toolCallId, approvalId }));
    }
    if (message.type !== 'state' || !isNewer(message.record, this.#latest)) return;
    const isOther = message.record.epoch !== this.#latest?.epoch;
    this.#follow(message.record);
    if (!isOther) return;
    this.#post({ type: 'here' });
    this.#tellActs();
  }

  #post(message: Message): void {
    this.#channel?.post(message);
  }

  #isClosed(): boolean {
    return this.#role === 'closed';
  }
}

/** Listens to the page, where there is one, before the app does. Returns the function that ends it. */
function listen(type: string, listener: () => void): () => void {
  if (typeof addEventListener !== 'function') return () => {};
  addEventListener(type, listener, true);
  return () => removeEventListener(type, listener, true);
}
