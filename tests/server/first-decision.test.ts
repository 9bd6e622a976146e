/**
 * The recorded decision is the decision: whatever a page posts later, the messages and chunks that are written agree
 * with the record, and every reader of them accepts them.
 */
import {
  MemoryRecord,
  resolveApprovals,
  resolveApprovalsStream,
  StoredRecord,
  type ApprovalRecord,
  type ResolveChunk,
  type ResolveOptions,
} from 'toolgate/server';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

import { anomalies, asking, send } from '../gate/support.js';
import { latch } from '../persist/support.js';
import { forms, historyOf, requestOf, type Form } from '../seeds/resolve-backends';
import { read, refusals, shownBy, writtenCall, type Data } from './judge';
import { ClockedStore } from './records/clocked-store';

const call = { id: 'call_1', name: 'run', input: { n: 1 } };
const requested = requestOf(call);
const MAY_HAVE_RUN = 'Error: Tool execution was interrupted. It may have run; its outcome is unknown.';
const SUPERSEDED = 'Error: A later message superseded this call before it began. It did not run.';

/** A decision of one client. */
interface Decision {
  readonly approved: boolean;
  readonly reason?: string;
}
const yes: Decision = { approved: true };
const no: Decision = { approved: false, reason: 'keep it' };

/** A record that has the request, in memory or in a store. */
const records: [string, () => Promise<ApprovalRecord>][] = [
  [
    'MemoryRecord',
    async () => {
      const record = new MemoryRecord();
      record.request(requested);
      return record;
    },
  ],
  [
    'StoredRecord',
    async () => {
      const record = new StoredRecord(new ClockedStore(), { user: 'ann', chat: 'chat' });
      await record.request(requested);
      return record;
    },
  ],
];

const bodyOf = (form: Form, decision: Decision): Data[] =>
  JSON.parse(JSON.stringify(historyOf(form, [{ ...call, ...decision }]))) as Data[];

/** The message of a later step. */
const later = (form: Form): Data =>
  form === 'UI messages' ? { id: 'b', role: 'assistant', parts: [] } : { role: 'assistant', content: 'So.' };

/** A server with a tool that counts its runs. `post` is a request with this decision. */
function server(form: Form, record: ApprovalRecord, options: ResolveOptions = {}) {
  const ran: unknown[] = [];
  const toolkit = { run: (input: unknown) => `run ${ran.push(input)}` };
  /** Posts messages as one client. Returns how the call is written. */
  const send = async (messages: Data[]) => {
    const { stream, resolved } = resolveApprovalsStream(messages, { toolkit, record, ...options });
    const chunks = await read(stream);
    const { messages: written, results } = await resolved;
    expect(await refusals(form, written)).toEqual([]);
    return { ...writtenCall(written, call.id), written, chunks, outcome: results[0]?.outcome };
  };
  return { ran, send, post: (decision: Decision) => send(bodyOf(form, decision)) };
}

/** How a call is written that ran once, and one that was denied with the reason of {@link no}. */
const executed = { verdicts: [true], reasons: [undefined], result: 'output', value: 'run 1', outcome: 'executed' };
const denied = { verdicts: [false], reasons: ['keep it'], result: 'denied', value: 'keep it', outcome: 'denied' };

