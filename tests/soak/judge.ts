/**
 * The end of a run, without failures: the user performs the actions that the view's `waitingFor` lists. Then the rules
 * are checked.
 */
import type { GateView, ToolPart } from '../../src/ts/types/index.js';
import { callsOf, numberOf, saidIn } from './calls.js';
import type { Page } from './page.js';
import { openTools, output } from './plan.js';
import type { Call } from './server.js';
import type { Given, Said, Soak } from './soak.js';

/** The maximum number of actions until the chat is idle. */
const ACTS = 80;

/** Approved calls and actions without their usual effect, for a reason that the rules allow. */
export interface Told {
  /** Approved calls that are shown as not run, or perhaps run. */
  calls: number;
  /**
   * Messages and approved calls that are missing in the chat for a known reason: a page reported that, or was closed
   * before it stored them, or the user replaced a part of the history in a follower.
   */
  acts: number;
}

/** Ends the run, and returns the problems. */
export async function finish(soak: Soak): Promise<string[]> {
  soak.isCalm = true;
  soak.trace.push('--- no more failures');
  for (const page of soak.live) {
    if (page.isFrozen) soak.trace.push(`${page.id} wakes`);
    page.isFrozen = false;
  }
  soak.disk.heal();
  await soak.settle();
  if (soak.live.length === 0) soak.load('A');
  const stuck = await comply(soak);
  if (stuck !== undefined) return [stuck];
  const user = soak.random.pick(soak.live);
  await soak.say(user);
  const { text } = soak.said.at(-1)!;
  const after = await comply(soak);
  if (after !== undefined) return [after];
  return saidIn(leaderKey(soak)!.gate.getSnapshot()).includes(text) ? [] : [`no page shows the last message, ${text}`];
}

/**
 * The user performs the actions that the chat waits for, until it waits for none. Returns the problems if this state is
 * not reached.
 */
async function comply(soak: Soak): Promise<string | undefined> {
  for (let acts = 0; acts < ACTS; acts++) {
    if (!(await soak.rest())) return 'the work of the browser does not end';
    if (soak.problems.length > 0) return undefined;
    const leader = leaderKey(soak);
    if (!leader) return 'no tab leads';
    const waiting = soak.live.find(({ persister }) => (persister?.waiting ?? 0) > 0);
    if (waiting) return `${waiting.id} waits endlessly for the leader`;
    const page = soak.random.chance(0.5) ? leader : soak.random.pick(soak.live);
    const done = await next(soak, page);
    if (typeof done === 'string') return done;
    if (done) return undefined;
  }
  return `the chat is not idle after ${ACTS} actions: ${waits(leaderKey(soak)!)}`;
}

/**
 * Performs the user's next action. Returns `true` if the chat waits for no action, and a text if no action is possible.
 */
async function next(soak: Soak, page: Page): Promise<boolean | string> {
  const { gate } = page;
  const { turn, status, queued } = gate.getSnapshot();
  if (status === 'crashed') return `${page.id} has crashed`;
  const [awaited] = turn.waitingFor;
  if (!awaited) {
    if (gate.pending().length > 0) return 'approvals are pending, but the chat waits for nothing';
    if (queued.length > 0) return 'a message is queued, but the chat waits for nothing';
    if (status !== 'idle') return `the chat is ${status}, but waits for nothing`;
    return true;
  }
  switch (awaited.kind) {
    case 'user': {
      const [entry] = gate.pending();
      if (!entry) return 'the chat waits for the user, but no approval is pending';
      await soak.answer(page, entry, soak.random.chance(0.6));
      return false;
    }
    case 'tool': {
      // After a lost stream, a call of the server may lack its approval request. No page can run it.
      const [toolCallId] = awaited.toolCallIds;
      if (openTools(page).some((tool) => tool.toolCallId === toolCallId))
        await output(soak, page, { toolCallId: toolCallId! });
      else await soak.act(page, 'cancels', () => gate.cancel());
      return false;
    }
    case 'retry':
    case 'cancel': {
      const [id] = awaited.ids;
      if (!gate.undelivered().some((item) => item.id === id))
        return `the chat waits for a retry of ${id}, which is not undelivered`;
      if (awaited.kind === 'retry' && soak.random.chance(0.7))
        await soak.act(page, `retries ${id}`, () => gate.retry(id!));
      else await soak.act(page, 'cancels', () => gate.cancel());
      return false;
    }
    case 'resume':
      await soak.act(page, 'resumes', () => gate.resume());
      return false;
    default:
      return `the chat waits endlessly: ${waits(page)}`;
  }
}

