/**
 * A browser in one process: tabs, locks, messages between tabs, timers and storage. All of it is simulated. Each of its
 * effects is an event in a queue, and the caller picks the next event. Used by the exploration (world.ts) and by
 * tests/soak.
 */
import type { Platform } from '../../../src/ts/persist/tabs/platform.js';
import { Disk } from './disk.js';
import { LockManager } from './locks.js';

/** An event. */
export interface BrowserEvent {
  readonly label: string;
  readonly call: () => void;
  /** For a timer: when it is due, and its duration. */
  readonly due?: number;
  readonly ms?: number;
}

/** Events that happen one after the other. `page` is undefined if they happen outside of all pages. */
export interface Queue {
  readonly page: BrowserPage | undefined;
  readonly events: BrowserEvent[];
}

/** The browser's data about a page. */
export interface BrowserPage {
  /** For example `A1`: the tab, and the number of its page. */
  readonly id: string;
  readonly listeners: Map<string, ((event: { persisted?: boolean }) => void)[]>;
  isGone: boolean;
  isFrozen: boolean;
}

/** A browser with the pages of one chat. */
export class Browser<PAGE extends BrowserPage> {
  readonly pages: PAGE[] = [];
  readonly disk: Disk;
  readonly locks: LockManager;
  protected readonly queues = new Map<string, Queue>();
  /** The time since the browser was started, in ms. */
  protected now = 0;
  readonly #channels = new Set<{
    readonly name: string;
    readonly listener: (data: unknown) => void;
    readonly page: BrowserPage;
  }>();

  constructor() {
    this.disk = new Disk((tab, isOfDisk, label, call) => {
      if (isOfDisk) this.post(`disk of ${tab}`, undefined, `${tab}: ${label}`, call);
      else this.post(`${tab} disk`, this.#page(tab), `${tab}: ${label}`, call);
    });
    this.locks = new LockManager((tab, label, call) =>
      this.post(`${tab} locks`, this.#page(tab), `${tab}: ${label}`, call),
    );
  }

  /** The page that a tab shows. */
  open(tab: string): PAGE | undefined {
    return this.pages.findLast((page) => page.id.startsWith(tab) && !page.isGone);
  }

  /**
   * The names of the events that can happen now: the first one of each queue whose page exists and is not frozen.
   * Oldest queues first.
   */
  get enabled(): readonly string[] {
    return [...this.queues].filter(([, queue]) => isEnabled(queue)).map(([name]) => name);
  }

  /** The next event without faults and delays: events that are not timers first, then timers by their time. */
  get next(): string | undefined {
    const names = this.enabled;
    const soon = names.find((name) => this.head(name)?.due === undefined);
    if (soon !== undefined) return soon;
    return [...names].sort((a, b) => (this.head(a)?.due ?? 0) - (this.head(b)?.due ?? 0))[0];
  }

  /** When the timer at the start of a queue is due; undefined for other events. */
  due(name: string): number | undefined {
    return this.head(name)?.due;
  }

  /** Describes an event. */
  label(name: string): string {
    return this.head(name)?.label ?? name;
  }

  /** Runs an event. Promise reactions have not run yet when this returns. */
  protected fire(name: string): void {
    const queue = this.queues.get(name);
    const event = queue?.events.shift();
    if (!event || !queue) throw new Error(`no event is possible in the queue ${name}`);
    if (queue.events.length === 0) this.queues.delete(name);
    if (event.due !== undefined) this.now = Math.max(this.now, event.due);
    event.call();
  }

  /** Removes a page: its locks are released, and no event reaches it. */
  protected remove(page: PAGE): void {
    page.isGone = true;
    this.locks.release(page.id);
    for (const [name, queue] of this.queues) if (queue.page === page) this.queues.delete(name);
  }

  /** The time since the browser was started, in ms. */
  get clock(): number {
    return this.now;
  }

  /** Whether a message to a tab was sent and has not arrived. */
  hears(tab: string): boolean {
    return this.#messagesTo(tab) !== undefined;
  }

  /** Delivers the next message to a tab twice. */
  protected doubleMessage(tab: string): void {
    const { events } = this.#messagesTo(tab)!;
    events.unshift(events[0]!);
  }

  /** Drops the next message to a tab. */
  protected loseMessage(tab: string): void {
    const [name, queue] = this.#queueTo(tab)!;
    queue.events.shift();
    if (queue.events.length === 0) this.queues.delete(name);
  }

  /** The platform of a page's persister. */
  protected platform(page: PAGE): Platform {
    const { id } = page;
    return {
      locks: this.locks.of(id),
      openChannel: (name, listener) => {
        const channel = { name, listener, page };
        this.#channels.add(channel);
        return {
          post: (data) => {
            if (page.isGone) return;
            // Cloned as in the browser.
            const text = JSON.stringify(data);
            const type = (data as { message?: { type: string } }).message?.type ?? 'log-out';
            for (const other of this.#channels) {
              if (other === channel || other.name !== name || other.page.isGone) continue;
              const label = `${other.page.id}: hears "${type}" of ${id}`;
              this.post(`${other.page.id} from ${id}`, other.page, label, () => other.listener(JSON.parse(text)));
            }
          },
          close: () => void this.#channels.delete(channel),
        };
      },
      after: (ms, call) => {
        const event: BrowserEvent = { label: `${id}: ${ms} ms are over`, call, due: this.now + ms, ms };
        const queue = this.#queue(`${id} timers`, page);
        const place = queue.events.findIndex(({ due = 0 }) => due > this.now + ms);
        queue.events.splice(place < 0 ? queue.events.length : place, 0, event);
        return () => {
          const at = queue.events.indexOf(event);
          if (at >= 0) queue.events.splice(at, 1);
          if (queue.events.length === 0 && this.queues.get(`${id} timers`) === queue)
            this.queues.delete(`${id} timers`);
        };
      },
      elapsed: () => this.now,
      now: () => 1e12 + this.now,
      listen: (type, listener) => {
        const all = page.listeners.get(type) ?? [];
        page.listeners.set(type, [...all, listener]);
        return () =>
          page.listeners.set(
            type,
            (page.listeners.get(type) ?? []).filter((entry) => entry !== listener),
          );
      },
      isVisible: true,
      randomId: () => id,
    };
  }

  /** Sends a message of a script of the site to all tabs that listen to this channel. */
  protected tellAll(name: string, data: unknown): void {
    for (const { name: own, page, listener } of this.#channels)
      if (own === name)
        this.post(`${page.id} from the site`, page, `${page.id}: hears "log-out"`, () => listener(data));
  }

  /** The first event of a queue. */
  protected head(name: string): BrowserEvent | undefined {
    return this.queues.get(name)?.events[0];
  }

  /** Adds an event to a queue. An event of a removed page never happens. */
  protected post(name: string, page: BrowserPage | undefined, label: string, call: () => void): void {
    if (!page?.isGone) this.#queue(name, page).events.push({ label, call });
  }

  #page(id: string): PAGE {
    return this.pages.find((page) => page.id === id)!;
  }

  #messagesTo(tab: string): Queue | undefined {
    return this.#queueTo(tab)?.[1];
  }

  #queueTo(tab: string): [string, Queue] | undefined {
    const prefix = `${this.open(tab)?.id} from `;
    return [...this.queues].find(([name, { events }]) => name.startsWith(prefix) && events.length > 0);
  }

  #queue(name: string, page: BrowserPage | undefined): Queue {
    const queue = this.queues.get(name) ?? { page, events: [] };
    this.queues.set(name, queue);
    return queue;
  }
}

function isEnabled({ page, events }: Queue): boolean {
  return events.length > 0 && (page === undefined || (!page.isGone && !page.isFrozen));
}
