/**
 * The questions that a coding agent asks with one call: Claude Code's `AskUserQuestion`, Codex's `request_user_input`.
 * They have options, and a text where none of them fits. Reads them as a question of the form, and the form's answer as
 * the answers by question.
 */
import type { Question, QuestionAnswer } from './question-types.js';
import type { FormTexts } from './question-texts.js';

/** The most questions of a call. */
const QUESTIONS = 20;

type Content = Extract<QuestionAnswer, { action: 'accept' }>['content'];

type Json = Readonly<Record<string, unknown>>;

/** The questions of a call. */
export interface AskedQuestions {
  /** The question for the form. */
  readonly question: Question;
  /** Returns the answers by the id of the question, or else by its text. Questions without an answer are left out. */
  answersIn(content: Content): Content;
}

/** The fields of Claude Code's questions. */
const FIELDS: readonly string[] = ['questions', 'answers', 'annotations', 'metadata'];

/**
 * Whether an input consists of questions alone. Only then may the form approve the call: it shows nothing else of the
 * input.
 */
export function hasOnlyQuestions(input: unknown): boolean {
  return Object.keys(Object(input)).every((key) => FIELDS.includes(key));
}

/** Reads the questions of a call's input. Undefined if it has none. Never throws. */
export function readQuestions(input: unknown, texts: FormTexts): AskedQuestions | undefined {
  try {
    const { questions } = Object(input) as Json;
    if (!Array.isArray(questions) || questions.length === 0 || questions.length > QUESTIONS) return undefined;
    return read(questions as readonly Json[], texts);
  } catch {
    return undefined;
  }
}

function read(questions: readonly Json[], texts: FormTexts): AskedQuestions | undefined {
  // The answer to a secret would be stored with the chat.
  if (!questions.every(({ question, isSecret }) => typeof question === 'string' && !isSecret)) return undefined;
  const [properties, required]: [[string, Json][], string[]] = [[], []];
  const isOnly = questions.length === 1;
  // The names of the fields are places: the text of a question may be longer than a name.
  for (const [at, { question, header, options, multiSelect, isOther }] of questions.entries()) {
    const label = isOnly ? (header ?? question) : question;
    const about = { title: label, ...(!isOnly && header !== question && { description: header }) };
    const list = Array.isArray(options) ? options.map(titled) : [];
    const choice = multiSelect ? { type: 'array', items: { anyOf: list } } : { type: 'string', oneOf: list };
    properties.push([`answer-${at}`, { ...about, ...(list.length > 0 ? choice : { type: 'string' }) }]);
    if (list.length === 0 || isOther === false) required.push(`answer-${at}`);
    else properties.push([`other-${at}`, { type: 'string', title: texts.otherAnswer }]);
  }
  const message = questions.map(({ question, header }) => (isOnly ? question : (header ?? question))).join(', ');
  const requestedSchema = { type: 'object', properties: Object.fromEntries(properties), required };
  return {
    question: { message, requestedSchema },
    answersIn(content) {
      const answers = questions.flatMap(({ id, question, multiSelect }, at): [string, Content[string]][] => {
        const [chosen, other] = [content[`answer-${at}`], content[`other-${at}`]];
        const all = multiSelect ? [chosen ?? [], other ?? []].flat().map(String) : (other ?? chosen);
        return all === undefined || [all].flat().length === 0 ? [] : [[(id ?? question) as string, all]];
      });
      return Object.fromEntries(answers);
    },
  };
}

function titled({ label, description }: Json): Json {
  return { const: label, title: typeof description === 'string' && description ? `${label} – ${description}` : label };
}