function waits({ id, gate }: Page): string {
  const { status, turn } = gate.getSnapshot();
  return `${id} is ${status} and waits for ${JSON.stringify(turn.waitingFor)}`;
}

/** The leader's page. */
function leaderKey(soak: Soak): Page | undefined {
  return soak.live.find(({ persister }) => persister === undefined || persister.isLeader);
}

/** The evidence at the end of a run, in Node or a browser. */
export interface Evidence {
  /** Whether the server runs a call once, even for repeated requests. */
  readonly checksRepetitions: boolean;
  readonly isPersisted: boolean;
  readonly calls: Iterable<Call>;
  readonly problems: readonly string[];
  /** Decisions that pages accepted, and whether the user saw an error of the page afterwards. */
  readonly given: readonly {
    readonly n: number;
    readonly approved: boolean;
    readonly isTold: boolean;
    readonly isTakenBack?: boolean;
  }[];
  /** `isTakenBack`: the user replaced this message or an earlier one. */
  readonly said: readonly { readonly text: string; readonly isTold: boolean; readonly isTakenBack?: boolean }[];
  /** Calls that a page has shown as not run. */
  readonly shownNotRun: ReadonlySet<number>;
  /**
   * Calls that were approved while a leader had reported that it has no storage. No open page knows of the approval.
   */
  readonly unstored?: ReadonlySet<number>;
  /** Whether the user replaced a part of the history in a follower. The run cannot know which part was removed. */
  readonly hasReplaced: boolean;
  /** The shown state of each page; the leader's is first. */
  readonly shown: readonly { readonly id: string; readonly view: Pick<GateView, 'messages' | 'queued'> }[];
}

/** The evidence of a run in Node. */
export function evidenceOf(soak: Soak): Evidence {
  const { plan, server, shownNotRun, hasReplaced } = soak;
  const leader = leaderKey(soak);
  const pages = leader ? [leader, ...soak.live.filter((page) => page !== leader)] : [];
  const hasError = ({ page, errorsBefore }: Pick<Given, 'page' | 'errorsBefore'>): boolean =>
    soak.isUnstored || page.errors.length > errorsBefore;
  // Stored actions are not lost when their page is closed: another page performs them, or reports why it does not.
  const isGone = ({ page, isStored, isInActs, allErrorsBefore }: Said): boolean =>
    page.isGone && (!(isStored || isInActs) || soak.allErrors > allErrorsBefore);
  // For a call that was approved while the leader had no storage: the pages that know the approval.
  const knownTo = (n: number): readonly Page[] | undefined =>
    soak.given.find((given) => given.n === n && given.approved && given.knownTo)?.knownTo;
  const isUnknownTo = (n: number, others: Iterable<Page>): boolean => {
    const known = knownTo(n);
    return known !== undefined && ![...others].some((page) => known.includes(page));
  };
  return {
    checksRepetitions: plan.checks !== 'none',
    isPersisted: plan.isPersisted,
    calls: server.calls.values(),
    problems: [...soak.problems, ...server.problems],
    given: soak.given.map((given) => ({
      n: given.n,
      approved: given.approved,
      isTold: hasError(given) || given.page.isGone,
      isTakenBack: given.isTakenBack,
    })),
    said: soak.said.map((said) => ({
      text: said.text,
      isTold: hasError(said) || isGone(said),
      isTakenBack: said.isTakenBack,
    })),
    shownNotRun: new Set([...shownNotRun].filter(([n, shown]) => !isUnknownTo(n, shown.pages)).map(([n]) => n)),
    unstored: new Set(soak.given.filter(({ n }) => isUnknownTo(n, pages)).map(({ n }) => n)),
    hasReplaced,
    shown: pages.map(({ id, gate }) => ({ id, view: gate.getSnapshot() })),
  };
}

