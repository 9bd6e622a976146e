/**
 * Keeps one gate in one tab: follows the tab that leads, or leads, and goes from one to the other. A tab that begins to lead goes
 * on with the newest state that is stored or was published, and with what users did and is not part of it. What each role does is
 * in following.ts and leading.ts; where chats are stored, how tabs talk and which one leads is in the files beside this one.
 */
import { isAct, type Act, type Command } from '../gate/commands.js';
import type { KeeperHandle, Port } from '../gate/internals.js';
import type { ToolGate } from '../gate/tool-gate.js';
import { Acts } from './acts.js';
import { attempt } from './attempt.js';
import { within } from './deadline.js';
import { Election } from './election.js';
import { Following } from './following.js';
import { ignored, portable, saysThatItDoesNotRun } from './forwarding.js';
import type { LeadStorage } from './lead-storage.js';
import { Leading, LostError, StoppedError } from './leading.js';
import { readPosted, toPosted, type TabMessage } from './tab-messages.js';
import { PersistError } from './persist-error.js';
import type { Platform, RawChannel } from './platform.js';
import type { KeptRecord, SentAct } from './kept-record.js';
import { Taking } from './taking.js';
import type { PersistedChat, PersistOptions } from './persist-options.js';
import { Unreadable } from './unreadable.js';
import { Vault } from './vault.js';

/** What a keeper works with. */
interface KeeperParts {
  readonly gate: ToolGate;
  readonly port: Port;
  readonly name: string;
  readonly platform: Platform;
  readonly storeTimeoutMs: number;
  readonly leaderTimeoutMs: number;
  /** Makes the storage; undefined if there is none. */
  readonly storage: (holds: () => Promise<boolean>) => LeadStorage | undefined;
  readonly onError: (error: unknown) => void;
  readonly onStop: PersistOptions['onStop'];
}

/** `taking`: it was elected, and reads what is stored. */
type Role = 'joining' | 'follower' | 'taking' | 'leader' | 'closed';

/** A keeper. */
export class Keeper implements KeeperHandle {
  readonly joined: Promise<void>;

