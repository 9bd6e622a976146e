/** Fields of questions that ask for a secret. */

/**
 * Whether a property of a JSON Schema, or the items of its list, is a secret: a password, or a value that must not be
 * read again. Its answer must not become the output of a call, which is stored with the chat.
 */
export function isSecretField(schema: unknown): boolean {
  const { format, writeOnly, items } = Object(schema) as { format?: unknown; writeOnly?: unknown; items?: unknown };
  return format === 'password' || writeOnly === true || (typeof items === 'object' && isSecretField(items));
}

/** Whether a JSON Schema of an object has such a property. */
export const asksForSecret = (schema: unknown): boolean =>
  Object.values(Object((Object(schema) as { properties?: object }).properties)).some(isSecretField);
