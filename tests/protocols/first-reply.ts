/** A gate during the reply to its first message, and what tests read of it. */
import type { GateEvent, ToolGate, ToolGateOptions } from 'toolgate';
import type { ProtocolName } from './all.js';
import { gateFor, type Data } from './support.js';

/** A gate that sent its first message. */
export interface FirstReply {
  readonly gate: ToolGate;
  /** The anomalies and losses, and the events that were passed through. */
  readonly wrong: GateEvent[];
  /** Receives events. */
  take(...events: Data[]): void;
}

/** Creates a gate, and sends its first message. */
export function firstReply(protocol: ProtocolName, options: ToolGateOptions = {}): FirstReply {
  const gate = gateFor(protocol, options);
  const wrong: GateEvent[] = [];
  gate.onEvent((one) => void (/^(anomaly|passthrough|lossy)$/.test(one.type) && wrong.push(one)));
  gate.sendUserMessage({ text: 'Go.' });
  gate.claim(gate.outgoing()[0]!.id);
  return { gate, wrong, take: (...events) => events.forEach((one) => gate.receive(one)) };
}

/** The parts of the last message. */
export const partsOf = (gate: ToolGate): Data[] => gate.getSnapshot().messages.at(-1)?.parts as Data[];

/** The calls of the last message. */
export const callsOf = (gate: ToolGate): Data[] => partsOf(gate).filter(({ toolCallId }) => toolCallId);

/** The bodies of what waits to be sent. */
export const bodiesOf = (gate: ToolGate): Data[] => gate.outgoing().map(({ body }) => body);
