/**
 * An item that its protocol cannot express: it is `failed` and undelivered with the reason, one anomaly reports it, and
 * other items are not affected. The protocols of these tests throw on purpose.
 */
import { readFileSync } from 'node:fs';
import { afterEach, beforeAll, describe, expect, it, vi, type MockInstance } from 'vitest';
import type { GateEvent, ToolGateError } from 'toolgate';

import { aiSdkWs } from '../../src/ts/protocols/ai-sdk-ws.js';
import { langgraph } from '../../src/ts/protocols/langgraph.js';
import { openaiChat } from '../../src/ts/protocols/openai-chat.js';
import { initSync } from '../../src/ts/wasm/init.js';
import { ToolGate } from '../../src/ts/gate/tool-gate.js';
import { codecOf } from '../protocols/codecs.js';

const ws = codecOf(aiSdkWs);
const graph = codecOf(langgraph);
const chat = codecOf(openaiChat);

const PROTOCOLS = { 'ai-sdk-ws': aiSdkWs, langgraph, 'openai-chat': openaiChat };

beforeAll(() => {
  initSync(readFileSync(new URL('../../pkg/dist/toolgate.wasm', import.meta.url)));
});

afterEach(() => void vi.restoreAllMocks());

const broken = (): never => {
  throw new TypeError("Cannot read properties of undefined (reading 'kind')");
};

/** A gate with two pending approvals, and the errors of its anomalies. */
function asking(name: keyof typeof PROTOCOLS): { gate: ToolGate; anomalies: ToolGateError[] } {
  const gate = new ToolGate({ protocol: PROTOCOLS[name], chatId: 'chat', browserTools: ['never'] });
  gate.load([
    { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'tidy up' }] },
    {
      id: 'a1',
      role: 'assistant',
      parts: ['c1', 'c2'].map((id) => ({
        type: 'tool-edit',
        toolCallId: id,
        state: 'approval-requested',
        input: { path: id },
        approval: { id: `approve-${id}` },
      })),
    },
  ]);
  const anomalies: ToolGateError[] = [];
  gate.onEvent((event: GateEvent) => event.type === 'anomaly' && anomalies.push(event.error));
  return { gate, anomalies };
}

describe('a request of the whole step', () => {
  let body: MockInstance;
  const decided = () => {
    const scene = asking('openai-chat');
    scene.gate.respondAll({ approved: false, reason: 'no' });
    // The decisions are sent with this message.
    scene.gate.sendUserMessage({ text: 'and now?' });
    return scene;
  };

  it('fails with its reason, is not in outgoing(), and is reported once', () => {
    const { gate, anomalies } = decided();
    body = vi.spyOn(chat, 'body').mockImplementation(broken);
    for (let i = 0; i < 3; i++) expect(gate.outgoing()).toEqual([]);
    expect(gate.undelivered()).toMatchObject([
      { delivery: 'failed', attempt: 1, error: expect.stringContaining("reading 'kind'") as string },
    ]);
    expect(anomalies).toMatchObject([
      {
        name: 'ToolGateError',
        code: 'unserializable',
        message: expect.stringContaining('out-') as string,
        cause: expect.any(TypeError) as Error,
      },
    ]);
    expect(gate.auditLog().filter(({ type }) => type === 'anomaly')).toMatchObject([{ code: 'unserializable' }]);
    expect(body).toHaveBeenCalledTimes(1);
  });

  it('reading outgoing() notifies listeners once', () => {
    const { gate } = decided();
    vi.spyOn(chat, 'body').mockImplementation(broken);
    let changes = 0;
    gate.subscribe(() => changes++);
    gate.outgoing();
    const after = changes;
    expect(after).toBeGreaterThan(0);
    gate.outgoing();
    gate.undelivered();
    expect(changes).toBe(after);
  });

  it('is built again by retry, with the same key', () => {
    const { gate, anomalies } = decided();
    body = vi.spyOn(chat, 'body').mockImplementation(broken);
    gate.outgoing();
    const [{ id, key } = { id: '', key: '' }] = gate.undelivered();
    gate.retry(id);
    expect(gate.outgoing()).toEqual([]);
    expect(gate.undelivered()).toMatchObject([{ id, attempt: 2, delivery: 'failed' }]);
    expect(anomalies).toHaveLength(2);
    body.mockRestore();
    gate.retry(id);
    expect(gate.outgoing()).toMatchObject([{ id, key, attempt: 3, body: { messages: expect.any(Array) as unknown } }]);
    expect(gate.claim(id)).toBe(true);
  });

  it.each<[string, (gate: ToolGate, id: string) => unknown]>([
    ['outgoing', (gate) => gate.outgoing()],
    ['claim', (gate, id) => expect(gate.claim(id)).toBe(false)],
    ['markSent', (gate, id) => gate.markSent(id)],
    ['markFailed', (gate, id) => gate.markFailed(id, 'offline')],
    [
      'receive',
      (gate) => (
        gate.receive({ choices: [{ delta: { content: 'Hello' }, finish_reason: 'stop' }] }),
        gate.streamEnded({ status: 'finished' })
      ),
    ],
    ['getSnapshot', (gate) => gate.getSnapshot()],
    ['cancel', (gate) => gate.cancel()],
    ['toJSON', (gate) => ToolGate.restore(JSON.parse(JSON.stringify(gate)) as never).outgoing()],
  ])('%s does not throw, and the gate continues', (_, act) => {
    const { gate } = decided();
    body = vi.spyOn(chat, 'body').mockImplementation(broken);
    act(gate, 'out-1');
    expect(gate.outgoing()).toEqual([]);
    expect(gate.getSnapshot().status).not.toBe('crashed');
    body.mockRestore();
    gate.cancel();
    gate.sendUserMessage({ text: 'once more' });
    expect(gate.outgoing()).toHaveLength(1);
  });

  it('deliver resolves and does not call send for it', async () => {
    const { gate } = decided();
    vi.spyOn(chat, 'body').mockImplementation(broken);
    const send = vi.fn(async () => {});
    await gate.deliver(send);
    expect(send).not.toHaveBeenCalled();
    expect(gate.undelivered()).toHaveLength(1);
  });
});

