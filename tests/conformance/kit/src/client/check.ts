/** Checks what an adapter gives, so that its mistakes are not counted as faults of the client. */
import type { Shown } from '../scenario.js';
import type { Client, State } from './adapter.js';

/** A mistake in an adapter. No scenario can be judged. */
export class AdapterError extends Error {
  override readonly name = 'AdapterError';
}

const SHOWN: readonly Shown[] = ['open', 'asked', 'approved', 'denied', 'executed', 'failed'];

/** Returns the client. Throws an `AdapterError` if it lacks a method that every client has. */
export function checkedClient(client: Client, opener: 'open' | 'reload'): Client {
  const missing = (['send', 'approve', 'deny', 'state'] as const).find((name) => typeof client?.[name] !== 'function');
  if (missing === undefined) return client;
  throw new AdapterError(`The client that \`${opener}\` returned has no method \`${missing}\`.`);
}

/** Resolves to the value. Rejects with an `AdapterError` if that takes longer than `ms`. */
export async function within<T>(ms: number, method: string, value: T | Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new AdapterError(`\`${method}\` has not resolved after ${ms} ms.`)), ms);
  });
  return Promise.race([value, late]).finally(() => clearTimeout(timer));
}

/** What the page shows now. Throws an `AdapterError` if it is not a {@link State}; errors of `state()` are rethrown. */
export function stateOf(client: Client): State {
  const state = client.state() as Partial<State> | undefined;
  const wrong = (what: string, mustBe: string, found: unknown): never => {
    throw new AdapterError(`\`state()${what}\` must be ${mustBe}; it is ${inWords(found)}.`);
  };
  if (typeof state !== 'object' || state === null || state instanceof Promise)
    return wrong('', 'an object with isBusy, texts and calls', state);
  const { isBusy, calls, texts } = state;
  if (typeof isBusy !== 'boolean') return wrong('.isBusy', 'a boolean', isBusy);
  if (!Array.isArray(texts) || texts.some((text) => typeof text !== 'string'))
    return wrong('.texts', 'a list of strings', texts);
  if (!Array.isArray(calls)) return wrong('.calls', 'a list', calls);
  for (const [at, call] of (calls as State['calls']).entries()) {
    if (typeof call?.id !== 'string') return wrong(`.calls[${at}].id`, 'a string', call?.id);
    if (!SHOWN.includes(call.state))
      return wrong(`.calls[${at}].state`, `one of ${SHOWN.map((one) => `'${one}'`).join(', ')}`, call.state);
  }
  return state as State;
}

/** A value as an error shows it. A promise is named, because a `state()` that is `async` is a likely mistake. */
export function inWords(value: unknown): string {
  if (value instanceof Promise) return 'a promise';
  if (typeof value === 'function') return 'a function';
  const json = JSON.stringify(value) ?? 'undefined';
  return json.length > 200 ? `${json.slice(0, 200)}…` : json;
}
