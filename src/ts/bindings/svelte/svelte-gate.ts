/** The gate that `provideGate` provided. */
import { getContext } from 'svelte';
import type { GateSource } from '../../gate/gate-source.js';
import { say } from '../../types/say.js';

export const KEY = Symbol('toolgate');

/** A getter of what `provideGate` provided. Throws a `TypeError` if there is none. */
export function providedGate(): () => GateSource {
  const source = getContext<(() => GateSource) | undefined>(KEY);
  if (source) return source;
  throw new TypeError(
    say`toolgate/svelte: missing gate. Call provideGate in a parent component, or pass a gate (or null).`,
  );
}
