/**
 * One run of the soak. Its seed determines everything in it.
 */
import { evidenceOf, finish, judge, type Told } from './judge.js';
import { planOf, storm } from './plan.js';
import { Random } from './random.js';
import { Soak, type Breaks, type Plan } from './soak.js';

/** The counts of one or more runs. */
export interface Counts {
  runs: number;
  /** The number of user actions. */
  acts: number;
  /** Requests that the server got. */
  requests: number;
  /** Calls of tools that ran on the server. */
  executions: number;
  /** Decisions of the users. */
  approved: number;
  denied: number;
  /** Approved calls that are shown as not run, or as perhaps run. */
  toldCalls: number;
  /** Messages and approved calls that the chat does not show, for a reason that the rules allow. */
  toldActs: number;
  /** Requests and replies that the network lost, cut off or doubled. */
  faults: number;
}

/** The result of a run. */
export interface Outcome {
  readonly seed: number;
  readonly counts: Counts;
  /** The problems; empty if there are none. */
  readonly wrong: readonly string[];
  readonly plan: Plan;
  /** What happened, in order. */
  readonly trace: readonly string[];
}

/** Counts that are all 0. */
export const noCounts = (): Counts => ({
  ...{ runs: 0, acts: 0, requests: 0, executions: 0, approved: 0, denied: 0, toldCalls: 0, toldActs: 0, faults: 0 },
});

/** Adds a run's counts to others. */
export function addCounts(all: Counts, more: Counts): void {
  for (const key of Object.keys(all) as (keyof Counts)[]) all[key] += more[key];
}

/** Runs a seed. `breaks` is a deliberate defect, `change` changes the configuration of the seed. */
export async function run(seed: number, breaks: Breaks = {}, change: Partial<Plan> = {}): Promise<Outcome> {
  const random = new Random(seed);
  const plan = { ...planOf(random), ...change };
  const soak = new Soak(plan, random, breaks);
  const told: Told = { calls: 0, acts: 0 };
  const wrong: string[] = [];
  const unhandled = (error: unknown): void =>
    void wrong.push(`an unhandled error: ${String((error as Error)?.stack ?? error)}`);
  process.on('unhandledRejection', unhandled);
  try {
    await storm(soak);
    wrong.push(...(await finish(soak)));
    wrong.push(...judge(evidenceOf(soak), told));
    if (wrong.length > 0) soak.trace.push(...describe(soak));
  } catch (error) {
    wrong.push(`the run failed: ${String((error as Error).stack)}`);
  } finally {
    process.off('unhandledRejection', unhandled);
    soak.end();
  }
  const { server, network, acts, given, trace } = soak;
  const counts: Counts = {
    ...{ runs: 1, acts, requests: server.requests },
    executions: [...server.calls.values()].reduce((sum, { runs }) => sum + runs, 0),
    approved: given.filter(({ approved }) => approved).length,
    denied: given.filter(({ approved }) => !approved).length,
    ...{ toldCalls: told.calls, toldActs: told.acts },
    faults: Object.values(network.counts).reduce((sum, count) => sum + count, 0),
  };
  return { seed, counts, wrong, plan, trace };
}

/** The final state of each page, for the trace of a failed run. */
function describe({ live, server }: Soak): string[] {
  const calls = [...server.calls.values()].map(({ n, tool, runs }) => `${tool} ${n} ran ${runs} times`);
  return [
    `--- ${calls.join(', ')}`,
    ...live.map(({ id, gate, persister, errors }) => {
      const { status, turn, messages, queued } = gate.getSnapshot();
      const shown = messages.map(({ id, role, parts }) => {
        const list = parts.map((part) => {
          if (!('toolCallId' in part)) return part.type === 'text' ? (part as { text: string }).text : part.type;
          return `${part.toolCallId}: ${part.state} ${part.delivery ?? ''} ${JSON.stringify(part.outcome)}`;
        });
        return `  ${role} ${id}: ${list.join(', ')}`;
      });
      const lines = [
        `${id} (${persister?.state}) is ${status}, ${turn.status} ${turn.ending}, queued ${queued.length}, waits for ${JSON.stringify(turn.waitingFor)}`,
        ...shown,
        `  undelivered: ${JSON.stringify(gate.undelivered())}`,
        ...errors.map((error) => `  error: ${String(error)}`),
      ];
      return lines.join('\n');
    }),
  ];
}
