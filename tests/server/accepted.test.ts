/**
 * Generated sequences of requests about one step: valid, opposite, repeated and malformed ones, one after another and
 * at the same time. What the server writes agrees with its record, and `ai` 6 and 7 and Effect accept it. If it refuses
 * a request, nothing has run for that request.
 */
import Database from 'better-sqlite3';
import fc from 'fast-check';
import {
  MemoryRecord,
  recordSchema,
  resolveApprovals,
  resolveApprovalsStream,
  ResolveError,
  sqliteStore,
  StoredRecord,
  type ApprovalRecord,
  type CallResult,
  type ResolveChunk,
  type Toolkit,
} from 'toolgate/server';
import { expect, test } from 'vitest';
import { z } from 'zod';

import { peers, type Message } from '../interop/ai-sdk/peers';
import { forms, requestOf, type Form } from '../seeds/resolve-backends';
import { defectsOf } from './defects';
import { read, refusals, shownBy, writtenCall, type Data } from './judge';
import { callsOf, messagesOf, storiesOf, type Body, type Story } from './posted-bodies';

/** A record of the calls. `results` are those that it has, by the id of their call. */
async function recordOf({ calls, store }: Story) {
  const database = new Database(':memory:');
  database.exec(recordSchema);
  const record =
    store === 'memory' ? new MemoryRecord() : new StoredRecord(sqliteStore(database), { user: 'ann', chat: 'chat' });
  for (const [i, call] of callsOf(calls).entries()) if (calls[i]!.isRecorded) await record.request(requestOf(call));
  const results = new Map<string, CallResult>();
  const watched: ApprovalRecord = {
    request: (call) => record.request(call),
    requested: (approvalId) => record.requested(approvalId),
    begin: async (key, result) => {
      const isFirst = await record.begin(key, result);
      if (isFirst && result) results.set(result.toolCallId, result);
      return isFirst;
    },
    finish: async (key, result) => {
      results.set(result.toolCallId, result);
      await record.finish(key, result);
    },
    result: (key) => record.result(key),
  };
  return { record: watched, results };
}

/** The code of the error with which a request must be refused. Undefined if it must be answered. */
function refusalOf(form: Form, { calls }: Story, { decisions, defect, tools, then }: Body): string | undefined {
  // A later step or message has superseded the step, so nothing of it runs.
  if (then !== 'nothing') return undefined;
  if (defect !== undefined) return defectsOf(form)[defect]!.code;
  const approved = calls.filter((_, i) => decisions[i]!.startsWith('yes'));
  if (approved.length === 0) return undefined;
  if (tools === 'none') return 'toolkit-required';
  if (tools === 'only run' && approved.some(({ tool }) => tool === 'other')) return 'unknown-tool';
  return approved.some(({ isRecorded }) => !isRecorded) ? 'not-on-record' : undefined;
}

