/** The fields of a question's form. Each reads its typed value, and says what is wrong with it. */
import { choice, fieldRow, fill, h, menu, showProblem, textNodes, truncated } from './loaded.js';
import type { Row } from './field-row.js';
import type { ChoiceField, Field, Limits, TypedField } from './question-schema.js';
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

/** What was read: a value, nothing, or what is wrong with it. */
interface Read {
  readonly value?: AnswerValue;
  readonly problem?: string;
}

/** A field in the page. */
export interface FieldControl {
  readonly name: string;
  readonly element: HTMLElement;
  /** Reads the value, and shows what is wrong with it. */
  read(): Read;
  focus(): void;
}

/** Creates a field. `at`: its number in the form. */
export function createField(field: Field, at: number, texts: FormTexts): FieldControl {
  const { name, isRequired } = field;
  const about = textNodes(truncated(field.description ?? '', DESCRIPTION));
  if (field.kind === 'typed' && SECRET.test(`${name} ${field.label}`)) about.unshift(texts.secret);
  const label = textNodes(truncated(field.label, LABEL));
  if (!isRequired) label.push(' ', h('span', { class: 'optional' }, texts.optional));
  const element = draw(field, { id: `field${at}`, label, about }, texts);
  const control = element.querySelector<HTMLInputElement>('[part~=input]')!;
  const read = (): Read => {
    const result = readControl(field, control, texts);
    showProblem(element, result.problem ?? '');
    return result;
  };
  // While the user types, a value is often not valid: only update a problem that is shown already.
  const recheck = (): void => void (element.lastElementChild?.textContent && read());
  element.addEventListener('input', recheck);
  element.addEventListener('change', recheck);
  return { name, element, read, focus: () => control.focus() };
}

function draw(field: Field, row: Row, texts: FormTexts): HTMLElement {
  if (field.kind === 'typed') return fieldRow(row, inputOf(field));
  if (field.kind !== 'boolean') return drawChoices(field, row, texts);
  const option = { label: truncated(field.label, LABEL), isChosen: field.value };
  return fieldRow({ ...row, label: choice(option, { part: 'input field', type: 'checkbox' }) });
}

/** Reads a field. `control`: the first one. */
function readControl(field: Field, control: HTMLInputElement, texts: FormTexts): Read {
  if (field.kind === 'typed') return readTyped(field, control, texts);
  return field.kind === 'boolean' ? { value: control.checked } : readChoices(field, control, texts);
}

/** Draws a choice. The value of an option is its place; that of no answer is empty. */
function drawChoices({ kind, isRequired, options, value }: ChoiceField, row: Row, texts: FormTexts): HTMLElement {
  const drawn = options.map((option, at) => ({
    value: `${at}`,
    label: truncated(option.label, LABEL),
    isChosen: value.includes(option),
  }));
  const none = (label: string): (typeof drawn)[number] => ({ value: '', label, isChosen: value.length === 0 });
  const isOne = kind === 'choice';
  if (isOne && options.length > RADIOS)
    return fieldRow(row, menu([none(texts.choose), ...drawn], { part: 'input field', required: isRequired }));
  // A radio button cannot be cleared, so an optional choice has one for no answer.
  if (isOne && !isRequired) drawn.push(none(texts.unset));
  const group = isOne ? { role: 'radiogroup', 'aria-required': `${isRequired}` } : {};
  const own = { type: isOne ? 'radio' : 'checkbox', name: row.id };
  return fieldRow({ ...row, group }, ...drawn.map((each) => choice(each, own)));
}

function readChoices(field: ChoiceField, control: HTMLInputElement, texts: FormTexts): Read {
  const chosen = control.closest('.row')!.querySelectorAll<HTMLInputElement>('select, :checked');
  const places = [...chosen].map(({ value }) => value);
  const value = field.options.filter((_, at) => places.includes(`${at}`)).map((option) => option.value);
  if (value.length === 0 && !field.isRequired) return {};
  if (field.kind === 'choices') return within(field, value, value.length, texts.tooFew, texts.tooMany);
  return value.length > 0 ? { value: value[0] } : { problem: texts.notChosen };
}

/** The input of a format. */
interface InputType {
  readonly type: string;
  readonly step?: string;
  readonly inputmode?: string;
  /** The text for a value that is none. */
  readonly bad: keyof FormTexts;
}

const INPUTS: Record<TypedField['format'], InputType> = {
  text: { type: 'text', bad: 'missing' },
  email: { type: 'email', bad: 'badEmail' },
  uri: { type: 'url', bad: 'badUri' },
  date: { type: 'date', bad: 'badDate' },
  'date-time': { type: 'datetime-local', step: 'any', bad: 'badDate' },
  number: { type: 'number', step: 'any', inputmode: 'decimal', bad: 'badNumber' },
  integer: { type: 'number', inputmode: 'numeric', bad: 'badInteger' },
};

function inputOf({ format, isRequired, max, value = '' }: TypedField): HTMLInputElement {
  // A field of one line would remove the line breaks of its default from what is shown and sent.
  const isLong = format === 'text' && (`${value}`.includes('\n') || (max > ONE_LINE && max < Infinity));
  const { type, step, inputmode } = INPUTS[format];
  const own = { part: 'input field', required: isRequired };
  const input = isLong ? h('textarea', { ...own, rows: 4 }) : h('input', { ...own, type, step, inputmode });
  if (format === 'date-time') (input as HTMLInputElement).valueAsNumber = localTime(value);
  else input.value = `${value}`;
  return input as HTMLInputElement;
}

/** A time as the number of a field, which is in the user's time zone. NaN for none. */
function localTime(value: string | number): number {
  const time = new Date(value);
  return time.getTime() - time.getTimezoneOffset() * 60_000;
}

function readTyped(field: TypedField, { value, validity }: HTMLInputElement, texts: FormTexts): Read {
  const { format } = field;
  const { type, bad } = INPUTS[format];
  const problem = texts[bad];
  if (validity.badInput || validity.typeMismatch) return { problem };
  if (value === '') return field.isRequired ? { problem: texts.missing } : {};
  if (format === 'date-time') {
    const time = new Date(value);
    return Number.isNaN(time.getTime()) ? { problem } : { value: time.toISOString() };
  }
  if (type !== 'number') return within(field, value, [...value].length, texts.tooShort, texts.tooLong);
  const number = Number(value);
  const isValid = format === 'integer' ? Number.isSafeInteger(number) : Number.isFinite(number);
  return isValid ? within(field, number, number, texts.tooSmall, texts.tooLarge) : { problem };
}

/** A value, or that its amount is below or above the limits. */
function within({ min, max }: Limits, value: AnswerValue, amount: number, below: string, above: string): Read {
  if (amount < min) return { problem: fill(below, { count: min }) };
  return amount > max ? { problem: fill(above, { count: max }) } : { value };
}
