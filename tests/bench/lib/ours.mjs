/**
 * Toolgate's side of each row of docs/benchmarks.md: a gate does the same work as the AI SDK's client in `peers.mjs`.
 */
import { ToolGate } from 'toolgate';

import { askingMessages, longHistory } from './data.mjs';
import { aiSdkWs } from 'toolgate/protocols/ai-sdk-ws';

/** A gate with a request in flight. */
function submitted() {
  const gate = new ToolGate({ chatId: 'chat' });
  gate.sendUserMessage({ text: 'Write it' });
  gate.claim(gate.outgoing()[0].id);
  return gate;
}

/** Streams a tool input through a gate and reads the partial input after each delta. */
export function streamInput({ before, deltas, after }) {
  const gate = submitted();
  for (const chunk of before) gate.receive(chunk);
  let read = 0;
  const start = performance.now();
  for (let index = 0; index < deltas.length; index++) {
    gate.receive(deltas[index]);
    if (gate.getSnapshot().messages.at(-1).parts.at(-1).input !== undefined) read++;
  }
  const ms = performance.now() - start;
  if (read < deltas.length - 1) throw new Error(`only ${read} of ${deltas.length} partial inputs could be read`);
  for (const chunk of after) gate.receive(chunk);
  gate.streamEnded({ status: 'finished' });
  gate.free();
  return { each: (ms / deltas.length) * 1000 };
}

/** Answers approvals one by one, and reads the messages after each. The last one stays pending, as for the peer. */
export function answerAll(count) {
  const gate = new ToolGate({ chatId: 'chat' });
  gate.load(askingMessages(count + 1));
  const start = performance.now();
  for (let index = 0; index < count; index++) {
    gate.respond(`ask-${index}`, { approved: true });
    if (gate.getSnapshot().messages.at(-1).parts[index + 1].state !== 'approval-responded')
      throw new Error('not answered');
  }
  const ms = performance.now() - start;
  gate.free();
  return { each: (ms / count) * 1000 };
}

/** Answers approvals one by one. As with cards, each call has a subscriber that reads the call's part on a change. */
export function answerFollowed(count) {
  const gate = new ToolGate({ chatId: 'chat' });
  gate.load(askingMessages(count + 1));
  let shown = 0;
  for (let index = 0; index <= count; index++)
    gate.subscribe(() => gate.part(`c${index}`)?.state === 'approval-responded' && shown++, `c${index}`);
  const start = performance.now();
  for (let index = 0; index < count; index++) gate.respond(`ask-${index}`, { approved: true });
  const ms = performance.now() - start;
  if (shown !== count) throw new Error(`${shown} answers of ${count} were shown`);
  gate.free();
  return { each: (ms / count) * 1000 };
}

/**
 * Answers approvals one by one, for a backend that receives each decision in a separate request. Each request is
 * listed, claimed and sent before the next decision.
 */
export function sendEach(count) {
  const gate = new ToolGate({ chatId: 'chat', protocol: aiSdkWs });
  gate.load(askingMessages(count + 1));
  const start = performance.now();
  for (let index = 0; index < count; index++) {
    gate.respond(`ask-${index}`, { approved: true });
    const [item] = gate.outgoing();
    if (item.body.data.toolCallId !== `c${index}` || !gate.claim(item.id)) throw new Error('nothing to send');
    gate.markSent(item.id);
    if (gate.getSnapshot().messages.at(-1).parts[index + 1].delivery !== 'acknowledged') throw new Error('not sent');
  }
  const ms = performance.now() - start;
  gate.free();
  return { each: (ms / count) * 1000 };
}

/** Like `sendEach`, but all approvals are decided first, and `deliver` sends the answers. */
export async function deliverAll(count) {
  const gate = new ToolGate({ chatId: 'chat', protocol: aiSdkWs });
  gate.load(askingMessages(count));
  const start = performance.now();
  let sent = 0;
  gate.respondAll({ approved: true });
  await gate.deliver(async () => void sent++);
  const each = ((performance.now() - start) / count) * 1000;
  if (sent !== count) throw new Error(`${sent} answers were sent`);
  gate.free();
  return { each };
}

/**
 * The work for the next request after one decision: the answer, the request's body, and the history as model messages.
 * `warm`: after the previous request was built, so that caches are filled. `cold`: right after the history was loaded.
 */
export function nextRequest(count) {
  return { warm: nextInRunningChat(count), cold: nextAfterLoad(count) };
}

/** The time for the next request after the previous one was built, in ms. */
export function nextInRunningChat(count) {
  const history = longHistory(count);
  const gate = new ToolGate({ chatId: 'chat' });
  gate.load(history.slice(0, -2));
  gate.sendUserMessage(history.at(-2));
  const item = gate.outgoing()[0];
  if (item.body.messages.length !== count - 1) throw new Error('the message is missing');
  gate.assemble('ai-sdk');
  gate.claim(item.id);
  const { toolCallId, input, approval } = history.at(-1).parts.find((part) => part.state === 'approval-requested');
  for (const chunk of [
    { type: 'start', messageId: 'answer' },
    { type: 'start-step' },
    { type: 'tool-input-available', toolCallId, toolName: 'edit', input },
    { type: 'tool-approval-request', toolCallId, approvalId: approval.id },
    { type: 'finish-step' },
    { type: 'finish' },
  ]) {
    gate.receive(chunk);
  }
  gate.streamEnded({ status: 'finished' });
  gate.getSnapshot();
  return timeRequest(gate, count);
}

/** The time for the next request right after the history was loaded, in ms. */
function nextAfterLoad(count) {
  const gate = new ToolGate({ chatId: 'chat' });
  gate.load(longHistory(count));
  gate.getSnapshot();
  return timeRequest(gate, count);
}

function timeRequest(gate, count) {
  const start = performance.now();
  gate.respond('ask-0', { approved: true });
  const body = gate.outgoing()[0].body;
  const messages = gate.assemble('ai-sdk');
  const ms = performance.now() - start;
  if (body.messages.length !== count || messages.at(-1).role !== 'tool') throw new Error('the answer is missing');
  gate.free();
  return ms;
}

/** Opens a chat with a long history: loads it, reads the view, answers its approval, and reads the first request. */
export function openChat(count) {
  const history = longHistory(count);
  const gate = new ToolGate({ chatId: 'chat' });
  const start = performance.now();
  gate.load(history);
  const { messages } = gate.getSnapshot();
  gate.respond('ask-0', { approved: true });
  const [item] = gate.outgoing();
  const ms = performance.now() - start;
  if (messages.length !== count || item.body.messages.length !== count) throw new Error('messages are missing');
  gate.free();
  return { ms };
}
