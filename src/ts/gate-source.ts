/**
 * What has a gate: a gate itself, or a chat that `guard` returned. Everything that works on a gate takes either.
 *
 * Nothing of the core is imported here, only types: a server renders a page with bindings without WebAssembly, and an app
 * that loads the core later does not load it with them.
 */
import type { GuardableChat } from './ai-sdk/types.js';
import type { ToolGate } from './store.js';

export type { GuardableChat };

/** Where `guard` keeps the gate of a chat. Registered, so that two copies of the package find each other's. @internal */
export const GATE = Symbol.for('toolgate.gate');

/** A gate, or a chat that `guard` returned. */
export type GateSource = ToolGate | GuardableChat;

/** A gate or guarded chat, or nothing as long as there is none: on the server, and until `init()` is done. */
export type MaybeGate = GateSource | null | undefined;

/** The gate in a source; undefined for none. Throws a `TypeError` for anything else, such as a chat that is not guarded. */
export function gateIn(source: MaybeGate): ToolGate | undefined {
  if (source === null || source === undefined) return undefined;
  // Vue's `ref(gate)` holds a proxy, through which private fields cannot be read.
  const bare = (source as { __v_raw?: GateSource }).__v_raw ?? source;
  const gate = (bare as { [GATE]?: ToolGate })[GATE] ?? (bare as Partial<ToolGate>);
  if (typeof gate.getSnapshot === 'function' && typeof gate.subscribe === 'function') return gate as ToolGate;
  throw new TypeError('toolgate: this is neither a ToolGate nor a chat that guard() returned; as long as there is none, pass null');
}
