/**
 * The scenario of the page benchmark, the same for every framework and every side: a reply asks for `count` approvals,
 * a page shows them, more text arrives after them, then the user decides some. This module measures; pages only render.
 */
import { lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai';

/** The number of renders since the last reset. */
export const rendered = {
  count: 0,
  take() {
    const { count } = this;
    this.count = 0;
    return count;
  },
};

/**
 * Plays the scenario once. `createChat(options)` creates the chat, `mount(element, chat)` shows it and returns a
 * function that removes it. Returns the time in ms until the chat, each delta and each decision was in the DOM, and the
 * number of rendered parts for each.
 */
export async function play({ createChat, mount }, { count, deltas, decisions }) {
  const reply = controlled();
  const chat = createChat({
    id: 'chat',
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    transport: { sendMessages: async () => reply.stream, reconnectToStream: async () => null },
  });
  const sent = chat.sendMessage({ text: 'Tidy up' });
  for (const chunk of asking(count)) reply.push(chunk);
  await until(() => messagesOf(chat).at(-1)?.parts.at(-1)?.text === '.');

  // The garbage of the messages that arrived is not part of showing them. The sides leave different amounts of it, so a
  // collection during the mount would be a matter of chance, and more likely for a side whose messages arrive sooner.
  globalThis.gc?.();
  // The element is in no document, because layout takes the same time for all sides, and more than the rest.
  const element = document.createElement('main');
  const [start] = [performance.now(), rendered.take()];
  const unmount = mount(element, chat);
  await until(() => element.querySelectorAll('button').length === count * 2);
  const shown = { ms: performance.now() - start, parts: rendered.take() };

  const text = [...element.querySelectorAll('[data-text]')].at(-1);
  const delta = await timed(deltas, async (index) => {
    reply.push({ type: 'text-delta', id: 't', delta: 'x' });
    await until(() => text.textContent.length === index + 2);
  });

  reply.push({ type: 'text-end', id: 't' }, { type: 'finish-step' }, { type: 'finish' });
  reply.close();
  await sent;
  await nextTask();
  const cards = [...element.querySelectorAll('[data-call]')];
  const decision = await timed(decisions, async (index) => {
    cards[index].querySelector('button').click();
    await until(() => cards[index].querySelector('em').textContent === 'approval-responded');
    if (element.querySelector('h1').textContent !== `${count - index - 1} waiting`)
      throw new Error('the heading is old');
  });

  unmount();
  return { shown, delta, decision };
}

/** The messages of a chat, or of the result of Vue's `useChat`. */
function messagesOf({ messages }) {
  return messages.value ?? messages;
}

async function timed(times, act) {
  rendered.take();
  const start = performance.now();
  for (let index = 0; index < times; index++) await act(index);
  return { ms: (performance.now() - start) / times, parts: rendered.take() / times };
}

/** Waits, task by task, until the condition holds. */
async function until(isSo) {
  for (let tasks = 0; tasks < 100_000; tasks++) {
    if (isSo()) return;
    await nextTask();
  }
  throw new Error(`the condition never held: ${isSo}`);
}

const { port1, port2 } = new MessageChannel();
let go;
port1.onmessage = () => go();

function nextTask() {
  return new Promise((resolve) => {
    go = resolve;
    port2.postMessage(0);
  });
}

function controlled() {
  let controller;
  const stream = new ReadableStream({ start: (given) => void (controller = given) });
  return {
    stream,
    push: (...chunks) => chunks.forEach((chunk) => controller.enqueue(chunk)),
    close: () => controller.close(),
  };
}

/** A reply that requests approvals, and then begins a text. */
function asking(count) {
  const chunks = [{ type: 'start', messageId: 'm1' }, { type: 'start-step' }];
  for (let index = 0; index < count; index++) {
    const toolCallId = `c${index}`;
    chunks.push({
      type: 'tool-input-available',
      toolCallId,
      toolName: 'edit',
      input: { path: `src/file-${index}.ts` },
    });
    chunks.push({ type: 'tool-approval-request', toolCallId, approvalId: `ask-${index}` });
  }
  chunks.push({ type: 'text-start', id: 't' }, { type: 'text-delta', id: 't', delta: '.' });
  return chunks;
}
