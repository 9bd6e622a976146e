/** The gate of the nearest `GateProvider`. */
import { createContext, useContext } from 'react';
import { chatOf, gateIn, type GateSource } from '../../gate/gate-source.js';
import { say } from '../../types/say.js';

/** The gate of the nearest provider: `undefined` without a provider, `null` if the provider has no gate yet. */
export const GateContext = createContext<GateSource>(undefined);

/** The hook's argument, or the gate of the provider. */
export function useSource(gate: GateSource): GateSource {
  const provided = useContext(GateContext);
  if (gate !== undefined) return stable(gate);
  if (provided !== undefined) return provided;
  throw new TypeError(say`toolgate/react: missing gate. Render a <GateProvider> above, or pass a gate (or null).`);
}

/** The same object for each render: what `useGuardedChat` returns is another object after each change. */
export function stable(source: GateSource): GateSource {
  gateIn(source);
  return source && chatOf(source);
}
