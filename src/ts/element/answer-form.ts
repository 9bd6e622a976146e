/** The form of a question: its fields, and the three answers that MCP's elicitation has. */
import { button, fill, guardPresses, h, setText } from './loaded.js';
import { createField, type AnswerValue } from './question-fields.js';
import type { QuestionForm } from './question-schema.js';
import type { CardTexts } from '../approval/texts.js';
import type { FormTexts } from './question-texts.js';
import type { QuestionAnswer } from './question-types.js';

/** The options of a form. */
interface FormOptions {
  /** The fields. Undefined for a schema that no form can show. */
  readonly form: QuestionForm | undefined;
  readonly texts: CardTexts & FormTexts;
  /** The tool's title and name, for the names of the buttons. */
  readonly tool: string;
  readonly answer: (answer: QuestionAnswer) => void;
}

/** Creates the form. Calls `answer` with a valid answer. */
export function answerForm({ form, texts, tool, answer }: FormOptions): HTMLFormElement {
  const fields = (form?.fields ?? []).map((field, at) => createField(field, at, texts));
  const summary = h('p', { class: 'problem', part: 'error', role: 'alert' });
  // The accessible name begins with the visible label, so that voice control finds the button.
  const actButton = (part: string, label: string, press: () => void, own?: object): HTMLButtonElement =>
    button(part, label, press, { 'aria-label': `${label}: ${tool}`, ...own });
  const send = form && actButton('send', texts.send, () => {}, { type: 'submit', class: 'main' });
  const decline = actButton('decline', texts.decline, () => answer({ action: 'decline' }));
  const dismiss = actButton('dismiss', texts.dismiss, () => answer({ action: 'cancel' }));
  const note = form ? form.omitted > 0 && fill(texts.omitted, { count: form.omitted }) : texts.noForm;
  const element = h(
    'form',
    { class: 'decision', part: 'form', novalidate: true },
    ...fields.map((field) => field.element),
    note && h('p', { class: 'about', part: 'description' }, note),
    summary,
    h('div', { 'class part': 'buttons' }, send, decline, dismiss),
  );
  guardPresses(element, () => setText(summary, texts.tooSoon));
  // The number of wrong fields is that of the last attempt.
  element.addEventListener('input', () => setText(summary, ''));
  element.addEventListener('submit', (event) => {
    event.preventDefault();
    const entries: [string, AnswerValue][] = [];
    const wrong = fields.filter((field) => {
      const { value, problem } = field.read();
      if (value !== undefined) entries.push([field.name, value]);
      return problem;
    });
    setText(summary, wrong.length > 0 ? fill(texts.checkFields, { count: wrong.length }) : '');
    if (wrong.length > 0) wrong[0]?.focus();
    // `fromEntries` creates own properties, also for a name such as `__proto__`.
    else answer({ action: 'accept', content: Object.fromEntries(entries) });
  });
  return element;
}
