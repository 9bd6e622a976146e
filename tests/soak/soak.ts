/**
 * The simulated browser with the pages of one chat, their server and the network between them, and the users' actions.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { init } from '../../src/ts/wasm/init.js';
import type { FencedStorage } from '../../src/ts/persist/storage/fenced-storage.js';
import { actionsName, customStorage } from '../../src/ts/persist/storage/custom-storage.js';
import { ToolGate } from '../../src/ts/gate/tool-gate.js';
import type { GateMessage, SavedGate } from '../../src/ts/types/index.js';
import { Browser } from '../persist/explore/browser.js';
import type { Trouble } from '../persist/explore/disk.js';
import { callsOf, numberOf, saidIn } from './calls.js';
import { Network } from './network.js';
import { loadPage, NAME, type Page, type PageOptions } from './page.js';
import { Random } from './random.js';
import { Server, type Checks, type Sabotage } from './server.js';

await init(readFileSync(new URL('../../pkg/dist/toolgate.wasm', import.meta.url)));

// WebCrypto is replaced, because it resolves from another thread, at an unpredictable time.
Object.defineProperty(crypto.subtle, 'digest', {
  value: async (_: string, data: ArrayBuffer | ArrayBufferView<ArrayBuffer>) => {
    const bytes = ArrayBuffer.isView(data)
      ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
      : new Uint8Array(data);
    const { buffer, byteOffset, byteLength } = createHash('sha256').update(bytes).digest();
    return buffer.slice(byteOffset, byteOffset + byteLength);
  },
});

/** The parameters of a run. */
export interface Plan extends PageOptions {
  readonly checks: Checks;
  readonly storage: 'database' | 'own';
  /** The maximum number of tabs. */
  readonly tabs: number;
  readonly callsPageTools: boolean;
  readonly doubles: boolean;
  readonly reconnects: 'none' | 'active' | 'last';
  /** The number of steps in the part with failures. */
  readonly steps: number;
  /** Whether network, storage and pages fail. */
  readonly isHostile: boolean;
}

/** A decision that a page accepted. */
export interface Given {
  readonly n: number;
  readonly approved: boolean;
  readonly page: Page;
  readonly errorsBefore: number;
  /** Whether the user replaced the message of the call's turn, or regenerated the reply. */
  isTakenBack: boolean;
  /** For a decision while the leader had no storage: the pages that were open, because only these have the decision. */
  readonly knownTo?: readonly Page[] | undefined;
}

/** A message that the user wrote. */
export interface Said {
  readonly text: string;
  readonly page: Page;
  readonly errorsBefore: number;
  /** The number of errors that all pages together had reported before. */
  readonly allErrorsBefore: number;
  /** Whether the message has ever been stored in the chat. */
  isStored: boolean;
  /** Whether the stored actions contain the message now. */
  isInActs: boolean;
  isTakenBack: boolean;
}

/** Deliberate defects, for the tests of the judge. */
export interface Breaks {
  readonly server?: Sabotage;
  /**
   * `sends-twice`: each request is sent a second time, with another key. `incomplete`: requests lack the results of
   * their calls.
   */
  readonly client?: 'sends-twice' | 'incomplete' | 'approves-denied' | 'never-sends';
}

/** The simulated browser, server and network of one run. */
export class Soak extends Browser<Page> {
  readonly plan: Plan;
  readonly random: Random;
  readonly server: Server;
  readonly network: Network;
  readonly given: Given[] = [];
  readonly said: Said[] = [];
  /** Calls that pages showed as not run, and whether that state was ever stored. */
  readonly shownNotRun = new Map<number, { readonly pages: Set<Page>; isStored: boolean }>();
  /** The problems found so far. */
  readonly problems: string[] = [];
  readonly trace: string[] = [];
  /**
   * Whether the user replaced or regenerated messages in a follower. The leader determines which messages this removes.
   */
  hasReplaced = false;
  acts = 0;
  isCalm = false;
  readonly #breaks: Breaks;
  #activity = 0;
  /** Pages that were the leader, and stored something or tried to. */
  readonly #writers = new Set<Page>();
  /**
   * Whether a page was the leader without storage. Such a page starts with an empty chat, reports that, and the other
   * pages adopt its state.
   */
  isUnstored = false;
  /** The stored state at the last check. */
  #stored: string | undefined;

