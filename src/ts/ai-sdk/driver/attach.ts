/**
 * Puts a gate in control of a chat that `guard` has prepared. This part of `toolgate/ai-sdk` is loaded together with
 * the core.
 */
import { internalsOf } from '../../gate/internals.js';
import { ToolGate } from '../../gate/tool-gate.js';
import type { ViewStore } from '../waiting/view-store.js';
import type { ChatHost } from '../chat-host.js';
import { ChatProjection, type Reserving } from './chat-projection.js';
import { Driver } from './driver.js';
import type { Ports } from './exchange.js';
import type { GuardOptions } from '../guard-options.js';
import { createMethods } from './methods.js';
import { Resumer } from './resume.js';
import { UserCommands } from './user-commands.js';

/** @internal */
export { startCore } from '../../wasm/init.js';

/** A chat with its gate. */
export type AttachedChat = ReturnType<typeof attach>;

/** Creates the gate of a chat and loads the chat's initial messages. Sends nothing. */
export function attach(chat: ChatHost, store: ViewStore, options: GuardOptions, keyHeader: string | undefined) {
  // The AI SDK generates one id for each reply before it sends the request. A guarded chat does the same and reserves
  // that id for the gate, so an app that counts or stubs `generateId` sees the same calls.
  let reserved: string | undefined;
  const reserving: Reserving = (id, call) => {
    reserved = id;
    try {
      call();
    } finally {
      reserved = undefined;
    }
  };
  const gate = new ToolGate({
    ...options.gate,
    protocol: 'ai-sdk',
    // A getter, because the AI SDK generates the id on the first read.
    get chatId() {
      return chat.id;
    },
    generateId: () => reserved ?? chat.generateId(),
  });

  const projection = new ChatProjection(gate, reserving, store);
  const ports: Ports = { chat, gate, projection, reserving, keyHeader };
  const driver = new Driver(
    ports,
    () => resumer.yield(),
    ({ message, options }) => userCommands.submit(message, options),
  );
  const resumer = new Resumer(ports, driver);
  const userCommands = new UserCommands(gate, driver, resumer);
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

  const { isBusy, ...methods } = createMethods(ports, driver, resumer, userCommands, release);
  internalsOf(gate)?.commands.use('driver', userCommands.intercept);

  return {
    gate,
    projection,
    methods,
    /** Whether something is ready to be sent, in flight or replying. */
    isBusy,
  };
}
