/**
 * A claim is stored before its request is sent. A request whose claim cannot be stored is not sent.
 */
import { expect, it } from 'vitest';
import { ToolGate } from 'toolgate';
import { gateOf } from 'toolgate/ai-sdk';

import { chats, stage } from '../ai-sdk/support/chats.js';
import { asks, goesOn } from '../ai-sdk/support/transport.js';
import { until } from '../lib/waiting.js';
import { begin, freshName, persistGate, latch, MemoryStorage, quiet, tab } from './support.js';

const isClaimed = (storage: MemoryStorage, name: string, id: string): boolean =>
  JSON.stringify(storage.record(name)?.snapshot ?? null).includes(id);

it('deliver sends after the claim is stored, not before', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const { gate, persisted } = await tab(name, storage);
  begin(gate, ['c1']);
  gate.respond('approve-c1', { approved: true });
  await persisted.flush();
  const decided = storage.values.get(name);
  const held = latch();
  storage.hold = held.opened;
  const sent: unknown[] = [];
  const delivered = gate.deliver(async (item) => void sent.push([item.id, storage.values.get(name)]));
  await quiet();
  expect(sent).toEqual([]);
  expect(gate.getSnapshot().status).toBe('submitted');
  held.open();
  await delivered;
  expect(sent).toHaveLength(1);
  expect((sent as [string, string][])[0]?.[1]).not.toBe(decided);

  // A page that restores this state does not send the request again.
  const [[, stored]] = sent as [[string, string]];
  storage.values.set(`${name}'`, stored);
  const other = await tab(`${name}'`, storage);
  expect(other.gate.outgoing()).toEqual([]);
  expect(other.gate.undelivered()).toMatchObject([{ delivery: 'unconfirmed', approvalIds: ['approve-c1'] }]);
});

it('a request whose claim cannot be stored is not sent, fails with the reason, and can be retried', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const { gate, persisted, errors } = await tab(name, storage);
  begin(gate, ['c1']);
  gate.respond('approve-c1', { approved: true });
  await persisted.flush();
  const [{ key } = { key: '' }] = gate.outgoing();
  storage.broken = name;
  let sent = 0;
  await gate.deliver(async () => void sent++);
  expect(sent).toBe(0);
  expect(gate.undelivered()).toMatchObject([
    { delivery: 'failed', key, error: expect.stringMatching(/not sent.*disk is full/) as unknown },
  ]);
  expect(errors[0]?.message).toBe('the disk is full');
  expect(gate.outgoing()).toEqual([]);

  storage.broken = undefined;
  gate.retry(gate.undelivered()[0]?.id ?? '');
  await gate.deliver(async (item) => {
    expect([item.key, item.attempt]).toEqual([key, 2]);
    sent++;
  });
  expect(sent).toBe(1);
});

it('a request is not sent if the persister is closed while the claim is being stored', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const { gate, persisted } = await tab(name, storage);
  gate.sendUserMessage({ text: 'hello' });
  const held = latch();
  storage.hold = held.opened;
  let sent = 0;
  const delivered = gate.deliver(async () => void sent++);
  await quiet();
  persisted.close();
  held.open();
  await delivered;
  expect(sent).toBe(0);
});

it('deliver sends at once for a gate that is not persisted', () => {
  const gate = new ToolGate();
  gate.sendUserMessage({ text: 'hello' });
  let sent = 0;
  void gate.deliver(async () => void sent++);
  expect(sent).toBe(1);
});

for (const kind of chats) {
  it(`${kind.name}: the transport is called after the claim is stored`, async () => {
    const [name, storage] = [freshName(), new MemoryStorage()];
    const { chat, transport } = await stage(kind, { replies: [asks(['c1']), goesOn({ c1: 'done' })] });
    const gate = gateOf(chat);
    const { persisted } = await persistGate(gate, name, storage);
    await chat.sendMessage({ text: 'tidy up' });
    expect(transport.requests).toHaveLength(1);
    await persisted.flush();
    const held = latch();
    storage.hold = held.opened;
    await chat.addToolApprovalResponse({ id: 'ask-c1', approved: true });
    await quiet();
    expect(transport.requests).toHaveLength(1);
    expect(chat.status).toBe('submitted');
    held.open();
    await until(() => chat.status === 'ready');
    expect(transport.requests).toHaveLength(2);
    expect(isClaimed(storage, name, 'ask-c1')).toBe(true);
    await persisted.flush();
    expect(gate.undelivered()).toEqual([]);
  });

  it(`${kind.name}: a request whose claim cannot be stored is not sent, and can be retried`, async () => {
    const [name, storage] = [freshName(), new MemoryStorage()];
    const { chat, transport, told } = await stage(kind, { replies: [asks(['c1']), goesOn({ c1: 'done' })] });
    const gate = gateOf(chat);
    await persistGate(gate, name, storage);
    await chat.sendMessage({ text: 'tidy up' });
    storage.broken = name;
    await chat.addToolApprovalResponse({ id: 'ask-c1', approved: true });
    await until(() => chat.status === 'error');
    expect(transport.requests).toHaveLength(1);
    expect(String(chat.error)).toContain('not sent');
    expect(told.filter(({ name: callback }) => callback === 'onError')).toHaveLength(1);
    expect(gate.undelivered()).toMatchObject([{ delivery: 'failed' }]);
    storage.broken = undefined;
    await chat.sendMessage();
    await until(() => chat.status === 'ready');
    expect(transport.requests).toHaveLength(2);
    expect(gate.undelivered()).toEqual([]);
  });
}

it('the transport is not called after a stop while the claim is being stored', async () => {
  const kind = chats[1];
  if (!kind) throw new Error('no chat');
  const [name, storage] = [freshName(), new MemoryStorage()];
  const { chat, transport } = await stage(kind);
  const { persisted } = await persistGate(gateOf(chat), name, storage);
  await persisted.flush();
  const held = latch();
  storage.hold = held.opened;
  void chat.sendMessage({ text: 'tidy up' });
  await quiet();
  await chat.stop();
  held.open();
  await quiet();
  expect(transport.requests).toEqual([]);
  expect(chat.status).toBe('ready');
});
