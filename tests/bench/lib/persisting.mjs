/**
 * Storing one decision before its request is sent: with `toolgate/persist`, and in an app with the AI SDK's chat that
 * stores the messages itself. Storage is a database in memory, so the figure is the work of the page.
 */
import { ToolGate } from 'toolgate';
import { persist } from 'toolgate/persist';

import { median } from './measure.mjs';

/** The number of measured decisions in a chat. */
const DECISIONS = 60;

/** The content of `localStorage`, and of the database. */
const values = new Map();

/** The `localStorage` of this process. */
export const storage = {
  get length() {
    return values.size;
  },
  key: (index) => [...values.keys()][index] ?? null,
  getItem: (key) => values.get(key) ?? null,
  setItem: (key, value) => void values.set(key, value),
  removeItem: (key) => void values.delete(key),
};

/** The `indexedDB` of this process: the part that `persist` uses, without ranges of several chats. */
const indexedDB = {
  open() {
    const request = {};
    queueMicrotask(() => request.onsuccess());
    request.result = { transaction };
    return request;
  },
};

function transaction() {
  const requests = [];
  const made = { commit() {}, objectStore: () => store };
  const request = (run) => (requests.push({ run }), requests.at(-1));
  const store = {
    get: (key) => request(() => values.get(JSON.stringify(key))),
    getAll: ({ kind }) => request(() => [...values].filter(([key]) => key.includes(kind)).map(([, value]) => value)),
    put: (value, key) => request(() => void values.set(JSON.stringify(key), structuredClone(value))),
    delete: ({ kind }) => request(() => [...values.keys()].forEach((key) => key.includes(kind) && values.delete(key))),
  };
  queueMicrotask(() => {
    for (let next = requests.shift(); next; next = requests.shift()) {
      next.result = next.run();
      next.onsuccess?.();
    }
    made.oncomplete();
  });
  return made;
}

/** A history of this many messages: half of them with a call that has a result. */
function history(messages) {
  return Array.from({ length: messages }, (_, n) => ({
    id: `m${n}`,
    role: n % 2 ? 'assistant' : 'user',
    parts: [
      { type: 'text', text: `This is message ${n} of a chat that has been going on for a while.` },
      ...(n % 2
        ? [{ type: 'tool-read', toolCallId: `t${n}`, state: 'output-available', input: { n }, output: { lines: n } }]
        : []),
    ],
  }));
}

/**
 * Decides approvals one after the other in a persisted chat of this many messages. Returns two medians in ms: the
 * page's work from the decision until it is stored, and from the claim until the request may be sent.
 */
export async function storeDecisions(messages) {
  Object.assign(globalThis, { indexedDB, IDBKeyRange: { bound: ([, kind = '']) => ({ kind }) } });
  values.clear();
  const gate = new ToolGate({ chatId: 'chat' });
  gate.load(history(messages));
  const persisted = await persist(gate, { name: 'chat' });
  const [decisions, claims] = [[], []];
  for (let n = 0; n < DECISIONS; n++) {
    gate.sendUserMessage({ text: 'and then' });
    gate.claim(gate.outgoing()[0].id);
    for (const chunk of [
      { type: 'start', messageId: `r${n}` },
      { type: 'start-step' },
      { type: 'tool-input-available', toolCallId: `c${n}`, toolName: 'edit', input: { path: `file ${n}` } },
      { type: 'tool-approval-request', toolCallId: `c${n}`, approvalId: `ask-${n}` },
    ])
      gate.receive(chunk);
    gate.streamEnded({ status: 'finished' });
    await persisted.flush();
    const began = performance.now();
    gate.respond(`ask-${n}`, { approved: true });
    await persisted.flush();
    decisions.push(performance.now() - began);
    gate.claim(gate.outgoing()[0].id);
    const claimed = performance.now();
    await persisted.flush();
    claims.push(performance.now() - claimed);
    gate.receive({ type: 'start', messageId: `r${n}` });
    gate.receive({ type: 'tool-output-available', toolCallId: `c${n}`, output: 'done' });
    gate.streamEnded({ status: 'finished' });
    await persisted.flush();
  }
  persisted.close();
  gate.free();
  return { decision: median(decisions), claim: median(claims) };
}

/** Stores all messages after one of them has changed, as apps do. Returns the ms. */
export function storeMessages(messages) {
  const all = history(messages);
  const began = performance.now();
  storage.setItem('messages', JSON.stringify(all));
  return { ms: performance.now() - began };
}

/** Stores one decision as a record of its own, without a lock, an order or a way to read it again. Returns the ms. */
export function storeRecord() {
  const began = performance.now();
  storage.setItem('decision', JSON.stringify({ approvalId: 'ask-1', approved: true, at: Date.now() }));
  return { ms: performance.now() - began };
}
