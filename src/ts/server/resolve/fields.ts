/** The properties of untrusted values. */

/** A value from a client: each property may be anything. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns a value as an object with properties: the same object, or one without properties for other values. */
export const fieldsOf = (value: unknown): Fields => Object(value) as Fields;

/** Returns a list from a client, or an empty one for other values. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
