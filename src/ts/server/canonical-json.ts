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
export function requestText({ approvalId, toolCallId, toolName, input }: RequestedCall): string {
  return JSON.stringify({ approvalId, toolCallId, toolName, input });
}

/**
 * Returns JSON with sorted keys, in the format that `ai` 7 signs. Two values have the same text if and only if they are
 * the same JSON value. Values that JSON omits are omitted. -0 differs from 0: JSON text can contain it, though
 * `JSON.stringify` never writes it. Throws for values that JSON cannot represent, and for values nested too deeply.
 */
export function canonicalJson(value: unknown): string {
  return write(value, '') ?? '';
}

function write(given: unknown, key: string): string | undefined {
  const value =
    (given as { toJSON?: unknown } | null | undefined)?.toJSON instanceof Function
      ? (given as { toJSON(key: string): unknown }).toJSON(key)
      : given;
  if (Object.is(value, -0)) return '-0';
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${Array.from(value, (item, i) => write(item, String(i)) ?? 'null').join(',')}]`;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  const written = entries.flatMap(([name, item]) => {
    const text = write(item, name);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${written.join(',')}}`;
}
