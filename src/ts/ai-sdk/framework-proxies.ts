/**
 * Plain data out of framework proxies.
 *
 * Vue (`ref`) and Svelte (`$state`) hand out deep proxies of what was put into their stores. The gate must hold the
 * data itself: a proxy cannot be cloned or posted, and reading one inside an effect subscribes the effect. React has
 * no proxies, and nothing is copied there.
 */
import { withoutProxy } from '../gate/gate-source.js';
import type { FrameworkState } from './chat-internals.js';
import { handedOut } from './untracked.js';

/**
 * The value without proxies. Arrays and plain objects are copied, all other objects (dates, files, class instances)
 * are kept as they are. Objects in `known` are returned themselves: they are plain already.
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
 * Whether the framework's store hands out proxies of what is put into it. Writes an empty list into the store: call it
 * after the store's content has been read.
 */
export function makesProxies(state: FrameworkState, isReact: boolean): boolean {
  const probe: unknown[] = [];
  state.messages = probe;
  return !isReact && handedOut(state) !== probe;
}