describe.each(forms)('%s', (form) => {
  describe.each(records)('%s', (_, recorded) => {
    test('an approval after a denial does not run the call, and is written as the denial', async () => {
      const { ran, post } = server(form, await recorded());
      expect(await post(no)).toMatchObject(denied);
      expect(await post(yes)).toMatchObject(denied);
      expect(await post({ approved: true, reason: 'go on' })).toMatchObject(denied);
      expect(ran).toEqual([]);
    });

    test('a denial after an approval is written as the approval, with the result of the call', async () => {
      const { ran, post } = server(form, await recorded());
      expect(await post(yes)).toMatchObject(executed);
      expect(await post(no)).toMatchObject(executed);
      expect(ran).toHaveLength(1);
    });

    test('a denial for another reason, or for none, is written with the recorded reason', async () => {
      const { post } = server(form, await recorded());
      await post(no);
      expect(await post({ approved: false, reason: 'too late' })).toMatchObject(denied);
      expect(await post({ approved: false })).toMatchObject(denied);
    });

    test('a denial without a reason is written as often as it is posted without one', async () => {
      const { post } = server(form, await recorded());
      const first = await post({ approved: false });
      expect(first).toMatchObject({ verdicts: [false], reasons: [undefined], result: 'denied' });
      for (const later of [{ approved: false }, { approved: false, reason: 'late' }, yes])
        expect((await post(later)).written).toEqual(first.written);
    });

    test('the error of a tool stays the result', async () => {
      const record = await recorded();
      const failing = server(form, record, { toolkit: { run: () => Promise.reject(new Error('disk full')) } });
      const failed = { verdicts: [true], result: 'error', value: 'disk full', outcome: 'failed' };
      expect(await failing.post(yes)).toMatchObject(failed);
      expect(await server(form, record).post(no)).toMatchObject(failed);
    });

    test('a denial while the call runs: it may have run, and afterwards it has', async () => {
      const record = await recorded();
      const [begun, held] = [latch(), latch()];
      const run = async () => (begun.open(), await held.opened, 'run 1');
      const { post } = server(form, record, { toolkit: { run } });
      const first = post(yes);
      await begun.opened;
      const unknown = {
        verdicts: [true],
        reasons: [undefined],
        result: 'error',
        value: MAY_HAVE_RUN,
        outcome: 'failed',
      };
      expect(await post(no)).toMatchObject(unknown);
      const strict = resolveApprovals(bodyOf(form, no), { record, failureMode: 'throw' });
      await expect(strict).rejects.toMatchObject({ code: 'already-started', toolCallId: call.id });
      held.open();
      expect(await first).toMatchObject(executed);
      expect(await post(no)).toMatchObject(executed);
    });

    test('both at once: one of them counts, and both are written so', async () => {
      for (const order of [
        [yes, no],
        [no, yes],
        [yes, no, yes, no],
      ]) {
        const { ran, post } = server(form, await recorded());
        const written = await Promise.all(order.map(post));
        const verdicts = written.flatMap((one) => one.verdicts);
        expect(new Set(verdicts).size).toBe(1);
        expect(ran).toHaveLength(verdicts[0] ? 1 : 0);
        expect(await post(no)).toMatchObject(verdicts[0] ? executed : denied);
      }
    });

    test('an approval while the denial is being stored is written as the denial', async () => {
      const record = await recorded();
      const [begun, held] = [latch(), latch()];
      const slow: ApprovalRecord = {
        request: (call) => record.request(call),
        requested: (id) => record.requested(id),
        begin: (key, result) => record.begin(key, result),
        finish: async (key, result) => (begun.open(), await held.opened, record.finish?.(key, result)),
        result: (key) => record.result?.(key),
      };
      const { ran, post } = server(form, slow);
      const first = post(no);
      await begun.opened;
      expect(await post(yes)).toMatchObject(denied);
      held.open();
      expect(await first).toMatchObject(denied);
      expect(ran).toEqual([]);
    });

    test('in an earlier step the recorded decision counts too', async () => {
      for (const [first, second, expected] of [
        [yes, no, executed],
        [yes, yes, executed],
        [no, yes, denied],
      ] as const) {
        const { ran, post, send } = server(form, await recorded());
        await post(first);
        expect(await send([...bodyOf(form, second), later(form)])).toMatchObject(expected);
        expect(ran).toHaveLength(first.approved ? 1 : 0);
      }
    });

    test('an approval that a later step or message superseded did not run, and does not run afterwards', async () => {
      const superseded = { verdicts: [true], result: 'error', value: SUPERSEDED, outcome: 'interrupted' };
      for (const message of [later(form), bodyOf(form, yes)[0]!]) {
        const { ran, post, send } = server(form, await recorded());
        expect(await send([...bodyOf(form, yes), message])).toMatchObject(superseded);
        for (const decision of [yes, no]) expect(await post(decision)).toMatchObject(superseded);
        expect(ran).toEqual([]);
      }
    });

    test('a call that has run keeps its result when a message follows its approval', async () => {
      const { ran, post, send } = server(form, await recorded());
      expect(await post(yes)).toMatchObject(executed);
      expect(await send([...bodyOf(form, yes), bodyOf(form, yes)[0]!])).toMatchObject(executed);
      expect(ran).toHaveLength(1);
    });

    test('an approved call whose input is not valid stays failed', async () => {
      const record = await recorded();
      const strict = { run: { inputSchema: z.object({ n: z.literal(2) }), execute: () => 'ran' } };
      const invalid = { verdicts: [true], result: 'error', outcome: 'failed' };
      const { value } = await server(form, record, { toolkit: strict }).post(yes);
      expect(value).toMatch(/^Invalid input of call "call_1"/);
      const { ran, post } = server(form, record);
      for (const decision of [no, yes]) expect(await post(decision)).toMatchObject({ ...invalid, value });
      expect(ran).toEqual([]);
    });

    test('a denial on record also holds for a tool that runs elsewhere', async () => {
      const record = await recorded();
      await server(form, record).post(no);
      expect(await server(form, record, { toolkit: { run: {} } }).post(yes)).toMatchObject(denied);
    });

    test('`strip` leaves out the decisions, whatever they were', async () => {
      const record = await recorded();
      await server(form, record).post(no);
      const options = { toolkit: { run: () => 'ran' }, record, strip: true };
      const { messages } = await resolveApprovals(bodyOf(form, yes), options);
      expect(await refusals(form, messages)).toEqual([]);
      const types = messages.flatMap((message: Data) => message.content ?? []).map(({ type }: Data) => type);
      expect(types).not.toContain('tool-approval-response');
      expect(JSON.stringify(messages)).toContain('keep it');
    });
  });

  test('a result outlives its request', async () => {
    const store = new ClockedStore();
    const record = new StoredRecord(store, { user: 'ann', chat: 'chat' }, { ttlMs: 1000 });
    await record.request(requested);
    store.now = 900;
    const { post } = server(form, record);
    expect(await post(yes)).toMatchObject(executed);
    store.now = 1500;
    expect(await record.requested(requested.approvalId)).toBeUndefined();
    expect(await post(no)).toMatchObject(executed);
  });

  test('a record that keeps no results does not run a denied call either', async () => {
    const [, memory] = records[0]!;
    const record = await memory();
    const { ran, post } = server(form, {
      request: (call) => record.request(call),
      requested: (id) => record.requested(id),
      begin: (key) => record.begin(key),
    });
    expect(await post(no)).toMatchObject(denied);
    expect(await post(no)).toMatchObject(denied);
    expect(await post(yes)).toMatchObject({ verdicts: [true], value: MAY_HAVE_RUN });
    expect(ran).toEqual([]);
  });

  test('a denial that nobody was asked for is not recorded', async () => {
    const record = new MemoryRecord();
    const { post } = server(form, record);
    expect(await post(no)).toMatchObject(denied);
    record.request(requested);
    expect(await post(yes)).toMatchObject(executed);
  });

  test('a denial in an earlier step, of a call that the record has with another input, is only written', async () => {
    const record = new MemoryRecord();
    record.request({ ...requested, input: { n: 2 } });
    expect(await server(form, record).send([...bodyOf(form, no), later(form)])).toMatchObject(denied);
    record.request(requested);
    expect(await server(form, record).post(yes)).toMatchObject(executed);
  });

  test('a denial that cannot be stored is reported, and applies', async () => {
    const record = new MemoryRecord();
    record.request(requested);
    record.finish = () => {
      throw new Error('the disk is full');
    };
    const { results, unrecorded } = await resolveApprovals(bodyOf(form, no), { toolkit: { run: () => 1 }, record });
    expect(results).toMatchObject([{ outcome: 'denied' }]);
    expect(unrecorded).toMatchObject([{ code: 'record-failed', toolCallId: call.id }]);
    // It was recorded together with the claim.
    const { ran, post } = server(form, record);
    expect(await post(yes)).toMatchObject(denied);
    expect(ran).toEqual([]);
  });
});

