/**
 * Goes through what can happen, step by step. A run cannot be taken back, so each way is walked from the beginning; a state that
 * was seen before is not gone on from.
 *
 * The world of its own accord goes on in one order: messages as they were sent, timers by their time. Another order costs a
 * delay, of which a way has a few. What users do, and what goes wrong, can come between any two steps.
 */
import { createHash } from 'node:crypto';

import { ToolGate } from '../../../src/ts/gate/tool-gate.js';
import { unsafe, unsettled } from './rules.js';
import { World, type Deed } from './world.js';

/** Up to which time, in ms of the world, each step is looked at. What comes later is seen where a world comes to rest. */
const HORIZON = 8_000;

/** What goes wrong. */
type Fault = 'freeze' | 'crash' | 'reload' | 'close' | 'rob' | 'fails' | 'hangs' | 'twice';

/** What is explored. */
export interface Profile {
  readonly name: string;
  readonly storage: 'database' | 'own';
  /** Tabs that are open and quiet at the beginning. The first one leads. */
  readonly tabs: readonly string[];
  /** What users may do, each once, in any order or not at all. */
  readonly deeds: readonly (readonly [tab: string, deed: Deed])[];
  /** What may go wrong, and how often. */
  readonly faults: Readonly<Partial<Record<Fault, number>>>;
  /** How often something comes in another order on one way. */
  readonly delays: number;
  /** A tab that may be opened meanwhile. */
  readonly opens?: string;
}

/** What a run has seen. */
export interface Seen {
  states: number;
  transitions: number;
  completions: number;
  depth: number;
  /** How a world with something wrong came about, and what is wrong. */
  broken:
    | { readonly way: readonly string[]; readonly steps: readonly string[]; readonly wrong: readonly string[] }
    | undefined;
  /** Whether everything was seen. */
  isComplete: boolean;
}

interface Limits {
  /** How many states at most. */
  readonly states: number;
  /** How many steps a way has at most. */
  readonly depth: number;
  /** One of how many states is left alone, to see where it comes to rest. */
  readonly every: number;
  readonly seed: number;
}

/** What of a profile is left on a way. */
interface Budget {
  delays: number;
  readonly deeds: Set<number>;
  readonly faults: Partial<Record<Fault, number>>;
  mayOpen: boolean;
}

const snapshot = ((): unknown => {
  const gate = new ToolGate({ chatId: 'chat', now: () => 1, generateId: () => 'id' });
  gate.sendUserMessage({ id: 'u1', role: 'user', parts: [{ type: 'text', text: 'tidy up' }] } as never);
  gate.claim(gate.outgoing()[0]!.id);
  for (const chunk of [
    { type: 'start', messageId: 'a1' },
    { type: 'start-step' },
    { type: 'tool-input-available', toolCallId: 'c1', toolName: 'delete', input: { path: 'all' } },
    { type: 'tool-approval-request', toolCallId: 'c1', approvalId: 'ask-c1' },
    { type: 'finish' },
  ])
    gate.receive(chunk);
  gate.streamEnded({ status: 'finished' });
  return gate.toJSON();
})();

/** One way through a profile. */
export class Way {
  readonly world: World;
  readonly steps: string[] = [];
  readonly #profile: Profile;
  readonly #left: Budget;

