/**
 * The lower bound for each row of docs/benchmarks.md: the least work with which plain JavaScript gives the same result.
 * This code trusts every event and every history: it checks nothing, saves nothing, knows no states but "pending" and
 * "answered", and sends nothing twice only because nobody clicks twice.
 */
import { askingMessages, longHistory } from './data.mjs';
import { PlainJson } from './plain-json.mjs';

/** A chat: messages that are replaced when they change, as frameworks need it. */
export class PlainChat {
  messages;
  /** The place of each pending approval: the indexes of its message and of its part. */
  #places = new Map();

  constructor(messages) {
    this.messages = messages;
    messages.forEach(({ parts }, message) =>
      parts.forEach((part, place) => {
        if (part.state === 'approval-requested') this.#places.set(part.approval.id, [message, place]);
      }),
    );
  }

  /** Replaces a part, its message and the list of messages. */
  #replace(message, place, part) {
    const parts = this.messages[message].parts.slice();
    parts[place] = part;
    this.messages = this.messages.slice();
    this.messages[message] = { ...this.messages[message], parts };
  }

  respond(id, approved) {
    const [message, place] = this.#places.get(id);
    this.#places.delete(id);
    const part = this.messages[message].parts[place];
    this.#replace(message, place, { ...part, state: 'approval-responded', approval: { id, approved } });
    return part.toolCallId;
  }

  #json = new PlainJson();

  receive(event) {
    if (event.type !== 'tool-input-delta') return;
    const message = this.messages.length - 1;
    const place = this.messages[message].parts.length - 1;
    this.#json.push(event.inputTextDelta);
    this.#replace(message, place, { ...this.messages[message].parts[place], input: this.#json.value });
  }
}

/** Streams a tool input and reads the partial input after each delta. */
export function streamInput({ deltas }) {
  const part = { type: 'tool-write', toolCallId: 'c1', state: 'input-streaming', input: undefined };
  const chat = new PlainChat([{ id: 'm1', role: 'assistant', parts: [{ type: 'step-start' }, part] }]);
  let read = 0;
  const start = performance.now();
  for (const delta of deltas) {
    chat.receive(delta);
    if (chat.messages.at(-1).parts.at(-1).input !== undefined) read++;
  }
  const ms = performance.now() - start;
  if (read < deltas.length - 1) throw new Error(`only ${read} of ${deltas.length} partial inputs could be read`);
  return { each: (ms / deltas.length) * 1000 };
}

/** Answers approvals one by one, and reads the messages after each. */
export function answerAll(count) {
  const chat = new PlainChat(askingMessages(count + 1));
  const start = performance.now();
  for (let index = 0; index < count; index++) {
    chat.respond(`ask-${index}`, true);
    if (chat.messages.at(-1).parts[index + 1].state !== 'approval-responded') throw new Error('not answered');
  }
  return { each: ((performance.now() - start) / count) * 1000 };
}

/** Answers approvals one by one, and builds the body of a request for each answer. */
export function sendEach(count) {
  const chat = new PlainChat(askingMessages(count + 1));
  const start = performance.now();
  for (let index = 0; index < count; index++) {
    const toolCallId = chat.respond(`ask-${index}`, true);
    const body = { type: 'tool-approval-response', data: { toolCallId, approved: true } };
    if (body.data.toolCallId !== `c${index}`) throw new Error('another call');
    if (chat.messages.at(-1).parts[index + 1].state !== 'approval-responded') throw new Error('not answered');
  }
  return { each: ((performance.now() - start) / count) * 1000 };
}

const bodyOf = (messages) => ({ id: 'chat', messages, trigger: 'submit-message', messageId: messages.at(-1).id });

/** Opens a chat with a long history, answers its approval, and builds the request's body. */
export function openChat(count) {
  const history = longHistory(count);
  const start = performance.now();
  const chat = new PlainChat(history);
  chat.respond('ask-0', true);
  const body = bodyOf(chat.messages);
  const ms = performance.now() - start;
  if (body.messages.length !== count) throw new Error('messages are missing');
  return { ms };
}

/** The model messages of one message of the benchmark's history. */
function toModel({ role, parts }) {
  if (role === 'user') return [{ role, content: parts.map(({ type, text }) => ({ type, text })) }];
  const messages = [];
  let step = { role: 'assistant', content: [] };
  let results = { role: 'tool', content: [] };
  const finish = () => {
    if (step.content.length > 0) messages.push(step);
    if (results.content.length > 0) messages.push(results);
    step = { role: 'assistant', content: [] };
    results = { role: 'tool', content: [] };
  };
  for (const part of parts) {
    if (part.type === 'step-start') finish();
    else if (part.type === 'text') step.content.push({ type: 'text', text: part.text });
    else {
      const { toolCallId, input, output, approval } = part;
      const toolName = part.type.slice(5);
      step.content.push({ type: 'tool-call', toolCallId, toolName, input });
      if (approval) {
        step.content.push({ type: 'tool-approval-request', approvalId: approval.id, toolCallId });
        const { approved } = approval;
        results.content.push({ type: 'tool-approval-response', approvalId: approval.id, approved });
      } else {
        results.content.push({ type: 'tool-result', toolCallId, toolName, output: { type: 'json', value: output } });
      }
    }
  }
  finish();
  return messages;
}

/**
 * The body of the next request and the model messages after one decision. `warm`: the model messages of unchanged
 * messages are known from the request before.
 */
export function nextRequest(count) {
  const timed = (known) => {
    const chat = new PlainChat(longHistory(count));
    const before = chat.messages.map((message) => known && toModel(message));
    const start = performance.now();
    chat.respond('ask-0', true);
    const body = bodyOf(chat.messages);
    const last = chat.messages.length - 1;
    const messages = chat.messages.flatMap((message, at) => (known && at < last ? before[at] : toModel(message)));
    const ms = performance.now() - start;
    if (body.messages.length !== count || messages.at(-1).role !== 'tool') throw new Error('the answer is missing');
    return ms;
  };
  return { warm: timed(true), cold: timed(false) };
}
