/** The controls of a question's form. Each reads its typed value, and says what is wrong with it. */
import { choice, fill, h, setAttribute, setText, textNodes, truncated } from './loaded.js';
import type { ChoiceField, ChoicesField, Field, NumberField, Option, TextField } from './question-schema.js';
import type { FormTexts } from './question-texts.js';

/** The most characters of a label, and of a description. */
const LABEL = 200;
const DESCRIPTION = 1000;

/** A longer text gets several lines. */
const ONE_LINE = 200;

/** A choice with more options is a menu. */
const RADIOS = 5;

/** The names and titles of fields that ask for what an answer must not contain. Servers may ask for it all the same. */
const SECRET = /pass[cw]|secret|\bpin\b|card.n|api.?k/i;

/** A value of an answer. */
export type AnswerValue = string | number | boolean | readonly string[];

/** The value of a control; undefined for none. Or what is wrong with it. */
type Read = { readonly value: AnswerValue | undefined } | { readonly problem: string };

/** A field in the page. */
export interface FieldControl {
  readonly name: string;
  readonly element: HTMLElement;
  /** Reads the value, and shows what is wrong with it. */
  read(): Read;
  focus(): void;
}

/** The content of a field. */
interface Content {
  readonly element: HTMLElement;
  /** What `aria-invalid` is set on. */
  readonly marked: readonly HTMLElement[];
  readonly focus: () => void;
  readonly read: () => Read;
}

type Input = HTMLInputElement | HTMLTextAreaElement;

/** Creates a field. `at`: its number in the form. */
export function createField(field: Field, at: number, texts: FormTexts): FieldControl {
  const [id, descriptionId, problemId] = [`field${at}`, `description${at}`, `problem${at}`];
  const { description = '' } = field;
  const warning = field.kind === 'text' && SECRET.test(`${field.name} ${field.label}`) ? texts.secret : '';
  const about =
    warning + description &&
    h(
      'p',
      { id: descriptionId, class: 'about', part: 'description', dir: 'auto' },
      warning,
      ...textNodes(truncated(description, DESCRIPTION)),
    );
  const problem = h('p', { id: problemId, class: 'problem', part: 'error' });
  const label = (): (string | HTMLElement)[] => [
    ...textNodes(truncated(field.label, LABEL)),
    ...(field.isRequired ? [] : [' ', h('span', { class: 'optional' }, texts.optional)]),
  ];
  const attributes = {
    id,
    part: 'input field',
    'aria-describedby': about ? `${descriptionId} ${problemId}` : problemId,
    required: field.isRequired && field.kind !== 'boolean',
  };
  const { element, marked, focus, read } = contentOf(field, { about, problem, label, attributes, texts });
  const check = (): Read => {
    const result = read();
    setText(problem, 'problem' in result ? result.problem : '');
    for (const each of marked) setAttribute(each, 'aria-invalid', 'problem' in result ? 'true' : undefined);
    return result;
  };
  // While the user types, a value is often not valid: only update a problem that is shown already.
  const recheck = (): void => void (problem.textContent && check());
  element.addEventListener('input', recheck);
  element.addEventListener('change', recheck);
  return { name: field.name, element, read: check, focus };
}

/** What a field's content is made of. */
interface Pieces {
  readonly about: HTMLElement | '';
  readonly problem: HTMLElement;
  readonly label: () => (string | HTMLElement)[];
  readonly attributes: Readonly<Record<string, string | boolean>> & { readonly id: string };
  readonly texts: FormTexts;
}

function contentOf(field: Field, pieces: Pieces): Content {
  const { attributes, texts, about, problem } = pieces;
  switch (field.kind) {
    case 'text':
      return below(pieces, textInput(field, attributes), (input) => readText(field, input as Input, texts));
    case 'number': {
      const step = field.isInteger ? '1' : 'any';
      const input = h('input', {
        ...attributes,
        type: 'number',
        step,
        inputmode: field.isInteger ? 'numeric' : 'decimal',
      });
      if (field.value !== undefined) input.value = String(field.value);
      return below(pieces, input, () => readNumber(field, input, texts));
    }
    case 'boolean': {
      const row = choice({ label: truncated(field.label, LABEL) }, { ...attributes, type: 'checkbox' }, field.value);
      const input = row.firstChild as HTMLInputElement;
      const element = h('div', { 'class part': 'row' }, row, about, problem);
      return { element, marked: [input], focus: () => input.focus(), read: () => ({ value: input.checked }) };
    }
    case 'choice':
      if (field.options.length > RADIOS) {
        const menu = menuOf(field, attributes, texts);
        return below(pieces, menu, () => chosen(field, field.options[Number(menu.value) - 1], texts));
      }
      return group(field, pieces, 'radio', (inputs) => {
        const at = inputs.findIndex(({ checked }) => checked);
        return chosen(field, field.options[at], texts);
      });
    case 'choices':
      return group(field, pieces, 'checkbox', (inputs) => readChoices(field, inputs, texts));
  }
}

/** A control below its label. */
function below<CONTROL extends HTMLElement>(
  { label, about, problem, attributes }: Pieces,
  control: CONTROL,
  read: (control: CONTROL) => Read,
): Content {
  const title = h('label', { for: attributes.id, part: 'label', dir: 'auto' }, ...label());
  const element = h('div', { 'class part': 'row' }, title, about, control, problem);
  return { element, marked: [control], focus: () => control.focus(), read: () => read(control) };
}

