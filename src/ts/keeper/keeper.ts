/**
 * Keeps one gate in one tab: follows the tab that leads, or leads.
 *
 * A tab that follows shows what the leader publishes, with what the user did here, and is not confirmed, on top of it. Each such
 * act has a number and is stored before it is handed on, so that it is done once, also if this page is reloaded or the leader
 * stands still. A leader that does not answer is replaced. A tab that begins to lead goes on with the newest state that is
 * stored or was published; what it does then is in leading.ts. Where chats are stored, how tabs talk and which one leads is in
 * the files beside this one.
 */
import { isAct, type Act, type Command, type CommandOf } from '../commands.js';
import { ToolGateError } from '../errors.js';
import type { Keeper as KeeperPort, Port } from '../keeping.js';
import type { ToolGate } from '../store.js';
import { actOf, Acts } from './acts.js';
import { within } from './deadline.js';
import { Election } from './election.js';
import { ignored, portable, sentBy } from './forwarding.js';
import { isCrash, Leading, LostError, StoppedError } from './leading.js';
import { readPosted, toPosted, type Message } from './messages.js';
import type { Platform, RawChannel } from './platform.js';
import { isNewer, readRecord, type KeptRecord, type SentAct } from './record.js';
import { Shown } from './shown.js';
import type { LeadStorage } from './lead-storage.js';
import type { Kept, KeepOptions } from './types.js';
import { Vault } from './vault.js';
import { Watch } from './watch.js';

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
  readonly onStop: KeepOptions['onStop'];
}

/** `taking`: it was elected, and reads what is stored. */
type Role = 'joining' | 'follower' | 'taking' | 'leader' | 'closed';

/** A keeper. */
export class Keeper implements KeeperPort {
  readonly joined: Promise<void>;

