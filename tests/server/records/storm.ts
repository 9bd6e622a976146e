/**
 * The storm: approvals that four clients post at the same time to two server processes. One of the processes is killed
 * again and again, at each point of an approval in turn, and started anew. Then the log of the servers and all replies
 * are compared.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../soak/random.js';
import type { Database } from './databases.js';

/** What the servers use: a `StoredRecord`, or `respondOnce` around a plain `streamText`. */
export type Route = 'record' | 'once';

/**
 * The points of an approval at which a process kills itself: before its claim, between claim and run, during the run,
 * between the run and its stored result, and after that.
 */
export const POINTS = ['unclaimed', 'claimed', 'running', 'ran', 'stored'] as const;

/** How many processes were killed at each point, and by the test, at any time. */
export type Kills = Record<(typeof POINTS)[number] | 'any', number>;

/** What one storm has counted. */
export interface Storm {
  approvals: number;
  /** Calls that ran once, and whose output every later request gets. */
  ran: number;
  /** Calls whose process died, and whose outcome is reported as unknown. */
  unknown: number;
  /** Of the unknown calls: those that had run. */
  unknownButRan: number;
  posts: number;
  kills: Kills;
  /** Violated rules. */
  failures: string[];
}

/** The result of a post: the tool's output, or `undefined` for an unknown outcome. */
type Told = string | undefined;

const CLIENTS = 4;
/** The number of approvals that are posted at the same time. */
const AT_ONCE = 6;
/** The test kills the mortal server once for this number of approvals. */
const KILL_EVERY = 40;
/** A storm has at most so many times as many approvals. */
const MOST = 10;
/** How often the mortal server passes the point at which it dies, at most. */
const PASSES = 3;

