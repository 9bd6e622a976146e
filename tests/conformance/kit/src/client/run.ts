/** Runs scenarios with a client. */
import type { Scenario } from '../scenario.js';
import type { RequestRecord } from '../server/record.js';
import { serveScenario } from '../server/server.js';
import { uiMessageStream } from '../wires/ui-message-stream.js';
import { lacks, moment, perform, quiet, type Patience, type Stage } from './act.js';
import type { Adapter, Dispute } from './adapter.js';
import { AdapterError, checkedClient, stateOf } from './check.js';
import { judge, type Broken } from './judge.js';

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
const FAST: Patience = { ms: 30, turns: 40 };
/** A failure counts only if it also occurs with this patience. */
const SLOW: Patience = { ms: 150, turns: 100 };

/** How scenarios run. */
export interface RunOptions {
  /** Ids of scenarios that are known to fail: they need no second run. */
  readonly known?: readonly string[];
}

/**
 * Runs one scenario; if it fails, again and slower, so that no client fails because it, or the machine, was slow. Never
 * rejects because of the client: its errors are failures. Rejects with an {@link AdapterError} if the adapter's client
 * lacks a method or its `state()` is not complete.
 */
export async function runScenario(adapter: Adapter, scenario: Scenario, options: RunOptions = {}): Promise<Result> {
  const result = await runOnce(adapter, scenario, FAST);
  const isKnown = options.known?.includes(scenario.id) || adapter.disputes?.[scenario.id];
  return result.broken.length === 0 || isKnown ? result : runOnce(adapter, scenario, SLOW);
}

async function runOnce(adapter: Adapter, scenario: Scenario, patience: Patience): Promise<Result> {
  const server = await serveScenario(scenario, adapter.wire ?? uiMessageStream);
  const thrown: string[] = [];
  const { requests, ran } = server.record;
  const common = { id: scenario.id, thrown, requests, ran };
  let stage: Stage | undefined;
  try {
    const impossible = adapter.impossible?.[scenario.id];
    if (impossible !== undefined) return { ...common, verdict: 'skipped', broken: [], skipped: impossible };
    const client = checkedClient(await adapter.open({ id: 'chat', url: server.url }));
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
    const { stack } = error as { stack?: unknown };
    const broken = {
      rule: 'The client does not crash.',
      found: String(error),
      ...(stack ? { stack: String(stack) } : {}),
    };
    return { ...common, verdict: 'fail', broken: [broken] };
  } finally {
    try {
      await stage?.client.close?.();
    } finally {
      await server.close();
    }
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
    for (let next = waiting.shift(); next; next = waiting.shift())
      results[next[0]] = await runScenario(adapter, next[1], options);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results;
}
