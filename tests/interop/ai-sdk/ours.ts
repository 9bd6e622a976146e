/**
 * Toolgate's side of the tests that compare it with the AI SDK: passes the chunks that the SDK reads to a gate, and
 * reads the gate's messages after each chunk.
 */
import { type GateEvent, init, ToolGate } from 'toolgate';

import type { Chunk, Message, ModelMessage } from './peers';
import type { Answer, Conversation } from './streams';

/** Loads the wasm. Must be called once, before the other functions of this file. */
export const ready = (): Promise<void> => init();

/** How the last stream of a conversation ends. */
export type StreamEnding = 'finished' | 'disconnected';

/** The messages that a gate built from one stream. */
export interface OurReading {
  /** The assistant message after each chunk; `undefined` while there is none. */
  readonly states: readonly (Message | undefined)[];
  /** The assistant message after `streamEnded`. */
  readonly ended: Message | undefined;
  /** The codes of the anomalies, in order. */
  readonly anomalies: readonly string[];
}

const assistant = (gate: ToolGate): Message | undefined => {
  const last = gate.getSnapshot().messages.at(-1) as unknown as Message | undefined;
  return last?.role === 'assistant' ? last : undefined;
};

/** A gate whose first request was just sent, as after the user's first message. */
export function submitted(): ToolGate {
  let ids = 0;
  const gate = new ToolGate({ chatId: 'chat', generateId: () => `made-${ids++}` });
  gate.sendUserMessage({ text: 'Go' });
  claimNext(gate);
  return gate;
}

/** Claims the only ready item, as a transport does. */
export function claimNext(gate: ToolGate): void {
  const items = gate.outgoing();
  if (items.length !== 1) throw new Error(`${items.length} items are ready, but one was expected`);
  if (!gate.claim(items[0]!.id)) throw new Error('the item could not be claimed');
}

/**
 * Passes one stream to the gate. Tests compare the views only after the stream has ended. So they also find a chunk
 * that changed an object of an earlier view.
 */
export function feed(gate: ToolGate, chunks: readonly Chunk[], status: StreamEnding = 'finished'): OurReading {
  const anomalies: string[] = [];
  const stop = gate.onEvent((event: GateEvent) => {
    if (event.type === 'anomaly') anomalies.push(event.error.code);
  });
  const states = chunks.map((chunk) => {
    gate.receive(chunk);
    return assistant(gate);
  });
  gate.streamEnded({ status });
  stop();
  return { states, ended: assistant(gate), anomalies };
}

/** Makes the user's decisions. */
export function respond(gate: ToolGate, answers: readonly Answer[]): void {
  for (const { approvalId, ...answer } of answers) gate.respond(approvalId, answer);
}

/** Plays a whole conversation: the first reply, the answers, the second reply. */
export function converse(
  { first, answers, second }: Conversation,
  ending: StreamEnding = 'finished',
): { gate: ToolGate; first: OurReading; answered: Message | undefined; second: OurReading | undefined } {
  const gate = submitted();
  const one = feed(gate, first, second.length === 0 ? ending : 'finished');
  if (second.length === 0) return { gate, first: one, answered: undefined, second: undefined };
  respond(gate, answers);
  const answered = assistant(gate);
  claimNext(gate);
  return { gate, first: one, answered, second: feed(gate, second, ending) };
}

/** Sends another message of the user, and returns the messages of the request that contains it. */
export function nextRequest(gate: ToolGate): readonly Message[] {
  gate.sendUserMessage({ text: 'And then?' });
  const [item] = gate.outgoing();
  if (item === undefined) throw new Error('the user sent a message, and no request is ready');
  return (item.body as { messages: readonly Message[] }).messages;
}

/** Loads a stored message into a new gate, and passes it a reply that continues the message. */
export function continueLoaded(base: Message, chunks: readonly Chunk[], ending: StreamEnding = 'finished'): OurReading {
  const gate = new ToolGate({ chatId: 'chat' });
  gate.load([{ id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Go' }] }, base]);
  return feed(gate, chunks, ending);
}

/** Loads a history, and returns it as the model will receive it. */
export function assemble(history: readonly Message[]): ModelMessage[] {
  const gate = new ToolGate({ chatId: 'chat' });
  gate.load(history);
  const messages = gate.assemble('ai-sdk') as ModelMessage[];
  gate.free();
  return messages;
}
