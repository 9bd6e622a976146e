/**
 * One run in a browser: tabs, locks, storage and network are real, so a seed repeats the users' actions, but not their
 * timing.
 */
import type { Browser } from 'playwright-core';

import { callsOf, numberOf } from '../calls.js';
import { isOfStorage, judge, type Evidence, type Told } from '../judge.js';
import { Random } from '../random.js';
import { noCounts, type Counts } from '../run.js';
import type { Sabotage } from '../server.js';
import { pause, type SoakBackend, type Served } from './backend.js';
import { act, fillDisk, freeze, kill, look, openTab, type Act, type Shown, type Tab } from './tabs.js';

/** The time limit for expected events, in ms. It is far above the usual time. */
const PATIENCE = 30_000;

/** The result of a run. */
export interface BrowserOutcome {
  readonly counts: Counts;
  readonly wrong: readonly string[];
  readonly trace: readonly string[];
}

/** Runs a seed in a browser context of its own. */
export async function runInBrowser(
  browser: Browser,
  backend: SoakBackend,
  address: string,
  seed: number,
  sabotage?: Sabotage,
): Promise<BrowserOutcome> {
  const run = new BrowserRun(seed, address, backend.add(`soak-${seed}`, new Random(seed), sabotage));
  const context = await browser.newContext();
  const told: Told = { calls: 0, acts: 0 };
  const wrong: string[] = [];
  try {
    run.open = () => openTab(context, run.url, run.nextId());
    await run.storm();
    wrong.push(...(await run.finish()));
    wrong.push(...judge(await run.evidence(), told));
  } catch (error) {
    wrong.push(`the run failed: ${String((error as Error).stack)}`);
  } finally {
    await context.close();
    backend.remove(`soak-${seed}`);
  }
  const { server, faults } = run.chat;
  const counts: Counts = {
    ...noCounts(),
    ...{ runs: 1, acts: run.acts, requests: server.requests, faults, toldCalls: told.calls, toldActs: told.acts },
    executions: [...server.calls.values()].reduce((sum, { runs }) => sum + runs, 0),
    approved: run.given.filter(({ approved }) => approved).length,
    denied: run.given.filter(({ approved }) => !approved).length,
  };
  return { counts, wrong, trace: run.trace };
}

class BrowserRun {
  readonly url: string;
  readonly chat: Served;
  readonly trace: string[] = [];
  readonly given: {
    readonly n: number;
    readonly approved: boolean;
    readonly tab: Tab;
    readonly errorsBefore: number;
  }[] = [];
  acts = 0;
  open!: () => Promise<Tab>;
  readonly #random: Random;
  readonly #tabs: Tab[] = [];
  readonly #said: { readonly text: string; readonly tab: Tab; readonly errorsBefore: number }[] = [];
  /** Calls that tabs showed as not run, and whether a page that was opened later showed them so, too. */
  readonly #shownNotRun = new Map<number, { readonly tabs: Set<Tab>; isStored: boolean }>();
  /** The calls that each tab showed as not run when it was looked at last. */
  readonly #notRunIn = new Map<Tab, ReadonlySet<number>>();
  readonly #problems: string[] = [];
  #ids = 0;

  constructor(seed: number, address: string, chat: Served) {
    this.chat = chat;
    this.#random = new Random(seed + 1_000_000);
    this.url = `${address}?name=soak-${seed}&leader=400`;
  }

  nextId(): string {
    return `tab ${++this.#ids}`;
  }

