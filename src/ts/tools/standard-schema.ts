/**
 * Validates an input with the schema of its tool: a Standard Schema, a schema of the AI SDK, or a function that returns
 * one.
 */

/** The marker of AI SDK schemas. */
const SDK_SCHEMA = Symbol.for('vercel.ai.schema');

interface SdkSchema {
  readonly [SDK_SCHEMA]: true;
  validate?(value: unknown): SdkResult | PromiseLike<SdkResult>;
}
type SdkResult =
  { readonly success: true; readonly value: unknown } | { readonly success: false; readonly error: unknown };

interface StandardSchema {
  readonly '~standard': { validate(value: unknown): StandardResult | PromiseLike<StandardResult> };
}
type Issue = { readonly message: string; readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] };
type StandardResult = { readonly value?: unknown; readonly issues?: readonly Issue[] | undefined };

/** Returns the parsed value. Rejects with an error that describes the problem. */
export async function parseInput(schema: unknown, value: unknown): Promise<unknown> {
  if (isObject(schema) && SDK_SCHEMA in schema) {
    const result = await (schema as SdkSchema).validate?.(value);
    if (result && !result.success) throw result.error;
    return result ? result.value : value;
  }
  if (isObject(schema) && '~standard' in schema) {
    const { issues, value: parsed } = await (schema as StandardSchema)['~standard'].validate(value);
    if (issues) throw new Error(issues.map(describeIssue).join('; '));
    return parsed;
  }
  return typeof schema === 'function' ? parseInput((schema as () => unknown)(), value) : value;
}

function describeIssue({ message, path = [] }: Issue): string {
  const at = path.map((step) => String(typeof step === 'object' ? step.key : step)).join('.');
  return at ? `${at}: ${message}` : message;
}

/** Includes functions, because ArkType's schemas are callable. */
function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}
