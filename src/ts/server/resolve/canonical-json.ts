/** Converts values to JSON as the other side receives them, and to a canonical text. */
import { canonicalText } from '../../json/canonical-text.js';
import type { RequestedCall } from './resolve-types.js';

/** Returns the value as the other side receives it: after `JSON.stringify` and `JSON.parse`. */
export function asSent(value: unknown): unknown {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? undefined : JSON.parse(text);
}

/** Returns an output as the model receives it: like {@link asSent}, with null instead of undefined. */
export function toJson(value: unknown): unknown {
  return asSent(value) ?? null;
}

/** Returns a request as a record stores it: the app may pass more than its type says. */
export function requestText({ approvalId, toolCallId, toolName, input, turn }: RequestedCall): string {
  return JSON.stringify({ approvalId, toolCallId, toolName, input, turn });
}

/** Whether a value that came as JSON is what JSON makes of `sent`. -0, which JSON text can contain, is not 0. */
export function isSent(sent: unknown, received: unknown): boolean {
  try {
    return canonical(toJson(sent)) === canonical(received ?? null);
  } catch {
    return false;
  }
}

/**
 * Returns the text whose digest the page computes (`canonical` of json/encode.ts), for a value that came as JSON. The
 * build uses it for the digests of evidence on a server.
 */
export const canonical = (value: unknown): string => canonicalText(tagged(value));

/** Encodes what has a tag in the page: undefined, -0, and objects that look like a tag or set a prototype. */
function tagged(value: unknown): unknown {
  if (value === undefined || Object.is(value, -0)) return { $: value === 0 ? '-0' : 'undefined' };
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(tagged);
  const entries = Object.entries(value).map(([name, item]) => [name, tagged(item)] as const);
  return Object.hasOwn(value, '$') || Object.hasOwn(value, '__proto__')
    ? { $: 'object', v: entries.sort(([a], [b]) => (a < b ? -1 : 1)) }
    : Object.fromEntries(entries);
}
