/**
 * Memory use depends only on the conversation: unknown ids are not stored, and data outside of the core is removed
 * together with its calls and items.
 */
import { expect, it } from 'vitest';
import { ToolGate } from 'toolgate';

import { openaiChat } from '../../src/ts/protocols/openai-chat.js';
import type { Entry } from '../../src/ts/protocols/shared/codec.js';
import { Translator } from '../../src/ts/protocols/shared/translator.js';
import { AuditLog } from '../../src/ts/gate/events/audit-log.js';
import { Outbox } from '../../src/ts/gate/delivery/outbox.js';
import type { DeliveryEvent, GateEvent } from '../../src/ts/types/index.js';
import { asking, thrownBy } from './support.js';
import { codecOf } from '../protocols/codecs.js';

const codec = codecOf(openaiChat);

const unknown = (at: number): string => `nobody-knows-${at}`;

it.each<[string, (gate: ToolGate, id: string) => unknown]>([
  ['respond', (gate, id) => gate.respond(id, { approved: true })],
  [
    'respond, with an entry',
    (gate, id) =>
      gate.respond(
        {
          approvalId: id,
          toolCallId: id,
          toolName: 'x',
          input: {},
          inputDigest: '',
          shownRevision: '',
          editable: false,
          requestedAt: 0,
        },
        { approved: true },
      ),
  ],
  ['addToolOutput', (gate, id) => gate.addToolOutput(id, { output: 1 })],
  ['regenerate', (gate, id) => gate.regenerate({ messageId: id })],
  ['sendUserMessage with replace', (gate, id) => gate.sendUserMessage({ id: 'm9', text: 'x' }, { replace: id })],
  ['retry', (gate, id) => gate.retry(id)],
  ['claim', (gate, id) => gate.claim(id)],
  ['markSent', (gate, id) => gate.markSent(id)],
  ['markFailed', (gate, id) => gate.markFailed(id, 'x')],
  ['forget', (gate, id) => gate.forget(id)],
  ['streamEnded', (gate, id) => gate.streamEnded({ status: 'finished' }, { requestId: id })],
])('%s with an unknown id stores nothing', (_, act) => {
  const { gate } = asking(['c1']);
  const before = JSON.stringify(gate);
  const view = gate.getSnapshot();
  for (let at = 0; at < 100; at++) {
    try {
      act(gate, unknown(at));
    } catch (error) {
      expect(error).toMatchObject({ name: 'ToolGateError' });
    }
  }
  expect(JSON.stringify(gate)).toBe(before);
  expect(gate.getSnapshot()).toBe(view);
});

it('the error for an unknown id says what kind of id it is, and names the id of an approval or a call', () => {
  const { gate } = asking(['c1']);
  expect(thrownBy(() => gate.respond('nope', { approved: true }))).toMatchObject({
    code: 'unknown-approval',
    approvalId: 'nope',
    message: expect.stringContaining('"nope"') as string,
  });
  expect(thrownBy(() => gate.addToolOutput('nope', { output: 1 }))).toMatchObject({
    code: 'unknown-call',
    toolCallId: 'nope',
    message: expect.stringContaining('"nope"') as string,
  });
  expect(thrownBy(() => gate.regenerate({ messageId: 'nope' }))).toMatchObject({
    code: 'malformed-event',
    message: expect.stringContaining('Unknown message id') as string,
  });
  expect(thrownBy(() => gate.sendUserMessage({ text: 'x' }, { replace: 'nope' }))).toMatchObject({
    code: 'malformed-event',
  });
});

it('a snapshot shares no objects with its gate', () => {
  const { gate } = asking(['c1']);
  const saved = gate.toJSON();
  const text = JSON.stringify(saved);
  gate.cancel();
  gate.sendUserMessage({ id: 'another-id', text: 'x' });
  expect(JSON.stringify(saved)).toBe(text);
});

const SIZE = 10_000;

