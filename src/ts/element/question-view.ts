/**
 * The view of `<tool-question>`: the question of a call, its form while the call waits for the user's answer, and the
 * answer afterwards. The answer is the output of the call. If the backend requests approval of a call with questions,
 * the answers are added to the input that is approved.
 */
import {
  brief,
  CARD_STYLES,
  cardFrame,
  describeRefusal,
  elementView,
  emit,
  fill,
  findCall,
  h,
  jsonOf,
  labelOf,
  layOut,
  replaced,
  setText,
  take,
  textNodes,
  textsWith,
  toolNameOf,
  truncated,
  wordsOf,
} from './loaded.js';
import { answerForm } from './answer-form.js';
import { hasOnlyQuestions, readQuestions, type AskedQuestions } from './asked-questions.js';
import type { CardTexts } from '../approval/texts.js';
import type { CallWords } from '../describe/call-words.js';
import type { PendingApproval, ToolPart } from '../types/index.js';
import type { Host, View } from './host.js';
import { readSchema } from './question-schema.js';
import { QUESTION_STYLES } from './question-styles.js';
import { FORM_ENGLISH, type FormTexts } from './question-texts.js';
import type { AnswerDetail, AnswerErrorDetail, Question, QuestionAnswer } from './question-types.js';

/** The most characters of a question. */
const MESSAGE = 4000;

/** The element of the view. */
export interface QuestionHost extends Host {
  get toolCallId(): string | undefined;
  get messageId(): string | undefined;
  get question(): Question | undefined;
}

/** Returns the function that creates the view of one question. */
export function questionView(views: Parameters<typeof take>[0]): (host: QuestionHost, root: ShadowRoot) => View {
  take(views);
  return drawQuestion;
}

