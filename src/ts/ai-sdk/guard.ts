/**
 * `guard`: makes the gate the authority of an existing AI SDK chat, and the chat its projection.
 *
 * The chat stays the same object with the same methods, so `useChat({ chat })` and everything that holds the chat go
 * on as before. Its own request loop never runs again. Which members are replaced, and which are read, is pinned by a
 * test for each version and framework.
 */
import { runClock } from '../clock.js';
import { ToolGateError } from '../errors.js';
import { GATE, guardedGate, withoutProxy, type GuardableChat } from '../gate-source.js';
import { portOf } from '../keeping.js';
import { ToolGate } from '../store.js';
import { Driver } from './driver.js';
import type { Ports } from './exchange.js';
import { Projection, refuse } from './facade.js';
import { IdSource } from './ids.js';
import type { ChatInternals } from './internals.js';
import { createMethods } from './methods.js';
import { MessageQueue } from './queue.js';
import { Resumer } from './resume.js';
import type { GuardOptions } from './types.js';

/** What every AI SDK chat has as its own property. */
const REQUIRED = [
  'state',
  'transport',
  'generateId',
  'sendMessage',
  'regenerate',
  'stop',
  'resumeStream',
  'clearError',
  'addToolApprovalResponse',
  'addToolOutput',
  'addToolResult',
] as const;

/** The inside of the chat's own request loop: whatever still reaches it is refused. */
const DEAD = [
  'makeRequest',
  'makeRequestImpl',
  'makeRequestForToolApproval',
  'runAutomaticRequest',
  'resumeQueue',
  'settleQueue',
  'setQueuedMessages',
  'clearQueueForHistoryChange',
] as const;

/**
 * Guards an AI SDK chat: `const chat = guard(new Chat(options))`, then `useChat({ chat })` as before. Takes `Chat` of
 * `@ai-sdk/react`, `@ai-sdk/svelte` and `@ai-sdk/vue`, 6 and 7, over any transport, and returns the same object. Call
 * it once, after `await init()`, before the chat is rendered and before its first request; a chat that is guarded is
 * returned as it is. The messages that the chat was made with are loaded into the gate.
 *
 * Throws `ToolGateError`, with `not-initialized` before `init()` and with `busy` for a chat with a request on its way, and a
 * `TypeError` for something that is no chat of a known kind; the chat is not changed then.
 */
export function guard<CHAT extends GuardableChat>(chat: CHAT, options: GuardOptions = {}): CHAT {
  const bare = withoutProxy(chat) as unknown as ChatInternals;
  if (guardedGate(bare)) return chat;
  mustBeChat(bare);

  const ids = new IdSource(bare);
  const gate = new ToolGate({
    ...options.gate,
    protocol: 'ai-sdk',
    // Read when it is needed: the AI SDK makes the id up when it is first read.
    get chatId() {
      return bare.id;
    },
    generateId: () => ids.next(),
  });

  const projection = new Projection(bare, gate, ids);
  const ports: Ports = { chat: bare, gate, projection, ids };
  const queue = new MessageQueue(bare, gate, projection);
  const driver = new Driver(ports, queue);
  const resumer = new Resumer(ports, driver);
  driver.onRequest = () => resumer.yield();
  gate.subscribe(() => driver.changed());
  runClock(gate);
  gate.onEvent(event => {
    if (event.type === 'crashed') driver.crash(event.error);
  });

  const methods = createMethods({ ...ports, driver, resumer, queue });
  driver.onStop = methods.stop;
  portOf(gate)?.commands.use('driver', driver.intercept);
  for (const [name, method] of Object.entries(methods)) {
    if (name in bare) replace(bare, name, method);
  }
  for (const name of DEAD) if (name in bare) replace(bare, name, refuse);
  Object.defineProperty(bare, GATE, { value: gate });
  return chat;
}

/**
 * The gate of a guarded chat: for what the AI SDK has no method for, such as `respondAll`, `cancel`, `undelivered` or
 * events. Throws a `TypeError` for a chat that is not guarded.
 */
export function gateOf(chat: object): ToolGate {
  const gate = guardedGate(chat);
  if (!gate) throw new TypeError('gateOf: this chat is not guarded; call guard(chat) first');
  return gate;
}

function replace(chat: object, name: string, value: unknown): void {
  Object.defineProperty(chat, name, { value, writable: true, configurable: true, enumerable: true });
}

function mustBeChat(chat: ChatInternals): void {
  const missing = REQUIRED.filter(name => !Object.getOwnPropertyDescriptor(chat, name)?.configurable);
  const { state } = chat;
  const missingState = (['messages', 'status', 'error'] as const).filter(name => !state || !(name in state));
  if (missing.length > 0 || missingState.length > 0) {
    const names = [...missing, ...missingState.map(name => `state.${name}`)].join(', ');
    throw new TypeError(
      `guard: this is no chat of AI SDK 6 or 7, or of a version that Toolgate does not know: it has no own ${names}`,
    );
  }
  if (state.status === 'submitted' || state.status === 'streaming') {
    throw new ToolGateError('busy', 'guard: the chat has a request on its way; guard it before its first request');
  }
}