  readonly #parts: KeeperParts;
  readonly #tab: string;
  readonly #vault: Vault;
  readonly #acts: Acts;
  readonly #shown = new Shown();
  readonly #leading: Leading;
  readonly #watch: Watch;
  readonly #election: Election;
  readonly #ends: (() => void)[] = [];
  #channel: RawChannel | undefined;
  #role: Role = 'joining';
  /** Counts changes of the role: what was begun in another one is void. */
  #turn = 0;
  #join!: () => void;
  #hasJoined = false;
  /** Something was restored, shown or led: without it the chat cannot go on as if nothing was stored. */
  #hasState = false;
  /** The newest state that is known, while another tab leads. */
  #latest: KeptRecord | undefined;
  /** The epoch whose state could not be shown: that is reported once. */
  #unread = -1;
  /** When the browser said last that this tab leads. */
  #heldAt = -Infinity;
  #isSilenceSaid = false;
  /** Acts are being stored; and more came meanwhile. */
  #storing: Promise<void> | undefined;
  #isStoreDue = false;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
    const { gate, port, name, platform, storeTimeoutMs, leaderTimeoutMs, onError } = parts;
    const tab = (this.#tab = platform.randomId());
    this.joined = new Promise(resolve => {
      this.#join = () => {
        this.#hasJoined = true;
        resolve();
      };
    });
    const chatId = (): string | undefined => port.env.options.chatId;
    const storage = parts.storage(() => this.#holdsLately());
    this.#vault = new Vault({ storage, name, tab, platform, timeoutMs: storeTimeoutMs, chatId, onError });
    this.#acts = new Acts(tab);
    this.#leading = new Leading({
      ...{ gate, port, platform, tab, onError },
      vault: this.#vault,
      acts: this.#acts,
      onStop: parts.onStop,
      post: message => this.#post(message),
      holds: () => this.#holds(),
      onLost: () => this.#lost(),
    });
    this.#watch = new Watch({
      platform,
      timeoutMs: leaderTimeoutMs,
      isNeeded: () => this.#needsLeader,
      ask: () => this.#ask(),
      onSilence: () => this.#silence(),
    });
    this.#election = new Election({
      ...{ platform, name, tab, onError },
      timeoutMs: leaderTimeoutMs,
      onElected: () => void this.#lead(),
      onLost: () => this.#lost(),
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

  /** See `Kept`. */
  get state(): Kept['state'] {
    if (this.#role === 'leader' || this.#role === 'closed') return this.#role;
    return this.#role === 'follower' && !this.#watch.isSilent ? 'follower' : 'leaderless';
  }

  /** See `Kept`. */
  get waiting(): number {
    return this.#acts.waiting.length;
  }

  /** Begins. Resolves as `joined` does. */
  async start(): Promise<void> {
    const { gate, port, name, platform } = this.#parts;
    port.isSilent = true;
    port.shown = this.#shown.view;
    this.#channel = platform.openChannel(`toolgate:${name}`, data => this.#hear(data));
    this.#ends.push(
      port.commands.use('keeper', (command, next) => this.#take(command, next)),
      gate.subscribe(() => this.#leading.changed()),
      gate.onEvent(event => (event.type === 'crashed' ? this.close() : this.#leading.happened(event))),
      platform.listen('visibilitychange', () => {
        this.#leading.flush();
        this.#watch.poke();
        if (platform.isVisible) void this.#collect();
      }),
      platform.listen('pagehide', () => this.#leading.pause()),
      platform.listen('pageshow', ({ persisted }) => this.#back(persisted === true)),
    );
    if ((await this.#election.join()) === 'follower' && this.#role === 'joining') {
      this.#role = 'follower';
      void this.#findState();
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
      if (!this.#vault.isOff) throw new Error(`not sent, because the chat could not be stored first: ${String(error)}`, { cause: error });
    }
    // The claim is stored: a tab that takes over from now on finds it. One that did before has the lock by now.
    if (this.isLeader && !(await this.#holds())) this.#lost();
    if (!this.isLeader) throw new LostError();
  };

  /** See `Kept`. */
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

  /** See `Kept`. */
  async forget(): Promise<void> {
    // Of what is being written nothing may come after.
    await this.#leading.saved().catch(() => {});
    this.#leading.drop();
    await this.#vault.forget();
  }

  /** See `Kept`. */
  close(): void {
    if (this.#isClosed()) return;
    const { port, platform, storeTimeoutMs: ms } = this.#parts;
    this.#role = 'closed';
    this.#turn++;
    this.#watch.stop();
    this.#shown.end();
    port.isSilent = true;
    port.shown = undefined;
    port.keeper = undefined;
    for (const end of this.#ends) end();
    // The next tab to lead reads what this one has stored. It does not wait for a storage that does not answer.
    const end = async (): Promise<void> => {
      await Promise.all([this.#leading.end(), this.#storing]);
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
      return isAct(command) ? this.#forward(command, next) : next(command);
    }
    return isAct(command) && !this.#leading.isPerforming ? this.#do(command, next) : next(command);
  }

  /** The user does something here, and this tab leads. */
  #do(act: Act, next: (command: Command) => unknown): unknown {
    const { gate, port } = this.#parts;
    const sent = attempt(() => portable(port, act));
    // A page that stood still may be led by another one by now: before the browser says no, nothing is known not to run.
    const isSure = !saysThatItDoesNotRun(act) || this.#isSure;
    const unshow = isSure ? undefined : this.#shown.add(gate.getSnapshot().messages, undefined);
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

  /** The user does something here, and another tab leads, or may: it is done for the screen and for errors, and handed on. */
  #forward(act: Act, next: (command: Command) => unknown): unknown {
    const { gate, port } = this.#parts;
    // First: what cannot be handed on must not be shown as done.
    const sent = portable(port, act);
    const undo = this.#shown.add(gate.getSnapshot().messages, sentBy(act));
    let result: unknown;
    try {
      result = next(act);
    } catch (error) {
      undo();
      throw error;
    }
    if (result === 'duplicate') return result;
    this.#acts.add(sent);
    port.touch();
    this.#store();
    return act.name === 'sendUserMessage' ? 'queued' : result;
  }

  /** Stores the acts of this tab, then hands them on: what another tab does must be known here after a reload. */
  #store(): void {
    this.#isStoreDue = this.#storing !== undefined;
    const own = this.#acts.own;
    if (this.#isStoreDue || own.length === 0) return;
    const over = (error?: unknown): void => {
      this.#storing = undefined;
      if (error === undefined) this.#acts.markStored(own);
      this.#stored(error);
      if (this.#isStoreDue) this.#store();
    };
    try {
      this.#storing = this.#vault.storeActs(own)?.then(() => over(), over);
      if (!this.#storing) over();
    } catch (error) {
      over(error);
    }
  }

  #stored(error: unknown): void {
    if (this.#isClosed()) return;
    if (this.isLeader) {
      // They are done: this tab leads by now.
      this.#leading.cleanUp();
      this.#leading.mark(false);
    } else if (error !== undefined) {
      this.#acts.dropUnstored();
      this.#parts.onError(new Error(`keep: what was done in this tab is taken back, because it could not be stored: ${String(error)}`, { cause: error }));
      this.#reshow();
    } else {
      this.#tellActs();
      this.#want();
    }
  }

  /** This tab was elected: reads what is stored, and goes on with it. */
  async #lead(): Promise<void> {
    if (this.#isClosed()) return;
    const { port, onError } = this.#parts;
    const turn = ++this.#turn;
    this.#role = 'taking';
    this.#watch.stop();
    this.#post({ type: 'alive' });
    if (this.#hasJoined) port.touch();
    const found = await this.#found(turn);
    if (!found) return;
    const known = [found.record, this.#latest].filter(record => record !== undefined);
    known.sort((a, b) => (isNewer(a, b) ? -1 : 1));
    // Acts in the order in which they were stored.
    const waiting = this.#acts.waiting.filter(([tab, number]) => !found.acts.some(act => act[0] === tab && act[1] === number));
    const acts = [...found.acts, ...waiting];
    let isTaken = false;
    for (const record of known) {
      try {
        const begin = (): void => this.#begin(found.epoch, record.applied, acts);
        port.commands.dispatch({ name: 'adopt', args: [record.snapshot, 0, begin] });
        isTaken = true;
        break;
      } catch (error) {
        if (isCrash(error)) return this.close();
        if (record === found.record) await this.#vault.refuse(error);
        else onError(error);
        if (turn !== this.#turn) return;
      }
    }
    if (!isTaken) {
      // What was done here before anything was known is done already: it stands in this very gate.
      const applied: KeptRecord['applied'] = this.#acts.last > 0 ? [[this.#tab, this.#acts.last]] : [];
      this.#begin(found.epoch, applied, acts);
    }
    if (acts.length > 0) this.#leading.cleanUp();
    this.#acts.clear();
    this.#latest = undefined;
    this.#join();
    this.#leading.mark(true);
    this.#leading.publish();
    port.touch();
  }

  /** What is stored; undefined if another tab leads by now. What fails is asked again, until there is an answer. */
  async #found(turn: number): Promise<Awaited<ReturnType<Vault['takeOver']>> | undefined> {
    const { platform, leaderTimeoutMs, onError } = this.#parts;
    let isReported = false;
    while (turn === this.#turn) {
      try {
        const minimum = Math.max(this.#latest?.epoch ?? 0, this.#leading.epoch);
        const found = await this.#vault.takeOver(minimum, !this.#hasState);
        // It may have been elected long ago, and stood still since.
        if (turn === this.#turn && !(await this.#holds())) this.#lost();
        return turn === this.#turn ? found : undefined;
      } catch (error) {
        if (!isReported) onError(error);
        isReported = true;
      }
      await new Promise<void>(resolve => platform.after(leaderTimeoutMs, resolve));
    }
    return undefined;
  }

  /** Leads from now on, and does what the user did here or in other tabs that is not part of the state. */
  #begin(epoch: number, applied: KeptRecord['applied'], acts: readonly SentAct[]): void {
    this.#role = 'leader';
    this.#hasState = true;
    this.#parts.port.isSilent = false;
    this.#shown.end();
    this.#leading.begin(epoch, applied);
    this.#leading.perform(acts, true);
  }

  /** The lock is another tab's now: what the user did here, and may not be stored, is handed on to that tab. */
  #lost(): void {
    if (this.#role !== 'leader' && this.#role !== 'taking') return;
    const { port, platform, leaderTimeoutMs } = this.#parts;
    const isTaking = this.#role === 'taking';
    if (this.isLeader) this.#acts.takeBack(this.#leading.halt());
    const turn = ++this.#turn;
    this.#role = 'follower';
    this.#heldAt = -Infinity;
    port.isSilent = true;
    this.#election.lose();
    // A tab that was elected and did not come to lead leaves it to others for a while.
    if (isTaking) platform.after(leaderTimeoutMs, () => turn === this.#turn && this.#election.wait());
    else this.#election.wait();
    port.touch();
    void this.#findState();
    this.#store();
  }

  /** Asks for the state, and shows what is stored until there is an answer. */
  async #findState(): Promise<void> {
    const turn = this.#turn;
    this.#post({ type: 'hello' });
    const { record, acts } = await this.#vault.peek();
    if (turn !== this.#turn) return;
    const isMore = this.#acts.take(acts);
    if (record && isNewer(record, this.#latest)) this.#follow(record);
    else if (isMore) this.#reshow();
    this.#join();
    this.#want();
  }

  #follow(record: KeptRecord): void {
    const { port, name, onError } = this.#parts;
    try {
      readRecord(record, name, port.env.options.chatId);
      this.#show(record);
    } catch (error) {
      if (this.#unread !== record.epoch && !isCrash(error)) onError(error);
      this.#unread = record.epoch;
      return;
    }
    this.#latest = record;
    this.#hasState = true;
    this.#join();
    this.#watch.poke();
  }

  /** Shows a state, with the acts on top that are not part of it. Throws `bad-snapshot`; nothing is changed then. */
  #show(record: KeptRecord): void {
    const { gate, port } = this.#parts;
    const acts = this.#acts.missingIn(record).flatMap(sent => attempt(() => actOf(sent)) ?? []);
    const top = (): void => {
      this.#shown.end();
      for (const act of acts) {
        this.#shown.add(gate.getSnapshot().messages, sentBy(act));
        // What is refused now was not refused then: the tab that leads has decided otherwise.
        attempt(() => port.commands.dispatch(act as CommandOf<'stop'>, 'keeper'));
      }
    };
    port.commands.dispatch({ name: 'adopt', args: [record.snapshot, record.shown ? 2 : 1, top] });
  }

  /** The acts that wait are others: shows the state with these. */
  #reshow(): void {
    if (this.#latest) attempt(() => this.#show(this.#latest as KeptRecord));
    this.#parts.port.touch();
  }

  /** Does what other tabs have stored, and could not hand on any more. */
  async #collect(): Promise<void> {
    if (!this.isLeader) return;
    const acts = await this.#vault.acts().catch(() => []);
    if (this.isLeader) this.#leading.perform(acts, true);
  }

  get #needsLeader(): boolean {
    if (this.#role !== 'follower' || !this.#hasJoined) return false;
    if (this.#acts.stored.length > 0) return true;
    const { status } = this.#parts.gate.getSnapshot();
    return this.#parts.platform.isVisible && (status === 'streaming' || status === 'submitted');
  }

  #ask(): void {
    if (this.#acts.stored.length > 0) this.#tellActs();
    else this.#post({ type: 'ping' });
  }

  /** All of them, each time: a tab that has just begun to lead may not have heard the first ones. */
  #tellActs(): void {
    const acts = this.#acts.stored;
    if (acts.length === 0 || this.#role !== 'follower') return;
    this.#post({ type: 'acts', acts });
    this.#watch.expect();
  }

  /** Something may depend on the tab that leads. If that is known not to answer, it is replaced. */
  #want(): void {
    if (this.#watch.isSilent && this.#role === 'follower' && this.#acts.stored.length > 0) this.#replace();
    else this.#watch.poke();
  }

  /** The tab that leads did not answer in time. It is replaced when the user wants something. */
  #silence(): void {
    const { port, leaderTimeoutMs, onError } = this.#parts;
    if (this.#acts.stored.length > 0) return this.#replace();
    if (!this.#isSilenceSaid) {
      onError(new Error(`keep: the tab that sends has not answered for ${leaderTimeoutMs} ms; this one takes over when the user does something here`));
    }
    this.#isSilenceSaid = true;
    port.touch();
  }

  #replace(): void {
    const { port, leaderTimeoutMs, onError } = this.#parts;
    onError(new Error(`keep: the tab that sends has not answered for ${leaderTimeoutMs} ms; this one takes over`));
    this.#election.steal();
    // Again, should the browser not answer either.
    this.#watch.expect();
    port.touch();
  }

  #hear(data: unknown): void {
    const message = readPosted(data);
    if (!message || this.#isClosed()) return;
    if (this.isLeader) this.#hearFollower(message);
    else if (this.#role === 'taking') this.#hearWhileTaking(message);
    else this.#hearLeader(message);
  }

  #hearFollower(message: Message): void {
    if (message.type === 'state') {
      // It says that it leads. The browser knows.
      if (message.record.epoch > this.#leading.epoch) void this.#verify();
      return;
    }
    if (message.type !== 'acts' && message.type !== 'hello' && message.type !== 'here' && message.type !== 'ping') return;
    if (this.#leading.isAway) return;
    this.#leading.heard();
    this.#post({ type: 'alive' });
    if (message.type === 'acts') this.#leading.perform(message.acts);
    if (message.type === 'hello') this.#leading.publish();
  }

  #hearWhileTaking(message: Message): void {
    if (message.type === 'acts') this.#acts.take(message.acts);
    if (message.type === 'acts' || message.type === 'hello' || message.type === 'ping') this.#post({ type: 'alive' });
  }

  #hearLeader(message: Message): void {
    switch (message.type) {
      case 'alive':
        return this.#answered();
      case 'acts':
        // Of another follower: this tab asks nothing that is decided there, and hands it on if that tab is gone.
        if (this.#acts.take(message.acts)) this.#reshow();
        return this.#want();
      case 'saved':
        if (message.epoch < (this.#latest?.epoch ?? 0)) return;
        this.#answered();
        this.#acts.confirm(message.applied);
        return this.#parts.port.touch();
      case 'refused': {
        const { tab, number, code, message: text, toolCallId, approvalId } = message;
        if (this.#acts.has(tab, number)) this.#parts.onError(new ToolGateError(code, text, { toolCallId, approvalId }));
        return;
      }
      case 'state': {
        const { record } = message;
        if (!isNewer(record, this.#latest)) return;
        this.#answered();
        const isOther = record.epoch !== this.#latest?.epoch;
        this.#follow(record);
        if (!isOther) return;
        this.#post({ type: 'here' });
        return this.#tellActs();
      }
    }
  }

  #answered(): void {
    const isBack = this.#watch.isSilent;
    this.#watch.answered();
    this.#isSilenceSaid = false;
    if (isBack) this.#parts.port.touch();
  }

  /** The page is shown again. `isCached`: it was taken away, with its locks, and its messages were not kept. */
  #back(isCached: boolean): void {
    this.#leading.resume();
    if (!isCached || this.#isClosed()) return;
    if (this.isLeader || this.#role === 'taking') return void this.#verify();
    this.#election.wait();
    void this.#findState();
  }

  /** Whether this tab still leads, asked of the browser. */
  async #holds(): Promise<boolean> {
    const at = this.#parts.platform.elapsed();
    const isHeld = await this.#election.holds();
    if (isHeld) this.#heldAt = at;
    return isHeld;
  }

  /** The same, unless that was asked so lately that no other tab can have given up on this one since. */
  async #holdsLately(): Promise<boolean> {
    return this.#isSure || this.#holds();
  }

  get #isSure(): boolean {
    const { platform, leaderTimeoutMs } = this.#parts;
    return this.#election.isAlone || platform.elapsed() - this.#heldAt < leaderTimeoutMs / 2;
  }

  /** Asks the browser whether this tab still leads, and follows if it does not. */
  async #verify(): Promise<void> {
    const { platform, leaderTimeoutMs, port } = this.#parts;
    const turn = this.#turn;
    let isHeld: boolean | undefined;
    while (isHeld === undefined) {
      isHeld = await this.#holds().catch(() => undefined);
      if (turn !== this.#turn) return;
      // It is asked again; until then nothing is sure.
      if (isHeld === undefined) await new Promise<void>(resolve => platform.after(leaderTimeoutMs, resolve));
    }
    if (!isHeld) return this.#lost();
    this.#shown.end();
    port.touch();
  }

  #post(message: Message): void {
    this.#channel?.post(toPosted(message));
  }

  #isClosed(): boolean {
    return this.#role === 'closed';
  }
}

/** Whether a call that the act decides is shown as one that does not run. */
function saysThatItDoesNotRun(act: Act): boolean {
  if (act.name === 'respond') return act.args[1]?.approved === false;
  return act.name === 'respondAll' ? act.args[0]?.approved === false : act.name === 'cancel';
}

/** What `call` returns; undefined if it throws. */
function attempt<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}