  constructor(plan: Plan, random: Random, breaks: Breaks = {}) {
    super();
    this.plan = plan;
    this.random = random;
    this.#breaks = breaks;
    const onActivity = (): void => void this.#activity++;
    const isHostile = (): boolean => plan.isHostile && !this.isCalm;
    const { version, checks, callsPageTools, doubles, reconnects, isPersisted } = plan;
    this.server = new Server({
      ...{ version, checks, callsPageTools, isHostile, onActivity },
      random: random.fork(),
      later: (label, call) => this.post(label, undefined, label, call),
      onRun: (n) => this.#forget(n, (page) => page.isGone),
      sabotage: breaks.server,
    });
    this.network = new Network({
      ...{ isHostile, doubles, reconnects, isPersisted, onActivity },
      random: random.fork(),
      post: (name, page, label, call) => this.post(name, page as Page | undefined, label, call),
      serve: (request) => this.server.post(request),
    });
  }

  /** The open pages. */
  get live(): readonly Page[] {
    return this.pages.filter(({ isGone }) => !isGone);
  }

  /** Frees all pages. */
  end(): void {
    for (const page of this.pages) {
      page.persister?.close();
      page.gate.free();
    }
  }

  /** Loads the chat in a tab. */
  load(tab: string): Page {
    const id = `${tab}${this.pages.filter((page) => page.id.startsWith(tab)).length + 1}`;
    const page = loadPage(this.plan, {
      id,
      now: () => 1_000_000 + this.now,
      fetch: (input, init) => this.#fetch(id)(input, init),
      history: this.plan.isPersisted ? [] : (structuredClone(this.server.history) as object[]),
      platform: (made) => {
        // The persister requests the lock at once, so the page must be registered in the browser first.
        this.pages.push(made);
        return this.platform(made);
      },
      storage: (made, platform, holdsLock) => {
        const storage =
          this.plan.storage === 'own'
            ? customStorage(this.disk.custom(made.id), platform, holdsLock)
            : this.disk.database(made.id);
        const write: FencedStorage['write'] = (...args) => {
          this.#writers.add(made);
          return storage.write(...args);
        };
        return { ...storage, write };
      },
    });
    if (!this.pages.includes(page)) this.pages.push(page);
    return page;
  }

  /** Runs an event, and its immediate consequences. */
  async happen(name: string): Promise<void> {
    this.trace.push(this.label(name));
    this.fire(name);
    await this.settle();
  }