  readonly #parts: KeeperParts;
  readonly #tab: string;
  readonly #vault: Vault;
  readonly #acts: Acts;
  readonly #following: Following;
  readonly #leading: Leading;
  readonly #election: Election;
  readonly #unreadable: Unreadable;
  readonly #ends: (() => void)[] = [];
  #channel: RawChannel | undefined;
  #role: Role = 'joining';
  /** Counts changes of the role: what was begun in another one is void. */
  #turn = 0;
  #join!: () => void;
  #hasJoined = false;
  /** Something was restored, shown or led: without it the chat cannot go on as if nothing was stored. */
  #hasState = false;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
    const { gate, port, name, platform, storeTimeoutMs, leaderTimeoutMs, onError } = parts;
    const tab = (this.#tab = platform.randomId());
    this.joined = new Promise((resolve) => {
      this.#join = () => {
        this.#hasJoined = true;
        resolve();
      };
    });
    const chatId = (): string | undefined => port.env.options.chatId;
    const storage = parts.storage(async () => this.#election.isSure || this.#election.holds());
    this.#vault = new Vault({ storage, name, tab, platform, timeoutMs: storeTimeoutMs, chatId, onError });
    this.#acts = new Acts(tab);
    this.#leading = new Leading({
      ...{ gate, port, platform, tab, onError },
      vault: this.#vault,
      acts: this.#acts,
      onStop: parts.onStop,
      post: (message) => this.#post(message),
      holds: () => this.#election.holds(),
      isSure: () => this.#election.isSure,
      onLost: () => this.#lost(),
    });
    this.#following = new Following({
      ...{ gate, port, name, platform, leaderTimeoutMs, onError },
      vault: this.#vault,
      acts: this.#acts,
      post: (message) => this.#post(message),
      isOn: () => this.#role === 'follower',
      onShown: (hasState) => {
        this.#hasState ||= hasState;
        this.#join();
      },
      onLate: () => {
        this.#leading.cleanUp();
        this.#leading.mark(false);
      },
      onSilence: () => this.#election.steal(),
    });
    this.#election = new Election({
      ...{ platform, name, tab, onError },
      timeoutMs: leaderTimeoutMs,
      onElected: () => void this.#lead(),
      onLost: () => this.#lost(),
    });
    this.#unreadable = new Unreadable({
      ...{ platform, tab, leaderTimeoutMs },
      vault: this.#vault,
      acts: this.#acts,
      following: this.#following,
      post: (message) => this.#post(message),
      hasOthers: () => this.#election.hasOthers(),
      isTaking: () => this.#role === 'taking',
    });
  }

  /** Whether this tab sends. */
  get isLeader(): boolean {
    return this.#role === 'leader';
  }

  /** Whether no other tab can send. */
  get isExclusive(): boolean {
    return !this.#election.isAlone;
  }

  /** See `PersistedChat`. */
  get state(): PersistedChat['state'] {
    if (this.#role === 'leader' || this.#role === 'closed') return this.#role;
    return this.#role === 'follower' && !this.#following.isSilent ? 'follower' : 'leaderless';
  }

  /** See `PersistedChat`. */
  get waiting(): number {
    return this.#acts.waiting.length;
  }

  /** Begins. Resolves as `joined` does. */
  async start(): Promise<void> {
    const { gate, port, name, platform } = this.#parts;
    port.isSilent = true;
    port.shown = this.#following.shown.view;
    this.#channel = platform.openChannel(`toolgate:${name}`, (data) => this.#hear(data));
    this.#ends.push(
      port.commands.use('keeper', (command, next) => this.#take(command, next)),
      gate.subscribe(() => this.#leading.changed()),
      gate.onEvent((event) => (event.type === 'crashed' ? this.close() : this.#leading.happened(event))),
      platform.listen('visibilitychange', () => {
        this.#leading.flush();
        this.#following.want();
        if (platform.isVisible && this.isLeader) void this.#leading.collect();
      }),
      platform.listen('pagehide', () => this.#leading.pause()),
      platform.listen('pageshow', ({ persisted }) => this.#back(persisted === true)),
    );
    if ((await this.#election.join()) === 'follower' && this.#role === 'joining') {
      this.#role = 'follower';
      this.#findState();
    }
    await this.joined;
  }

  /** Resolves when what the gate knows is stored; rejects if it cannot be, if the user stops, or if another tab leads by then. */
  readonly claimed = async (): Promise<void> => {
    try {
      await this.#leading.claimed();
    } catch (error) {
      if (error instanceof LostError || error instanceof StoppedError) throw error;
      // Where nothing is stored, there is nothing to wait for.
      if (!this.#vault.isOff)
        throw new PersistError(
          'not-stored',
          `not sent, because the chat could not be stored first: ${String(error)}`,
          error,
        );
    }
    // The claim is stored: a tab that takes over from now on finds it. One that did before has the lock by now.
    if (this.isLeader && !(await this.#election.holds())) this.#lost();
    if (!this.isLeader) throw new LostError();
  };

  /** See `PersistedChat`. */
  async saved(): Promise<void> {
    const { platform, storeTimeoutMs, leaderTimeoutMs } = this.#parts;
    await this.joined;
    for (;;) {
      if (this.isLeader || this.#isClosed()) {
        try {
          return await this.#leading.saved();
        } catch (error) {
          if (!(error instanceof LostError) || this.#isClosed()) throw error;
        }
      }
      // A leader that stands still is replaced, and whoever leads then reads and stores: each in its time.
      const deadline = { platform, ms: leaderTimeoutMs + 2 * storeTimeoutMs, what: 'the tab that sends' };
      await within(deadline, () => this.#acts.confirmed());
      if (!this.isLeader) return;
    }
  }

  /** See `PersistedChat`. */
  async forget(): Promise<void> {
    // Of what is being written nothing may come after.
    await this.#leading.saved().catch(() => {});
    this.#leading.drop();
    await this.#vault.forget();
  }

  /** See `PersistedChat`. */
  close(): void {
    if (this.#isClosed()) return;
    const { port, platform, storeTimeoutMs: ms } = this.#parts;
    this.#role = 'closed';
    this.#turn++;
    this.#following.end();
    port.isSilent = true;
    port.shown = undefined;
    port.keeper = undefined;
    for (const end of this.#ends) end();
    // The next tab to lead reads what this one has stored. It does not wait for a storage that does not answer.
    const end = async (): Promise<void> => {
      await Promise.all([this.#leading.end(), this.#following.storing]);
      const acts = this.#acts.stored;
      if (acts.length > 0) this.#post({ type: 'acts', acts });
    };
    const leave = (): void => {
      this.#election.leave();
      this.#channel?.close();
      this.#channel = undefined;
      this.#acts.clear();
      this.#join();
    };
    void Promise.resolve(within({ platform, ms, what: 'the storage' }, end)).then(leave, leave);
  }

  /** A command of the gate. */
  #take(command: Command, next: (command: Command) => unknown): unknown {
    if (command.name === 'free') this.close();
    if (this.#isClosed()) return next(command);
    if (!this.isLeader) {
      const answer = ignored(command);
      if (answer) return answer.result;
      return isAct(command) ? this.#following.do(command, next) : next(command);
    }
    return isAct(command) && !this.#leading.isPerforming ? this.#do(command, next) : next(command);
  }

  /** The user does something here, and this tab leads. */
  #do(act: Act, next: (command: Command) => unknown): unknown {
    const { gate, port } = this.#parts;
    const sent = attempt(() => portable(port, act));
    // A page that stood still may be led by another one by now: before the browser says no, nothing is known not to run.
    const isSure = !saysThatItDoesNotRun(act) || this.#election.isSure;
    const unshow = isSure ? undefined : this.#following.shown.add(gate.getSnapshot().messages, undefined);
    const undo = this.#leading.does(sent);
    let result: unknown;
    try {
      result = next(act);
    } catch (error) {
      undo();
      unshow?.();
      throw error;
    }
    if (act.name === 'stop') this.#leading.stopClaims();
    if (!isSure) void this.#verify();
    return result;
  }

  /** This tab was elected: reads what is stored, and goes on with it. */
  async #lead(): Promise<void> {
    if (this.#isClosed()) return;
    const { port, platform, leaderTimeoutMs, onError } = this.#parts;
    const turn = ++this.#turn;
    this.#role = 'taking';
    this.#following.pause();
    this.#post({ type: 'alive' });
    if (this.#hasJoined) port.touch();
    const taking = new Taking(
      {
        ...{ port, platform, leaderTimeoutMs, onError },
        vault: this.#vault,
        holds: () => this.#election.holds(),
        onLost: () => this.#lost(),
        unreadable: this.#unreadable,
      },
      () => turn === this.#turn,
    );
    const epoch = (): number => Math.max(this.#following.latest?.epoch ?? 0, this.#leading.epoch);
    const found = await taking.find(epoch, () => this.#hasState);
    if (!found) return;
    const acts = this.#acts.after(found.acts);
    try {
      const isTaken = await taking.takeOver(found, this.#following.known, (applied) =>
        this.#begin(found.epoch, applied, acts),
      );
      if (isTaken === undefined) return;
      // What was done here before anything was known is done already: it stands in this very gate.
      if (!isTaken) this.#begin(found.epoch, this.#acts.last > 0 ? [[this.#tab, this.#acts.last]] : [], acts);
    } catch {
      return this.close();
    }
    if (acts.length > 0) this.#leading.cleanUp();
    this.#acts.clear();
    this.#join();
    this.#leading.mark(true);
    this.#leading.publish();
    port.touch();
  }

  /** Leads from now on, and does what the user did here or in other tabs that is not part of the state. */
  #begin(epoch: number, applied: KeptRecord['applied'], acts: readonly SentAct[]): void {
    this.#role = 'leader';
    this.#hasState = true;
    this.#parts.port.isSilent = false;
    this.#following.end();
    this.#leading.begin(epoch, applied, this.#acts.own);
    this.#leading.perform(acts, true);
  }

  /** The lock is another tab's now: what the user did here, and may not be stored, is handed on to that tab. */
  #lost(): void {
    if (this.#role !== 'leader' && this.#role !== 'taking') return;
    const { port, platform, leaderTimeoutMs } = this.#parts;
    const isTaking = this.#role === 'taking';
    if (this.isLeader) {
      const { unsaved, record } = this.#leading.halt();
      this.#acts.takeBack(unsaved);
      this.#following.begin(this.#leading.epoch, record);
    }
    const turn = ++this.#turn;
    this.#role = 'follower';
    port.isSilent = true;
    this.#election.lose();
    // A tab that was elected and did not come to lead leaves it to others for a while.
    if (isTaking) platform.after(leaderTimeoutMs, () => turn === this.#turn && this.#election.wait());
    else this.#election.wait();
    port.touch();
    this.#findState();
    this.#following.hold(false);
  }

  #findState(): void {
    const turn = this.#turn;
    void this.#following.findState(() => turn === this.#turn);
  }

  #hear(data: unknown): void {
    const message = readPosted(data);
    if (!message || this.#isClosed()) return;
    if (this.isLeader) this.#hearFollower(message);
    else if (this.#role === 'taking') this.#hearWhileTaking(message);
    else this.#following.hear(message);
  }

  #hearFollower(message: TabMessage): void {
    if (message.type === 'state') {
      // It says that it leads, or shows a state that this tab could not read. The browser knows.
      const { record } = message;
      if (this.#leading.isBefore(record)) void this.#verify(record.epoch);
      return;
    }
    if (message.type !== 'acts' && message.type !== 'hello' && message.type !== 'here' && message.type !== 'ping')
      return;
    if (this.#leading.isAway) return;
    this.#leading.heard();
    this.#post({ type: 'alive' });
    if (message.type === 'acts') this.#leading.perform(message.acts);
    if (message.type === 'hello') this.#leading.publish();
  }

  #hearWhileTaking(message: TabMessage): void {
    if (message.type === 'state' && this.#unreadable.isAsking) {
      this.#following.hear(message);
      if (this.#hasState) this.#unreadable.answered();
    }
    if (message.type === 'acts') this.#acts.take(message.acts);
    if (message.type === 'acts' || message.type === 'hello' || message.type === 'ping') this.#post({ type: 'alive' });
  }

  /** The page is shown again. `isCached`: it was taken away, with its locks, and its messages were not kept. */
  #back(isCached: boolean): void {
    this.#leading.resume();
    if (!isCached || this.#isClosed()) return;
    if (this.isLeader || this.#role === 'taking') return void this.#verify();
    this.#election.wait();
    this.#findState();
  }

  /**
   * Asks the browser whether this tab still leads, and follows if it does not. If it does, other tabs are to see that: what it
   * publishes is newer than what they show, of the epoch `shown`.
   */
  async #verify(shown?: number): Promise<void> {
    const { platform, leaderTimeoutMs, port } = this.#parts;
    const turn = this.#turn;
    let isHeld: boolean | undefined;
    while (isHeld === undefined) {
      isHeld = await this.#election.holds().catch(() => undefined);
      if (turn !== this.#turn) return;
      // It is asked again; until then nothing is sure.
      if (isHeld === undefined) await new Promise<void>((resolve) => platform.after(leaderTimeoutMs, resolve));
    }
    if (!isHeld) return this.#lost();
    if (shown !== undefined) this.#leading.raise(shown);
    this.#following.shown.end();
    port.touch();
  }

  #post(message: TabMessage): void {
    this.#channel?.post(toPosted(message));
  }

  #isClosed(): boolean {
    return this.#role === 'closed';
  }
}
