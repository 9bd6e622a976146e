/**
 * Reads the JSON Schema of a question: the flat objects that MCP's elicitation allows (`requestedSchema`). The schema
 * comes from a server or a model: its size is bounded, `pattern` is ignored because a regular expression can block the
 * page, and all of its texts become text nodes.
 */

import { isSecretField } from '../types/secret-field.js';

/** The most fields of a question, the most options of a field, and the most options of all fields. */
const FIELDS = 40;
const OPTIONS = 100;
const ALL_OPTIONS = 500;
/** The most characters of a name, of an option's value and of a default. */
const NAME = 500;
const DEFAULT = 10_000;

/** The string formats that have a field of their own. */
const FORMATS = ['email', 'uri', 'date', 'date-time'] as const;

/** What all fields have. */
interface FieldBase {
  /** The property of the answer. */
  readonly name: string;
  readonly label: string;
  readonly description: string | undefined;
  readonly isRequired: boolean;
}

/** The least and the most: of a number, of a text's characters, of the options that are chosen. */
export interface Limits {
  readonly min: number;
  readonly max: number;
}

/** A field for a text or a number. Its limits count code points, as in JSON Schema, or are those of the number. */
export interface TypedField extends FieldBase, Limits {
  readonly kind: 'typed';
  readonly format: (typeof FORMATS)[number] | 'text' | 'number' | 'integer';
  readonly value: string | number | undefined;
}

/** A checkbox. */
export interface BooleanField extends FieldBase {
  readonly kind: 'boolean';
  readonly value: boolean;
}

/** An option of a choice. */
interface Option {
  readonly value: string;
  readonly label: string;
}

/** `choice`: one of several options, whatever the limits. `choices`: any number of them within the limits. */
export interface ChoiceField extends FieldBase, Limits {
  readonly kind: 'choice' | 'choices';
  readonly options: readonly Option[];
  /** The options that are chosen at first. */
  readonly value: readonly Option[];
}

/** A field of a question. */
export type Field = TypedField | BooleanField | ChoiceField;

/** The form of a question. */
export interface QuestionForm {
  readonly fields: readonly Field[];
  /** The number of optional properties that no field can show. */
  readonly omitted: number;
}

type Json = Readonly<Record<string, unknown>>;

/**
 * Reads a schema. Undefined if no form can give a valid answer: it is not the schema of an object, has too many
 * properties, or requires one that no field can show. Never throws.
 */
export function readSchema(schema: unknown): QuestionForm | undefined {
  try {
    const { type, properties, required: names } = Object(schema) as Json;
    if ((type ?? 'object') !== 'object' || typeof properties !== 'object' || Array.isArray(properties))
      return undefined;
    const entries = Object.entries(properties as Json);
    if (entries.length > FIELDS) return undefined;
    const required = new Set(Array.isArray(names) ? names : []);
    const fields = entries.flatMap(([name, property]) => {
      return readField(name, Object(property) as Json, required.has(name)) ?? [];
    });
    const options = fields.flatMap((field) => ('options' in field ? field.options : []));
    if (fields.filter(({ isRequired }) => isRequired).length < required.size || options.length > ALL_OPTIONS)
      return undefined;
    return { fields, omitted: entries.length - fields.length };
  } catch {
    return undefined;
  }
}

function readField(name: string, schema: Json, isRequired: boolean): Field | undefined {
  if (name.length > NAME || isSecretField(schema)) return undefined;
  const { type, default: given } = schema;
  const base = { name, label: textOf(schema['title']) ?? name, description: textOf(schema['description']), isRequired };
  const isList = type === 'array';
  if (isList || (type === 'string' && ('enum' in schema || 'oneOf' in schema))) {
    const options = readOptions(isList ? schema['items'] : schema);
    const value = options?.filter((option) => [given].flat().includes(option.value)) ?? [];
    const counts = limits(schema['minItems'], schema['maxItems']);
    return options && { ...base, kind: isList ? 'choices' : 'choice', options, ...counts, value };
  }
  if ('enum' in schema || 'const' in schema) return undefined;
  if (type === 'boolean') return { ...base, kind: 'boolean', value: given === true };
  if (type === 'string') {
    const format = FORMATS.find((known) => known === schema['format']) ?? 'text';
    const value = typeof given === 'string' && given.length <= DEFAULT ? given : undefined;
    return { ...base, kind: 'typed', format, ...limits(schema['minLength'], schema['maxLength']), value };
  }
  if (type !== 'number' && type !== 'integer') return undefined;
  const range = limits(schema['minimum'], schema['maximum'], -Infinity);
  return { ...base, kind: 'typed', format: type, ...range, value: numberOf(given) };
}

/** The limits of a value that is at least `least`. Invalid ones are ignored. */
function limits(low: unknown, high: unknown, least = 0): Limits {
  const max = numberOf(high) ?? Infinity;
  return { min: numberOf(low) ?? least, max: max < least ? Infinity : max };
}

/** The options: `enum`, with or without `enumNames`, or a list of `const` and `title`. */
function readOptions(schema: unknown): readonly Option[] | undefined {
  const { enum: values, enumNames: names, oneOf, anyOf } = Object(schema) as Json;
  const list = values ?? oneOf ?? anyOf;
  if (!Array.isArray(list) || list.length === 0 || list.length > OPTIONS) return undefined;
  const options = new Map<string, Option>();
  for (const [at, item] of (list as unknown[]).entries()) {
    const { const: value = item, title = Object(names)[at] as unknown } = Object(item) as Json;
    if (typeof value !== 'string' || value.length > NAME) return undefined;
    if (!options.has(value)) options.set(value, { value, label: textOf(title) ?? value });
  }
  return [...options.values()];
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;
