/**
 * Questions for the page's form, made of what a backend asks: a value of any kind, and the JSON Schema of the answer if
 * there is one. The answer of the form becomes the value that the backend expects.
 */
import type { Question } from '../../types/question.js';
import type { Data, ItemDecision } from './codec.js';
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

/** Whether the form has a field for a schema. */
const hasField = (schema: Data): boolean =>
  /^(string|number|integer|boolean)$/.test(schema?.type) ||
  (schema?.type === 'array' && Boolean(schema.items?.enum ?? schema.items?.anyOf));

/** Whether the form can show a schema: an object with fields, of which it may leave out those that are optional. */
const isForm = ({ type, properties, required = [] }: Data): boolean =>
  type === 'object' && Boolean(properties) && required.every((name: string) => hasField(properties[name]));

/**
 * Makes a question of the value that a backend asks with. `given`: the schema of the answer, if it is not in the value.
 * Without a schema or options, and with a schema that the form cannot show, the answer is a text.
 */
export function questionFor(value: Data, given?: Data): AskedQuestion {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const fields: [string, Data][] = isObject ? Object.entries<Data>(value) : [['message', value]];
  const [text, inner, list] = OWN.map((names) => fields.find(([name]) => names.test(name)));
  const isChoice = list && asList(list[1]).every((one) => typeof one === 'string');
  const schema = given ?? inner?.[1] ?? (isChoice ? { type: 'string', enum: list[1] } : undefined);
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

/** Returns the user's answer, with the value that the backend expects. A call without an answer was cancelled. */
export function answerOf(
  { outcome, output }: ItemDecision,
  form: AnswerForm = 'content',
): { readonly action: 'accept' | 'decline' | 'cancel'; readonly value?: Data } {
  const { action, content }: Data = Object(outcome === 'executed' ? output : undefined);
  const given = action === 'accept' ? Object(content) : undefined;
  if (!given) return { action: action === 'decline' ? action : 'cancel' };
  const { answer } = given;
  return { action, value: form === 'content' ? given : form === 'json' ? valueOf(answer) : answer };
}