/** Radio buttons or checkboxes below a legend. */
function group(
  field: ChoiceField | ChoicesField,
  { label, about, problem, attributes, texts }: Pieces,
  type: 'radio' | 'checkbox',
  read: (inputs: readonly HTMLInputElement[]) => Read,
): Content {
  const { id } = attributes;
  // A radio button cannot be cleared, so an optional choice has one for no answer.
  const rest = field.kind === 'choice' && !field.isRequired ? [{ value: '', label: texts.unset }] : [];
  const rows = [...field.options, ...rest].map(({ value, label }, at) =>
    choice(
      { label: truncated(label, LABEL) },
      { type, name: id },
      at < field.options.length ? [field.value].flat().includes(value) : field.value === undefined,
    ),
  );
  const inputs = rows.map((row) => row.firstChild as HTMLInputElement);
  const element = h(
    'fieldset',
    {
      class: 'row',
      part: 'row',
      'aria-labelledby': `legend-${id}`,
      'aria-describedby': attributes['aria-describedby'] as string,
      ...(type === 'radio' && { role: 'radiogroup', 'aria-required': String(field.isRequired) }),
    },
    h('legend', { id: `legend-${id}`, part: 'label', dir: 'auto' }, ...label()),
    about,
    ...rows,
    problem,
  );
  const first = (): HTMLInputElement => inputs.find(({ checked }) => checked) ?? (inputs[0] as HTMLInputElement);
  return {
    element,
    // A radio button has no `aria-invalid`, but its group does; for checkboxes it is the other way round.
    marked: type === 'radio' ? [element] : inputs,
    focus: () => first().focus(),
    read: () => read(inputs),
  };
}

const TYPES = { email: 'email', uri: 'url', date: 'date', 'date-time': 'datetime-local' } as const;

function textInput({ format, maxLength, value }: TextField, attributes: Pieces['attributes']): Input {
  // A field of one line would remove the line breaks of its default from what is shown and sent.
  const isLong = format === undefined && (value?.includes('\n') || (maxLength > ONE_LINE && maxLength < Infinity));
  const control = isLong
    ? h('textarea', { ...attributes, rows: 4 })
    : h('input', { ...attributes, type: format ? TYPES[format] : 'text', step: format === 'date-time' && 'any' });
  if (value !== undefined) control.value = format === 'date-time' ? localTime(value) : value;
  return control;
}

function readText({ format, isRequired, minLength, maxLength }: TextField, input: Input, texts: FormTexts): Read {
  const { value, validity } = input;
  const bad = { email: texts.badEmail, uri: texts.badUri, date: texts.badDate, 'date-time': texts.badDate };
  if (format && (validity.badInput || validity.typeMismatch)) return { problem: bad[format] };
  if (value === '') return isRequired ? { problem: texts.missing } : { value: undefined };
  if (format === 'date-time') {
    const time = new Date(value);
    return Number.isNaN(time.getTime()) ? { problem: texts.badDate } : { value: time.toISOString() };
  }
  const length = value.length > 2 * maxLength ? Infinity : [...value].length;
  if (length < minLength) return { problem: fill(texts.tooShort, { count: minLength }) };
  if (length > maxLength) return { problem: fill(texts.tooLong, { count: maxLength }) };
  return { value };
}

/** A time in the format of `datetime-local`, in the user's time zone. */
function localTime(value: string): string {
  const time = new Date(value);
  if (Number.isNaN(time.getTime())) return '';
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

function readNumber(field: NumberField, input: HTMLInputElement, texts: FormTexts): Read {
  const { isInteger, isRequired, minimum, maximum } = field;
  const bad = isInteger ? texts.badInteger : texts.badNumber;
  if (input.validity.badInput) return { problem: bad };
  if (input.value === '') return isRequired ? { problem: texts.missing } : { value: undefined };
  const value = Number(input.value);
  if (isInteger ? !Number.isSafeInteger(value) : !Number.isFinite(value)) return { problem: bad };
  if (value < minimum) return { problem: fill(texts.tooSmall, { count: minimum }) };
  if (value > maximum) return { problem: fill(texts.tooLarge, { count: maximum }) };
  return { value };
}

function menuOf(
  { options, value }: ChoiceField,
  attributes: Pieces['attributes'],
  texts: FormTexts,
): HTMLSelectElement {
  const rows = options.map(({ label }, at) => h('option', { value: at + 1 }, ...plain(label)));
  const menu = h('select', attributes, h('option', { value: '' }, texts.choose), ...rows);
  const at = options.findIndex((option) => option.value === value);
  menu.value = at < 0 ? '' : String(at + 1);
  return menu;
}

/** An option has no elements: the text of {@link textNodes}. */
const plain = (label: string): string[] =>
  textNodes(truncated(label, LABEL)).map((node) => (typeof node === 'string' ? node : `[${node.textContent}]`));

function chosen({ isRequired }: ChoiceField, option: Option | undefined, texts: FormTexts): Read {
  if (option) return { value: option.value };
  return isRequired ? { problem: texts.notChosen } : { value: undefined };
}

function readChoices(field: ChoicesField, inputs: readonly HTMLInputElement[], texts: FormTexts): Read {
  const { options, isRequired, minItems, maxItems } = field;
  const value = options.filter((_, at) => inputs[at]?.checked).map((option) => option.value);
  if (value.length === 0 && !isRequired) return { value: undefined };
  if (value.length < minItems) return { problem: fill(texts.tooFew, { count: minItems }) };
  if (value.length > maxItems) return { problem: fill(texts.tooMany, { count: maxItems }) };
  return { value };
}
