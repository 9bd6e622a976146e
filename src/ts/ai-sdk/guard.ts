/**
 * `guard`: makes the gate the authority of an existing AI SDK chat, and the chat its projection.
 *
 * The chat stays the same object with the same methods, so `useChat({ chat })` and everything that holds the chat go
 * on as before. Its own request loop never runs again. Which members are replaced, and which are read, is pinned by a
 * test for each version and framework.
 */
import { ToolGateError } from '../types/errors.js';
import { GATE, guardedGate, withoutProxy, type AiSdkChat } from '../gate/gate-source.js';
import { internalsOf } from '../gate/internals.js';
import { ToolGate } from '../gate/tool-gate.js';
import { Driver } from './driver.js';
import type { Ports } from './exchange.js';
import { refuseUnknown, type KnownOptions } from '../types/option-checks.js';
import { ChatProjection, refuse } from './chat-projection.js';
import { IdSource } from './id-source.js';
import type { ChatInternals } from './chat-internals.js';
import { createMethods } from './methods.js';
import { MessageQueue } from './message-queue.js';
import { KEY_HEADER } from './request-options.js';
import { Resumer } from './resume.js';
import type { GuardOptions } from './guard-options.js';
import { untracked } from './untracked.js';

const OPTIONS: KnownOptions<GuardOptions> = { gate: true, idempotencyHeader: true };

/**
 * Where a guarded chat has the function that ends it. Registered, so that two copies of the package find each other's.
 */
const DISPOSE = Symbol.for('toolgate.dispose');

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
 * `TypeError` for something that is not a chat of a known kind, or for an unknown option; the chat is not changed then.
 */
export function guard<CHAT extends AiSdkChat>(chat: CHAT, options: GuardOptions = {}): CHAT {
  const bare = withoutProxy(chat) as unknown as ChatInternals;
  if (guardedGate(bare)) return chat;
  mustBeChat(bare);
  const keyHeader = checkOptions(options);

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

  const projection = new ChatProjection(bare, gate, ids);
  const ports: Ports = { chat: bare, gate, projection, ids, keyHeader };
  const queue = new MessageQueue(bare, gate, projection);
  const driver = new Driver(ports, queue);
  const resumer = new Resumer(ports, driver);
  driver.onRequest = () => resumer.yield();
  const ends = [
    gate.subscribe(() => driver.changed()),
    gate.onEvent((event) => {
      if (event.type === 'crashed') driver.crash(event.error);
    }),
  ];
  const release = (): void => {
    for (const end of ends) end();
    // What it showed last is what it shows from now on.
    gate.getSnapshot();
    // A keeper may still have to store it, and then lets go of it.
    if (!internalsOf(gate)?.persister) gate.free();
    projection.end();
  };

  const methods = createMethods({ ...ports, driver, resumer, queue, release });
  driver.onStop = methods.stop;
  internalsOf(gate)?.commands.use('driver', driver.intercept);
  for (const [name, method] of Object.entries(methods)) {
    if (name in bare) replace(bare, name, method);
  }
  for (const name of DEAD) if (name in bare) replace(bare, name, refuse);
  Object.defineProperty(bare, GATE, { value: gate });
  Object.defineProperty(bare, DISPOSE, { value: methods.dispose });
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

/**
 * Ends a guarded chat that is not needed any more: stops its request, drops what waits to be sent, closes its
 * transport, ends its timers and subscriptions, and frees its gate. The chat shows what it last showed; every act is
 * rejected with `crashed`. In version 7 it is `chat.dispose()`. Resolves when all of it is done; again, it returns the
 * same promise. Of a chat that is kept by `toolgate/persist` the gate stays until its keeper is closed: call that
 * `close()` too. Throws a `TypeError` for a chat that is not guarded.
 */
export function dispose(chat: object): Promise<void> {
  const end = (withoutProxy(chat) as { [DISPOSE]?: () => Promise<void> })[DISPOSE];
  if (!end) throw new TypeError('dispose: this chat is not guarded; call guard(chat) first');
  return end();
}

/** The name of the header for idempotency keys, if there is one. Throws a `TypeError` for options that are none. */
function checkOptions(options: GuardOptions): string | undefined {
  refuseUnknown('guard', options, OPTIONS);
  const { gate, idempotencyHeader: header = KEY_HEADER } = options;
  for (const name of ['protocol', 'chatId', 'generateId']) {
    if (!gate || !(name in gate)) continue;
    throw new TypeError(`guard: the gate's option \`${name}\` comes from the chat; leave it out`);
  }
  if (header === false) return undefined;
  if (typeof header === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(header)) return header;
  throw new TypeError('guard: idempotencyHeader is the name of a header, or false for none');
}

function replace(chat: object, name: string, value: unknown): void {
  Object.defineProperty(chat, name, { value, writable: true, configurable: true, enumerable: true });
}

function mustBeChat(chat: ChatInternals): void {
  const missing = REQUIRED.filter((name) => !Object.getOwnPropertyDescriptor(chat, name)?.configurable);
  const { state } = chat;
  const missingState = (['messages', 'status', 'error'] as const).filter((name) => !state || !(name in state));
  if (missing.length > 0 || missingState.length > 0) {
    const names = [...missing, ...missingState.map((name) => `state.${name}`)].join(', ');
    const what = 'this is not a chat of AI SDK 6 or 7, or one of a version that Toolgate does not know';
    throw new TypeError(`guard: ${what}: it has no own ${names}`);
  }
  const { status } = untracked(state);
  if (status === 'submitted' || status === 'streaming') {
    throw new ToolGateError('busy', 'guard: the chat has a request on its way; guard it before its first request');
  }
}
