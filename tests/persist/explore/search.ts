/**
 * Explores the events of several tabs, step by step. A run cannot be undone, so each path is repeated from the
 * beginning. A path ends at a state that was seen before.
 *
 * Without a fault, events happen in one order: messages in the order in which they were sent, timers by their time.
 * Another order costs a delay, and a path has a few delays. Actions of users and faults can occur between any two
 * steps.
 */
import { createHash } from 'node:crypto';

import { ToolGate } from '../../../src/ts/gate/tool-gate.js';
import { brokenRules, brokenRulesAtRest } from './rules.js';
import { World, type UserAction } from './world.js';

/**
 * Timers that are due later than this, in ms of the simulated clock, are not steps of the exploration. They fire in the
 * runs that continue until no events are left.
 */
const HORIZON = 8_000;

/** A fault. */
type Fault =
  | 'freeze'
  | 'crash'
  | 'reload'
  | 'close'
  | 'steal'
  | 'fails'
  | 'hangs'
  | 'twice'
  | 'clear'
  | 'empty'
  | 'log-out'
  | 'lead';

/** The faults that do not happen in one tab. */
const SITE = ['steal', 'empty', 'log-out'] as const;

/** The settings of an exploration. */
export interface Profile {
  readonly name: string;
  readonly storage: 'database' | 'custom';
  /** Whether the browser has locks. Default: true. */
  readonly locks?: boolean;
  /** Whether the browser has BroadcastChannel. Default: true. */
  readonly channel?: boolean;
  /** The tabs that are open at the beginning. The first one is the leader. */
  readonly tabs: readonly string[];
  /** The actions of users. Each may be performed once, in any order. */
  readonly actions: readonly (readonly [tab: string, action: UserAction])[];
  /** How often each fault may occur. */
  readonly faults: Readonly<Partial<Record<Fault, number>>>;
  /** How many delays a path may have. */
  readonly delays: number;
  /** A tab that may be opened later. */
  readonly opens?: string;
}

/** The result of an exploration. */
export interface Seen {
  states: number;
  transitions: number;
  completions: number;
  depth: number;
  /** The path to a broken rule, and the rule. */
  broken:
    | { readonly way: readonly string[]; readonly steps: readonly string[]; readonly wrong: readonly string[] }
    | undefined;
  /** Whether all states were explored. */
  isComplete: boolean;
}

interface Limits {
  /** The largest number of states. */
  readonly states: number;
  /** The largest number of steps of a path. */
  readonly depth: number;
  /** One of this many states is continued until no events are left. */
  readonly every: number;
  readonly seed: number;
}

/** A path: its last step, and the path before it. Open paths share their beginnings. */
interface Path {
  readonly step: string;
  readonly before: Path | undefined;
}

function stepsOf(path: Path | undefined): string[] {
  const steps: string[] = [];
  for (let at = path; at; at = at.before) steps.push(at.step);
  return steps.reverse();
}

/** The actions, faults and delays that a path has not used yet. */
interface Budget {
  delays: number;
  readonly actions: Set<number>;
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

/** One path through a profile. */
export class Way {
  readonly world: World;
  readonly steps: string[] = [];
  readonly #profile: Profile;
  readonly #left: Budget;

  private constructor(profile: Profile) {
    this.#profile = profile;
    this.world = new World(profile.storage, profile);
    this.world.disk.set('chat', { version: 2, epoch: 1, seq: 1, applied: [], snapshot });
    this.#left = {
      delays: profile.delays,
      actions: new Set(profile.actions.keys()),
      faults: { ...profile.faults },
      mayOpen: profile.opens !== undefined,
    };
  }

  /** Takes the steps from the beginning, where a call is pending, all tabs are loaded and only timers are left. */
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

