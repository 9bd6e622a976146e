/**
 * Finds the gate in a `GateSource`: a gate itself, or a chat that `guard` returned.
 *
 * This file imports only types of the core, so that bindings can render on a server without WebAssembly, and an app can
 * load the core later than its bindings.
 */
import { PENDING, type PendingChat } from './pending-chat.js';
import type { ToolGate } from './tool-gate.js';
import type { ApprovalTarget, Decision, DecisionForAll, GateEvent, GateView } from '../types/index.js';
import { say } from '../types/say.js';

/**
 * A chat that `guard` of `toolgate/ai-sdk` accepts: any `Chat` of `@ai-sdk/react`, `@ai-sdk/svelte` or `@ai-sdk/vue`,
 * version 6 or 7. The AI SDK documents its members. docs/ai-sdk-differences.md lists how a guarded chat differs.
 */
export interface AiSdkChat {
  readonly id: string;
  readonly status: string;
  messages: readonly unknown[];
  sendMessage: AnyMethod;
  regenerate: AnyMethod;
  stop: AnyMethod;
  resumeStream: AnyMethod;
  clearError: AnyMethod;
  addToolApprovalResponse: AnyMethod;
  addToolOutput: AnyMethod;
}

/** A method with any signature. */
type AnyMethod = (...args: never[]) => unknown;

/**
 * The key of a guarded chat's gate, which is undefined until the core is loaded. It is a registered symbol, so that two
 * copies of the package share it. @internal
 */
export const GATE = Symbol.for('toolgate.gate');

/**
 * The members that the type requires of a gate. The class itself would exclude gates of another copy of the package,
 * because it has a private field.
 */
interface AnyGate extends Pick<ToolGate, 'subscribe' | 'retry' | 'cancel' | 'addToolOutput'> {
  // Without type parameters, which TypeScript does not compare across two copies of the package.
  getSnapshot(): GateView;
  onEvent(listener: (event: GateEvent) => void): () => void;
  respond(target: ApprovalTarget, decision: Decision): 'accepted' | 'duplicate';
  respondAll(decision: DecisionForAll): number;
}

/** The return value of `useGuardedChat`. In Vue, `chat` is a ref. */
export interface ChatHolder {
  readonly chat: AiSdkChat | { readonly value: AiSdkChat | null | undefined };
}

/**
 * A `ToolGate`, a chat that `guard` returned, also while its core is loading, or the return value of `useGuardedChat`.
 * Null or undefined while there is none.
 */
export type GateSource = AnyGate | AiSdkChat | ChatHolder | null | undefined;

/** A chat whose messages have the type `T`. */
type ChatWith<T> = AiSdkChat & { readonly messages: readonly T[] };

/**
 * Any `GateSource`. TypeScript infers `T` from the messages of a chat, or of what `useGuardedChat` returned. A gate has
 * no types of the app's tools: `T` is then what the caller names, such as `useApprovals<MyMessage>(gate)`.
 */
export type GateSourceOf<T> =
  GateSource | ChatWith<T> | { readonly chat: ChatWith<T> | { readonly value: ChatWith<T> | null | undefined } };

/**
 * The target of a Vue proxy (`ref`, `reactive`), through which private fields cannot be read; other values unchanged.
 * @internal
 */
export function withoutProxy<T extends object>(value: T): T {
  return (value as { __v_raw?: T }).__v_raw ?? value;
}

/**
 * The chat of a source without Vue's proxies: `chat` of what `useGuardedChat` returned, any other object unchanged.
 * @internal
 */
export function chatOf<T extends object>(source: T): T {
  const raw = withoutProxy(source);
  if (GATE in raw) return raw;
  const { chat } = raw as { chat?: object | { value: object } };
  const held = chat && !(GATE in withoutProxy(chat)) && 'value' in chat ? chat.value : chat;
  return held ? (withoutProxy(held) as T) : raw;
}

/** Whether this is a guarded chat, or holds one. It may be a Vue proxy. @internal */
export function isGuarded(chat: object): boolean {
  return Object(chat) === chat && GATE in chatOf(chat);
}

/**
 * The gate of a guarded chat, which may be a Vue proxy; undefined while its core is loading, and for any other object.
 * @internal
 */
export function guardedGate(chat: object): ToolGate | undefined {
  return (chatOf(chat) as { [GATE]?: ToolGate })[GATE];
}

/** The chat of a source, if it is a guarded chat that is not ready. @internal */
export function pendingChat(source: GateSource): PendingChat | undefined {
  const pending = source ? (chatOf(source) as { [PENDING]?: PendingChat })[PENDING] : undefined;
  return pending?.isReady === false ? pending : undefined;
}

/**
 * Calls `listener` when a guarded chat gets its gate. Does nothing for any other source, and for a chat that is ready.
 * Returns an unsubscribe function. @internal
 */
export function onReady(source: GateSource, listener: () => void): () => void {
  return pendingChat(source)?.onReady(listener) ?? (() => {});
}

/**
 * The gate of a source; undefined for null, for undefined, and for a guarded chat whose core is loading. Throws a
 * `TypeError` for another value, such as an unguarded chat.
 */
export function gateIn(source: GateSource): ToolGate | undefined {
  if (source === null || source === undefined) return undefined;
  if (isGuarded(source)) return guardedGate(source);
  const { chat } = withoutProxy(source) as Partial<ChatHolder>;
  if (chat && 'value' in chat && !chat.value) return undefined;
  const gate = withoutProxy(source) as Partial<ToolGate>;
  if (typeof gate.getSnapshot === 'function' && typeof gate.subscribe === 'function') return gate as ToolGate;
  throw new TypeError(say`toolgate: invalid gate. Expected a ToolGate, a chat that guard() returned, or null.`);
}

/**
 * The error for a call that needs a gate or chat before it exists. It is a plain `Error`, because this file imports no
 * code of the core. @internal
 */
export function notInitialized(message: string): Error {
  return Object.assign(new Error(message), { code: 'not-initialized' as const });
}

/**
 * The gate of a source. Throws a `TypeError` if there is none, and an error with the code `not-initialized` for a
 * guarded chat whose core is loading. `where` names the called function in the error.
 */
export function gateOfSource(where: string, source: GateSource): ToolGate {
  const gate = gateIn(source);
  if (gate) return gate;
  if (!source) throw new TypeError(say`${where}: missing gate. Expected a ToolGate, or a chat that guard() returned.`);
  throw notInitialized(say`${where}: the core of this chat is not loaded yet. Pass \`await whenReady(chat)\`.`);
}
