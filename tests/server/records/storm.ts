/**
 * The storm: approvals that four clients post at the same time to two server processes. One of the processes is killed
 * again and again, at random points, and started anew. Then the log of the servers and all replies are compared.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../soak/random.js';
import type { Database } from './databases.js';

/** What the servers use: a `StoredRecord`, or `respondOnce` around a plain `streamText`. */
export type Route = 'record' | 'once';

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
  kills: number;
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
/** The probability that the mortal server dies at one of its points, of which an approval passes about four. */
const MORTALITY = 0.01;

/** Runs one storm with approvals of these numbers. */
export async function storm(database: Database, route: Route, approvals: number, seed: number): Promise<Storm> {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-storm-'));
  const log = join(folder, 'log');
  const random = new Random(seed);
  const counts: Storm = { approvals, ran: 0, unknown: 0, unknownButRan: 0, posts: 0, kills: 0, failures: [] };
  const servers = [new Server(database, log, 0), new Server(database, log, MORTALITY)];
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
    const numbers = Array.from({ length: approvals }, (_, n) => n);
    if (route === 'record') for (const n of numbers) await servers[0]!.post('ask', n);
    const told = new Map<number, Told[]>();
    const left = [...numbers];
    const work = async (): Promise<void> => {
      for (let n = left.shift(); n !== undefined; n = left.shift()) {
        const each = n;
        told.set(n, await Promise.all(Array.from({ length: CLIENTS }, () => post(each))));
        // Not at one of the points where the server kills itself.
        if (n % KILL_EVERY === KILL_EVERY / 2) await servers[1]!.kill();
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    for (const n of numbers) told.get(n)!.push(await post(n));
    const dead = new Set(servers[1]!.dead);
    counts.kills = dead.size;
    judge(counts, route, readFileSync(log, 'utf8'), told, dead);
    return counts;
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Compares the log of the servers with all replies. Adds what it counted, and the violated rules. */
function judge(counts: Storm, route: Route, log: string, told: Map<number, Told[]>, dead: ReadonlySet<number>): void {
  const events = log
    .trim()
    .split('\n')
    .map((line) => line.split(' '));
  const pidsOf = (event: string, n: number): number[] =>
    events.filter(([name, number]) => name === event && Number(number) === n).map(([, , pid]) => Number(pid));
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
    if (last === undefined && claims.length > 0 && !dead.has(claims[0]!))
      fail(`its outcome is unknown, but process ${claims[0]} lives`);
    counts.ran += last === undefined ? 0 : 1;
    counts.unknown += last === undefined ? 1 : 0;
    counts.unknownButRan += last === undefined && runs.length > 0 ? 1 : 0;
  }
}

/** A server process. If its `mortality` is not 0, it may die; then a new process replaces it. */
class Server {
  /** The ids of the processes that have died. */
  readonly dead: number[] = [];
  readonly #arguments: string[];
  #child: ChildProcess | undefined;
  #port = 0;
  #isStopped = false;

  constructor({ name, place }: Database, log: string, mortality: number) {
    this.#arguments = [name, place, log, String(mortality)];
  }

  async start(): Promise<void> {
    const child = fork(join(import.meta.dirname, 'server.mjs'), this.#arguments, { execArgv: [] });
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
