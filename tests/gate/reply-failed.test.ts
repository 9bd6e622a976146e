/** The error of a failed reply is reported in its own words: of the stream, of the host, and of every protocol. */
import { init, ToolGate, type GateEvent, type ToolGateOptions } from 'toolgate';
import { codex } from 'toolgate/protocols/codex';
import { expect, test } from 'vitest';

await init();

/** A gate whose first message was sent, and the errors of its replies. */
function sent(options: ToolGateOptions = {}): { gate: ToolGate; id: string; failed: GateEvent[] } {
  const gate = new ToolGate(options);
  const failed: GateEvent[] = [];
  gate.onEvent((event) => void (event.type === 'reply-failed' && failed.push(event)));
  gate.sendUserMessage({ text: 'Go.' });
  const { id } = gate.outgoing()[0]!;
  gate.claim(id);
  return { gate, id, failed };
}

test('an error event of the stream', () => {
  const { gate, id, failed } = sent();
  gate.receive({ type: 'start', messageId: 'm' }, { requestId: id });
  gate.receive({ type: 'error', errorText: 'The model is overloaded.' }, { requestId: id });
  expect(failed).toEqual([{ type: 'reply-failed', error: 'The model is overloaded.', requestId: id }]);
  gate.streamEnded({ status: 'finished' }, { requestId: id });
  expect([failed.length, gate.getSnapshot().turn.ending]).toEqual([1, 'failed']);
});

test('the error that the host passes with the end of the stream', () => {
  for (const status of ['error', 'disconnected', 'step-limit', 'aborted'] as const) {
    const { gate, failed } = sent();
    gate.streamEnded({ status, error: 'HTTP 502' });
    expect(failed, status).toEqual([{ type: 'reply-failed', error: 'HTTP 502' }]);
  }
});

test('an error in the form of another protocol', () => {
  const { gate, id, failed } = sent({ protocol: codex });
  gate.receive({ id, error: { code: -32600, message: 'thread not found' } });
  expect(failed).toEqual([{ type: 'reply-failed', error: 'thread not found' }]);
});

test('nothing without an error, and nothing for a text that is not one', () => {
  const hostile = { type: 'error', get errorText(): string { throw new Error('getter'); } }; // prettier-ignore
  const events = [null, 'error', 7, { type: 'error' }, { type: 'error', errorText: 7 }, hostile];
  const { gate, failed } = sent();
  for (const event of events) gate.receive(event);
  gate.streamEnded({ status: 'error' });
  gate.streamEnded({ status: 'error', error: '' });
  gate.streamEnded({ status: 'error', error: 7 as unknown as string });
  expect(failed).toEqual([]);
});

test('a listener may act on it: the failed turn is over when it is called', () => {
  const { gate, id } = sent();
  const endings: unknown[] = [];
  gate.onEvent((event) => {
    if (event.type !== 'reply-failed') return;
    endings.push(gate.getSnapshot().turn.ending);
    gate.sendUserMessage({ text: 'Again.' });
  });
  gate.receive({ type: 'start', messageId: 'm' }, { requestId: id });
  gate.streamEnded({ status: 'error', error: 'gone' }, { requestId: id });
  expect(endings).toEqual(['failed']);
  expect(gate.outgoing()).toHaveLength(1);
});
