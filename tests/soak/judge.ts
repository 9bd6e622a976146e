/**
 * The end of a run, without faults: a user performs the acts that the view's `waitingFor` lists. Then the rules are
 * checked.
 */
import type { GateView, ToolPart } from '../../src/ts/types/index.js';
import { callsOf, numberOf, saidIn } from './calls.js';
import type { Page } from './page.js';
import { openTools, output } from './plan.js';
import type { Call } from './server.js';
import type { Given, Said, Soak } from './soak.js';

/** The maximum number of acts that the user needs. */
const ACTS = 80;

/** The errors that users saw, by kind. */
export interface Told {
  /** Approved calls that are shown as not run, or perhaps run. */
  calls: number;
  /**
   * Messages and approved calls that are missing in the chat, because a page reported that or was closed before it
   * stored them.
   */
  acts: number;
}

/** Ends the run, and returns the problems. */
export async function finish(soak: Soak): Promise<string[]> {
  soak.isCalm = true;
  soak.trace.push('--- nothing goes wrong any more');
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
  return saidIn(leaderKey(soak)!.gate.getSnapshot()).includes(text) ? [] : [`the last message, ${text}, is nowhere`];
}

/**
 * The user does what the chat waits for, until it waits for nothing. Returns the problems if this state is not reached.
 */
async function comply(soak: Soak): Promise<string | undefined> {
  for (let acts = 0; acts < ACTS; acts++) {
    if (!(await soak.rest())) return 'the browser does not come to rest';
    if (soak.problems.length > 0) return undefined;
    const leader = leaderKey(soak);
    if (!leader) return 'no tab leads';
    const waiting = soak.live.find(({ persister }) => (persister?.waiting ?? 0) > 0);
    if (waiting) return `${waiting.id} waits for ever for the tab that sends`;
    const page = soak.random.chance(0.5) ? leader : soak.random.pick(soak.live);
    const done = await next(soak, page);
    if (typeof done === 'string') return done;
    if (done) return undefined;
  }
  return `the chat is not done after ${ACTS} acts: ${waits(leaderKey(soak)!)}`;
}

/** The user's next act. Returns `true` if the chat waits for no act, and a text if no act is possible. */
async function next(soak: Soak, page: Page): Promise<boolean | string> {
  const { gate } = page;
  const { turn, status, queued } = gate.getSnapshot();
  if (status === 'crashed') return `${page.id} has crashed`;
  const [awaited] = turn.waitingFor;
  if (!awaited) {
    if (gate.pending().length > 0) return 'approvals are pending, and the chat waits for nobody';
    if (queued.length > 0) return 'a message is queued, and the chat waits for nobody';
    if (status !== 'idle') return `the chat is ${status}, and waits for nobody`;
    return true;
  }
  switch (awaited.kind) {
    case 'user': {
      const [entry] = gate.pending();
      if (!entry) return 'the chat waits for the user, and nothing is pending';
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
      return `the chat waits for ever: ${waits(page)}`;
  }
}

function waits({ id, gate }: Page): string {
  const { status, turn } = gate.getSnapshot();
  return `${id} is ${status} and waits for ${JSON.stringify(turn.waitingFor)}`;
}

/** The page that sends. */
function leaderKey(soak: Soak): Page | undefined {
  return soak.live.find(({ persister }) => persister === undefined || persister.isLeader);
}

/** The facts about a run at its end, in Node or a browser. */
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
  /** The user replaced a part of the history, and it is not known which part. */
  readonly hasReplaced: boolean;
  /** The shown state of each page; the page that sends is first. */
  readonly shown: readonly { readonly id: string; readonly view: Pick<GateView, 'messages' | 'queued'> }[];
}

/** The facts about a run in Node. */
export function evidenceOf(soak: Soak): Evidence {
  const { plan, server, shownNotRun, hasReplaced } = soak;
  const leader = leaderKey(soak);
  const pages = leader ? [leader, ...soak.live.filter((page) => page !== leader)] : [];
  const hasError = ({ page, errorsBefore }: Pick<Given, 'page' | 'errorsBefore'>): boolean =>
    soak.isUnstored || page.errors.length > errorsBefore;
  // Stored actions are not lost with their page: another page performs them, or reports the reason why it does not.
  const isGone = ({ page, isStored, isInActs, allErrorsBefore }: Said): boolean =>
    page.isGone && (!(isStored || isInActs) || soak.allErrors > allErrorsBefore);
  // A call that was approved while a page led without the storage: these pages never received the approval.
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

/** Checks a run that has ended. Returns the problems, and counts the errors that users saw in `told`. */
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
    else wrong.push(`call-${call.n} was approved, ran ${call.runs} times, and is shown nowhere`);
  }
  const texts = saidIn(leader.view);
  for (const { text, isTold, isTakenBack } of said) {
    const times = texts.filter((each) => each === text).length;
    if (times > 1) wrong.push(`the message ${text} is there ${times} times`);
    if (times > 0 || isTakenBack) continue;
    if (hasReplaced || isTold) told.acts++;
    else wrong.push(`the message ${text} is lost`);
  }
  const expected = textOf(leader.view.messages);
  for (const { id, view } of shown) {
    const here = textOf(view.messages);
    if (here !== expected) wrong.push(`${id} shows something else than ${leader.id}: ${difference(here, expected)}`);
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
  // For a call that needs no approval, a page whose stream was cut off can only show that it has no result.
  const needsApproval = tool === 'remove';
  if (runs > 1 && evidence.checksRepetitions) wrong.push(`call-${n} ran ${runs} times`);
  if (needsApproval && runs > 0 && !isApproved) wrong.push(`call-${n} ran, and nobody approved it`);
  if (needsApproval && runs > 0 && evidence.isPersisted && evidence.shownNotRun.has(n)) {
    wrong.push(`call-${n} ran, and a page has shown that it does not run`);
  }
  if (!part || tool === 'pick') return wrong;
  if (!kind) wrong.push(`call-${n} is ${part.state} for ever`);
  if (kind === 'executed' && runs === 0) wrong.push(`call-${n} is shown as executed, and never ran`);
  const isNotRun = kind !== 'executed' && kind !== 'failed' && !part.outcome?.mayHaveRun;
  if (needsApproval && isNotRun && runs > 0 && !evidence.unstored?.has(n))
    wrong.push(`call-${n} is shown as ${kind}, and ran`);
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

/** The first place at which two texts differ. */
function difference(a: string, b: string): string {
  const at = [...a].findIndex((letter, place) => letter !== b[place]);
  const around = (text: string): string => text.slice(Math.max(0, at - 60), at + 60);
  return `${around(a)} | ${around(b)}`;
}