test.each(forms)('%s', async (form) => {
  await fc.assert(
    fc.asyncProperty(storiesOf(form), async (story) => {
      const { record, results } = await recordOf(story);
      /** The calls that have run, in all requests. */
      const ran: string[] = [];

      /** Posts a body. Returns what is to be checked when the requests of its round have ended. */
      async function post(body: Body): Promise<() => Promise<void>> {
        const { messages, older } = messagesOf(form, story, body);
        const before = JSON.stringify(messages);
        const ranHere: string[] = [];
        const execute = async (_: unknown, { toolCallId }: { toolCallId: string }): Promise<unknown> => {
          ran.push(toolCallId);
          ranHere.push(toolCallId);
          const { does } = story.calls[Number(toolCallId.slice(-1)) - 1]!;
          await new Promise((resolve) => setImmediate(resolve));
          if (does === 'throws') throw new Error(`${toolCallId} failed`);
          return { returns: `${toolCallId} ran`, 'returns a Date': new Date(0), 'returns a BigInt': 1n }[does];
        };
        const tool = { inputSchema: z.object({ n: z.number() }), execute };
        const toolkit: Toolkit = {
          ...(body.tools !== 'none' && { run: tool }),
          ...(body.tools === 'all' && { other: tool }),
        };
        const chunks: ResolveChunk[] = [];
        const answered = async () => {
          const options = { toolkit, record, aiSdk: body.aiSdk };
          if (!body.isStreamed) return resolveApprovals(messages, options);
          const { stream, resolved } = resolveApprovalsStream(messages, options);
          resolved.catch(() => {});
          await read(stream, chunks);
          return resolved;
        };
        const expected = refusalOf(form, story, body);
        const reply = await answered().catch((error: unknown) => error as ResolveError);
        expect(JSON.stringify(messages)).toBe(before);
        if (reply instanceof Error) {
          expect(reply).toBeInstanceOf(ResolveError);
          expect([reply.code, ranHere, chunks]).toEqual([expected, [], []]);
          return async () => {};
        }
        expect(expected).toBeUndefined();
        if (body.then !== 'nothing') expect(ranHere).toEqual([]);
        // A defect of an older step is left as it came.
        if (body.defect !== undefined) return async () => {};
        const written = reply.messages.slice(older);
        return async () => {
          const isOpen = reply.unresolved.length > 0;
          const refused = await refusals(form, written);
          // Calls without a decision have no result.
          expect(refused.filter((text) => !(isOpen && text.includes('MissingToolResults')))).toEqual([]);
          for (const [i, decision] of body.decisions.entries()) {
            const id = `call_${i + 1}`;
            if (decision !== 'open') agrees(writtenCall(written, id), decision.startsWith('yes'), results.get(id));
          }
          if (form !== 'UI messages') return;
          for (const peer of peers) expect(await peer.validates(written)).toBe(true);
          const shown = await shownBy(body.aiSdk, messages as Message[], chunks);
          for (const { toolCallId, state, approval } of shown.parts as Data[]) {
            const kept = results.get(toolCallId);
            if (body.aiSdk === 7 && kept && /^output-/.test(state))
              agrees(writtenCall([shown], toolCallId), approval.approved, kept);
          }
        };
      }

      for (const round of story.rounds) for (const check of await Promise.all(round.map(post))) await check();
      for (const [i, { isRecorded }] of story.calls.entries()) {
        if (isRecorded) expect(ran.filter((id) => id === `call_${i + 1}`).length).toBeLessThan(2);
      }
      // Whatever was posted first, the opposite decisions change nothing.
      for (const decision of ['no because', 'yes because'] as const) {
        const decisions = story.calls.map(({ isRecorded }) => (isRecorded ? decision : 'open'));
        const body = {
          decisions,
          defect: undefined,
          tools: 'all',
          then: 'nothing',
          isStreamed: true,
          aiSdk: 7,
        } as const;
        await (
          await post(body)
        )();
      }
    }),
    { numRuns: 50 },
  );
});

/** Checks that a call is written as the record has it, or as it was posted if the record does not have it. */
function agrees(call: ReturnType<typeof writtenCall>, posted: boolean, kept: CallResult | undefined): void {
  const { outcome = posted ? 'executed' : 'denied' } = kept ?? {};
  for (const verdict of call.verdicts) expect(verdict).toBe(outcome !== 'denied');
  if (outcome === 'denied') expect(call.result).toBe('denied');
  // The result of a call that was running is not known yet.
  else expect(['output', 'error']).toContain(call.result);
  if (!kept) return;
  const reason = kept.reason?.startsWith('no ') ? kept.reason : undefined;
  // A page cannot remove a reason, only replace it.
  if (outcome === 'denied') expect(call.reasons.filter((text) => (text || undefined) !== reason)).toEqual([]);
  else expect(call.reasons.filter((text) => text && !text.startsWith('yes'))).toEqual([]);
  if (call.result === 'output') expect(call.value).toEqual(JSON.parse(JSON.stringify(kept.output)));
}
