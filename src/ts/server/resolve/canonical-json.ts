/** Converts values to JSON as the other side receives them, and to a canonical text. */
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

/**
 * Returns JSON with sorted keys, in the format that `ai` signs: RFC 8785. Two values have the same text if and only if
 * they are the same JSON value. Values that JSON omits are omitted. -0 differs from 0: JSON text can contain it, though
 * `JSON.stringify` never writes it. Throws for values that JSON cannot represent, and for values nested too deeply.
 */
export function canonicalJson(value: unknown): string {
  return write(value, '', false) ?? '';
}

/**
 * Returns the text whose digest the page computes (`canonical` of json/encode.ts), for a value that came as JSON. The
 * build uses it for the digests of evidence on a server.
 */
export function canonical(value: unknown): string {
  return write(value, '', true) ?? tag('undefined');
}

/** The text of a value for which JSON has no form. */
const tag = (name: string): string => `{"$":"${name}"}`;

/** `tags`: whether -0, and objects that look like a tag or set a prototype, have the form that snapshots have. */
function write(given: unknown, key: string, tags: boolean): string | undefined {
  const value =
    (given as { toJSON?: unknown } | null | undefined)?.toJSON instanceof Function
      ? (given as { toJSON(key: string): unknown }).toJSON(key)
      : given;
  if (Object.is(value, -0)) return tags ? tag('-0') : '-0';
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value))
    return `[${Array.from(value, (item, i) => write(item, String(i), tags) ?? 'null').join(',')}]`;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  const isTagged = tags && (Object.hasOwn(value, '$') || Object.hasOwn(value, '__proto__'));
  const written = entries.flatMap(([name, item]) => {
    const text = write(item, name, tags);
    if (text === undefined) return [];
    return [isTagged ? `[${JSON.stringify(name)},${text}]` : `${JSON.stringify(name)}:${text}`];
  });
  return isTagged ? `{"$":"object","v":[${written.join(',')}]}` : `{${written.join(',')}}`;
}
