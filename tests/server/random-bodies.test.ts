/**
 * Random bodies of two users, posted one after the other to a server with one record, beside the reference: forged,
 * contradicting, malformed, superseded and repeated ones, and those with the calls of the other user. The same bodies
 * are posted to each store, and to the record in memory. `./pkg-scripts/records bodies` posts 10,000.
 */
import { appendFileSync } from 'node:fs';
import fc from 'fast-check';
import { MemoryRecord, resolveApprovals, ResolveError, StoredRecord, type ApprovalRecord } from 'toolgate/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';

import { peers } from '../interop/ai-sdk/peers';
import type { DatabaseName } from './records/connect.mjs';
import { startDatabase } from './records/databases.js';
import { Reference, type Answer, type Claim, type Posted, type Requested } from './reference';

const { BODIES: report, BODIES_COUNT: count = '400', BODIES_SEED: seed = '1' } = process.env;

/** How many bodies are about the same calls. */
const TOGETHER = 20;
const USERS = ['ann', 'bob'];

/** The calls that each user is asked about. Both users have calls with the same ids, and other inputs. */
const CALLS: readonly Requested[] = [0, 1, 2, 3].map((n) => ({
  approvalId: `appr_${n}`,
  toolCallId: `call_${n}`,
  tool: n % 2 ? 'run' : 'other',
  n,
}));
const askedOf = (user: string): Requested[] => CALLS.map((call) => ({ ...call, n: call.n + 10 * USERS.indexOf(user) }));

const mostly = <T>(usual: fc.Arbitrary<T>, ...others: T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 7, arbitrary: usual }, { weight: 1, arbitrary: fc.constantFrom(...others) });

const claimOf = (user: string): fc.Arbitrary<Claim> =>
  fc
    .record({
      asked: mostly(fc.constantFrom(...askedOf(user)), ...USERS.flatMap(askedOf)),
      approvalId: mostly(fc.constant(''), 'appr_0', 'appr_9'),
      tool: mostly(fc.constant(''), 'run', 'other'),
      n: mostly(fc.constant(-1), 0, 7),
      approved: mostly<Claim['approved']>(fc.constantFrom(true, false, undefined), 'true'),
      isDone: mostly(fc.constant(false), true),
    })
    .map(({ asked, approvalId, tool, n, approved, isDone }) => ({
      approvalId: approvalId || asked.approvalId,
      toolCallId: asked.toolCallId,
      tool: tool || asked.tool,
      n: n < 0 ? asked.n : n,
      approved,
      // Only an approved call has an output.
      isDone: isDone && approved === true,
    }));

const bodies: fc.Arbitrary<Posted> = fc.constantFrom(...USERS).chain((user) => {
  const step = fc.record({
    claims: fc.array(claimOf(user), { minLength: 1, maxLength: 3 }),
    isFollowed: mostly(fc.constant(false), true),
  });
  return fc.record({ user: fc.constant(user), steps: fc.array(step, { minLength: 1, maxLength: 3 }) });
});

/** The body as the AI SDK's page posts it. */
function messagesOf({ steps }: Posted): object[] {
  const messages: { id: string; role: string; parts: object[] }[] = [];
  const user = (): number =>
    messages.push({ id: `m${messages.length}`, role: 'user', parts: [{ type: 'text', text: '?' }] });
  user();
  for (const { claims, isFollowed } of steps) {
    if (messages.at(-1)!.role === 'user') messages.push({ id: `m${messages.length}`, role: 'assistant', parts: [] });
    messages.at(-1)!.parts.push({ type: 'step-start' }, ...claims.map(partOf));
    if (isFollowed) user();
  }
  return messages;
}

const partOf = ({ approvalId, toolCallId, tool, n, approved, isDone }: Claim): object => ({
  type: `tool-${tool}`,
  toolCallId,
  state: isDone ? 'output-available' : approved === undefined ? 'approval-requested' : 'approval-responded',
  input: { n },
  approval: { id: approvalId, ...(approved !== undefined && { approved }) },
  ...(isDone && { output: 'done' }),
});

/** Posts bodies about the same calls to a server with these records, and to the reference. */
async function postAll(posted: readonly Posted[], recordOf: (user: string) => ApprovalRecord): Promise<number> {
  const reference = new Reference();
  const records = new Map(USERS.map((user) => [user, recordOf(user)]));
  for (const user of USERS) {
    for (const call of askedOf(user)) {
      reference.request(user, call);
      const { approvalId, toolCallId, tool: toolName, n } = call;
      await records.get(user)!.request({ approvalId, toolCallId, toolName, input: { n } });
    }
  }
  const everRan = new Set<string>();
  let refused = 0;
  for (const body of posted) {
    const runs: string[] = [];
    const execute = ({ n }: { n: number }, { toolCallId }: { toolCallId: string }): string => {
      const name = `${body.user} ${toolCallId} ${n}`;
      if (everRan.has(name)) throw new Error(`${name} ran twice`);
      everRan.add(name);
      runs.push(toolCallId);
      return 'ran';
    };
    const tool = { inputSchema: z.object({ n: z.number() }), execute };
    const options = { toolkit: { run: tool, other: tool }, record: records.get(body.user)!, onError: () => {} };
    const answer = await resolveApprovals(messagesOf(body), options).catch((error: unknown) => error as Error);
    const given = answer instanceof ResolveError ? 'refused' : answer instanceof Error ? answer : { runs: runs.sort() };
    const until = `${JSON.stringify(body)} after ${JSON.stringify(posted.slice(0, posted.indexOf(body)))}`;
    expect([given, given === 'refused' ? runs : []], until).toEqual([reference.post(body, given as Answer), []]);
    if (given === 'refused') refused++;
    // Older steps are left as they are, and open calls have no result.
    else if (body.steps.length === 1 && !(answer instanceof Error) && answer.unresolved.length === 0)
      for (const peer of peers) expect(await peer.refuses(answer.messages as never), until).toBeUndefined();
  }
  return refused;
}

/** Where the records are: in a database, or in memory. */
interface Records {
  recordOf(user: string, chat: string): ApprovalRecord;
  stop(): Promise<unknown>;
}

async function startRecords(name: DatabaseName | 'memory'): Promise<Records> {
  if (name === 'memory') return { recordOf: () => new MemoryRecord(), stop: async () => {} };
  const database = await startDatabase(name);
  const { store, close } = await database.connect();
  return {
    recordOf: (user, chat) => new StoredRecord(store, { user, chat }),
    stop: () => close().then(() => database.stop()),
  };
}

describe.each(['memory', 'redis', 'postgres', 'sqlite', 'd1'] as const)('%s', (name) => {
  let records: Records;
  beforeAll(async () => void (records = await startRecords(name)));
  afterAll(() => records?.stop());

  test(
    'each body is refused, or runs the calls that the reference runs',
    async () => {
      const began = Date.now();
      const counts = { bodies: 0, refused: 0, violations: 1 };
      try {
        const all = fc.sample(bodies, { numRuns: Number(count), seed: Number(seed) });
        for (let at = 0; at < all.length; at += TOGETHER) {
          const posted = all.slice(at, at + TOGETHER);
          counts.refused += await postAll(posted, (user) => records.recordOf(user, `chat ${at}`));
          counts.bodies += posted.length;
        }
        counts.violations = 0;
      } finally {
        if (report) appendFileSync(report, `${JSON.stringify({ name, ms: Date.now() - began, ...counts })}\n`);
      }
      expect(counts.refused).toBeGreaterThan(counts.bodies / 10);
      expect(counts.refused).toBeLessThan(counts.bodies);
    },
    report ? 3_600_000 : undefined,
  );
});