describe('a single answer', () => {
  const decided = () => {
    const scene = asking('ai-sdk-ws');
    scene.gate.respondAll({ approved: true });
    const { answer } = ws;
    vi.spyOn(ws, 'answer').mockImplementation((decision, context) =>
      decision.toolCallId === 'c1' ? broken() : answer?.(decision, context),
    );
    return scene;
  };

  it('does not affect other answers', async () => {
    const { gate, anomalies } = decided();
    expect(gate.outgoing()).toMatchObject([{ approvalIds: ['approve-c2'] }]);
    expect(gate.undelivered()).toMatchObject([{ approvalIds: ['approve-c1'], delivery: 'failed' }]);
    expect(anomalies).toMatchObject([{ code: 'unserializable', approvalId: 'approve-c1' }]);
    const sent: unknown[] = [];
    await gate.deliver(async ({ approvalIds }) => void sent.push(...approvalIds));
    expect(sent).toEqual(['approve-c2']);
  });

  it('fails in the same way if outgoing() was not read before', async () => {
    const { gate, anomalies } = decided();
    const sent: unknown[] = [];
    await gate.deliver(async ({ approvalIds }) => void sent.push(...approvalIds));
    expect([sent, gate.undelivered().map(({ approvalIds }) => approvalIds), anomalies.length]).toEqual([
      ['approve-c2'],
      [['approve-c1']],
      1,
    ]);
  });
});

it('deliver builds each request once, when it is claimed', async () => {
  const { gate } = asking('ai-sdk-ws');
  gate.respondAll({ approved: true });
  const answer = vi.spyOn(ws as Required<typeof ws>, 'answer');
  const built: number[] = [];
  await gate.deliver(async () => void built.push(answer.mock.calls.length));
  expect(built).toEqual([1, 2]);
});

describe('a history', () => {
  it('assemble throws a ToolGateError with the code `unserializable`', () => {
    const { gate } = asking('openai-chat');
    vi.spyOn(chat, 'write').mockImplementation(broken);
    for (const assemble of [() => gate.assemble(), () => gate.assemble(openaiChat)]) {
      expect(assemble).toThrow(
        expect.objectContaining({
          name: 'ToolGateError',
          code: 'unserializable',
          cause: expect.any(TypeError) as Error,
        }) as Error,
      );
    }
    expect(gate.assemble('ai-sdk')).not.toEqual([]);
    expect(() => gate.assemble('telex' as never)).toThrow(TypeError);
  });

  it('an approval is not editable if acceptsEdit throws', () => {
    const { gate } = asking('langgraph');
    expect(gate.pending()[0]?.editable).toBe(true);
    vi.spyOn(graph as Required<typeof graph>, 'acceptsEdit').mockImplementation(broken);
    expect(asking('langgraph').gate.pending()[0]?.editable).toBe(false);
  });
});
