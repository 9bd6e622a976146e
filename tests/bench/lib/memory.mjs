/**
 * The memory of a chat: JavaScript's heap after a garbage collection, and the memory of the core. The messages
 * themselves exist before and are not counted.
 */
import { ToolGate } from 'toolgate';
import { createChat, longHistory } from './data.mjs';
import { PlainChat } from './plain.mjs';

const cores = [];

/** Records the WebAssembly memory of the core, whose size is read later. Call it before `init`. */
export function watchCore() {
  const { instantiate } = WebAssembly;
  const noted = (instance) => {
    cores.push(instance.exports.memory);
  };
  WebAssembly.instantiate = async (...what) => {
    const result = await instantiate(...what);
    noted(result instanceof WebAssembly.Instance ? result : result.instance);
    return result;
  };
}

function used() {
  for (let times = 0; times < 3; times++) globalThis.gc();
  return { heap: process.memoryUsage().heapUsed, core: cores.reduce((sum, { buffer }) => sum + buffer.byteLength, 0) };
}

/** Returns the value that `create` returns, and the bytes of memory that it occupies. */
function kept(create) {
  const before = used();
  const value = create();
  const after = used();
  const [heap, core] = [after.heap - before.heap, after.core - before.core];
  return { value, heap, core, bytes: heap + core };
}

const MESSAGES = 10_000;
const CHATS = 500;

const opened = {
  ours: (messages) => {
    const gate = new ToolGate({ chatId: 'chat' });
    gate.load(messages);
    gate.getSnapshot();
    return gate;
  },
  peer: (messages) => createChat(messages, () => new ReadableStream()),
  plain: (messages) => new PlainChat(messages),
};

/**
 * The bytes per message of one chat of 10,000 messages, and per chat of 500 chats with two messages each. The core's
 * memory grows in pages of 64 KB and does not shrink, so many chats are measured.
 */
export function memoryUse() {
  if (cores.length === 0) throw new Error('watchCore() must be called before init()');
  const result = { message: {}, chat: {} };
  for (const [side, open] of Object.entries(opened)) {
    const history = longHistory(MESSAGES);
    open(longHistory(10)).free?.();
    const long = kept(() => open(history));
    result.message[side] = long.bytes / MESSAGES;
    const short = Array.from({ length: CHATS }, () => longHistory(2));
    const many = kept(() => short.map((messages) => open(messages)));
    result.chat[side] = many.bytes / CHATS;
    long.value.free?.();
    for (const chat of many.value) chat.free?.();
  }
  return result;
}
