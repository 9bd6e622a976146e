/**
 * Checks of metadata and data parts against the schemas that an app gave its chat.
 *
 * A schema is whatever the AI SDK takes: its own kind, a function that makes one, a Standard Schema, or an older Zod
 * one. Only whether the value passes is of interest; what a schema makes of it is not used, as in the AI SDK itself.
 */

/** How the AI SDK marks schemas of its own kind. */
const SDK_SCHEMA = Symbol.for('vercel.ai.schema');

interface SdkSchema {
  readonly [SDK_SCHEMA]: true;
  validate?(value: unknown): Verdict | PromiseLike<Verdict>;
}
interface StandardSchema {
  readonly '~standard': { validate(value: unknown): StandardVerdict | PromiseLike<StandardVerdict> };
}
interface OlderZodSchema {
  safeParseAsync(value: unknown): PromiseLike<Verdict>;
}
type Verdict = { readonly success: boolean; readonly error?: unknown };
type StandardVerdict = { readonly issues?: readonly unknown[] | undefined };

/**
 * Rejects if the value does not pass. `what` names the value in the message. The error has the name that the AI SDK
 * gives such errors, for handlers that look at it.
 */
export async function check(schema: unknown, value: unknown, what: string): Promise<void> {
  const cause = await fault(schema, value);
  if (cause === undefined) return;
  const reason = cause instanceof Error ? cause.message : JSON.stringify(cause);
  const error = new Error(`Type validation failed for ${what}: ${reason}`, { cause });
  error.name = 'AI_TypeValidationError';
  throw error;
}

async function fault(schema: unknown, value: unknown): Promise<unknown> {
  try {
    if (isObject(schema) && SDK_SCHEMA in schema) {
      const verdict = await (schema as SdkSchema).validate?.(value);
      return verdict === undefined || verdict.success ? undefined : (verdict.error ?? 'invalid');
    }
    if (isObject(schema) && '~standard' in schema) {
      const { issues } = await (schema as StandardSchema)['~standard'].validate(value);
      return issues;
    }
    if (isObject(schema) && 'safeParseAsync' in schema) {
      const verdict = await (schema as OlderZodSchema).safeParseAsync(value);
      return verdict.success ? undefined : (verdict.error ?? 'invalid');
    }
    return typeof schema === 'function' ? await fault((schema as () => unknown)(), value) : undefined;
  } catch (error) {
    return error ?? 'invalid';
  }
}

/** What metadata becomes when a chunk adds to it: objects are merged in depth, everything else is replaced. */
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