describe('streamed to a page', () => {
  const base = bodyOf('UI messages', yes);
  /** Posts both decisions in order. Returns the chunks for the second, and the part that the page then shows. */
  async function second(version: 6 | 7, ...[first, later]: [Decision, Decision]) {
    const record = new MemoryRecord();
    record.request(requested);
    await server('UI messages', record).post(first);
    const body = bodyOf('UI messages', later);
    const { chunks } = await server('UI messages', record, { aiSdk: version }).send(body);
    const { parts } = await shownBy(version, body, chunks);
    return { chunks, part: parts[1] };
  }
  const response = { type: 'tool-approval-response', approvalId: requested.approvalId };

  test('ai 7: the recorded decision precedes the result, if the page has another', async () => {
    const afterDenial = await second(7, no, yes);
    expect(afterDenial.chunks).toEqual([
      { ...response, approved: false, reason: 'keep it' },
      { type: 'tool-output-denied', toolCallId: call.id },
    ]);
    expect(afterDenial.part).toMatchObject({
      state: 'output-denied',
      approval: { id: requested.approvalId, approved: false, reason: 'keep it' },
    });
    const afterApproval = await second(7, yes, no);
    expect(afterApproval.chunks).toEqual([
      // The page would keep its reason for the denial.
      { ...response, approved: true, reason: '' },
      { type: 'tool-output-available', toolCallId: call.id, output: 'run 1' },
    ]);
    expect(afterApproval.part).toMatchObject({
      state: 'output-available',
      output: 'run 1',
      approval: { approved: true },
    });
    const otherReason = await second(7, no, { approved: false, reason: 'late' });
    expect(otherReason.part).toMatchObject({ state: 'output-denied', approval: { reason: 'keep it' } });
    for (const same of [yes, no]) expect((await second(7, same, same)).chunks).toHaveLength(1);
  });

  test('ai 6 has no chunk for a decision: the page gets a denial as an error, and nothing about a call that ran', async () => {
    const afterDenial = await second(6, no, yes);
    expect(afterDenial.chunks).toEqual([{ type: 'tool-output-error', toolCallId: call.id, errorText: 'keep it' }]);
    expect(afterDenial.part).toMatchObject({ state: 'output-error', errorText: 'keep it' });
    const afterApproval = await second(6, yes, no);
    expect(afterApproval.chunks).toEqual([]);
    expect(afterApproval.part).toMatchObject({ state: 'approval-responded', approval: { approved: false } });
    expect((await second(6, no, { approved: false, reason: 'late' })).chunks).toEqual([
      { type: 'tool-output-denied', toolCallId: call.id },
    ]);
    for (const same of [yes, no]) expect((await second(6, same, same)).chunks).toHaveLength(1);
  });

  test('a gate shows the recorded decision, without an anomaly', async () => {
    const { gate, events } = asking(['c1']);
    gate.respond('approve-c1', { approved: true });
    const [item] = gate.outgoing();
    send(gate);
    const record = new MemoryRecord();
    record.request({ approvalId: 'approve-c1', toolCallId: 'c1', toolName: 'edit', input: { path: 'c1' } });
    const { messages } = JSON.parse(JSON.stringify(item!.body)) as { messages: Data[] };
    const denial = JSON.parse(JSON.stringify(messages)) as Data[];
    Object.assign(denial.at(-1).parts.find((part: Data) => part.approval).approval, no);
    await resolveApprovals(denial, { record });
    const { stream } = resolveApprovalsStream(messages, { toolkit: { edit: () => 'edited' }, record });
    for await (const chunk of stream as unknown as AsyncIterable<ResolveChunk>)
      gate.receive(chunk, { requestId: item!.id });
    expect(anomalies(events)).toEqual([]);
    const part = gate
      .getSnapshot()
      .messages.at(-1)!
      .parts.find((one) => 'toolCallId' in one);
    expect(part).toMatchObject({ state: 'output-denied', approval: { approved: false, reason: 'keep it' } });
  });

  test('another version of the AI SDK is a TypeError', async () => {
    await expect(resolveApprovals(base, { aiSdk: 5 as never })).rejects.toThrow(
      'resolveApprovals: invalid option `aiSdk`: 5. Expected 6 or 7',
    );
  });
});
