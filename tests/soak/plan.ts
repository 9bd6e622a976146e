/**
 * The plan of a run: its configuration and its part with failures, both determined by the seed.
 */
import { callsOf, numberOf } from './calls.js';
import type { Page } from './page.js';
import type { Random } from './random.js';
import type { Plan, Soak } from './soak.js';
import { ON_DENY, ON_USER_MESSAGE } from '../../target/bindgen/enums.js';

/** The tabs' names. */
const TABS = ['A', 'B', 'C'];

/** The configuration of a run. */
export function planOf(random: Random): Plan {
  const kind = random.chance(0.5) ? 'gate' : 'guard';
  const isPersisted = kind === 'gate' || random.chance(0.6);
  const checks = random.weighted([
    [4, 'keys'],
    [3, 'both'],
    [2, 'record'],
    [1, 'none'],
  ] as const);
  return {
    kind,
    isPersisted,
    checks,
    version: random.chance(0.5) ? 6 : 7,
    storage: random.chance(0.6) ? 'database' : 'own',
    tabs: isPersisted ? 1 + random.below(3) : 1,
    onDeny: random.weighted(ON_DENY.map((policy) => [policy === 'continue' ? 4 : 1, policy] as const)),
    onUserMessage: random.weighted(
      ON_USER_MESSAGE.filter((policy) => policy !== 'pass').map(
        (policy) => [policy === 'deny-pending' ? 3 : 1, policy] as const,
      ),
    ),
    approvalTimeoutMs: random.chance(0.2) ? 60_000 : undefined,
    callsPageTools: random.chance(0.5),
    // Only a server that stores keys answers a repeated request with the same reply.
    doubles: checks === 'keys' || checks === 'both',
    reconnects: random.weighted([
      [1, 'none'],
      [1, 'active'],
      [1, 'last'],
    ] as const),
    steps: 30 + random.below(120),
    isHostile: random.chance(0.9),
  };
}

/** Runs the part with failures. */
export async function storm(soak: Soak): Promise<void> {
  const { plan, random } = soak;
  soak.load('A');
  await soak.settle();
  for (let step = 0; step < plan.steps && soak.problems.length === 0; step++) {
    const isBusy = soak.enabled.length > 0;
    if (isBusy && random.chance(0.7)) await happenSomething(soak);
    else if (plan.isHostile && random.chance(0.25)) await goWrong(soak);
    else await doSomething(soak);
  }
}

/** Picks the next event, or a later one that overtakes it. */
async function happenSomething(soak: Soak): Promise<void> {
  const { random } = soak;
  const names = soak.enabled;
  const soon = names.filter((name) => soak.due(name) === undefined);
  if (soon.length > 0 && random.chance(0.95)) return soak.happen(random.chance(0.5) ? soon[0]! : random.pick(soon));
  const { next } = soak;
  const timer =
    [...names].filter((name) => soak.due(name) !== undefined).sort((a, b) => soak.due(a)! - soak.due(b)!)[0] ?? next;
  if (timer !== undefined) await soak.happen(timer);
}

/** The failures of tabs, storage and messages. */
async function goWrong(soak: Soak): Promise<void> {
  const { random, plan, live } = soak;
  const page = random.pick(live);
  const tab = page.id.slice(0, 1);
  const persisted = plan.isPersisted ? 1 : 0;
  const canReload = persisted || soak.network.open === 0 ? 1 : 0;
  const what = random.weighted([
    [page.isFrozen ? 0 : 2 * persisted, 'freeze'],
    [page.isFrozen ? 4 : 0, 'wake'],
    [page.isFrozen ? 0 : 2 * canReload, 'reload'],
    [persisted, 'kill'],
    [live.length > 1 ? 1 : 0, 'close'],
    [2 * persisted, 'fails'],
    [persisted, 'hangs'],
    [soak.hears(tab) ? persisted : 0, 'twice'],
    [soak.hears(tab) ? persisted : 0, 'lost'],
    [1, 'time'],
  ] as const);
  switch (what) {
    case 'freeze':
    case 'wake':
      soak.trace.push(`${page.id} ${what === 'freeze' ? 'is frozen' : 'wakes'}`);
      page.isFrozen = what === 'freeze';
      return soak.settle();
    case 'reload':
      await soak.leave(page, true);
      return reopen(soak, tab);
    case 'kill':
      await soak.leave(page, false);
      return soak.live.length === 0 || random.chance(0.7) ? reopen(soak, tab) : undefined;
    case 'close':
      return soak.leave(page, true);
    case 'fails':
    case 'hangs':
      return soak.spoil(page, what);
    case 'twice':
    case 'lost':
      return soak.disturb(tab, what);
    case 'time':
      return soak.pass(random.pick([500, 5_000, 30_000]));
  }
}