  get #live(): Tab[] {
    return this.#tabs.filter(({ isGone }) => !isGone);
  }

  /** Runs the part with failures. */
  async storm(): Promise<void> {
    const random = this.#random;
    await this.#open();
    for (let steps = 10 + random.below(15); steps > 0; steps--) {
      const tab = random.pick(this.#live);
      const what = random.weighted([
        [10, 'user'],
        [1, 'reload'],
        [1, 'kill'],
        [1, 'close'],
        [2, 'open'],
        [1, 'freeze'],
        [0.7, 'disk'],
      ] as const);
      if (what === 'user') await this.#doSomething(tab);
      else await this.#goWrong(what, tab);
      await pause(random.below(80));
    }
  }

  async #open(): Promise<void> {
    const tab = await this.open();
    this.trace.push(`${tab.id} is opened`);
    this.#tabs.push(tab);
  }

  async #goWrong(what: 'reload' | 'kill' | 'close' | 'open' | 'freeze' | 'disk', tab: Tab): Promise<void> {
    this.trace.push(`${tab.id}: ${what}`);
    switch (what) {
      case 'open':
        return this.#live.length < 3 ? this.#open() : undefined;
      case 'freeze':
        return freeze(tab, 100 + this.#random.below(900));
      case 'disk':
        return fillDisk(tab, 1 + this.#random.below(3));
      case 'close':
        if (this.#live.length < 2) return undefined;
        await look(tab);
        tab.isGone = true;
        return tab.page.close({ runBeforeUnload: false });
      case 'kill':
        await kill(tab);
        return this.#live.length === 0 ? this.#open() : undefined;
      case 'reload': {
        await look(tab);
        // The earlier page no longer exists: the tab shows another page.
        tab.isGone = true;
        await tab.page.reload();
        await tab.page.waitForFunction(() => document.title === 'ready');
        this.#tabs.push({ id: this.nextId(), page: tab.page, isGone: false, errors: [] });
        return undefined;
      }
    }
  }

  async #doSomething(tab: Tab): Promise<void> {
    const random = this.#random;
    const shown = await this.#look(tab);
    if (!shown) return;
    const { pending, undelivered, view } = shown;
    const asks = pending.length > 0 ? 1 : 0;
    const what = random.weighted([
      [view.status === 'idle' ? 5 : 0.5, 'say'],
      [9 * asks, 'answer'],
      [asks, 'all'],
      [2 * asks, 'twice'],
      [2 * asks, 'changes'],
      [undelivered.length > 0 ? 5 : 0, 'retry'],
      [0.5, 'stop'],
      [0.4, 'cancel'],
      [0.5, 'resume'],
    ] as const);
    const approved = random.chance(0.65);
    if (what === 'say') return this.#say(tab);
    if (what === 'retry') return this.#act(tab, { kind: 'retry', id: random.pick(undelivered).id }, shown);
    if (what === 'all') return this.#act(tab, { kind: 'all', approved }, shown);
    if (what === 'stop' || what === 'cancel' || what === 'resume') return this.#act(tab, { kind: what }, shown);
    const { approvalId: id } = random.pick(pending);
    await this.#act(tab, { kind: 'answer', id, approved }, shown);
    if (what !== 'answer')
      await this.#act(tab, { kind: 'answer', id, approved: what === 'twice' ? approved : !approved }, shown);
  }

  async #say(tab: Tab): Promise<void> {
    const text = `<said ${this.#said.length + 1}>`;
    this.#said.push({ text, tab, errorsBefore: tab.errors.length });
    await this.#act(tab, { kind: 'say', text });
  }

  async #act(tab: Tab, what: Act, shown?: Shown): Promise<void> {
    this.acts++;
    const errorsBefore = tab.errors.length;
    const result = await act(tab, what);
    this.trace.push(`${tab.id}: ${JSON.stringify(what)} ${JSON.stringify(result)}`);
    // There is no result if the tab was closed meanwhile. Then the action may have been accepted, so it counts.
    const meant = (shown?.pending ?? []).filter(
      ({ approvalId }) => what.kind === 'all' || (what.kind === 'answer' && what.id === approvalId),
    );
    const taken = result ? result.taken : meant.map(({ n }) => n);
    for (const n of taken) {
      if (!('approved' in what)) continue;
      this.given.push({ n, approved: what.approved, tab, errorsBefore });
      if (what.approved) this.#forget(n);
    }
  }

  /**
   * The user was asked again. Removes the record that a call was shown as not run, if this was never stored and no tab
   * shows it any more.
   */
  #forget(n: number): void {
    const shown = this.#shownNotRun.get(n);
    const isVoid = (tab: Tab): boolean => tab.isGone || this.#notRunIn.get(tab)?.has(n) === false;
    if (shown && !shown.isStored && [...shown.tabs].every(isVoid)) this.#shownNotRun.delete(n);
  }

  async #look(tab: Tab): Promise<Shown | undefined> {
    const shown = await look(tab);
    if (!shown) return shown;
    const isNotRun = ({ outcome, delivery }: ReturnType<typeof callsOf>[number]): boolean =>
      outcome !== undefined &&
      delivery !== 'forwarded' &&
      outcome.kind !== 'executed' &&
      outcome.kind !== 'failed' &&
      !outcome.mayHaveRun;
    const notRun = new Set(callsOf(shown.view.messages).filter(isNotRun).map(numberOf));
    const isFirstLook = !this.#notRunIn.has(tab);
    this.#notRunIn.set(tab, notRun);
    for (const n of notRun) {
      const known = this.#shownNotRun.get(n) ?? { tabs: new Set<Tab>(), isStored: false };
      this.#shownNotRun.set(n, known);
      // A new page shows what is stored, or what another open tab shows.
      if (isFirstLook && known.tabs.size > 0) known.isStored = true;
      known.tabs.add(tab);
    }
    return shown;
  }

  /** The last part of a run, without failures: the user does what the chat waits for. Returns the problems. */
  async finish(): Promise<string[]> {
    this.chat.isCalm = true;
    this.trace.push('--- no more failures');
    const stuck = await this.#comply();
    if (stuck !== undefined) return [stuck];
    await this.#say(this.#random.pick(this.#live));
    const after = await this.#comply();
    return after === undefined ? [] : [after];
  }

  async #comply(): Promise<string | undefined> {
    for (let acts = 0; acts < 60; acts++) {
      const rest = await this.#rest();
      if (typeof rest === 'string') return rest;
      const { leader, shown } = rest;
      const { view, pending, undelivered } = shown;
      const [awaited] = view.turn.waitingFor;
      if (!awaited)
        return view.queued.length > 0 || pending.length > 0
          ? 'an approval or message is left, but the chat waits for nothing'
          : undefined;
      if (awaited.kind === 'user') {
        const [entry] = pending;
        if (!entry) return 'the chat waits for the user, but no approval is pending';
        await this.#act(leader, { kind: 'answer', id: entry.approvalId, approved: this.#random.chance(0.6) }, shown);
      } else if (awaited.kind === 'retry' && undelivered.length > 0) {
        await this.#act(
          leader,
          this.#random.chance(0.7) ? { kind: 'retry', id: undelivered[0]!.id } : { kind: 'cancel' },
          shown,
        );
      } else if (awaited.kind === 'resume' || awaited.kind === 'cancel')
        await this.#act(leader, { kind: awaited.kind }, shown);
      else return `the chat waits endlessly: ${JSON.stringify(view.turn.waitingFor)}`;
    }
    return 'the chat is not idle after 60 actions';
  }

  /**
   * Waits until one tab is the leader, nothing is in flight, and all tabs show the same. Returns the leader and
   * what it shows; after the time limit, a text with the state of every tab.
   */
  async #rest(): Promise<{ leader: Tab; shown: Shown } | string> {
    let reason = '';
    for (const until = Date.now() + PATIENCE; Date.now() < until; await pause(25)) {
      const all: { tab: Tab; shown: Shown }[] = [];
      for (const tab of this.#live) {
        const shown = await this.#look(tab);
        if (shown) all.push({ tab, shown });
      }
      const leader = all.find(({ shown }) => shown.state === 'leader');
      reason = all
        .map(
          ({ tab, shown }) =>
            `${tab.id} (${shown.state}) is ${shown.view.status}, ${shown.waiting} unconfirmed actions, ${JSON.stringify(shown.view.turn.waitingFor)}`,
        )
        .join('; ');
      if (!leader || this.chat.open > 0 || all.some(({ shown }) => shown.waiting > 0)) continue;
      if (
        leader.shown.view.turn.waitingFor.some(({ kind }) => kind === 'reply' || kind === 'host' || kind === 'rewrite')
      )
        continue;
      const messages = JSON.stringify(leader.shown.view.messages);
      if (all.some(({ shown }) => JSON.stringify(shown.view.messages).length !== messages.length)) continue;
      return { leader: leader.tab, shown: leader.shown };
    }
    return `the tabs did not finish their work: ${reason}`;
  }

  /** The evidence that the judge checks. */
  async evidence(): Promise<Evidence> {
    const shown: { id: string; view: Shown['view'] }[] = [];
    for (const tab of this.#live) {
      const found = await this.#look(tab);
      if (!found) continue;
      this.trace.push(`${tab.id} (${found.state}): ${found.errors.join('; ')}`);
      if (found.state === 'leader') shown.unshift({ id: tab.id, view: found.view });
      else shown.push({ id: tab.id, view: found.view });
    }
    const isUnstored = this.#tabs.some(({ errors }) => errors.some((error) => isOfStorage(error)));
    const isTold = ({ tab, errorsBefore }: { tab: Tab; errorsBefore: number }): boolean =>
      isUnstored || tab.isGone || tab.errors.length > errorsBefore;
    return {
      checksRepetitions: true,
      isPersisted: true,
      calls: this.chat.server.calls.values(),
      problems: [...this.#problems, ...this.chat.server.problems],
      given: this.given.map((given) => ({ n: given.n, approved: given.approved, isTold: isTold(given) })),
      said: this.#said.map((said) => ({ text: said.text, isTold: isTold(said) })),
      shownNotRun: new Set(this.#shownNotRun.keys()),
      hasReplaced: false,
      shown,
    };
  }
}