/** Runs one storm with so many approvals, and with more until processes have died at all points. */
export async function storm(database: Database, route: Route, approvals: number, seed: number): Promise<Storm> {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-storm-'));
  const log = join(folder, 'log');
  const random = new Random(seed);
  writeFileSync(log, '');
  const counts: Storm = {
    ...{ approvals: 0, ran: 0, unknown: 0, unknownButRan: 0, posts: 0, failures: [] },
    kills: killsIn(log, []),
  };
  /** The point at which the fewest processes have died, and after how many passes the next one does. */
  const nextEnd = (): readonly string[] => {
    const died = deathsIn(log);
    const [point] = [...POINTS].sort((a, b) => died[a].length - died[b].length);
    return [point!, String(random.below(PASSES))];
  };
  const servers = [new Server(database, log, () => ['never', '0']), new Server(database, log, nextEnd)];
  try {
    await Promise.all(servers.map((server) => server.start()));
    const post = async (n: number): Promise<Told> => {
      for (let attempt = 0; attempt < 400; attempt++) {
        counts.posts++;
        const told = await servers[random.below(2)]!.post(route, n);
        if (told !== 'again') return told.output;
        await sleep(25);
      }
      throw new Error(`approval ${n} got no reply`);
    };
    const told = new Map<number, Told[]>();
    const isLeft = (): boolean =>
      counts.approvals < approvals || (counts.approvals < MOST * approvals && !killed().every((kills) => kills > 0));
    const killed = (): number[] => Object.values(killsIn(log, servers[1]!.dead));
    const work = async (): Promise<void> => {
      while (isLeft()) {
        const each = counts.approvals++;
        if (route === 'record') await servers[0]!.post('ask', each);
        await servers[1]!.started;
        told.set(each, await Promise.all(Array.from({ length: CLIENTS }, () => post(each))));
        // Not at one of the points where the server kills itself.
        if (each % KILL_EVERY === KILL_EVERY / 2) await servers[1]!.kill();
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    for (const [n, replies] of told) replies.push(await post(n));
    judge(counts, route, log, told, servers[1]!.dead);
    return counts;
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The lines of the log: an event, the number of an approval, and a process. */
const eventsIn = (log: string): readonly (readonly [event: string, n: number, pid: number])[] =>
  readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(' '))
    .map(([event, n, pid]) => [event!, Number(n), Number(pid)] as const);

/** The approvals at which processes have killed themselves, by the point. */
function deathsIn(log: string): Record<(typeof POINTS)[number], number[]> {
  const events = eventsIn(log);
  const [unclaimed, claimed, running, ran, stored] = POINTS.map((point) =>
    events.flatMap(([event, n], at) => {
      // Another process may have claimed it.
      const isLate = point === 'unclaimed' && events.slice(0, at).some((one) => one[0] === 'claim' && one[1] === n);
      return event === point && !isLate ? [n] : [];
    }),
  ) as [number[], number[], number[], number[], number[]];
  return { unclaimed, claimed, running, ran, stored };
}

/** Counts the processes that have died. `dead`: all of them. */
function killsIn(log: string, dead: readonly number[]): Kills {
  const { unclaimed, claimed, running, ran, stored } = deathsIn(log);
  const own = eventsIn(log).filter(([event]) => POINTS.some((point) => point === event)).length;
  return {
    ...{ unclaimed: unclaimed.length, claimed: claimed.length, running: running.length, ran: ran.length },
    ...{ stored: stored.length, any: dead.length - own },
  };
}

/** Compares the log of the servers with all replies. Adds what it counted, and the violated rules. */
function judge(counts: Storm, route: Route, log: string, told: Map<number, Told[]>, dead: readonly number[]): void {
  const events = eventsIn(log);
  const died = deathsIn(log);
  counts.kills = killsIn(log, dead);
  const pidsOf = (event: string, n: number): number[] =>
    events.filter(([name, number]) => name === event && number === n).map(([, , pid]) => pid);
  for (const [n, replies] of told) {
    const fail = (why: string): void => void counts.failures.push(`approval ${n}: ${why}`);
    const [runs, claims] = [pidsOf('run', n), pidsOf('claim', n)];
    const last = replies.at(-1);
    if (runs.length > 1) fail(`ran ${runs.length} times`);
    if (claims.length > 1) fail(`was claimed ${claims.length} times`);
    if (replies.some((output) => output !== undefined && output !== `run ${n} by ${runs[0]}`))
      fail(`a client got ${String(replies.find(Boolean))}, but process ${runs[0]} ran it`);
    // With `respondOnce` the first client gets the reply while it is written, before it is stored.
    if (route === 'record' && last === undefined && replies.some(Boolean))
      fail('its outcome was known, and then unknown');
    // A claim without a line in the log: the process died between the two.
    if (last === undefined && claims.length > 0 && !dead.includes(claims[0]!))
      fail(`its outcome is unknown, but process ${claims[0]} lives`);
    if (last === undefined && died.stored.includes(n)) fail('its result was stored, and then lost');
    if (runs.length > 0 && died.claimed.includes(n)) fail('ran, although its process died before');
    counts.ran += last === undefined ? 0 : 1;
    counts.unknown += last === undefined ? 1 : 0;
    counts.unknownButRan += last === undefined && runs.length > 0 ? 1 : 0;
  }
}

/** A server process. When it has died, a new process replaces it. `endOf`: where the next one kills itself. */
class Server {
  /** The ids of the processes that have died. */
  readonly dead: number[] = [];
  /** Resolves when the present process has started. */
  started: Promise<void> = Promise.resolve();
  readonly #arguments: string[];
  readonly #endOf: () => readonly string[];
  #child: ChildProcess | undefined;
  #port = 0;
  #isStopped = false;

  constructor({ name, place }: Database, log: string, endOf: () => readonly string[]) {
    this.#arguments = [name, place, log];
    this.#endOf = endOf;
  }

  start(): Promise<void> {
    this.started = this.#start();
    return this.started;
  }

  async #start(): Promise<void> {
    const child = fork(join(import.meta.dirname, 'server.mjs'), [...this.#arguments, ...this.#endOf()], {
      execArgv: [],
    });
    this.#child = child;
    this.#port = await new Promise<number>((resolve, reject) => {
      child.once('message', (port) => resolve(Number(port)));
      child.once('exit', (code) => reject(new Error(`the server ended with ${code} before it listened`)));
    });
    child.once('exit', () => {
      this.dead.push(child.pid!);
      this.#port = 0;
      // A failure to start is noticed by the clients, which get no reply.
      if (!this.#isStopped) void this.start().catch(() => {});
    });
  }

  /** Kills the process, unless it is dead or starting. */
  async kill(): Promise<void> {
    await sleep(5);
    if (this.#port !== 0) this.#child!.kill('SIGKILL');
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  /** Posts an approval. `again`: there is no reply, because the process died or the call still runs. */
  async post(route: Route | 'ask', n: number): Promise<'again' | { output: Told }> {
    if (this.#port === 0) return 'again';
    let status: number;
    let text: string;
    try {
      const body = JSON.stringify({ n, key: `key-${n}` });
      const response = await fetch(`http://127.0.0.1:${this.#port}/${route}`, { method: 'POST', body });
      ({ status } = response);
      text = await response.text();
    } catch {
      return 'again';
    }
    if (status === 409) return 'again';
    if (status === 410) return { output: undefined };
    if (status !== 200) throw new Error(`${status}: ${text}`);
    if (route === 'record') return { output: (JSON.parse(text) as { output: string | null }).output ?? undefined };
    return { output: /"output":"(run [^"]*)"/.exec(text)?.[1] };
  }
}
