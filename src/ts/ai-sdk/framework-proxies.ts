/**
 * Removes framework proxies from data.
 *
 * Vue (`ref`) and Svelte (`$state`) return deep proxies of stored values. The gate needs the plain data: a proxy cannot
 * be cloned or posted, and reading one inside an effect subscribes the effect. React uses no proxies, so its data is
 * not copied.
 */
import { withoutProxy } from '../gate/gate-source.js';
import type { FrameworkState } from './chat-internals.js';
import { provided } from './untracked.js';

/**
 * Returns the value without proxies. Copies arrays and plain objects, and returns other objects (dates, files, class
 * instances) and objects in `known` unchanged.
 */
export function plain(value: unknown, known?: ReadonlySet<unknown>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const raw = withoutProxy(value);
  if (known?.has(raw)) return raw;
  if (Array.isArray(raw)) return raw.map((item) => plain(item, known));
  const prototype: unknown = Object.getPrototypeOf(raw);
  if (prototype !== Object.prototype && prototype !== null) return raw;
  return Object.fromEntries(Object.entries(raw).map(([key, item]) => [key, plain(item, known)]));
}

/**
 * Whether the framework's store returns proxies of stored values. Writes an empty list into the store, so read the
 * store's content before.
 */
export function makesProxies(state: FrameworkState, isReact: boolean): boolean {
  const probe: unknown[] = [];
  state.messages = probe;
  return !isReact && provided(state) !== probe;
}
