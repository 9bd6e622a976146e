/**
 * Validates metadata and data parts with the schemas of the chat.
 *
 * Accepts the same schemas as the AI SDK: its own kind, a function that returns one, a Standard Schema, or an older Zod
 * schema. As in the AI SDK, the parsed value is not used.
 */

/** The marker of AI SDK schemas. */
const SDK_SCHEMA = Symbol.for('vercel.ai.schema');

interface SdkSchema {
  readonly [SDK_SCHEMA]: true;
  validate?(value: unknown): ValidationResult | PromiseLike<ValidationResult>;
}
interface StandardSchema {
  readonly '~standard': { validate(value: unknown): StandardResult | PromiseLike<StandardResult> };
}
interface OlderZodSchema {
  safeParseAsync(value: unknown): PromiseLike<ValidationResult>;
}
type ValidationResult = { readonly success: boolean; readonly error?: unknown };
type StandardResult = { readonly issues?: readonly unknown[] | undefined };

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
    if (isObject(schema) && SDK_SCHEMA in schema) {
      const result = await (schema as SdkSchema).validate?.(value);
      return result === undefined || result.success ? undefined : (result.error ?? 'invalid');
    }
    if (isObject(schema) && '~standard' in schema) {
      const { issues } = await (schema as StandardSchema)['~standard'].validate(value);
      return issues;
    }
    if (isObject(schema) && 'safeParseAsync' in schema) {
      const result = await (schema as OlderZodSchema).safeParseAsync(value);
      return result.success ? undefined : (result.error ?? 'invalid');
    }
    return typeof schema === 'function' ? await problemOf((schema as () => unknown)(), value) : undefined;
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

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