/** Checks a run that has ended. Returns the problems, and adds what the rules allow to the counts in `told`. */
export function judge(evidence: Evidence, told: Told): string[] {
  const { problems, given, said, hasReplaced, shown } = evidence;
  const wrong = [...problems];
  const [leader] = shown;
  if (!leader) return wrong;
  const parts = new Map(callsOf(leader.view.messages).map((part) => [numberOf(part), part]));
  for (const call of evidence.calls) {
    const answers = given.filter(({ n }) => n === call.n);
    const part = parts.get(call.n);
    wrong.push(
      ...wrongOf(
        call,
        part,
        answers.some(({ approved }) => approved),
        evidence,
      ),
    );
    const isDone = call.runs === 1 && part?.outcome?.kind === 'executed';
    if (isDone || !answers.some(({ approved }) => approved)) continue;
    if (part) told.calls++;
    else if (answers.some(({ isTakenBack }) => isTakenBack)) continue;
    else if (hasReplaced || answers.every(({ isTold }) => isTold)) told.acts++;
    else wrong.push(`call-${call.n} was approved and ran ${call.runs} times, but no page shows it`);
  }
  const texts = saidIn(leader.view);
  for (const { text, isTold, isTakenBack } of said) {
    const times = texts.filter((each) => each === text).length;
    if (times > 1) wrong.push(`the message ${text} is shown ${times} times`);
    if (times > 0 || isTakenBack) continue;
    if (hasReplaced || isTold) told.acts++;
    else wrong.push(`the message ${text} is lost`);
  }
  const expected = textOf(leader.view.messages);
  for (const { id, view } of shown) {
    const here = textOf(view.messages);
    if (here !== expected) wrong.push(`${id} shows other messages than ${leader.id}: ${difference(here, expected)}`);
  }
  return wrong;
}

/** The problems of one call. */
function wrongOf(
  { n, tool, runs }: Call,
  part: ToolPart | undefined,
  isApproved: boolean,
  evidence: Evidence,
): string[] {
  const wrong: string[] = [];
  const kind = part?.outcome?.kind;
  // If a call needs no approval and the stream was cut off, the page can only show that the call has no result.
  const needsApproval = tool === 'remove';
  if (runs > 1 && evidence.checksRepetitions) wrong.push(`call-${n} ran ${runs} times`);
  if (needsApproval && runs > 0 && !isApproved) wrong.push(`call-${n} ran without an approval`);
  if (needsApproval && runs > 0 && evidence.isPersisted && evidence.shownNotRun.has(n)) {
    wrong.push(`call-${n} ran, but a page has shown it as not run`);
  }
  if (!part || tool === 'pick') return wrong;
  if (!kind) wrong.push(`call-${n} is ${part.state} for ever`);
  if (kind === 'executed' && runs === 0) wrong.push(`call-${n} is shown as executed, but never ran`);
  const isNotRun = kind !== 'executed' && kind !== 'failed' && !part.outcome?.mayHaveRun;
  if (needsApproval && isNotRun && runs > 0 && !evidence.unstored?.has(n))
    wrong.push(`call-${n} is shown as ${kind}, but ran`);
  return wrong;
}

/** Whether an error reports that the chat is not stored, or was not stored. */
export function isOfStorage(error: unknown): boolean {
  return /storage did not answer|disk is full|Quota/.test(String(error));
}

/** A value as text, with sorted keys. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** The first position at which two texts differ. */
function difference(a: string, b: string): string {
  const at = [...a].findIndex((letter, place) => letter !== b[place]);
  const around = (text: string): string => text.slice(Math.max(0, at - 60), at + 60);
  return `${around(a)} | ${around(b)}`;
}
