/**
 * ACP agents of both versions in every scenario. Also tested here: cancelled turns, decisions that the agent remembers,
 * and requests that are answered one at a time.
 */
import type { GateEvent } from 'toolgate';
import { afterEach, describe, expect, test } from 'vitest';
import { acp, type AcpSession } from './acp.rig';
import type { Reply, ScriptedCall } from './rig';
import { runInterruptions } from './interruptions';
import { runScenarios } from './scenarios';
import { anthropic } from 'toolgate/protocols/anthropic';

runScenarios(acp(1));
runScenarios(acp(2));
runInterruptions(acp(1));
runInterruptions(acp(2));

const REMOVE: ScriptedCall = { id: 'call-1', tool: 'remove', path: '/a' };
const SEND: ScriptedCall = { id: 'call-2', tool: 'send', path: '/b' };

describe.each([1, 2] as const)('version %i', (version) => {
  let current: AcpSession | undefined;
  afterEach(async () => {
    await current?.close?.();
    current = undefined;
  });

  async function asked(replies: readonly Reply[]): Promise<AcpSession & { events: GateEvent[] }> {
    const session = (current = await acp(version).open(replies, {}));
    const events: GateEvent[] = [];
    session.gate.onEvent((event) => void events.push(event));
    session.gate.sendUserMessage({ text: 'Tidy up.' });
    await session.gate.deliver(session.send);
    return { ...session, events };
  }
  const ids = ({ gate }: AcpSession): string[] => gate.pending().map(({ approvalId }) => approvalId);
  const anomalies = (events: readonly GateEvent[]): GateEvent[] => events.filter(({ type }) => type === 'anomaly');

  test('cancelled: the agent is notified first, then each of its requests is answered `cancelled`', async () => {
    const session = await asked([{ calls: [REMOVE, SEND] }, { text: 'Well.' }]);
    await session.cancel();
    await session.gate.deliver(session.send);
    expect(session.sent.slice(1).map(({ method, result }) => method ?? result.outcome)).toEqual([
      'session/cancel',
      { outcome: 'cancelled' },
      { outcome: 'cancelled' },
    ]);
    expect(session.outcomes).toMatchObject([{ outcome: 'cancelled' }, { outcome: 'cancelled' }]);
    expect([session.ran, session.prompts.length]).toEqual([[], 1]);
    const { turn, messages, status } = session.gate.getSnapshot();
    expect([status, turn.ending]).toEqual(['idle', 'interrupted']);
    const parts = messages[1]?.parts as { outcome?: unknown }[];
    expect(parts.filter(({ outcome }) => outcome)).toMatchObject([
      { outcome: { kind: 'cancelled' } },
      { outcome: { kind: 'cancelled' } },
    ]);
    expect(anomalies(session.events)).toEqual([]);
    session.gate.sendUserMessage({ text: 'Something else.' });
    await session.gate.deliver(session.send);
    expect(session.gate.getSnapshot().turn.status).toBe('done');
  });

  test('a decision that was sent before a cancellation counts', async () => {
    const session = await asked([{ calls: [REMOVE, SEND] }]);
    session.gate.respond(ids(session)[0]!, { approved: true });
    await session.gate.deliver(session.send);
    await session.cancel();
    await session.gate.deliver(session.send);
    expect(session.outcomes).toMatchObject([{ outcome: 'selected', optionId: 'yes' }, { outcome: 'cancelled' }]);
    expect(session.ran).toEqual(['remove /a']);
  });

  test('a decision with `remember` selects the permanent option', async () => {
    const session = await asked([{ calls: [REMOVE, SEND] }, { text: 'Done.' }]);
    const [first, second] = ids(session);
    session.gate.respond(first!, { approved: true, remember: 'always' });
    // The agent offers no `reject_always`, so the call is rejected once.
    session.gate.respond(second!, { approved: false, remember: 'always', reason: 'Never.' });
    await session.gate.deliver(session.send);
    expect(session.outcomes).toMatchObject([{ optionId: 'yes!' }, { optionId: 'no' }]);
    const lost = session.events.flatMap((event) => (event.type === 'lossy' ? [[event.loss, event.toolCallId]] : []));
    expect(lost).toEqual([
      ['option', 'call-2'],
      ['reason', 'call-2'],
    ]);
    expect(session.ran).toEqual(['remove /a']);
  });

  test('each request is answered at once, in any order, while the turn continues', async () => {
    const session = await asked([{ calls: [REMOVE, SEND] }, { text: 'Done.' }]);
    session.gate.respond(ids(session)[1]!, { approved: true });
    await session.gate.deliver(session.send);
    expect([session.ran, ids(session).length, session.gate.getSnapshot().status]).toEqual([
      ['send /b'],
      1,
      'streaming',
    ]);
    session.gate.respond(ids(session)[0]!, { approved: false });
    await session.gate.deliver(session.send);
    expect([session.ran, session.prompts.length, session.gate.getSnapshot().turn.status]).toEqual([
      ['send /b'],
      2,
      'done',
    ]);
    expect(anomalies(session.events)).toEqual([]);
  });

  test('the next step requests approval again', async () => {
    const session = await asked([{ calls: [REMOVE] }, { calls: [SEND] }, { text: 'Done.' }]);
    for (const call of ['call-1', 'call-2']) {
      expect(session.gate.pending().map(({ toolCallId }) => toolCallId)).toEqual([call]);
      session.gate.respondAll({ approved: true });
      await session.gate.deliver(session.send);
    }
    expect(session.ran).toEqual(['remove /a', 'send /b']);
    expect(session.gate.assemble(anthropic).map((message) => (message as { role: string }).role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
      'assistant',
    ]);
  });

  test('the conversation can be written in another provider’s format, and in the agent’s own', async () => {
    const session = await asked([{ calls: [REMOVE, SEND] }, { text: 'Done.' }]);
    const [first, second] = ids(session);
    session.gate.respond(first!, { approved: true });
    session.gate.respond(second!, { approved: false, reason: 'Not that.' });
    await session.gate.deliver(session.send);
    expect(JSON.stringify(session.gate.assemble(anthropic))).toContain('Not that.');
    const told = session.gate.assemble() as { toolCallId?: string; status?: string; rawOutput?: string }[];
    expect(
      told
        .filter(({ toolCallId }) => toolCallId)
        .map(({ toolCallId, status, rawOutput }) => [toolCallId, status, rawOutput]),
    ).toEqual([
      ['call-1', 'completed', 'remove /a: done'],
      ['call-2', 'failed', 'Error: Tool execution was denied by user. Not that.'],
    ]);
  });
});