  /** The possible next steps. Events come first, then actions and faults. */
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
    for (const at of left.actions) {
      const [tab, action] = this.#profile.actions[at]!;
      if (world.can(tab, action)) options.push(`action ${at}`);
    }
    const { tabs, opens } = this.#profile;
    for (const tab of [...tabs, ...(opens === undefined ? [] : [opens])].filter((each) => world.open(each))) {
      const { isFrozen, isClosed } = world.open(tab)!;
      if (isFrozen) options.push(`wake ${tab}`);
      for (const [fault, count = 0] of Object.entries(left.faults)) {
        if (count === 0 || SITE.some((each) => each === fault) || (fault === 'close' && isClosed)) continue;
        if (fault === 'twice' && !world.hears(tab)) continue;
        if (!isFrozen || fault === 'crash') options.push(`${fault} ${tab}`);
      }
    }
    for (const fault of SITE) if ((left.faults[fault] ?? 0) > 0) options.push(fault);
    if (left.mayOpen) options.push(`open ${this.#profile.opens}`);
    return options;
  }

  /** Takes a step. */
  async take(step: string): Promise<void> {
    const { world } = this;
    const left = this.#left;
    const [what = '', rest = ''] = [step.slice(0, step.indexOf(' ')), step.slice(step.indexOf(' ') + 1)];
    this.steps.push(
      what === 'event' ? world.label(rest) : what === 'action' ? this.#profile.actions[Number(rest)]!.join(': ') : step,
    );
    const ofSite = SITE.find((each) => each === step);
    switch (ofSite ?? what) {
      case 'event':
        if (rest !== world.next) left.delays--;
        return world.happen(rest);
      case 'action': {
        left.actions.delete(Number(rest));
        const [tab, action] = this.#profile.actions[Number(rest)]!;
        return world.act(tab, action);
      }
      case 'open':
        left.mayOpen = false;
        world.load(rest);
        return world.settle();
      case 'wake':
        return world.freeze(rest, false);
      default:
        return this.#fault(ofSite ?? (what as Fault), rest);
    }
  }

  /** Runs events until none are left, or until this much time has passed. */
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
    throw new Error('the events do not end');
  }

  /** A digest of the state, including its pending events. */
  hash(): string {
    const { delays, actions, faults, mayOpen } = this.#left;
    const left = JSON.stringify([delays, [...actions].sort(), faults, mayOpen]);
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
      case 'steal':
        return world.steal();
      case 'clear':
        return world.clear(tab);
      case 'lead':
        return world.lead(tab);
      case 'empty':
        return world.empty();
      case 'log-out':
        return world.logOut();
      case 'twice':
        return world.hearTwice(tab);
      case 'fails':
      case 'hangs':
        return world.spoil(tab, fault);
    }
  }
}

/**
 * The maximum time until no events are left, in ms of the simulated clock: the sum of the longest timers that follow
 * each other.
 */
const REST = 30_000;

/** Continues until no events are left: first with frozen pages, then with all awake. Returns the broken rules. */
export async function complete(way: Way): Promise<string[]> {
  const { world } = way;
  await way.rest(REST);
  const isFrozen = world.pages.some((page) => page.isFrozen && !page.isGone);
  const wrong = [...brokenRules(world), ...brokenRulesAtRest(world, !isFrozen)];
  if (!isFrozen || wrong.length > 0) return wrong;
  for (const page of world.pages) if (page.isFrozen && !page.isGone) await world.freeze(page.id.slice(0, 1), false);
  await way.rest(REST);
  return [...brokenRules(world), ...brokenRulesAtRest(world, true)];
}

/**
 * Explores a profile. A seed picks the path that is continued next, so that a partial exploration is a random sample.
 */
export async function explore(profile: Profile, { states, depth, every, seed }: Limits): Promise<Seen> {
  const pick = random(seed);
  const seen: Seen = { states: 0, transitions: 0, completions: 0, depth: 0, broken: undefined, isComplete: true };
  const known = new Set<string>();
  const open: (Path | undefined)[] = [undefined];
  const breaks = (way: Way, path: Path | undefined, wrong: readonly string[]): void => {
    seen.broken = { way: way.steps, steps: stepsOf(path), wrong };
  };
  while (open.length > 0) {
    const picked = pick(open.length);
    let path = open[picked];
    open[picked] = open.at(-1);
    open.pop();
    const way = await Way.begin(profile, stepsOf(path));
    try {
      for (;;) {
        const hash = way.hash();
        if (known.has(hash)) break;
        known.add(hash);
        seen.states++;
        seen.depth = Math.max(seen.depth, way.steps.length);
        const wrong = brokenRules(way.world);
        if (wrong.length > 0) {
          breaks(way, path, wrong);
          return seen;
        }
        if (seen.states % every === 0) {
          seen.completions++;
          const left = await Way.begin(profile, stepsOf(path));
          const unfinished = await complete(left);
          left.world.end();
          if (unfinished.length > 0) {
            breaks(left, path, unfinished);
            return seen;
          }
        }
        if (seen.states >= states || way.steps.length >= depth) {
          seen.isComplete = false;
          break;
        }
        const [first, ...others] = way.options();
        if (first === undefined) break;
        for (const step of others.reverse()) open.push({ step, before: path });
        seen.transitions += 1 + others.length;
        path = { step: first, before: path };
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

/** A generator of whole numbers below a limit, with a seed. */
export function random(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
