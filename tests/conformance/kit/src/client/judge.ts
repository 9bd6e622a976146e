/** Compares what happened in a scenario with what it expects. */
import type { Expectation, Scenario } from '../scenario.js';
import { MOST_REQUESTS, type RequestRecord, type ServerRecord } from '../server/record.js';
import type { State } from './adapter.js';

/** One broken rule. */
export interface Broken {
  /** The rule in one sentence. */
  readonly rule: string;
  /** What happened instead. */
  readonly found: string;
  /** The request that broke the rule, or the last one. */
  readonly request?: { readonly number: number; readonly body: string };
  /** If the client crashed: the stack of its error. */
  readonly stack?: string;
}

/** Rules that hold in every scenario. */
export const COMMON_RULES = {
  history: 'In every request, each call occurs once and has one result, unless the server has to act on its decision.',
  overlap: 'Requests are sent one at a time.',
  idle: 'At the end nothing is loading.',
  quiet: 'After each act, the page and its requests come to rest.',
  bounded: `A client never sends more than ${MOST_REQUESTS} requests for a few acts of the user.`,
} as const;

/** Returns the broken rules; empty if the scenario passed. */
export function judge({ rule, expect }: Scenario, record: ServerRecord, state: State): Broken[] {
  const { requests, ran } = record;
  const broken: Broken[] = [];
  const fail = (found: string, request: RequestRecord | undefined = requests.at(-1), which: string = rule): void =>
    void broken.push({
      rule: which,
      found,
      ...(request && { request: { number: request.number, body: request.body } }),
    });

  const tooMany = requests.length > MOST_REQUESTS;
  if (tooMany) {
    const which = expect.requests === undefined ? COMMON_RULES.bounded : rule;
    fail(`request ${MOST_REQUESTS + 1} was refused: the client sends them without end`, requests[2], which);
  }
  for (const request of requests) {
    if (request.faults.length > 0)
      fail(`request ${request.number}: ${request.faults.join(', ')}`, request, COMMON_RULES.history);
  }
  const overlapping = requests.find(({ overlaps }) => overlaps);
  if (overlapping && !expect.overlaps)
    fail(`request ${overlapping.number} was sent while another was open`, overlapping, COMMON_RULES.overlap);
  if (state.isBusy && expect.idle !== false) fail('the client is still loading', undefined, COMMON_RULES.idle);

  if (!tooMany) judgeRequests(expect, record, fail);
  for (const [id, times] of Object.entries(counts(ran))) {
    if (times > 1 && expect.ranAtMostOnce?.includes(id)) fail(`call ${id} ran ${times} times`);
  }
  for (const id of expect.neverRan ?? []) if (ran.includes(id)) fail(`call ${id} ran`);
  if (expect.ran && [...ran].sort().join() !== [...expect.ran].sort().join())
    fail(`ran: ${ran.join(', ') || 'nothing'}; expected: ${expect.ran.join(', ') || 'nothing'}`);
  judgePrompts(expect, requests, fail);
  judgeState(expect, state, fail);
  return broken;
}

type Fail = (found: string, request?: RequestRecord) => void;

function judgeRequests({ requests: expected }: Expectation, { requests }: ServerRecord, fail: Fail): void {
  if (expected === undefined) return;
  const [least, most] = typeof expected === 'number' ? [expected, expected] : expected;
  const { length } = requests;
  if (length < least || length > most)
    fail(`${length} requests; expected ${least === most ? least : `${least} to ${most}`}`);
}

function judgePrompts({ model, modelNever = [] }: Expectation, requests: readonly RequestRecord[], fail: Fail): void {
  const last = requests.findLast(({ prompt }) => prompt !== undefined);
  if (model) {
    let at = 0;
    const wanted = inOrder(model);
    for (const line of inOrder(last?.prompt ?? [])) if (at < wanted.length && matches(line, wanted[at]!)) at++;
    if (at < wanted.length)
      fail(`the model does not read “${wanted[at]}”; it reads ${(last?.prompt ?? []).join(' · ') || 'nothing'}`, last);
  }
  for (const request of requests) {
    const line = request.prompt?.find((text) => modelNever.some((pattern) => matches(text, pattern)));
    if (line !== undefined) return fail(`the model reads “${line}”`, request);
  }
}

function judgeState({ shows = {}, copies = {}, texts = [] }: Expectation, state: State, fail: Fail): void {
  for (const [id, expected] of Object.entries(shows)) {
    const found = state.calls.filter((call) => call.id === id).map((call) => call.state);
    const allowed = [expected].flat();
    if (found.length === 0 || found.some((one) => !allowed.includes(one)))
      fail(`call ${id} is shown as ${found.join(', ') || 'nothing'}; expected ${allowed.join(' or ')}`);
  }
  for (const [id, expected] of Object.entries(copies)) {
    const found = state.calls.filter((call) => call.id === id).length;
    if (found !== expected) fail(`call ${id} is shown ${found} times; expected ${expected}`);
  }
  for (const text of texts) {
    if (!state.texts.includes(text)) fail(`the page does not show “${text}”`);
  }
}

/** The lines with adjacent results sorted: their order has no meaning. */
function inOrder(lines: readonly string[]): string[] {
  const groups: string[][] = [];
  for (const line of lines) {
    const isResult = line.startsWith('result ');
    if (isResult && groups.at(-1)?.[0]?.startsWith('result ')) groups.at(-1)!.push(line);
    else groups.push([line]);
  }
  return groups.flatMap((group) => group.sort());
}

function matches(line: string, pattern: string): boolean {
  const parts = pattern.split('*');
  if (parts.length === 1) return line === pattern;
  return line.startsWith(parts[0]!) && line.endsWith(parts.at(-1)!) && line.length >= pattern.length - 1;
}

function counts(ids: readonly string[]): Record<string, number> {
  const found: Record<string, number> = {};
  for (const id of ids) found[id] = (found[id] ?? 0) + 1;
  return found;
}
