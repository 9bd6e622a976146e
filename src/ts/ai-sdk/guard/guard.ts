/**
 * `guard`: puts a gate in control of an existing AI SDK chat. The chat shows the gate's state.
 *
 * The chat remains the same object with the same methods, so `useChat({ chat })` and other users of the chat work as
 * before. Its own request loop never runs again. A test pins the replaced and the read members for each version and
 * framework.
 */
import { chatOf, isGuarded, withoutProxy, type AiSdkChat } from '../../gate/gate-source.js';
import { PENDING } from '../../gate/pending-chat.js';
import type { ToolGate } from '../../gate/tool-gate.js';
import { ToolGateError } from '../../types/errors.js';
import { refuseUnknown, type KnownOptions } from '../../types/option-checks.js';
import { say } from '../../types/say.js';
import { checkGuardOptions, type GuardOptions } from '../guard-options.js';
import { COMMON_METHODS, QUEUE_METHODS } from '../waiting/chat-methods.js';
import { ViewStore } from '../waiting/view-store.js';
import { GatedChat } from '../waiting/gated-chat.js';
import { refuse, showIn } from './chat-facade.js';
import { makesProxies, untracked, type ChatInternals } from './chat-internals.js';

const OPTIONS: KnownOptions<GuardOptions> = { gate: true, idempotencyHeader: true };

/** Members that some versions have; they are replaced too. */
const OPTIONAL_METHODS = ['~resumeStreamIfDisconnected', 'dispose'] as const;

/** Own properties of every AI SDK chat. */
const REQUIRED = ['state', 'transport', 'generateId', 'addToolResult'];

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
 * object. Call it before the chat is rendered and before its first request. Does nothing for a chat that is already
 * guarded. The chat's initial messages are loaded into the gate.
 *
 * Starts to load the core (a script and the WebAssembly file) and returns. While the core is loading, the chat shows
 * its messages, and calls of its methods wait; `whenReady` resolves with the gate. If loading fails, `chat.error` is a
 * `ToolGateError` with the code `load-failed`, and nothing is sent; the next `sendMessage()` tries again. After `await
 * init()` the gate exists at once. On a server the core is loaded only if a method of the chat or `whenReady` is
 * called.
 *
 * Throws a `ToolGateError` with the code `busy` for a chat with a request in flight. Throws a `TypeError` for an object
 * that is not a supported chat, and for an unknown or invalid option. After an error the chat is unchanged.
 */
export function guard<CHAT extends AiSdkChat>(chat: CHAT, options: GuardOptions = {}): CHAT {
  const bare = withoutProxy(chat) as unknown as ChatInternals;
  if (isGuarded(bare)) return chat;
  mustBeChat(bare);
  refuseUnknown('guard', options, OPTIONS);
  const keyHeader = checkGuardOptions('guard', options);

  const { messages } = untracked(bare.state);
  const gated = new GatedChat(bare, new ViewStore(messages, makesProxies(bare)), options, keyHeader);
  gated.start();
  showIn(bare, gated.store, (list) => gated.call('setMessages', list));
  const methods = [...COMMON_METHODS, 'addToolResult', ...QUEUE_METHODS, ...OPTIONAL_METHODS] as const;
  gated.install(
    bare,
    methods.filter((name) => name in bare),
  );
  for (const name of DISABLED) if (name in bare) Object.assign(bare, { [name]: refuse });
  return chat;
}

/**
 * Returns the gate of a guarded chat, for operations without an AI SDK method, such as `respondAll`, `cancel`,
 * `undelivered` or events. Throws a `ToolGateError` with the code `not-initialized` while the core is loading: use
 * `await whenReady(chat)` then. Throws a `TypeError` for a chat that is not guarded.
 */
export function gateOf(chat: object): ToolGate {
  const { gate, store } = gatedChat('gateOf', chat);
  store.observe();
  if (gate) return gate;
  throw new ToolGateError(
    'not-initialized',
    say`gateOf: the core of this chat is not loaded yet. Use \`await whenReady(chat)\` instead.`,
  );
}

/**
 * Resolves with the gate of a guarded chat as soon as its core is loaded, at once if it is already. Rejects with a
 * `ToolGateError`: `load-failed` if the core cannot be loaded (a later call tries again, unless a user message waits
 * for the next `sendMessage()`), `crashed` for a disposed chat. Rejects with a `TypeError` for a chat that is not
 * guarded.
 */
export async function whenReady(chat: object): Promise<ToolGate> {
  return gatedChat('whenReady', chat).ready();
}

/**
 * Disposes a guarded chat: stops its request, discards queued messages, closes its transport, ends its timers and
 * subscriptions, and frees its gate. The chat keeps showing its last state; all further commands reject with `crashed`.
 * In version 7 `chat.dispose()` does the same. Resolves when the disposal is complete; further calls return the same
 * promise. If `toolgate/persist` stores the chat, the gate is not freed, because it may still have to be stored: also
 * call `close()` of the persisted chat. Throws a `TypeError` for a chat that is not guarded.
 */
export function dispose(chat: object): Promise<void> {
  return gatedChat('dispose', chat).dispose();
}

/** What `guard` has added to a chat. `where` names the called function in the error. */
function gatedChat(where: string, chat: object): GatedChat {
  const found = (chatOf(chat) as { readonly [PENDING]?: GatedChat })[PENDING];
  if (!found) throw new TypeError(say`${where}: this chat is not guarded. Call guard(chat) first.`);
  return found;
}

function mustBeChat(chat: ChatInternals): void {
  const missing = [...REQUIRED, ...COMMON_METHODS].filter(
    (name) => !Object.getOwnPropertyDescriptor(chat, name)?.configurable,
  );
  const { state } = chat;
  const missingState = (['messages', 'status', 'error'] as const).filter((name) => !state || !(name in state));
  if (missing.length > 0 || missingState.length > 0) {
    const names = [...missing, ...missingState.map((name) => `state.${name}`)].join(', ');
    throw new TypeError(say`guard: not a supported chat. Expected a Chat of AI SDK 6 or 7; missing ${names}.`);
  }
  const { status } = untracked(state);
  if (status === 'submitted' || status === 'streaming') {
    throw new ToolGateError('busy', say`guard: the chat has a request in flight. Guard it before its first request.`);
  }
}