it('the log keeps at most logLimit entries, each with its tool', () => {
  const log = new AuditLog(10, { item: () => ({ key: '', approvalIds: [] }), input: () => undefined });
  for (let at = 0; at < SIZE; at++) {
    log.add({ type: 'transition', toolCallId: `c${at}`, toolName: 'edit', to: 'input-available' }, at);
  }
  const decided = { toolCallId: 'c1', toolName: 'edit', approvalId: 'a', approved: true, by: 'user' } as const;
  log.add({ type: 'decision', ...decided }, 0);
  expect(log.entries()).toHaveLength(10);
  expect(log.entries().at(-1)).toMatchObject({ type: 'decided', toolName: 'edit' });
});

it('the outbox stores only the idempotency keys of the core’s items and of the newest finished items', () => {
  const asked: number[] = [];
  // A stub of the core that has forgotten all finished items but a few.
  const core = { is_taken: (item: number) => (asked.push(item), item % 1000 === 1), revision: 0 } as never;
  const host = { take: () => [] } as never;
  const outbox = new Outbox(core, host, { env: { chatId: 'chat' }, later: () => undefined } as never);
  for (let item = 1; item <= SIZE; item++) {
    const record = (to: DeliveryEvent['to'], key: unknown): void =>
      outbox.record({
        event: { type: 'delivery', id: `out-${item}`, attempt: 1, to },
        item: { item, key, approvals: [], attempt: 1 },
      });
    record('ready', ['submit', String(item)]);
    record('in-flight', undefined);
    record('acknowledged', undefined);
  }
  const known = Array.from({ length: SIZE }, (_, at) => at + 1).filter(
    (item) => outbox.known(`out-${item}`).key !== '',
  );
  expect(known.length).toBeLessThan(600);
  expect(known).toEqual(expect.arrayContaining([1, 1001, 2001, SIZE - 1, SIZE]));
  expect(asked.length).toBeLessThan(3 * SIZE);
});

it('the translator reports a loss once for each call', () => {
  let present = ['c0'];
  const losses: GateEvent[] = [];
  const gate = {
    env: { options: {}, chatId: 'chat', freshId: () => 'id' },
    view: () => ({
      messages: [
        { id: 'a1', role: 'assistant', parts: present.map((toolCallId) => ({ type: 'tool-edit', toolCallId })) },
      ],
    }),
    queueEvent: (event: GateEvent) => void losses.push(event),
  };
  const translator = new Translator(openaiChat, codec, gate as never);
  const result = { type: 'tool-result', output: { type: 'error-text', value: 'no' } };
  const model = (id: string): Entry[] => [
    { role: 'user', content: [{ type: 'text', text: 'x' }] },
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: id, toolName: 'edit', input: {}, result }] },
  ];
  for (let at = 0; at < 1000; at++) {
    present = [`c${at}`];
    for (let i = 0; i < 2; i++) translator.assemble(model(`c${at}`));
  }
  const ofCalls = losses.filter((event) => event.type === 'lossy' && event.toolCallId !== undefined);
  expect(ofCalls).toHaveLength(1000);
  translator.assemble(model('c5'));
  expect(losses.filter((event) => event.type === 'lossy' && event.toolCallId === 'c5')).toHaveLength(1);
});

it('a reader is removed when its own stream ends, and not before', () => {
  let readers = 0;
  const chunks: unknown[] = [];
  const counting = {
    ...codec,
    createReader: ({ emit }: { emit(chunk: unknown): void }) => (readers++, (event: unknown) => (emit(event), true)),
  };
  const translator = new Translator(
    openaiChat,
    counting as never,
    {
      env: { options: {} },
      view: () => ({ messages: [] }),
    } as never,
  );
  const receive = (requestId?: string): number => (
    chunks.push(translator.chunks({ type: 'x' }, requestId === undefined ? undefined : { requestId })),
    readers
  );
  expect([receive(), receive('out-1'), receive(), receive('out-1')]).toEqual([1, 2, 2, 2]);
  translator.ended({ requestId: 'out-1' });
  expect([receive(), receive('out-1')]).toEqual([2, 3]);
  translator.ended(undefined);
  expect([receive('out-1'), receive()]).toEqual([3, 4]);
  // If only the end of the stream, or only its events, name the request, both still belong to the same stream.
  translator.ended(undefined);
  translator.ended(undefined);
  expect(receive('out-1')).toBe(5);
  translator.ended({ requestId: 'out-1' });
  expect(receive()).toBe(6);
  translator.ended({ requestId: 'out-2' });
  expect(receive()).toBe(7);
});
