/** Runs scenarios with a client. */
import type { Scenario } from '../scenario.js';
import type { RequestRecord } from '../server/record.js';
import { serveScenario } from '../server/server.js';
import { uiMessageStream } from '../wires/ui-message-stream.js';
import { lacks, moment, perform, quiet, RestlessError, type Patience, type Stage } from './act.js';
import type { Adapter, Client, Dispute } from './adapter.js';
import { checkedAdapter } from './check-adapter.js';
import { AdapterError, checkedClient, stateOf, within } from './check.js';
import { COMMON_RULES, judge, type Broken } from './judge.js';
import { attributed } from './uncaught.js';

/** How a scenario ended. */
export type Verdict = 'pass' | 'fail' | 'disputed' | 'skipped';

/** The result of one scenario. */
export interface Result {
  /** The id of the scenario. */
  readonly id: string;
  readonly verdict: Verdict;
  /** The broken rules. */
  readonly broken: readonly Broken[];
  /** Why the scenario was skipped. */
  readonly skipped?: string;
  readonly dispute?: Dispute;
  /** Errors that the client's methods threw; a refusal is often right. */
  readonly thrown: readonly string[];
  /** What the server received. */
  readonly requests: readonly RequestRecord[];
  readonly ran: readonly string[];
}

/** Most clients are quiet within a few milliseconds. */
const FAST = { ms: 30, turns: 40 } as const;
/** A failure counts only if it also occurs with this patience. */
const SLOW = { ms: 150, turns: 100 } as const;
/** The default of {@link RunOptions.timeoutMs}. */
export const TIMEOUT_MS = 10_000;

/** How scenarios run. */
export interface RunOptions {
  /** Ids of scenarios that are known to fail: they need no second run. */
  readonly known?: readonly string[];
  /**
   * The longest wait, in milliseconds, for a client to become quiet after an act, and for `open`, `reload` and `close`.
   * Default: 10000.
   */
  readonly timeoutMs?: number;
}

/**
 * Runs one scenario; if it fails, again and slower, so that no client fails because it, or the machine, was slow. Never
 * rejects because of the client: its errors are failures. Rejects with an {@link AdapterError}, which names the
 * scenario, if `open` fails, if a client lacks a method, if its `state()` is not complete, or if `open`, `reload` or
 * `close` hang.
 */
export async function runScenario(adapter: Adapter, scenario: Scenario, options: RunOptions = {}): Promise<Result> {
  const { known, timeoutMs: longestMs = TIMEOUT_MS } = options;
  checkedAdapter(adapter);
  try {
    const result = await runOnce(adapter, scenario, { ...FAST, longestMs });
    const isKnown = known?.includes(scenario.id) || adapter.disputes?.[scenario.id];
    return result.broken.length === 0 || isKnown ? result : await runOnce(adapter, scenario, { ...SLOW, longestMs });
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error;
    throw new AdapterError(`In the scenario ${scenario.id}: ${error.message}`);
  }
}

function runOnce(adapter: Adapter, scenario: Scenario, patience: Patience): Promise<Result> {
  const thrown: string[] = [];
  return attributed({ id: scenario.id, thrown }, () => play(adapter, scenario, patience, thrown));
}

async function play(adapter: Adapter, scenario: Scenario, patience: Patience, thrown: string[]): Promise<Result> {
  const server = await serveScenario(scenario, adapter.wire ?? uiMessageStream);
  const { requests, ran } = server.record;
  const common = { id: scenario.id, thrown, requests, ran };
  const { longestMs } = patience;
  let stage: Stage | undefined;
  try {
    const impossible = adapter.impossible?.[scenario.id];
    if (impossible !== undefined) return { ...common, verdict: 'skipped', broken: [], skipped: impossible };
    const client = await opened(adapter, server.url, longestMs);
    stage = { client, server, thrown, patience };
    const missing = lacks(stage.client, scenario.needs);
    if (missing.length > 0) {
      return { ...common, verdict: 'skipped', broken: [], skipped: `the adapter has no ${missing.join(', no ')}` };
    }
    await quiet(stage);
    for (const act of scenario.user) {
      await perform(stage, act);
      await (act.atOnce ? moment() : quiet(stage));
    }
    const expected = adapter.hasNoReasons ? withoutReasons(scenario) : scenario;
    const broken = judge(expected, server.record, stateOf(stage.client));
    const dispute = adapter.disputes?.[scenario.id];
    if (broken.length === 0) return { ...common, verdict: 'pass', broken };
    return dispute ? { ...common, verdict: 'disputed', broken, dispute } : { ...common, verdict: 'fail', broken };
  } catch (error) {
    if (error instanceof AdapterError) throw error;
    if (error instanceof RestlessError) {
      const broken = [{ rule: COMMON_RULES.quiet, found: error.message }];
      return { ...common, verdict: 'fail', broken };
    }
    const { stack } = error as { stack?: unknown };
    const broken = {
      rule: 'The client does not crash.',
      found: String(error),
      ...(stack ? { stack: String(stack) } : {}),
    };
    return { ...common, verdict: 'fail', broken: [broken] };
  } finally {
    try {
      if (stage) await within(longestMs, 'close', stage.client.close?.());
    } finally {
      await server.close();
    }
  }
}

/** Opens a client. An error of `open` is the adapter's: it is the same in every scenario. */
async function opened(adapter: Adapter, url: string, longestMs: number): Promise<Client> {
  try {
    return checkedClient(await within(longestMs, 'open', adapter.open({ id: 'chat', url })), 'open');
  } catch (error) {
    if (error instanceof AdapterError) throw error;
    throw new AdapterError(`\`open\` threw: ${(error as Error)?.stack ?? String(error)}`);
  }
}

/** The scenario without the reasons of denials. */
function withoutReasons(scenario: Scenario): Scenario {
  const model = scenario.expect.model?.map((line) => line.replace(/: denied ".*"$/, ': denied*'));
  return { ...scenario, expect: { ...scenario.expect, ...(model && { model }) } };
}

/** How many scenarios run at the same time. Each has its own server and client, and mostly waits. */
const AT_ONCE = 20;

/** Runs scenarios, some at the same time. Resolves to their results in order. */
export async function runScenarios(
  adapter: Adapter,
  scenarios: readonly Scenario[],
  options: RunOptions = {},
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = [...scenarios.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      try {
        results[next[0]] = await runScenario(adapter, next[1], options);
      } catch (error) {
        waiting.length = 0;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results;
}
