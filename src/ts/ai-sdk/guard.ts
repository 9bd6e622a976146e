/**
 * `guard`: puts a gate in control of an existing AI SDK chat. The chat shows the gate's state.
 *
 * The chat remains the same object with the same methods, so `useChat({ chat })` and other users of the chat work as
 * before. Its own request loop never runs again. A test pins the replaced and the read members for each version and
 * framework.
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

/** The key of a guarded chat's dispose function. A registered symbol, so that several copies of the package find it. */
const DISPOSE = Symbol.for('toolgate.dispose');

/** Own properties of every AI SDK chat. */
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

/** Internal methods of the chat's request loop. In a guarded chat they throw. */
const DISABLED = [
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
 * Guards an AI SDK chat: `const chat = guard(new Chat(options))`, then `useChat({ chat })` as before. Accepts `Chat` of
 * `@ai-sdk/react`, `@ai-sdk/svelte` and `@ai-sdk/vue`, versions 6 and 7, with any transport, and returns the same
 * object. Call it after `await init()`, before the chat is rendered and before its first request. Does nothing for a
 * chat that is already guarded. The chat's initial messages are loaded into the gate.
 *
 * Throws a `ToolGateError`: `not-initialized` before `init()`, `busy` for a chat with a request in flight. Throws a
 * `TypeError` for an object that is not a supported chat, and for an unknown option. After an error the chat is
 * unchanged.
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
    // A getter, because the AI SDK generates the id on the first read.
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
  const subscriptions = [
    gate.subscribe(() => driver.changed()),
    gate.onEvent((event) => {
      if (event.type === 'crashed') driver.crash(event.error);
    }),
  ];
  const release = (): void => {
    for (const end of subscriptions) end();
    // Read the last view before the gate is freed: the chat continues to show it.
    gate.getSnapshot();
    // If the chat is persisted, its gate is freed after it has been stored.
    if (!internalsOf(gate)?.persister) gate.free();
    projection.end();
  };

  const methods = createMethods({ ...ports, driver, resumer, queue, release });
  driver.onStop = methods.stop;
  internalsOf(gate)?.commands.use('driver', driver.intercept);
  for (const [name, method] of Object.entries(methods)) {
    if (name in bare) replace(bare, name, method);
  }
  for (const name of DISABLED) if (name in bare) replace(bare, name, refuse);
  Object.defineProperty(bare, GATE, { value: gate });
  Object.defineProperty(bare, DISPOSE, { value: methods.dispose });
  return chat;
}

/**
 * Returns the gate of a guarded chat, for operations without an AI SDK method, such as `respondAll`, `cancel`,
 * `undelivered` or events. Throws a `TypeError` for a chat that is not guarded.
 */
export function gateOf(chat: object): ToolGate {
  const gate = guardedGate(chat);
  if (!gate) throw new TypeError('gateOf: this chat is not guarded. Call guard(chat) first.');
  return gate;
}

/**
 * Disposes a guarded chat: stops its request, discards queued messages, closes its transport, ends its timers and
 * subscriptions, and frees its gate. The chat keeps showing its last state; all further commands reject with `crashed`.
 * In version 7 `chat.dispose()` does the same. Resolves when the disposal is complete; further calls return the same
 * promise. If `toolgate/persist` stores the chat, its gate exists until that is closed too: call its `close()`. Throws
 * a `TypeError` for a chat that is not guarded.
 */
export function dispose(chat: object): Promise<void> {
  const end = (withoutProxy(chat) as { [DISPOSE]?: () => Promise<void> })[DISPOSE];
  if (!end) throw new TypeError('dispose: this chat is not guarded. Call guard(chat) first.');
  return end();
}

/** Returns the name of the header for idempotency keys, or undefined. Throws a `TypeError` for invalid options. */
function checkOptions(options: GuardOptions): string | undefined {
  refuseUnknown('guard', options, OPTIONS);
  const { gate, idempotencyHeader: header = KEY_HEADER } = options;
  for (const name of ['protocol', 'chatId', 'generateId']) {
    if (!gate || !(name in gate)) continue;
    throw new TypeError(`guard: invalid gate option \`${name}\`. The chat sets it; omit the option.`);
  }
  if (header === false) return undefined;
  if (typeof header === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(header)) return header;
  throw new TypeError('guard: invalid option `idempotencyHeader`. Expected a header name, or false for none.');
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
    const what = 'not a supported chat';
    throw new TypeError(`guard: ${what}. Expected a Chat of AI SDK 6 or 7; missing ${names}.`);
  }
  const { status } = untracked(state);
  if (status === 'submitted' || status === 'streaming') {
    throw new ToolGateError('busy', 'guard: the chat has a request in flight. Guard it before its first request.');
  }
}
