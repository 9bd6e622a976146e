/**
 * A gate whose reply has ended with pending approvals, and helpers for its tests.
 */
import { readFileSync } from 'node:fs';

import { ToolGate, type GateEvent, type ToolGateError, type ToolGateOptions } from 'toolgate';
import { init } from 'toolgate/slim';

await init(readFileSync(new URL('../../pkg/dist/toolgate.wasm', import.meta.url)));

/** The events of a tool call that needs approval: its input, then the request. */
export function ask(call: string, input: unknown = { path: call }): object[] {
  return [
    { type: 'tool-input-available', toolCallId: call, toolName: 'edit', input },
    { type: 'tool-approval-request', approvalId: `approve-${call}`, toolCallId: call },
  ];
}

/** A gate whose last reply requested approval of these calls, and a list of the events that it emits afterwards. */
export function asking(calls: string[], options: ToolGateOptions = {}): { gate: ToolGate; events: GateEvent[] } {
  const gate = new ToolGate({ chatId: 'chat', ...options });
  gate.sendUserMessage({ id: 'u1', text: 'tidy up' });
  send(gate);
  reply(gate, [
    { type: 'start', messageId: 'a1' },
    { type: 'start-step' },
    ...calls.flatMap((call) => ask(call)),
    { type: 'finish' },
  ]);
  const events: GateEvent[] = [];
  gate.onEvent((event) => events.push(event));
  return { gate, events };
}

/** Claims the only item of `outgoing()`. */
export function send(gate: ToolGate): string {
  const [item] = gate.outgoing();
  if (!item || !gate.claim(item.id)) throw new Error('nothing to send');
  return item.id;
}

/** Passes a whole reply to the gate. */
export function reply(gate: ToolGate, chunks: object[]): void {
  for (const chunk of chunks) gate.receive(chunk);
  gate.streamEnded({ status: 'finished' });
}

/** The error that a function throws. */
export function thrownBy(call: () => unknown): ToolGateError {
  try {
    call();
  } catch (error) {
    return error as ToolGateError;
  }
  throw new Error('the function threw nothing');
}

/** The errors of the `anomaly` events in a list. */
export function anomalies(events: GateEvent[]): ToolGateError[] {
  return events.flatMap((event) => (event.type === 'anomaly' ? [event.error] : []));
}
