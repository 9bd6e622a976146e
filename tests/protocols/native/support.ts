/** Helpers for the tests about native blocks: what came from a model API is sent back to it as it came. */
import type { GateEvent, ToolGate, ToolGateOptions } from 'toolgate';
import { gateFor, type Data } from '../support';
import type { ProtocolName } from '../all.js';

/** A gate, and the losses, anomalies and repairs that it reported. */
export interface Watched {
  readonly gate: ToolGate;
  /** Descriptions of what was lost or could not be read. */
  readonly problems: string[];
}

/** Returns a gate that records what it loses. */
export function watched(protocol: ProtocolName, options: ToolGateOptions = {}): Watched {
  const gate = gateFor(protocol, options);
  const problems: string[] = [];
  gate.onEvent((event: GateEvent) => {
    // Reported for every failed call and every output that is not text, also where the API expresses them.
    if (event.type === 'lossy' && !/^(failed|json)$/.test(event.loss))
      problems.push(`lossy ${event.loss} ${event.toolCallId ?? ''}`.trim());
    if (event.type === 'anomaly') problems.push(`anomaly ${event.error.message}`);
  });
  return { gate, problems };
}

/** Loads a history; each repair is a problem. */
export function loadedFrom(protocol: ProtocolName, history: readonly unknown[], options?: ToolGateOptions): Watched {
  const made = watched(protocol, options);
  const { repairs } = made.gate.load(JSON.parse(JSON.stringify(history)) as unknown[]);
  made.problems.push(...repairs.map(({ code, detail }) => `repair ${code}: ${detail}`));
  return made;
}

/** Sends the request that is ready, and reads its reply. Returns the body that was sent. */
export function exchange(gate: ToolGate, events: readonly unknown[]): Data {
  const [item] = gate.outgoing();
  if (!item) throw new Error('nothing is ready to be sent');
  const requestId = item.id;
  gate.claim(requestId);
  gate.markSent(requestId);
  for (const event of JSON.parse(JSON.stringify(events)) as unknown[]) gate.receive(event, { requestId });
  gate.streamEnded({ status: 'finished' }, { requestId });
  return item.body;
}

/** A gate whose user wrote a message, and that read this reply to it. */
export function replied(protocol: ProtocolName, events: readonly unknown[], options?: ToolGateOptions): Watched {
  const made = watched(protocol, options);
  made.gate.sendUserMessage({ text: 'Go.' });
  exchange(made.gate, events);
  return made;
}

/** The body of the request that is ready. */
export const ready = (gate: ToolGate): Data => gate.outgoing()[0]?.body;
