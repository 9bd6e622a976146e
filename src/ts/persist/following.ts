/**
 * What a tab that follows does: shows what the leader publishes, with what the user did here and is not confirmed on top of it;
 * stores each such act before it hands it on; and watches whether the leader answers, where something depends on it. Which tab
 * leads is not decided here.
 */
import type { Act, Command, CommandOf } from '../gate/commands.js';
import { ToolGateError } from '../types/errors.js';
import type { Port } from '../gate/internals.js';
import type { ToolGate } from '../gate/tool-gate.js';
import { actOf, type Acts } from './acts.js';
import { attempt } from './attempt.js';
import { portable, sentBy } from './forwarding.js';
import { isCrash } from './leading.js';
import type { TabMessage } from './tab-messages.js';
import { PersistError } from './persist-error.js';
import type { Platform } from './platform.js';
import { isNewer, readRecord, type KeptRecord } from './kept-record.js';
import { Shown } from './shown.js';
import type { Vault } from './vault.js';
import { Watch } from './watch.js';

/** What a tab that follows works with. */
interface FollowingParts {
  readonly gate: ToolGate;
  readonly port: Port;
  readonly name: string;
  readonly platform: Platform;
  readonly vault: Vault;
  readonly acts: Acts;
  readonly leaderTimeoutMs: number;
  readonly post: (message: TabMessage) => void;
  readonly onError: (error: unknown) => void;
  /** Whether another tab leads, as far as this one knows. */
  readonly isOn: () => boolean;
  /** What there is to show is shown. `hasState`: it is a state of the chat, and not nothing. */
  readonly onShown: (hasState: boolean) => void;
  /** Acts are stored that are done by now, because this tab leads. */
  readonly onLate: () => void;
  /** This tab should lead in place of the one that does not answer. */
  readonly onSilence: () => void;
}

/** One tab's following. */
export class Following {
  readonly #parts: FollowingParts;
  readonly #shown = new Shown();
  readonly #watch: Watch;
  /** The newest state that is known. */
  #latest: KeptRecord | undefined;
  /** The epoch of this tab's own lead: states of earlier ones are old. */
  #minimum = 0;
  /** The state in which this tab lost the lead. */
  #own: KeptRecord | undefined;
  /** The epoch whose state could not be shown: that is reported once. */
  #unread = -1;
  #isSilenceSaid = false;
  /** Acts are being stored; and more came meanwhile. */
  #storing: Promise<void> | undefined;
  #isStoreDue = false;
  /** No acts are stored for now. */
  #isHeld = false;

