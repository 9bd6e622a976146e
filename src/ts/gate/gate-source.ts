/**
 * Where a gate is found: a gate itself, or a chat that `guard` returned. Everything that works on a gate takes either.
 *
 * Nothing of the core is imported here, only types: a server renders a page with bindings without WebAssembly, and an app
 * that loads the core later does not load it with them.
 */
import type { ToolGate } from './tool-gate.js';

/**
 * A chat that `guard` of `toolgate/ai-sdk` can take: any `Chat` of `@ai-sdk/react`, `@ai-sdk/svelte` or `@ai-sdk/vue`, 6 or 7.
 * Its members are the AI SDK's own, and are described there; what a guarded chat does otherwise is in
 * docs/ai-sdk-differences.md.
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

/** A method of whatever signature. */
type AnyMethod = (...args: never[]) => unknown;

/** Where `guard` keeps the gate of a chat. Registered, so that two copies of the package find each other's. @internal */
export const GATE = Symbol.for('toolgate.gate');

/** What is used of a gate: a gate of another copy of the package has it too. */
type GateMembers =
  'getSnapshot' | 'subscribe' | 'onEvent' | 'respond' | 'respondAll' | 'retry' | 'cancel' | 'addToolOutput';

/**
 * A `ToolGate`, or a chat that `guard` returned; null or undefined while there is none: on the server, and until `init()` is
 * done.
 */
export type GateSource = Pick<ToolGate, GateMembers> | AiSdkChat | null | undefined;

/** What stands behind a proxy of Vue (`ref`, `reactive`), through which private fields cannot be read; anything else itself. @internal */
export function withoutProxy<T extends object>(value: T): T {
  return (value as { __v_raw?: T }).__v_raw ?? value;
}

/** The gate of a guarded chat, behind Vue's proxies too; undefined for any other object. @internal */
export function guardedGate(chat: object): ToolGate | undefined {
  return (withoutProxy(chat) as { [GATE]?: ToolGate })[GATE];
}

/** The gate of a source; undefined for none. Throws a `TypeError` for anything else, such as a chat that is not guarded. */
export function gateIn(source: GateSource): ToolGate | undefined {
  if (source === null || source === undefined) return undefined;
  const gate = guardedGate(source) ?? (withoutProxy(source) as Partial<ToolGate>);
  if (typeof gate.getSnapshot === 'function' && typeof gate.subscribe === 'function') return gate as ToolGate;
  throw new TypeError(
    'toolgate: this is neither a ToolGate nor a chat that guard() returned. Pass one of them, or null while there is none',
  );
}

/** The gate of a source that must have one. `where` is the function that was called. Throws a `TypeError` without one. */
export function gateOfSource(where: string, source: GateSource): ToolGate {
  const gate = gateIn(source);
  if (gate) return gate;
  throw new TypeError(`${where}: there is no gate. Pass a ToolGate, or a chat that guard() returned`);
}
