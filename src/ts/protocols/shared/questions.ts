/**
 * Questions for the page's form, made of what a backend asks: a value of any kind, and the JSON Schema of the answer if
 * there is one. The answer of the form becomes the value that the backend expects.
 */
import type { Question, QuestionAnswer } from '../../types/question.js';
import type { ItemDecision } from './codec.js';
import type { Wire } from './wire.js';
import { asList, textOf, valueOf } from './history.js';

/** What the backend expects: the form's content, the value of its only field, or the JSON in its only field. */
export type AnswerForm = 'content' | 'value' | 'json';

/** A question, and how it is answered. */
export interface AskedQuestion {
  readonly question: Question;
  readonly form: AnswerForm;
}

/** The fields of a value with the text of a question, the schema of its answer, and options. */
const OWN = [
  /^(message|question|prompt|description)$/,
  /^(requestedS|responseS|response_s)chema$/,
  /^(options|choices)$/,
];

/** A JSON Schema, as far as it decides what the form shows. */
interface Schema {
  type: string;
  properties: Record<string, Schema>;
  required: string[];
  items: { enum: unknown; anyOf: unknown };
}

/** Whether the form has a field for a schema. */
const hasField = (schema: Wire<Schema> | null | undefined): boolean =>
  /^(string|number|integer|boolean)$/.test(schema?.type as string) ||
  (schema?.type === 'array' && Boolean(schema.items?.enum ?? schema.items?.anyOf));

/** Whether the form can show a schema: an object with fields, of which it may leave out those that are optional. */
const isForm = ({ type, properties, required = [] }: Wire<Schema>): boolean =>
  type === 'object' && !!properties && required.every((name) => hasField(properties[name]));

/**
 * Makes a question of the value that a backend asks with. `given`: the schema of the answer, if it is not in the value.
 * Without a schema or options, and with a schema that the form cannot show, the answer is a text.
 */
export function questionFor(value: unknown, given?: unknown): AskedQuestion {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const fields: [string, unknown][] = isObject ? Object.entries(value) : [['message', value]];
  const [text, inner, list] = OWN.map((names) => fields.find(([name]) => names.test(name)));
  const isChoice = list && asList(list[1]).every((one) => typeof one === 'string');
  const schema = (given ?? inner?.[1] ?? (isChoice ? { type: 'string', enum: list[1] } : undefined)) as Wire<Schema>;
  const rest = fields.filter((field) => field !== text && field !== inner && !(isChoice && field === list));
  const more = rest.length ? [JSON.stringify(Object.fromEntries(rest), undefined, 2)] : [];
  const message = [...(text ? [textOf(text[1])] : []), ...more].join('\n\n');
  if (schema && isForm(schema)) return { question: { message, requestedSchema: schema }, form: 'content' };
  const isShown = hasField(schema);
  const field = isShown
    ? schema
    : { type: 'string', maxLength: 10_000, ...(schema && { description: textOf(schema) }) };
  const requestedSchema = {
    type: 'object',
    properties: { answer: { title: 'Answer', ...field } },
    required: ['answer'],
  };
  return { question: { message, requestedSchema }, form: schema && !isShown ? 'json' : 'value' };
}

/** An answer of the form, which may be damaged in a loaded history. */
interface Accepted {
  readonly action: QuestionAnswer['action'];
  readonly content: unknown;
}

/** Returns the user's answer, with the value that the backend expects. A call without an answer was cancelled. */
export function answerOf(
  { outcome, output }: ItemDecision,
  form: AnswerForm = 'content',
): { readonly action: 'accept' | 'decline' | 'cancel'; readonly value?: unknown } {
  const { action, content } = Object(outcome === 'executed' ? output : undefined) as Partial<Accepted>;
  const given = action === 'accept' ? (Object(content) as { readonly answer?: string }) : undefined;
  if (!given) return { action: action === 'decline' ? action : 'cancel' };
  const { answer } = given;
  return {
    action: action as 'accept',
    value: form === 'content' ? given : form === 'json' ? valueOf(answer as string) : answer,
  };
}
