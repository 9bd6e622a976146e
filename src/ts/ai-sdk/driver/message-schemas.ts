/**
 * Validates metadata and data parts with the schemas of the chat.
 *
 * Accepts the same schemas as the AI SDK: its own kind, a function that returns one, a Standard Schema, or an older Zod
 * schema. As in the AI SDK, the parsed value is not used.
 */

/** The marker of AI SDK schemas. */
const SDK_SCHEMA = Symbol.for('vercel.ai.schema');

/** A schema of any kind, or a function that returns one. */
interface AnySchema {
  readonly [SDK_SCHEMA]?: true;
  readonly '~standard'?: AnySchema;
  validate?(value: unknown): unknown;
  safeParseAsync?(value: unknown): unknown;
}
/** What a schema returns: `issues` of a Standard Schema, or `success` of the others. */
interface Result {
  readonly issues?: readonly unknown[];
  readonly success?: boolean;
  readonly error?: unknown;
}

/**
 * Rejects if the value is not valid. `what` names the value in the message. The error has the same name as in the AI
 * SDK, for handlers that test it.
 */
export async function check(schema: unknown, value: unknown, what: string): Promise<void> {
  const cause = await problemOf(schema, value);
  if (cause === undefined) return;
  const reason = cause instanceof Error ? cause.message : JSON.stringify(cause);
  const error = new Error(`Type validation failed for ${what}: ${reason}`, { cause });
  error.name = 'AI_TypeValidationError';
  throw error;
}

async function problemOf(schema: unknown, value: unknown): Promise<unknown> {
  try {
    const any = Object(schema) as AnySchema;
    const owner = any[SDK_SCHEMA] ? any : any['~standard'];
    let result: unknown;
    if (owner) result = await owner.validate?.(value);
    else if (any.safeParseAsync) result = await any.safeParseAsync(value);
    else if (typeof schema === 'function') return await problemOf((schema as () => unknown)(), value);
    const { issues, success = true, error = 'invalid' } = (result ?? {}) as Result;
    return success ? issues : error;
  } catch (error) {
    return error ?? 'invalid';
  }
}

/** Merges the metadata of a chunk into earlier metadata: merges objects deeply and replaces other values. */
export function mergeMetadata(before: unknown, added: unknown): unknown {
  if (!isPlain(before) || !isPlain(added)) return added === undefined ? before : added;
  const merged = new Map(Object.entries(before));
  for (const [key, value] of Object.entries(added)) merged.set(key, mergeMetadata(merged.get(key), value));
  return Object.fromEntries(merged);
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