  constructor(parts: FollowingParts) {
    this.#parts = parts;
    this.#watch = new Watch({
      platform: parts.platform,
      timeoutMs: parts.leaderTimeoutMs,
      isNeeded: () => this.#needsLeader,
      ask: () => (parts.acts.stored.length > 0 ? this.tellActs() : parts.post({ type: 'ping' })),
      onSilence: () => this.#silent(),
    });
  }

  /** What is shown of acts that are not confirmed. */
  get shown(): Shown {
    return this.#shown;
  }

  /** The newest state that is known. */
  get latest(): KeptRecord | undefined {
    return this.#latest;
  }

  /** The newest state that this tab can go on with. */
  get known(): KeptRecord | undefined {
    return this.#latest ?? this.#own;
  }

  /** Whether the tab that leads does not answer. */
  get isSilent(): boolean {
    return this.#watch.isSilent;
  }

  /** Resolves when acts that are being stored are, or cannot be. */
  get storing(): Promise<void> | undefined {
    return this.#storing;
  }

  /** Another tab leads, after this one did. `epoch`: that of its own lead; `own`: the state in which that ended. */
  begin(epoch: number, own: KeptRecord | undefined): void {
    this.#minimum = epoch;
    this.#own = own;
  }

  /** The user does something here: it is done for the screen and for errors, and handed on. Throws what the gate throws. */
  do(act: Act, next: (command: Command) => unknown): unknown {
    const { gate, port, acts } = this.#parts;
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
    acts.add(sent);
    port.touch();
    this.store();
    return act.name === 'sendUserMessage' ? 'queued' : result;
  }

  /** Stores the acts of this tab, then hands them on: what another tab does must be known here after a reload. */
  store(): void {
    if (this.#isHeld) return;
    const { acts, vault } = this.#parts;
    this.#isStoreDue = this.#storing !== undefined;
    const { own } = acts;
    if (this.#isStoreDue || acts.stored.length === acts.waiting.length) return;
    const over = (error?: unknown): void => {
      this.#storing = undefined;
      if (error === undefined) acts.markStored(own);
      this.#stored(error);
      if (this.#isStoreDue) this.store();
    };
    try {
      this.#storing = vault.storeActs(own)?.then(() => over(), over);
      if (!this.#storing) over();
    } catch (error) {
      over(error);
    }
  }

  /** Stores no acts for now, or again. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    this.store();
  }

  /** Asks for the state, and shows what is stored until there is an answer. `isCurrent`: nothing has changed since. */
  async findState(isCurrent: () => boolean): Promise<void> {
    const { post, vault, acts, onShown } = this.#parts;
    post({ type: 'hello' });
    const { record, acts: stored } = await vault.peek();
    if (!isCurrent()) return;
    const isMore = acts.take(stored);
    const published = this.#latest;
    if (record && this.#isNew(record)) this.#follow(record);
    else if (isMore) this.#reshow();
    // A tab that leads and could not read this has to know of it: what it publishes would look old here.
    if (published && record && this.#latest === record) post({ type: 'state', record });
    onShown(false);
    this.want();
  }

  /** Something may depend on the tab that leads. If that is known not to answer, it is replaced. */
  want(): void {
    if (this.#watch.isSilent && this.#parts.isOn() && this.#parts.acts.stored.length > 0) this.#replace();
    else this.#watch.poke();
  }

  /** All of them, each time: a tab that has just begun to lead may not have heard the first ones. */
  tellActs(): void {
    const { acts, post, isOn } = this.#parts;
    const { stored } = acts;
    if (stored.length === 0 || !isOn()) return;
    post({ type: 'acts', acts: stored });
    this.#watch.expect();
  }

  /** Another tab said something. */
  hear(message: TabMessage): void {
    const { acts, port, onError, post } = this.#parts;
    switch (message.type) {
      case 'alive':
        return this.#answered();
      case 'want':
        if (this.known) post({ type: 'state', record: this.known });
        return;
      case 'acts':
        // Of another follower: this tab asks nothing that is decided there, and hands it on if that tab is gone.
        if (acts.take(message.acts)) this.#reshow();
        return this.want();
      case 'saved':
        if (message.epoch < (this.#latest?.epoch ?? this.#minimum)) return;
        this.#answered();
        if (acts.confirm(message.applied)) port.touch();
        return;
      case 'refused': {
        const { tab, number, code, message: text, toolCallId, approvalId } = message;
        if (acts.has(tab, number)) onError(new ToolGateError(code, text, { toolCallId, approvalId }));
        return;
      }
      case 'state': {
        const { record } = message;
        if (!this.#isNew(record)) return this.#object(record);
        this.#answered();
        const isOther = record.epoch !== this.#latest?.epoch;
        this.#follow(record);
        if (!isOther) return;
        post({ type: 'here' });
        return this.tellActs();
      }
      // Only a leader answers these.
      case 'hello':
      case 'here':
      case 'ping':
    }
  }

  /** This tab was elected: nobody has to be watched. */
  pause(): void {
    this.#watch.stop();
  }

  /** This tab leads, or keeps nothing any more: the gate itself is what is shown. */
  end(): void {
    this.#watch.stop();
    this.#isHeld = false;
    this.#shown.end();
    this.#latest = this.#own = undefined;
  }

  #stored(error: unknown): void {
    const { acts, isOn, onLate, onError } = this.#parts;
    if (error === undefined) {
      this.tellActs();
      this.want();
    } else if (isOn() && this.#latest) {
      acts.dropUnstored();
      const message = `persist: what was done in this tab is taken back, because it could not be stored: ${String(error)}`;
      onError(new PersistError('not-stored', message, error));
      this.#reshow();
    } else if (isOn()) onError(error);
    if (!isOn()) onLate();
  }

  /** A tab that could not read what was stored publishes states that look old here: it has to know of the newer one. */
  #object(record: KeptRecord): void {
    const { post } = this.#parts;
    const { known } = this;
    if (known && isNewer(known, record)) post({ type: 'state', record: known });
  }

  #isNew(record: KeptRecord): boolean {
    return record.epoch >= this.#minimum && isNewer(record, this.#latest);
  }

  #follow(record: KeptRecord): void {
    const { port, name, onError, onShown } = this.#parts;
    try {
      readRecord(record, name, port.env.options.chatId);
      this.#show(record);
    } catch (error) {
      if (this.#unread !== record.epoch && !isCrash(error)) onError(error);
      this.#unread = record.epoch;
      return;
    }
    this.#latest = record;
    onShown(true);
    this.store();
    this.#watch.poke();
  }

  /** Shows a state, with the acts on top that are not part of it. Throws `bad-snapshot`; nothing is changed then. */
  #show(record: KeptRecord): void {
    const { gate, port } = this.#parts;
    const acts = this.#parts.acts.missingIn(record).flatMap((sent) => attempt(() => actOf(sent)) ?? []);
    const top = (): void => {
      this.#shown.end();
      for (const act of acts) {
        this.#shown.add(gate.getSnapshot().messages, sentBy(act));
        // What is refused now was not refused then: the tab that leads has decided otherwise.
        attempt(() => port.commands.dispatch(act as CommandOf<'stop'>, 'keeper'));
      }
    };
    port.commands.dispatch({ name: 'adopt', args: [record.snapshot, true, top] });
  }

  /** The acts that wait are others: shows the state with these. */
  #reshow(): void {
    const latest = this.#latest;
    if (latest) attempt(() => this.#show(latest));
    this.#parts.port.touch();
  }

  get #needsLeader(): boolean {
    const { gate, platform, acts, isOn } = this.#parts;
    if (!isOn()) return false;
    if (acts.stored.length > 0) return true;
    const { status } = gate.getSnapshot();
    return platform.isVisible && (status === 'streaming' || status === 'submitted');
  }

  /** The tab that leads did not answer in time. It is replaced when the user wants something. */
  #silent(): void {
    const { port, acts, leaderTimeoutMs, onError } = this.#parts;
    if (acts.stored.length > 0) return this.#replace();
    if (!this.#isSilenceSaid) {
      const message = `persist: the tab that sends has not answered for ${leaderTimeoutMs} ms; this one takes over when the user does something here`;
      onError(new PersistError('leader-silent', message));
    }
    this.#isSilenceSaid = true;
    port.touch();
  }

  #replace(): void {
    const { port, leaderTimeoutMs, onError, onSilence } = this.#parts;
    const message = `persist: the tab that sends has not answered for ${leaderTimeoutMs} ms; this one takes over`;
    onError(new PersistError('leader-silent', message));
    onSilence();
    // Again, should the browser not answer either.
    this.#watch.expect();
    port.touch();
  }

  #answered(): void {
    const isBack = this.#watch.isSilent;
    this.#watch.answered();
    this.#isSilenceSaid = false;
    if (isBack) this.#parts.port.touch();
  }
}