async function reopen(soak: Soak, tab: string): Promise<void> {
  soak.trace.push(`${tab} is loaded`);
  soak.load(tab);
  await soak.settle();
}

/** The actions of users. */
async function doSomething(soak: Soak): Promise<void> {
  const { random, plan } = soak;
  const awake = soak.live.filter(({ isFrozen }) => !isFrozen);
  const unopened = TABS.slice(0, plan.tabs).filter((tab) => !soak.open(tab));
  if (awake.length === 0 || (unopened.length > 0 && random.chance(0.15))) {
    if (unopened.length > 0) return reopen(soak, unopened[0]!);
    for (const page of soak.live) page.isFrozen = false;
    return soak.settle();
  }
  const page = random.pick(awake);
  const { gate, chat } = page;
  const view = gate.getSnapshot();
  if (view.status === 'crashed') {
    soak.problems.push(`${page.id} has crashed`);
    return;
  }
  const pending = gate.pending().length > 0 ? 1 : 0;
  const undelivered = gate.undelivered();
  const tools = openTools(page);
  const messages = view.messages.filter(({ role }) => role === 'user');
  const isQuiet = view.status === 'idle' ? 4 : 0.5;
  const what = random.weighted([
    [isQuiet, 'say'],
    [8 * pending, 'approve'],
    [4 * pending, 'deny'],
    [pending, 'all'],
    [pending, 'none'],
    [2 * pending, 'twice'],
    [2 * pending, 'changes'],
    [page.shown.length > 0 ? 0.5 : 0, 'late'],
    [tools.length > 0 ? 6 : 0, 'output'],
    [undelivered.length > 0 ? 5 : 0, 'retry'],
    [0.5, 'stop'],
    [0.4, 'cancel'],
    [0.5, 'resume'],
    [messages.length > 0 ? 0.2 : 0, 'edit'],
    [messages.length > 0 ? 0.2 : 0, 'regenerate'],
    [chat && plan.reconnects !== 'none' ? 0.7 : 0, 'reconnect'],
  ] as const);
  const one = (): Page['shown'][number] => random.pick(gate.pending());
  switch (what) {
    case 'say':
      return soak.say(page);
    case 'approve':
    case 'deny':
      return soak.answer(page, one(), what === 'approve');
    case 'all':
    case 'none':
      return soak.answerAll(page, what === 'all');
    case 'twice':
    case 'changes': {
      const entry = one();
      const approved = random.chance(0.6);
      await soak.answer(page, entry, approved);
      return soak.answer(page, entry, what === 'twice' ? approved : !approved);
    }
    case 'late':
      return soak.answer(page, random.pick(page.shown), random.chance(0.5));
    case 'output':
      return output(soak, page, random.pick(tools));
    case 'retry': {
      const { id } = random.pick(undelivered);
      return soak.act(page, `retries ${id}`, () => gate.retry(id));
    }
    case 'stop':
      return soak.stop(page);
    case 'cancel':
      return soak.act(page, 'cancels', () => gate.cancel());
    case 'resume':
      return soak.act(page, 'resumes', () => (chat && random.chance(0.5) ? chat.sendMessage() : gate.resume()));
    case 'edit':
      return soak.say(page, random.pick(messages).id);
    case 'regenerate':
      return soak.regenerate(page);
    case 'reconnect':
      return soak.act(page, 'reconnects', () => chat!.resumeStream());
  }
}

/** Calls of the page's tools that have no result yet. */
export function openTools({ gate }: Page): { toolCallId: string; n: number }[] {
  return callsOf(gate.getSnapshot().messages.slice(-1))
    .filter(({ type, state }) => type === 'tool-pick' && state === 'input-available')
    .map((part) => ({ toolCallId: part.toolCallId, n: numberOf(part) }));
}

/** Adds the result of a tool of the page. */
export async function output(soak: Soak, page: Page, { toolCallId }: { toolCallId: string }): Promise<void> {
  const result = soak.random.chance(0.8) ? { output: 'red' } : { errorText: 'no color' };
  await soak.act(page, `gives the result of ${toolCallId}`, () => {
    if (!page.chat) return page.gate.addToolOutput(toolCallId, result);
    const state = 'output' in result ? 'output-available' : 'output-error';
    return page.chat.addToolOutput({ tool: 'pick', toolCallId, state, ...result });
  });
}