  /** Waits until all work that needs no timer is done. */
  async settle(): Promise<void> {
    for (let calm = 0, seen = this.#activity; calm < (this.network.open > 0 ? 4 : 2);) {
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#activity === seen) calm++;
      else [calm, seen] = [0, this.#activity];
    }
    for (const page of this.pages) if (!page.isGone && !page.isFrozen) this.#look(page);
    if (this.plan.isPersisted) this.#lookAtDisk();
  }

  /** Advances the time, and runs the timers that are due. */
  async pass(ms: number): Promise<void> {
    this.trace.push(`${ms} ms pass`);
    this.now += ms;
    await this.#tick();
  }

  /** Runs all remaining work and timers. Returns whether the work ended. */
  async rest(): Promise<boolean> {
    for (let events = 0; events < 3_000; events++) {
      const { next } = this;
      if (next === undefined) return true;
      await this.happen(next);
      if (this.due(next) !== undefined) await this.#tick();
    }
    return false;
  }

  /** Performs a user's action. An error of the page that `isExpected` does not accept is a problem. */
  async act(page: Page, label: string, call: () => unknown): Promise<void> {
    this.acts++;
    this.trace.push(`${page.id}: the user ${label}`);
    const failed = (error: unknown): void => {
      this.trace.push(`${page.id}: "${String(error)}"`);
      page.errors.push(error);
      if (!isExpected(error)) this.problems.push(`${label} failed with ${String(error)}`);
    };
    try {
      // The promise of a chat's method may stay pending until the request ends.
      const result = call();
      if (result instanceof Promise) result.catch(failed);
    } catch (error) {
      failed(error);
    }
    await this.settle();
  }

  /** Decides an approval that this page shows, or showed earlier. */
  async answer(page: Page, entry: Page['shown'][number], approved: boolean): Promise<void> {
    const { approvalId, inputDigest } = entry;
    const n = numberOf(entry);
    const { gate, chat, errors } = page;
    const isPending = (): boolean => gate.pending().some((entry) => entry.approvalId === approvalId);
    const wasPending = isPending();
    const errorsBefore = errors.length;
    const flipped = this.#breaks.client === 'approves-denied' ? true : approved;
    await this.act(page, `${approved ? 'approves' : 'denies'} call-${n}`, () => {
      const answered = chat
        ? chat.addToolApprovalResponse({ id: approvalId, approved: flipped })
        : gate.respond(approvalId, { approved: flipped, inputDigest });
      // If the user decides twice, the first decision counts.
      if (wasPending && !isPending()) this.#gave({ n, approved, page, errorsBefore, isTakenBack: false });
      return answered;
    });
  }

  /** Decides all approvals at once. */
  async answerAll(page: Page, approved: boolean): Promise<void> {
    const { gate, errors } = page;
    const before = [...gate.pending()];
    const errorsBefore = errors.length;
    await this.act(page, `${approved ? 'approves' : 'denies'} all of ${before.length}`, () => {
      gate.respondAll({ approved });
      const left = new Set(gate.pending().map(({ approvalId }) => approvalId));
      for (const entry of before) {
        if (!left.has(entry.approvalId))
          this.#gave({ n: numberOf(entry), approved, page, errorsBefore, isTakenBack: false });
      }
    });
  }

  /** Sends a user message, or replaces one. */
  async say(page: Page, replace?: string): Promise<void> {
    const text = `<said ${this.said.length + 1}>`;
    const { gate, chat, errors } = page;
    const errorsBefore = errors.length;
    const takeBack = replace === undefined ? undefined : this.#takingBack(page, ({ id }) => id === replace);
    await this.act(page, `writes ${text}${replace === undefined ? '' : ' in place of another'}`, () => {
      this.said.push({
        text,
        page,
        errorsBefore,
        allErrorsBefore: this.allErrors,
        isStored: false,
        isInActs: false,
        isTakenBack: false,
      });
      if (chat) return chat.sendMessage({ text, ...(replace !== undefined && { messageId: replace }) });
      return gate.sendUserMessage({ text }, replace === undefined ? undefined : { replace });
    });
    if (errors.length === errorsBefore) takeBack?.();
  }

  /** Regenerates the reply to the last message. */
  async regenerate(page: Page): Promise<void> {
    const { gate, chat, errors } = page;
    const errorsBefore = errors.length;
    const last = gate.getSnapshot().messages.findLast(({ role }) => role === 'assistant');
    const takeBack = this.#takingBack(page, (message) => message.id === last?.id);
    await this.act(page, 'regenerates', () => (chat ? chat.regenerate() : gate.regenerate()));
    if (errors.length === errorsBefore) takeBack();
  }

  /** How many errors the pages have reported. */
  get allErrors(): number {
    return this.pages.reduce((sum, { errors }) => sum + errors.length, 0);
  }

  /**
   * Called before the user replaces the history from a message on, which also removes queued messages. Returns a
   * function that records this.
   */
  #takingBack({ gate, persister }: Page, isFirst: (message: GateMessage) => boolean): () => void {
    const { messages } = gate.getSnapshot();
    const place = messages.findIndex(isFirst);
    const left = place < 0 ? messages : messages.slice(0, place);
    const texts = new Set(saidIn({ messages: left, queued: [] }));
    const calls = new Set(callsOf(left).map(numberOf));
    const said = this.said.filter(({ text }) => !texts.has(text));
    const given = this.given.filter(({ n }) => !calls.has(n));
    const isFollower = persister?.isLeader === false;
    return () => {
      if (isFollower) this.hasReplaced = true;
      for (const each of [...said, ...given]) each.isTakenBack = true;
    };
  }

  /** Stops, in any page. */
  async stop(page: Page): Promise<void> {
    await this.act(page, 'stops', () => {
      if (page.chat) return page.chat.stop();
      page.gate.stop();
      page.stop();
      return undefined;
    });
  }

  /** Removes a page. `isTold`: the page is closed and gets the browser's events; otherwise it is killed. */
  async leave(page: Page, isTold: boolean): Promise<void> {
    this.trace.push(`${page.id} is ${isTold ? 'closed' : 'killed'}`);
    if (isTold) {
      for (const listener of page.listeners.get('pagehide') ?? []) listener({ persisted: false });
      await this.settle();
    }
    this.remove(page);
    await this.settle();
  }

  /** Lets the next storage operation of a page fail or hang. */
  spoil(page: Page, trouble: Trouble): void {
    this.trace.push(`${page.id}: the storage ${trouble}`);
    this.disk.spoil(page.id, trouble);
  }

  /** Duplicates or drops a message between tabs. */
  disturb(tab: string, how: 'twice' | 'lost'): void {
    this.trace.push(`a message to ${tab} ${how === 'twice' ? 'arrives twice' : 'is lost'}`);
    if (how === 'twice') this.doubleMessage(tab);
    else this.loseMessage(tab);
  }

