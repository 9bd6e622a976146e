/**
 * Checks an input against the schema of its tool: a Standard Schema, a schema of the AI SDK, or a function that makes one.
 */

/** How the AI SDK marks schemas of its own kind. */
const SDK_SCHEMA = Symbol.for('vercel.ai.schema');

interface SdkSchema {
  readonly [SDK_SCHEMA]: true;
  validate?(value: unknown): SdkVerdict | PromiseLike<SdkVerdict>;
}
type SdkVerdict =
  { readonly success: true; readonly value: unknown } | { readonly success: false; readonly error: unknown };

interface StandardSchema {
  readonly '~standard': { validate(value: unknown): StandardVerdict | PromiseLike<StandardVerdict> };
}
type Issue = { readonly message: string; readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] };
type StandardVerdict = { readonly value?: unknown; readonly issues?: readonly Issue[] | undefined };

/** What the schema makes of a value. Rejects with an error that says what is wrong with it. */
export async function parseInput(schema: unknown, value: unknown): Promise<unknown> {
  if (isObject(schema) && SDK_SCHEMA in schema) {
    const verdict = await (schema as SdkSchema).validate?.(value);
    if (verdict && !verdict.success) throw verdict.error;
    return verdict ? verdict.value : value;
  }
  if (isObject(schema) && '~standard' in schema) {
    const { issues, value: parsed } = await (schema as StandardSchema)['~standard'].validate(value);
    if (issues) throw new Error(issues.map(inWords).join('; '));
    return parsed;
  }
  return typeof schema === 'function' ? parseInput((schema as () => unknown)(), value) : value;
}

function inWords({ message, path = [] }: Issue): string {
  const at = path.map((step) => String(typeof step === 'object' ? step.key : step)).join('.');
  return at ? `${at}: ${message}` : message;
}

/** Functions included: ArkType's schemas are callable. */
function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}
