/**
 * Which session is open on the page. It changes with the scenario, and when the user starts over in this tab or in
 * another one. It uses no framework: each page reads it as a store (`get`, `subscribe`).
 */
import type { Scenario } from '../scenarios/index';
import type { SessionSettings } from './connection';
import { openSession, type DemoChat, type MakeChat, type Session, type Wish } from './session';
import { onOtherChat } from './stored-chats';

/** The open session. The old one stays until the new one is ready. */
export interface Opened<CHAT extends DemoChat> {
  readonly session: Session<CHAT>;
  /** Another session is being opened: input for this one would be lost. */
  readonly isOpening: boolean;
}

/** Opens sessions, one at a time. */
export class OpenChat<CHAT extends DemoChat> {
  /** Whether the backend outlives the page. */
  readonly hasServer: boolean;
  readonly #makeChat: MakeChat<CHAT>;
  readonly #settings: SessionSettings;
  readonly #listeners = new Set<() => void>();
  #opened: Opened<CHAT>;
  #turn = 0;

  private constructor(makeChat: MakeChat<CHAT>, settings: SessionSettings, first: Session<CHAT>) {
    this.#makeChat = makeChat;
    this.#settings = settings;
    this.hasServer = settings.backend !== 'embedded';
    this.#opened = { session: first, isOpening: false };
    // Another tab started over: this one follows it.
    onOtherChat((scenarioId, id) => {
      const { session } = this.#opened;
      if (scenarioId !== session.scenario.id || id === session.id) return;
      session.close();
      void this.#open(session.scenario, {});
    });
  }

  /** Opens the first chat. Call `init()` of `toolgate` first. */
  static async begin<CHAT extends DemoChat>(
    makeChat: MakeChat<CHAT>,
    scenario: Scenario,
    settings: SessionSettings,
  ): Promise<OpenChat<CHAT>> {
    return new OpenChat(makeChat, settings, await openSession(makeChat, scenario, settings));
  }

  /** The open session: the same object until it changes. */
  readonly get = (): Opened<CHAT> => this.#opened;

  /** Calls `listener` after each change. Returns an unsubscribe function. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Shows another scenario: its stored chat, or a new one. */
  readonly choose = (scenario: Scenario): void => {
    this.#opened.session.close();
    void this.#open(scenario, {});
  };

  /** Deletes the chat, in this browser and at the backend, and starts a new one. */
  readonly startOver = (wish: Wish = {}): void => {
    const { session } = this.#opened;
    this.#set({ session, isOpening: true });
    void session.discard().then(() => this.#open(session.scenario, { onDeny: session.onDeny, ...wish, fresh: true }));
  };

  async #open(scenario: Scenario, wish: Wish): Promise<void> {
    const mine = ++this.#turn;
    this.#set({ session: this.#opened.session, isOpening: true });
    const next = await openSession(this.#makeChat, scenario, this.#settings, wish);
    if (mine !== this.#turn) return next.close();
    const url = new URL(location.href);
    url.searchParams.set('scenario', scenario.id);
    history.replaceState(null, '', url);
    this.#set({ session: next, isOpening: false });
  }

  #set(opened: Opened<CHAT>): void {
    this.#opened = opened;
    for (const listener of this.#listeners) listener();
  }
}