  #gave(given: Given): void {
    const isUnstored = this.live.some((page) => this.#leadsUnstored(page));
    this.given.push({ ...given, knownTo: isUnstored ? this.live : undefined });
    // The user was asked again after a page had shown the denial.
    if (given.approved) this.#forget(given.n, (page) => page.isGone || !showsNotRun(page).includes(given.n));
  }

  /**
   * Removes the record that a call was shown as not run, if this was never stored and no page shows it any more.
   */
  #forget(n: number, isVoid: (page: Page) => boolean): void {
    const shown = this.shownNotRun.get(n);
    if (shown && !shown.isStored && [...shown.pages].every(isVoid)) this.shownNotRun.delete(n);
  }

  /** Checks the stored state: its messages, and calls that were shown as not run. */
  #lookAtDisk(): void {
    const acts = this.disk.values.get(actionsName(NAME));
    const text = this.disk.values.get(NAME);
    for (const said of this.said) {
      // If a write completes after its page was closed, the next page may already have read the earlier state.
      said.isStored ||= !said.page.isGone && text?.includes(said.text) === true;
      // A page that continues without the storage deletes its stored actions.
      said.isInActs = acts?.includes(said.text) === true;
    }
    const unstored = [...this.shownNotRun].filter(([, { isStored }]) => !isStored);
    if (unstored.length === 0 || text === undefined || text === this.#stored) return;
    this.#stored = text;
    const gate = ToolGate.restore((JSON.parse(text) as { snapshot: SavedGate }).snapshot, { chatId: 'chat' });
    const stored = new Set(showsNotRun({ gate }));
    for (const [n, shown] of unstored) shown.isStored = stored.has(n);
    gate.free();
  }

  #fetch(id: string): typeof fetch {
    const page = this.pages.find((made) => made.id === id)!;
    const plain = this.network.fetchOf(page);
    const { client } = this.#breaks;
    if (client === 'never-sends')
      return (input, init) => (init?.method === 'POST' ? new Promise(() => {}) : plain(input, init));
    if (client === 'incomplete') return (input, init) => plain(input, withoutResults(init));
    if (client !== 'sends-twice') return plain;
    return (input, init) => {
      if (init?.method === 'POST') {
        const headers = new Headers(init.headers);
        headers.set('idempotency-key', `${headers.get('idempotency-key')} again`);
        void plain(input, { ...init, headers }).catch(() => {});
      }
      return plain(input, init);
    };
  }

  async #tick(): Promise<void> {
    const now = 1_000_000 + this.now;
    for (const { gate, isFrozen, isGone } of this.pages) {
      if (isFrozen || isGone) continue;
      const due = gate.nextDeadline();
      if (due !== null && due <= now) gate.tick(now);
    }
    await this.settle();
  }

  #leadsUnstored(page: Page): boolean {
    return page.persister?.isLeader === true && !this.#writers.has(page);
  }

  /** Records which calls a page shows as not run. */
  #look(page: Page): void {
    if (this.#leadsUnstored(page)) this.isUnstored = true;
    for (const n of showsNotRun(page)) {
      const shown = this.shownNotRun.get(n) ?? { pages: new Set<Page>(), isStored: false };
      if (shown.pages.has(page)) continue;
      shown.pages.add(page);
      this.shownNotRun.set(n, shown);
      // The state may have been stored before this check.
      this.#stored = undefined;
    }
    for (const entry of page.gate.pending()) {
      if (page.shown.every(({ approvalId }) => approvalId !== entry.approvalId)) page.shown.push(entry);
    }
  }
}

/** The calls that a gate shows as not run. */
function showsNotRun({ gate }: Pick<Page, 'gate'>): number[] {
  const parts = callsOf(gate.getSnapshot().messages).filter(({ outcome, delivery }) => {
    if (!outcome || delivery === 'forwarded') return false;
    return outcome.kind !== 'executed' && outcome.kind !== 'failed' && !outcome.mayHaveRun;
  });
  return parts.map(numberOf);
}

/** The request without the results of its calls. */
function withoutResults(init: RequestInit | undefined): RequestInit | undefined {
  if (typeof init?.body !== 'string') return init;
  return { ...init, body: init.body.replaceAll('"state":"output-available"', '"state":"input-available"') };
}

/** The expected errors: refusals of the gate, and failures of network or storage. All other errors are bugs. */
function isExpected(error: unknown): boolean {
  const { name, code, message } = error as { name?: string; code?: string; message?: string };
  if (name === 'ToolGateError') return code !== 'crashed' && code !== 'malformed-event';
  if (name === 'AbortError') return true;
  return /Failed to fetch|network error|disk is full|not found$|bad gateway|model|tool failed/.test(message ?? '');
}
