/**
 * Values as JSON has them: what of a value reaches the other side, and one text for each.
 */

/** The value as the other side gets it: what `JSON.stringify` makes of it. */
export function asSent(value: unknown): unknown {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? undefined : JSON.parse(text);
}

/** An output as the model gets it: as {@link asSent}, and null where that is nothing. */
export function toJson(value: unknown): unknown {
  return asSent(value) ?? null;
}

/**
 * JSON with sorted keys, as `ai` 7 writes it for its signatures. Two values have the same text exactly if JSON tells
 * them apart nowhere: what it leaves out is left out, and -0, which it can hold but `JSON.stringify` never writes,
 * differs from 0. Throws for what JSON cannot hold, and for what is nested too deeply.
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
