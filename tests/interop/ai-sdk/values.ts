/**
 * Small arbitraries that the stream and history generators share.
 */
import fc from 'fast-check';

/** `undefined` about half of the time: an optional field is often omitted. */
export const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined, freq: 2 });

/** Short texts, among them the empty one and property names. */
export const words: fc.Arbitrary<string> = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.constantFrom('', 'toString', 'é☃😀', 'a b'),
);

/** Whether a value contains a key that the SDK's JSON parser refuses. Another test covers that difference. */
export function hasUnsafeKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([key, inner]) => key === '__proto__' || key === 'constructor' || key === 'prototype' || hasUnsafeKey(inner),
  );
}

/** Any JSON value without the keys of {@link hasUnsafeKey}. */
export const json: fc.Arbitrary<unknown> = fc
  .jsonValue({ maxDepth: 3, stringUnit: 'binary' })
  .filter((value) => !hasUnsafeKey(value));

/** A tool input or metadata: an object. */
export const jsonObject: fc.Arbitrary<Record<string, unknown>> = fc
  .dictionary(words, json, { maxKeys: 3 })
  .filter((value) => !hasUnsafeKey(value));

/** `{ provider: { key: value } }`. */
export const providerMetadata: fc.Arbitrary<Record<string, unknown>> = fc
  .record({ provider: fc.constantFrom('openai', 'anthropic'), values: jsonObject })
  .map(({ provider, values }) => ({ [provider]: values }));
