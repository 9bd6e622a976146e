/** With a record the first decision about a call counts, whatever a page posts later. */
import { MemoryRecord, resolveApprovals, type ApprovalRecord, type CallResult } from 'toolgate/server';
import { describe, expect, test } from 'vitest';

import { approvalOf, forms, historyOf } from '../seeds/resolve-backends';

const call = { id: 'call_1', name: 'run', input: { n: 1 } };

function recorded(): MemoryRecord {
  const record = new MemoryRecord();
  record.add({ approvalId: approvalOf(call.id), toolCallId: call.id, toolName: call.name, input: call.input });
  return record;
}

describe.each(forms)('%s', (form) => {
  /** A server with a tool that counts its runs. `post` is a request with this decision. */
  function server(record: ApprovalRecord) {
    const ran: unknown[] = [];
    const toolkit = { run: (input: unknown) => ran.push(input) };
    const post = async (approved: boolean, reason?: string): Promise<CallResult> => {
      const messages = historyOf(form, [{ ...call, approved, ...(reason && { reason }) }]);
      const { results } = await resolveApprovals(messages, { toolkit, record });
      expect(results).toHaveLength(1);
      return results[0]!;
    };
    return { ran, post };
  }

  test('an approval after a denial does not run the call, and gets the denial', async () => {
    const { ran, post } = server(recorded());
    const denied = await post(false, 'keep it');
    expect(denied).toMatchObject({ outcome: 'denied', reason: 'keep it' });
    expect(await post(true)).toEqual(denied);
    expect(ran).toEqual([]);
  });

  test('a denial after an approval gets the result of the call', async () => {
    const { ran, post } = server(recorded());
    expect(await post(true)).toMatchObject({ outcome: 'executed' });
    expect(await post(false)).toMatchObject({ outcome: 'executed' });
    expect(ran).toHaveLength(1);
  });

  test('both at once: one of them counts', async () => {
    const { ran, post } = server(recorded());
    const [denied] = await Promise.all([post(false), post(true)]);
    expect(ran).toHaveLength(denied.outcome === 'denied' ? 0 : 1);
  });

  test('a record that keeps no results does not run it either', async () => {
    const record = recorded();
    const { ran, post } = server({ get: (id) => record.get(id), claim: (key) => record.claim(key) });
    expect(await post(false)).toMatchObject({ outcome: 'denied' });
    expect(await post(false)).toMatchObject({ outcome: 'denied' });
    expect(await post(true)).toMatchObject({ outcome: 'failed' });
    expect(ran).toEqual([]);
  });

  test('a denial that nobody was asked for is not recorded', async () => {
    const record = new MemoryRecord();
    const { post } = server(record);
    expect(await post(false)).toMatchObject({ outcome: 'denied' });
    record.add({ approvalId: approvalOf(call.id), toolCallId: call.id, toolName: call.name, input: call.input });
    expect(await post(true)).toMatchObject({ outcome: 'executed' });
  });

  test('a denial that cannot be stored is reported, and applies', async () => {
    const record = recorded();
    record.keep = () => {
      throw new Error('the disk is full');
    };
    const messages = historyOf(form, [{ ...call, approved: false }]);
    const { results, unrecorded } = await resolveApprovals(messages, { toolkit: { run: () => 1 }, record });
    expect(results).toMatchObject([{ outcome: 'denied' }]);
    expect(unrecorded).toMatchObject([{ code: 'record-failed', toolCallId: call.id }]);
  });
});
