/**
 * A new copy of the package for each test, in which the test determines when the core is loaded. `toolgate` and
 * `toolgate/ai-sdk` are imported again, so no core is running.
 */
import { vi } from 'vitest';

import type { AnyChat, ChatKind, Message } from './chats';
import { wasmFile } from './init';
import { ScriptedTransport, type Reply } from './transport';

/** A package without a running core. */
export async function freshPackage() {
  vi.resetModules();
  const [main, aiSdk] = await Promise.all([import('toolgate'), import('toolgate/ai-sdk')]);
  const { promise, resolve, reject } = withResolvers<Response>();
  promise.catch(() => {});
  return {
    ...main,
    ...aiSdk,
    /** Starts to load the core. `arrive` or `breakDown` ends the loading. */
    begin: (): Promise<void> => main.init(promise),
    /** Completes the loading of the wasm file, and waits until the core runs. */
    arrive: async (): Promise<void> => {
      resolve(new Response(wasmFile(), { headers: { 'content-type': 'application/wasm' } }));
      await main.init();
      await new Promise((done) => setImmediate(done));
    },
    /** Makes the loading fail. */
    breakDown: async (error: Error = new TypeError('Failed to fetch')): Promise<void> => {
      reject(error);
      await promise.catch(() => {});
      await new Promise((done) => setImmediate(done));
    },
  };
}

type Fresh = Awaited<ReturnType<typeof freshPackage>>;

/** A guarded chat whose core is loading. */
export async function waitingChat(
  kind: ChatKind,
  options: { messages?: readonly Message[]; replies?: readonly Reply[]; chat?: object; guard?: object } = {},
): Promise<Fresh & { chat: AnyChat; transport: ScriptedTransport; errors: unknown[] }> {
  const fresh = await freshPackage();
  const loaded = fresh.begin();
  loaded.catch(() => {});
  const transport = new ScriptedTransport(options.replies ?? []);
  const errors: unknown[] = [];
  let ids = 0;
  const chat = kind.create({
    id: 'chat-1',
    messages: options.messages ?? [],
    transport,
    generateId: () => `id-${ids++}`,
    onError: (error: unknown) => errors.push(error),
    ...options.chat,
  });
  // As in a page, where guard() loads the core itself.
  vi.stubGlobal('document', {});
  try {
    return { ...fresh, chat: fresh.guard(chat, options.guard ?? {}), transport, errors };
  } finally {
    vi.unstubAllGlobals();
  }
}

function withResolvers<T>() {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((...both) => ([resolve, reject] = both));
  return { promise, resolve, reject };
}
