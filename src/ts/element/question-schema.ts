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

/** A field for a string. The lengths count code points, as in JSON Schema. */
export interface TextField extends FieldBase {
  readonly kind: 'text';
  readonly format: (typeof FORMATS)[number] | undefined;
  readonly minLength: number;
  readonly maxLength: number;
  readonly value: string | undefined;
}

/** A field for a number. */
export interface NumberField extends FieldBase {
  readonly kind: 'number';
  readonly isInteger: boolean;
  readonly minimum: number;
  readonly maximum: number;
  readonly value: number | undefined;
}

/** A checkbox. */
export interface BooleanField extends FieldBase {
  readonly kind: 'boolean';
  readonly value: boolean;
}

/** An option of a choice. */
export interface Option {
  readonly value: string;
  readonly label: string;
}

/** One of several options. */
export interface ChoiceField extends FieldBase {
  readonly kind: 'choice';
  readonly options: readonly Option[];
  readonly value: string | undefined;
}

/** Any number of several options. */
export interface ChoicesField extends FieldBase {
  readonly kind: 'choices';
  readonly options: readonly Option[];
  readonly minItems: number;
  readonly maxItems: number;
  readonly value: readonly string[];
}

/** A field of a question. */
export type Field = TextField | NumberField | BooleanField | ChoiceField | ChoicesField;

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
    if (!isObject(schema) || !isObject(schema['properties']) || (schema['type'] ?? 'object') !== 'object')
      return undefined;
    const entries = Object.entries(schema['properties']);
    const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
    if (entries.length > FIELDS || [...required].some((name) => !entries.some(([known]) => known === name))) {
      return undefined;
    }
    const fields: Field[] = [];
    for (const [name, property] of entries) {
      const field = isObject(property) ? readField(name, property, required.has(name)) : undefined;
      if (field) fields.push(field);
      else if (required.has(name)) return undefined;
    }
    const options = fields.reduce((sum, field) => sum + ('options' in field ? field.options.length : 0), 0);
    if (options > ALL_OPTIONS) return undefined;
    return { fields, omitted: entries.length - fields.length };
  } catch {
    return undefined;
  }
}

function readField(name: string, schema: Json, isRequired: boolean): Field | undefined {
  if (name.length > NAME || isSecretField(schema)) return undefined;
  const { type, default: given } = schema;
  const base = { name, label: textOf(schema['title']) ?? name, description: textOf(schema['description']), isRequired };
  if (type === 'array') {
    const options = isObject(schema['items']) ? readOptions(schema['items'], 'anyOf') : undefined;
    if (!options) return undefined;
    const chosen = Array.isArray(given) ? options.filter(({ value }) => given.includes(value)) : [];
    const [minItems, maxItems] = [countOf(schema['minItems'], 0), countOf(schema['maxItems'], Infinity)];
    return { ...base, kind: 'choices', options, minItems, maxItems, value: chosen.map(({ value }) => value) };
  }
  if (type === 'string' && ('enum' in schema || 'oneOf' in schema)) {
    const options = readOptions(schema, 'oneOf');
    const value = options?.find((option) => option.value === given)?.value;
    return options && { ...base, kind: 'choice', options, value };
  }
  if ('enum' in schema || 'const' in schema) return undefined;
  if (type === 'boolean') return { ...base, kind: 'boolean', value: given === true };
  if (type === 'string') {
    const format = FORMATS.find((known) => known === schema['format']);
    const [minLength, maxLength] = [countOf(schema['minLength'], 0), countOf(schema['maxLength'], Infinity)];
    const value = typeof given === 'string' && given.length <= DEFAULT ? given : undefined;
    return { ...base, kind: 'text', format, minLength, maxLength, value };
  }
  if (type !== 'number' && type !== 'integer') return undefined;
  const [minimum, maximum] = [numberOf(schema['minimum']) ?? -Infinity, numberOf(schema['maximum']) ?? Infinity];
  return { ...base, kind: 'number', isInteger: type === 'integer', minimum, maximum, value: numberOf(given) };
}

/** The options: `enum`, with or without `enumNames`, or a list of `const` and `title` under the key `titled`. */
function readOptions(schema: Json, titled: 'oneOf' | 'anyOf'): readonly Option[] | undefined {
  const [list, names] = [schema['enum'] ?? schema[titled], schema['enumNames']];
  if (!Array.isArray(list) || list.length === 0 || list.length > OPTIONS) return undefined;
  const options = new Map<string, Option>();
  for (const [at, item] of (list as unknown[]).entries()) {
    const value = isObject(item) ? item['const'] : item;
    if (typeof value !== 'string' || value.length > NAME) return undefined;
    const title = isObject(item) ? item['title'] : Array.isArray(names) ? (names[at] as unknown) : undefined;
    if (!options.has(value)) options.set(value, { value, label: textOf(title) ?? value });
  }
  return [...options.values()];
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

const countOf = (value: unknown, otherwise: number): number =>
  Number.isInteger(value) && (value as number) >= 0 ? (value as number) : otherwise;
