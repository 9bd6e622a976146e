/**
 * A browser with tabs of one chat, and the chat's backend, in one process. Persister and gate are the real ones. Locks,
 * messages, timers and storage are simulated: each of their effects is an event, and the exploration picks the next
 * event.
 */
import { readFileSync } from 'node:fs';

import { initSync } from '../../../src/ts/wasm/init.js';
import { internalsOf } from '../../../src/ts/gate/internals.js';
import { Persister } from '../../../src/ts/persist/persister.js';
import { actionsName, customStorage } from '../../../src/ts/persist/storage/custom-storage.js';
import type { FencedStorage } from '../../../src/ts/persist/storage/fenced-storage.js';
import { ToolGate } from '../../../src/ts/gate/tool-gate.js';
import type { GateView, Outgoing, ToolPart } from '../../../src/ts/types/index.js';
import { Browser, type BrowserPage } from './browser.js';
import type { Trouble } from './disk.js';
import { NEXT_VERSION, nextPlatform, nextStorage } from './release.js';

initSync(readFileSync(new URL('../../../pkg/dist/toolgate.wasm', import.meta.url)));

const NAME = 'chat';

/** The time limits of leader and storage, in ms of the simulated clock. */
const LEADER_MS = 1_000;
const STORE_MS = 5_000;

/** The actions of a user. */
export type UserAction = 'approve' | 'deny' | 'write' | 'cancel';

/** An action that a gate accepted. */
export interface AcceptedAction {
  readonly action: UserAction;
  readonly page: Page;
  /** Its number in its page. */
  readonly number: number;
  /** The id of the message. */
  readonly message?: string;
  /** The number of errors that the page had reported before. */
  readonly errorsBefore: number;
  /** Whether the action was ever stored. */
  isStored: boolean;
}

/** Whether a tab runs the next release of the package. */
export const isOfNextRelease = (tab: string): boolean => tab.startsWith('N');

/** A page that is or was open. A reload creates a new one in the same tab. */
export interface Page extends BrowserPage {
  readonly gate: ToolGate;
  readonly persister: Persister;
  readonly errors: string[];
  isClosed: boolean;
}

/** A request that was sent to the backend. */
export interface Sent {
  readonly page: Page;
  readonly item: Outgoing;
}

/** One run. */
export class World extends Browser<Page> {
  /** The requests in the order of sending. */
  readonly sent: Sent[] = [];
  /** The number of runs of each call. */
  readonly ran = new Map<string, number>();
  readonly actions: AcceptedAction[] = [];
  /** Calls that a page has shown as denied, skipped or cancelled. A decision that is only forwarded does not count. */
  readonly shownDenied = new Set<string>();
  /** Whether this release has replaced what the next one had stored. */
  isDowngraded = false;
  #wasStoredByNext = false;
  /** Whether a tab has deleted what is stored, and no user has done anything. */
  isCleared = false;
  /** Whether the user has logged out. */
  isLoggedOut = false;
  readonly hasLocks: boolean;
  /** Whether tabs can send each other messages. */
  readonly hasChannel: boolean;
  readonly #kind: 'database' | 'custom';

  constructor(kind: 'database' | 'custom', { locks = true, channel = true } = {}) {
    super();
    this.#kind = kind;
    this.hasLocks = locks;
    this.hasChannel = channel;
  }

  /** Frees the gates. */
  end(): void {
    for (const page of this.pages) page.gate.free();
  }