  private constructor(profile: Profile) {
    this.#profile = profile;
    this.world = new World(profile.storage);
    this.world.disk.set('chat', { version: 1, epoch: 1, seq: 1, applied: [], snapshot });
    this.#left = {
      delays: profile.delays,
      deeds: new Set(profile.deeds.keys()),
      faults: { ...profile.faults },
      mayOpen: profile.opens !== undefined,
    };
  }

  /** The beginning: a call waits for the user, and all tabs are quiet. */
  static async begin(profile: Profile, steps: readonly string[] = []): Promise<Way> {
    const way = new Way(profile);
    for (const tab of profile.tabs) {
      way.world.load(tab);
      await way.world.settle();
      await way.rest(1);
    }
    for (const step of steps) await way.take(step);
    return way;
  }

  /** What can happen now. First what happens by itself. */
  options(): string[] {
    const { world } = this;
    const left = this.#left;
    const { next } = world;
    const enabled = world.enabled.filter((name) => (world.due(name) ?? 0) < HORIZON);
    const options = next !== undefined && enabled.includes(next) ? [`event ${next}`] : [];
    if (left.delays > 0)
      options.push(
        ...enabled.filter((name) => name !== next && world.isEarlyAllowed(name)).map((name) => `event ${name}`),
      );
    for (const at of left.deeds) {
      const [tab, deed] = this.#profile.deeds[at]!;
      if (world.can(tab, deed)) options.push(`deed ${at}`);
    }
    const { tabs, opens } = this.#profile;
    for (const tab of [...tabs, ...(opens === undefined ? [] : [opens])].filter((each) => world.open(each))) {
      const { isFrozen, isClosed } = world.open(tab)!;
      if (isFrozen) options.push(`wake ${tab}`);
      for (const [fault, count = 0] of Object.entries(left.faults)) {
        if (count === 0 || fault === 'rob' || (fault === 'close' && isClosed)) continue;
        if (fault === 'twice' && !world.hears(tab)) continue;
        if (!isFrozen || fault === 'crash') options.push(`${fault} ${tab}`);
      }
    }
    if ((left.faults.rob ?? 0) > 0) options.push('rob');
    if (left.mayOpen) options.push(`open ${this.#profile.opens}`);
    return options;
  }

  /** Goes a step. */
  async take(step: string): Promise<void> {
    const { world } = this;
    const left = this.#left;
    const [what = '', rest = ''] = [step.slice(0, step.indexOf(' ')), step.slice(step.indexOf(' ') + 1)];
    this.steps.push(
      what === 'event' ? world.label(rest) : what === 'deed' ? this.#profile.deeds[Number(rest)]!.join(': ') : step,
    );
    switch (step === 'rob' ? step : what) {
      case 'event':
        if (rest !== world.next) left.delays--;
        return world.happen(rest);
      case 'deed': {
        left.deeds.delete(Number(rest));
        const [tab, deed] = this.#profile.deeds[Number(rest)]!;
        return world.act(tab, deed);
      }
      case 'open':
        left.mayOpen = false;
        world.load(rest);
        return world.settle();
      case 'wake':
        return world.freeze(rest, false);
      default:
        return this.#fault((step === 'rob' ? step : what) as Fault, rest);
    }
  }

  /** Leaves the world alone until nothing more happens, or some time has passed. */
  async rest(ms: number): Promise<void> {
    const { world } = this;
    let until: number | undefined;
    for (let steps = 0; steps < 2_000; steps++) {
      const next = world.next;
      if (next === undefined) return;
      const due = world.due(next);
      if (due !== undefined) {
        until ??= due + ms;
        if (due > until) return;
      }
      await world.happen(next);
    }
    throw new Error('the world does not come to rest');
  }

  /** A name for the state, and for what may still happen. */
  hash(): string {
    const { delays, deeds, faults, mayOpen } = this.#left;
    const left = JSON.stringify([delays, [...deeds].sort(), faults, mayOpen]);
    return createHash('sha1').update(this.world.state()).update(left).digest('base64');
  }

  async #fault(fault: Fault, tab: string): Promise<void> {
    const { world } = this;
    this.#left.faults[fault] = (this.#left.faults[fault] ?? 0) - 1;
    switch (fault) {
      case 'freeze':
        return world.freeze(tab, true);
      case 'crash':
        return world.crash(tab);
      case 'reload':
        return world.reload(tab);
      case 'close':
        return world.close(tab);
      case 'rob':
        return world.rob();
      case 'twice':
        return world.hearTwice(tab);
      case 'fails':
      case 'hangs':
        return world.spoil(tab, fault);
    }
  }
}

/** How long a world is left alone, in its ms: the longest of its waits, some of them one after the other. */
const REST = 30_000;

/** Leaves a world alone: first with pages that stand still, then all awake. Returns what is wrong. */
export async function complete(way: Way): Promise<string[]> {
  const { world } = way;
  await way.rest(REST);
  const isFrozen = world.pages.some((page) => page.isFrozen && !page.isGone);
  const wrong = [...unsafe(world), ...unsettled(world, !isFrozen)];
  if (!isFrozen || wrong.length > 0) return wrong;
  for (const page of world.pages) if (page.isFrozen && !page.isGone) await world.freeze(page.id.slice(0, 1), false);
  await way.rest(REST);
  return [...unsafe(world), ...unsettled(world, true)];
}

/** Explores a profile. What is gone on with next is picked by a seed, so that a part of all ways is a fair one. */
export async function explore(profile: Profile, { states, depth, every, seed }: Limits): Promise<Seen> {
  const pick = random(seed);
  const seen: Seen = { states: 0, transitions: 0, completions: 0, depth: 0, broken: undefined, isComplete: true };
  const known = new Set<string>();
  const open: string[][] = [[]];
  const breaks = (way: Way, taken: readonly string[], wrong: readonly string[]): void => {
    seen.broken = { way: way.steps, steps: [...taken], wrong };
  };
  while (open.length > 0) {
    const at = pick(open.length);
    const taken = open[at]!;
    open[at] = open.at(-1)!;
    open.pop();
    const way = await Way.begin(profile, taken);
    try {
      for (;;) {
        const hash = way.hash();
        if (known.has(hash)) break;
        known.add(hash);
        seen.states++;
        seen.depth = Math.max(seen.depth, taken.length);
        const wrong = unsafe(way.world);
        if (wrong.length > 0) {
          breaks(way, taken, wrong);
          return seen;
        }
        if (seen.states % every === 0) {
          seen.completions++;
          const left = await Way.begin(profile, taken);
          const unfinished = await complete(left);
          left.world.end();
          if (unfinished.length > 0) {
            breaks(left, taken, unfinished);
            return seen;
          }
        }
        if (seen.states >= states || taken.length >= depth) {
          seen.isComplete = false;
          break;
        }
        const [first, ...others] = way.options();
        if (first === undefined) break;
        for (const other of others.reverse()) open.push([...taken, other]);
        seen.transitions += 1 + others.length;
        taken.push(first);
        await way.take(first);
      }
    } finally {
      way.world.end();
    }
    if (seen.states >= states) {
      seen.isComplete = false;
      break;
    }
  }
  return seen;
}

/** Whole numbers below a limit, the same for a seed each time. */
function random(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
