/** The gate that `provideGate` provided. */
import { inject, type InjectionKey, type MaybeRefOrGetter } from 'vue';
import type { GateSource } from '../../gate/gate-source.js';
import { say } from '../../types/say.js';

export const KEY: InjectionKey<MaybeRefOrGetter<GateSource>> = Symbol('toolgate');

/** The argument, by default what `provideGate` provided. Throws a `TypeError` if there is neither. */
export function sourceOf(gate: MaybeRefOrGetter<GateSource>): Exclude<MaybeRefOrGetter<GateSource>, undefined> {
  const source = gate ?? (gate === undefined ? inject(KEY, undefined) : null);
  if (source !== undefined) return source;
  throw new TypeError(
    say`toolgate/vue: missing gate. Call provideGate in a parent component, or pass a gate (or null).`,
  );
}
