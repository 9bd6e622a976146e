/** Checks what an adapter gives, so that its mistakes are not counted as faults of the client. */
import type { Shown } from '../scenario.js';
import type { Client, State } from './adapter.js';

/** A mistake in an adapter. No scenario can be judged. */
export class AdapterError extends Error {
  override readonly name = 'AdapterError';
}

const SHOWN: readonly Shown[] = ['open', 'asked', 'approved', 'denied', 'executed', 'failed'];

/** Returns the client. Throws an `AdapterError` if it lacks a method that every client has. */
export function checkedClient(client: Client): Client {
  const missing = (['send', 'approve', 'deny', 'state'] as const).find((name) => typeof client?.[name] !== 'function');
  if (missing !== undefined) throw new AdapterError(`The client that \`open\` returned has no method \`${missing}\`.`);
  return client;
}

/** What the page shows now. Throws an `AdapterError` if it is not a {@link State}; errors of `state()` are rethrown. */
export function stateOf(client: Client): State {
  const state = client.state() as Partial<State> | undefined;
  const wrong = (what: string, mustBe: string): never => {
    throw new AdapterError(`\`state()${what}\` must be ${mustBe}.`);
  };
  if (typeof state !== 'object' || state === null) return wrong('', 'an object');
  const { isBusy, calls, texts } = state;
  if (typeof isBusy !== 'boolean') return wrong('.isBusy', 'a boolean');
  if (!Array.isArray(texts) || texts.some((text) => typeof text !== 'string'))
    return wrong('.texts', 'a list of strings');
  if (!Array.isArray(calls)) return wrong('.calls', 'a list');
  for (const [at, call] of (calls as State['calls']).entries()) {
    if (typeof call?.id !== 'string') return wrong(`.calls[${at}].id`, 'a string');
    if (!SHOWN.includes(call.state))
      return wrong(`.calls[${at}].state`, `one of ${SHOWN.map((one) => `'${one}'`).join(', ')}`);
  }
  return state as State;
}