  /** Loads the chat in a tab. */
  load(tab: string): Page {
    const id = `${tab}${this.pages.filter((page) => page.id.startsWith(tab)).length + 1}`;
    let ids = 0;
    const gate = new ToolGate({ chatId: 'chat', now: () => 1, generateId: () => `${id}-${++ids}` });
    const errors: string[] = [];
    const listeners: Page['listeners'] = new Map();
    const page = { id, gate, errors, listeners, isGone: false, isFrozen: false, isClosed: false } as {
      -readonly [K in keyof Page]: Page[K];
    };
    this.pages.push(page);
    const internals = internalsOf(gate)!;
    const isNext = isOfNextRelease(id);
    const platform = {
      ...(isNext ? nextPlatform(this.platform(page)) : this.platform(page)),
      ...(!this.hasLocks && { locks: undefined }),
      ...(!this.hasChannel && { openChannel: () => ({ post: () => {}, close: () => {} }) }),
    };
    page.persister = new Persister({
      gate,
      internals,
      name: NAME,
      platform,
      storeMs: STORE_MS,
      leaderMs: LEADER_MS,
      storage: (holdsLock) =>
        this.#kind === 'custom' ? customStorage(this.disk.custom(id), platform, holdsLock) : this.#database(id),
      onError: (error) => errors.push(String(error)),
      onStop: undefined,
    });
    internals.persister = page.persister;
    // As the docs recommend: call deliver in every tab, after each change.
    gate.subscribe(() => void gate.deliver((item) => this.#send(page, item)));
    void page.persister.start();
    return page;
  }

  /** Whether this event may happen before earlier timers. A storage that takes too long is a separate fault. */
  isEarlyAllowed(name: string): boolean {
    return this.head(name)?.ms !== STORE_MS;
  }

  /** Whether the next release has stored the chat. */
  get isStoredByNext(): boolean {
    const { value, changes } = this.disk.chat(NAME);
    return [value, ...changes].some((record) => (record as { version?: number } | undefined)?.version === NEXT_VERSION);
  }

  /** Whether an action is still in storage, where the next leader finds it. */
  isWaiting({ page, number }: AcceptedAction): boolean {
    const { actions = [] } = (this.disk.get(actionsName(NAME)) ?? {}) as { actions?: [string, number][] };
    return actions.some(([id, n]) => id === page.id && n === number);
  }

  /** Runs an event and all its promise reactions. */
  async happen(name: string): Promise<void> {
    this.fire(name);
    await this.settle();
  }

  /** Waits until no promise reactions are left. */
  async settle(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    for (const page of this.pages) if (!page.isGone) this.#look(page);
    for (const given of this.actions) given.isStored ||= this.#isStored(given);
    this.isDowngraded ||= this.#wasStoredByNext && !this.isStoredByNext;
    this.#wasStoredByNext = this.isStoredByNext;
  }

  /** Whether the user can perform this action in a tab now. */
  can(tab: string, action: UserAction): boolean {
    const page = this.open(tab);
    if (!page || page.isFrozen || page.isClosed) return false;
    const { status } = page.gate.getSnapshot();
    return action === 'write' ? status !== 'crashed' : page.gate.pending().length > 0;
  }

  /** Performs an action of the user in a tab. */
  async act(tab: string, action: UserAction): Promise<void> {
    const page = this.open(tab)!;
    const { gate, errors } = page;
    const errorsBefore = errors.length;
    this.isCleared = false;
    if (action === 'write') {
      const message = `${page.id}-said-${this.actions.length}`;
      gate.sendUserMessage({ id: message, role: 'user', parts: [{ type: 'text', text: 'and then' }] } as never);
      this.#accepted({ action, page, message, errorsBefore });
    } else if (action === 'cancel') {
      gate.cancel();
      this.#accepted({ action, page, errorsBefore });
    } else {
      const [approval] = gate.pending();
      const { approvalId, inputDigest } = approval!;
      if (gate.respond(approvalId, { approved: action === 'approve', inputDigest }) === 'accepted')
        this.#accepted({ action, page, errorsBefore });
    }
    await this.settle();
  }

  /** Freezes a page, or continues it. */
  async freeze(tab: string, isFrozen: boolean): Promise<void> {
    this.open(tab)!.isFrozen = isFrozen;
    await this.settle();
  }

  /** Kills a page: none of its code runs after that. */
  async crash(tab: string): Promise<void> {
    this.remove(this.open(tab)!);
    await this.settle();
  }

  /** Reloads a page as a browser does, with the event `pagehide`. What the leader's user did is stored by then. */
  async reload(tab: string): Promise<void> {
    const page = this.open(tab)!;
    const leader = this.disk.chat(NAME).leader?.tab;
    for (const listener of page.listeners.get('pagehide') ?? []) listener({ persisted: false });
    await this.settle();
    const isCertain = page.persister.isLeader && !page.isFrozen && leader === page.id;
    for (const given of this.actions) given.isStored ||= isCertain && given.page === page;
    await this.crash(tab);
    this.load(tab);
    await this.settle();
  }

  /** The app closes the persister. */
  async close(tab: string): Promise<void> {
    const page = this.open(tab)!;
    page.isClosed = true;
    page.persister.close();
    await this.settle();
  }

  /** A script of the site takes the lock. An event releases it later. */
  async steal(): Promise<void> {
    this.locks.robbed(`toolgate:${NAME}`, 'a thief');
    this.post('the thief', undefined, 'the thief goes', () => this.locks.release('a thief'));
    await this.settle();
  }

  /** The app deletes what is stored of the chat. */
  async clear(tab: string): Promise<void> {
    // A storage that fails is another fault.
    const cleared = (): void => void (this.isCleared = this.actions.length === 0);
    this.open(tab)!
      .persister.clear()
      .then(cleared, () => {});
    await this.settle();
  }

  /** The user chooses this tab ("Use here"). */
  async lead(tab: string): Promise<void> {
    this.open(tab)!
      .persister.lead()
      .catch(() => {});
    await this.settle();
  }

  /** The browser deletes the site's data. */
  async empty(): Promise<void> {
    for (const given of this.actions) given.isStored = false;
    this.disk.empty();
    await this.settle();
  }

  /** The user logs out in another tab of the site. */
  async logOut(): Promise<void> {
    this.isLoggedOut = true;
    this.disk.endChat(NAME, 2e12);
    this.tellAll('toolgate', { ended: 'all' });
    await this.settle();
  }

  /** Delivers the next message to a tab twice. */
  async hearTwice(tab: string): Promise<void> {
    this.doubleMessage(tab);
    await this.settle();
  }

  /** Makes the next call of the tab's storage fail or hang. */
  async spoil(tab: string, trouble: Trouble): Promise<void> {
    this.disk.spoil(this.open(tab)!.id, trouble);
    await this.settle();
  }

  /** The complete current state. */
  state(): string {
    const pages = this.pages.map((page) => {
      const { id, isGone, isFrozen, isClosed, errors, persister, gate } = page;
      if (isGone) return [id, 'gone'];
      return [id, isFrozen, isClosed, errors, persister.state, persister.waiting, shownBy(gate), gate.toJSON()];
    });
    const queues = [...this.queues].map(([name, { events }]) => [
      name,
      events.map(({ label, due }) => [label, due === undefined ? 0 : due - this.now]),
    ]);
    const given = this.actions.map(({ action, page }) => [action, page.id]);
    const sent = this.sent.map(({ page, item }) => [page.id, item.id, item.key, item.attempt]);
    return JSON.stringify([
      pages,
      queues.sort(),
      this.locks,
      this.disk,
      given,
      sent,
      [...this.ran],
      [...this.shownDenied],
      this.isCleared,
    ]);
  }

  /**
   * Sends a request. It arrives even if the page was closed. The backend answers it, and the page reads the answer if
   * it still exists.
   */
  #send(page: Page, item: Outgoing): Promise<void> {
    this.sent.push({ page, item });
    return new Promise((resolve) => {
      this.post(`request ${this.sent.length}`, undefined, `the backend gets ${item.id} of ${page.id}`, () => {
        const reply = this.#run(item);
        this.post(`${page.id} reply`, page, `${page.id}: reads the reply to ${item.id}`, () => {
          resolve();
          const about = { requestId: item.id, attempt: item.attempt };
          // `deliver` marks the item as sent in a reaction to `resolve`, which must run first.
          queueMicrotask(() => {
            for (const chunk of reply) page.gate.receive(chunk, about);
            page.gate.streamEnded({ status: 'finished' }, about);
          });
        });
      });
    });
  }

  /** The backend: runs approved calls without checking the key, and answers. */
  #run({ body }: Outgoing): object[] {
    const { messages } = body as { messages: { role: string; parts: ToolPart[] }[] };
    const last = messages.at(-1);
    const decided = (last?.role === 'assistant' ? last.parts : []).filter(
      ({ state }) => state === 'approval-responded',
    );
    const results = decided.map(({ toolCallId, approval }) => {
      if (!approval?.approved) return { type: 'tool-output-denied', toolCallId };
      this.ran.set(toolCallId, (this.ran.get(toolCallId) ?? 0) + 1);
      return { type: 'tool-output-available', toolCallId, output: 'done' };
    });
    const id = `reply-${this.sent.length}`;
    const text = [
      { type: 'text-start', id },
      { type: 'text-delta', id, delta: 'ok' },
      { type: 'text-end', id },
    ];
    const start = last?.role === 'assistant' ? [{ type: 'start' }] : [{ type: 'start', messageId: id }];
    return [
      ...start,
      ...results,
      { type: 'start-step' },
      ...text,
      { type: 'finish-step' },
      { type: 'finish', finishReason: 'stop' },
    ];
  }