function drawQuestion(host: QuestionHost, root: ShadowRoot): View {
  const frame = cardFrame();
  const { foot } = frame;
  const message = h('p', { 'class part': 'message', dir: 'auto' });
  const answer = h('div', { 'class part': 'answer', hidden: true });
  let form: HTMLFormElement | undefined;
  let shown: CallWords | undefined;
  /** The question of the form, as JSON: an equal question keeps the user's entries. */
  let asked = '';
  /** The last input and the last question of the app, for which `asked` was made. */
  let source: readonly unknown[] = [];
  let call: ToolPart | undefined;
  /** The questions of the call's input, and the approval request that their answers approve. */
  let questions: AskedQuestions | undefined;
  let pending: PendingApproval | undefined;
  let output: unknown;

  const focus = (options?: FocusOptions): void => frame.card.focus(options);
  const removeForm = (): void => {
    form?.remove();
    form = undefined;
  };
  const view = elementView<CardTexts & FormTexts>(
    host,
    root,
    CARD_STYLES + QUESTION_STYLES,
    {
      update,
      focus,
      reset() {
        removeForm();
        source = [];
      },
    },
    (given) => ({ ...textsWith(given), ...replaced(FORM_ENGLISH, given) }),
  );

  function update(): void {
    const { toolCallId, messageId, gate } = host;
    const found = gate && toolCallId !== undefined ? findCall(gate, toolCallId, messageId) : undefined;
    const old = shown;
    const { words } = view;
    call = found?.part;
    frame.card.hidden = found === undefined;
    if (!found) {
      removeForm();
      shown = undefined;
      return;
    }
    const { part } = found;
    if (part.input !== source[0]) questions = readQuestions(part.input, words);
    pending = questions && pendingOf(part);
    const isWaiting = pending !== undefined || waitsForOutput(part);
    shown = isWaiting
      ? { status: 'waiting', tone: 'wait', label: words.waiting, note: '' }
      : (answered(part, words) ?? wordsOf(part, found, words));
    frame.renderHeader(part, shown, host.headingLevel, words);
    const text = updateQuestion(part, isWaiting);
    updateAnswer(part);
    const { status, label, note } = shown;
    setText(frame.note, note);
    foot.hidden = !isWaiting && note === '';
    foot.classList.toggle('slim', !isWaiting);
    if (old?.status === status) return;
    const tool = labelOf(part);
    if (isWaiting) view.announce(fill(words.asks, { tool, message: brief(text, 300) }));
    else if (old) view.announce(`${tool}: ${label}. ${note}`.trim());
  }

  /** Whether the gate waits for an output of this call. */
  function waitsForOutput(part: ToolPart): boolean {
    if (part.outcome || part.state === 'input-streaming') return false;
    const { runnable, waitingFor } = host.gate!.getSnapshot().turn;
    const id = part.toolCallId;
    return runnable.includes(id) || waitingFor.some((entry) => entry.kind === 'tool' && entry.toolCallIds.includes(id));
  }

  /** The approval request of a call with questions alone, if its input may be edited. */
  function pendingOf(part: ToolPart): PendingApproval | undefined {
    if (part.state !== 'approval-requested' || !hasOnlyQuestions(part.input)) return undefined;
    return host.gate?.pending().find(({ approvalId, editable }) => approvalId === part.approval.id && editable);
  }

  /** Renders the question, and its form. Returns the message. */
  function updateQuestion(part: ToolPart, isWaiting: boolean): string {
    const given = host.question ?? questions?.question ?? (Object(part.input) as Question);
    const text = typeof given.message === 'string' ? given.message : '';
    const now = [part.input, host.question, part.state === 'input-streaming'];
    if (now.some((value, at) => value !== source[at])) {
      source = now;
      message.replaceChildren(...textNodes(truncated(text, MESSAGE)));
      const asks = jsonOf([part.toolCallId, text, given.requestedSchema]);
      if (asks !== asked) removeForm();
      asked = asks;
    }
    if (!isWaiting) removeForm();
    else if (!form) {
      form = answerForm({
        form: readSchema(given.requestedSchema),
        texts: view.words,
        tool: labelOf(part),
        answer: send,
      });
      setText(frame.problem, '');
      foot.prepend(form);
    }
    return text;
  }

  /** Shows the content of an accepted answer. */
  function updateAnswer(part: ToolPart): void {
    const { output: result } = part as { readonly output?: unknown };
    const content = answerOf(part) === 'accept' ? (result as { readonly content?: unknown }).content : answersOf(part);
    answer.hidden = content === undefined;
    if (content === undefined || content === output) return;
    output = content;
    answer.replaceChildren(layOut(content, view.words, new Map()));
  }

  function send(given: QuestionAnswer): void {
    const [part, { gate }] = [call, host];
    if (!part || !gate) return;
    const { toolCallId } = part;
    const hadFocus = root.activeElement !== null;
    setText(frame.problem, '');
    const sent: QuestionAnswer =
      given.action === 'accept' && questions && !host.question
        ? { action: 'accept', content: questions.answersIn(given.content) }
        : given;
    try {
      if (pending) gate.respond(pending, decisionFor(part, sent));
      else gate.addToolOutput(toolCallId, { output: sent });
    } catch (error) {
      setText(frame.problem, describeRefusal(error, view.words));
      emit<AnswerErrorDetail>(host, 'answer-error', { toolCallId, error });
      return;
    }
    if (host.isConnected) update();
    // The focused button was removed with the form.
    if (hadFocus && host.isConnected && !form) focus({ preventScroll: true });
    emit<AnswerDetail>(host, 'answer', { toolCallId, toolName: toolNameOf(part), answer: sent });
  }

  frame.body.append(message, answer);
  root.prepend(frame.card);
  return {
    ...view,
    get status() {
      return shown?.status;
    },
  };
}

/** The decision that carries the answers: an approval with Claude Code's field `answers`, or a denial. */
function decisionFor({ input }: ToolPart, answer: QuestionAnswer): { approved: boolean; input?: unknown } {
  if (answer.action !== 'accept') return { approved: false };
  // Several options of one question are one text.
  const answers = Object.entries(answer.content).map(([key, value]) => [key, [value].flat().join(', ')]);
  return { approved: true, input: { ...(input as object), answers: Object.fromEntries(answers) } };
}

/** The answers in the input that was approved. */
function answersOf(part: ToolPart): unknown {
  if (part.state === 'approval-requested' || part.state === 'input-streaming') return undefined;
  const { questions, answers } = Object(part.input) as { readonly questions?: unknown; readonly answers?: unknown };
  return questions && typeof answers === 'object' && answers !== null ? answers : undefined;
}

/** The action of the answer that is the call's output. */
function answerOf(part: ToolPart): unknown {
  if (part.state !== 'output-available' || part.preliminary) return undefined;
  return (Object(part.output) as { readonly action?: unknown }).action;
}

function answered(part: ToolPart, texts: FormTexts): CallWords | undefined {
  const action = answerOf(part);
  if (action === 'accept') return { status: 'done', tone: 'yes', label: texts.answeredLabel, note: '' };
  const key = action === 'decline' ? 'declinedLabel' : action === 'cancel' && 'dismissedLabel';
  return key ? { status: 'done', tone: 'quiet', label: texts[key], note: texts[`${key}Note`] } : undefined;
}
