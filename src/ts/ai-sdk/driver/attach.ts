/**
 * Puts a gate in control of a chat that `guard` has prepared. This part of `toolgate/ai-sdk` is loaded together with
 * the core.
 */
import { internalsOf } from '../../gate/internals.js';
import { ToolGate } from '../../gate/tool-gate.js';
import type { ViewStore } from '../waiting/view-store.js';
import type { ChatHost } from '../chat-host.js';
import { ChatProjection } from './chat-projection.js';
import { Driver } from './driver.js';
import type { Ports } from './exchange.js';
import type { GuardOptions } from '../guard-options.js';
import { IdSource } from './id-source.js';
import { MessageQueue } from './message-queue.js';
import { createMethods } from './methods.js';
import { Resumer } from './resume.js';

/** @internal */
export { startCore } from '../../wasm/init.js';

/** A chat with its gate. */
export type AttachedChat = ReturnType<typeof attach>;

/** Creates the gate of a chat and loads the chat's initial messages. Sends nothing. */
export function attach(chat: ChatHost, store: ViewStore, options: GuardOptions, keyHeader: string | undefined) {
  const ids = new IdSource(chat);
  const gate = new ToolGate({
    ...options.gate,
    protocol: 'ai-sdk',
    // A getter, because the AI SDK generates the id on the first read.
    get chatId() {
      return chat.id;
    },
    generateId: () => ids.next(),
  });

  const projection = new ChatProjection(gate, ids, store);
  const ports: Ports = { chat, gate, projection, ids, keyHeader };
  const queue = new MessageQueue(chat, gate, projection);
  const driver = new Driver(ports, queue);
  const resumer = new Resumer(ports, driver);
  driver.onRequest = () => resumer.yield();
  const subscriptions = [gate.subscribe(() => driver.changed()), gate.onEvent((event) => driver.noteEvent(event))];
  const release = (): void => {
    for (const end of subscriptions) end();
    // Read the last view before the gate is freed: the chat continues to show it.
    gate.getSnapshot();
    const persister = internalsOf(gate)?.persister;
    // Another tab, or the next chat with this name, must be able to lead. The gate is not freed, because it may still
    // have to be stored.
    if (persister) persister.close();
    else gate.free();
    projection.end();
  };

  const { isBusy, ...methods } = createMethods({ ...ports, driver, resumer, queue, release });
  driver.onStop = methods.stop;
  internalsOf(gate)?.commands.use('driver', driver.userCommands.intercept);

  return {
    gate,
    projection,
    methods,
    /** Whether something is ready to be sent, in flight or replying. */
    isBusy,
  };
}