  #database(id: string): FencedStorage {
    const database = this.disk.database(id);
    return isOfNextRelease(id) ? nextStorage(database) : database;
  }

  #accepted(given: Omit<AcceptedAction, 'number' | 'isStored'>): void {
    const number = this.actions.filter(({ page }) => page === given.page).length + 1;
    this.actions.push({ ...given, number, isStored: false });
  }

  #isStored({ page: { id }, number }: AcceptedAction): boolean {
    const { value, changes } = this.disk.chat(NAME);
    const record = (changes.at(-1) ?? value) as { applied?: [string, number][] } | undefined;
    const { actions = [] } = (this.disk.get(actionsName(NAME)) ?? {}) as { actions?: [string, number][] };
    const isIn = (list: readonly [string, number][], test: (n: number) => boolean): boolean =>
      list.some(([page, n]) => page === id && test(n));
    return isIn(record?.applied ?? [], (n) => n >= number) || isIn(actions, (n) => n === number);
  }

  /** Records the calls that a page shows as ones that will not run. */
  #look(page: Page): void {
    for (const part of callsOf(page.gate.getSnapshot())) {
      if (part.delivery === 'forwarded') continue;
      const isDenied =
        part.state === 'output-denied' ||
        part.approval?.approved === false ||
        part.outcome?.kind === 'denied' ||
        part.outcome?.kind === 'skipped';
      const isCancelled = part.outcome?.kind === 'cancelled' && !part.outcome.mayHaveRun;
      if (isDenied || isCancelled) this.shownDenied.add(part.toolCallId);
    }
  }
}

/** The tool calls of a view. */
export function callsOf({ messages }: GateView): ToolPart[] {
  return messages.flatMap(({ parts }) => parts.filter((part): part is ToolPart => 'toolCallId' in part));
}

/** A short form of what a gate shows. */
export function shownBy(gate: ToolGate): unknown {
  const view = gate.getSnapshot();
  const calls = callsOf(view).map(({ toolCallId, state, delivery, outcome }) => [
    toolCallId,
    state,
    delivery,
    outcome?.kind,
  ]);
  return [
    view.status,
    view.messages.map(({ id }) => id),
    view.queued.map(({ id }) => id),
    calls,
    gate.undelivered().map(({ id, delivery }) => [id, delivery]),
  ];
}
