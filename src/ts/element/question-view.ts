/**
 * The view of `<tool-question>`: the question of a call, its form while the call waits for the user's answer, and the
 * answer afterwards. The answer is the output of the call. If the backend requests approval of a call with questions,
 * the answers are added to the input that is approved.
 */
import {
  brief,
  CARD_STYLES,
  CardFrame,
  describeRefusal,
  ElementView,
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
  toolNameOf,
  truncated,
  wordsOf,
} from './loaded.js';
import { answerForm } from './answer-form.js';
import { hasOnlyQuestions, readQuestions, type AskedQuestions } from './asked-questions.js';
import type { CardTexts } from '../approval/texts.js';
import type { CallStatus } from '../describe/call-status.js';
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

/** Returns the class of the view of one question. */
export function questionView(views: Parameters<typeof take>[0]): new (host: QuestionHost, root: ShadowRoot) => View {
  take(views);
  return class extends ElementView<QuestionHost, CardTexts & FormTexts> {
    readonly #frame = new CardFrame();
    readonly #message = h('p', { 'class part': 'message', dir: 'auto' });
    readonly #answer = h('div', { 'class part': 'answer', hidden: true });
    #form: HTMLFormElement | undefined;
    #shown: CallWords | undefined;
    /** The question of the form, as JSON: an equal question keeps the user's entries. */
    #asked = '';
    /** The last input and the last question of the app, for which `#asked` was made. */
    #source: readonly unknown[] = [];
    #part: ToolPart | undefined;
    /** The questions of the call's input, and the approval request that their answers approve. */
    #questions: AskedQuestions | undefined;
    #pending: PendingApproval | undefined;
    #output: unknown;

    constructor(host: QuestionHost, root: ShadowRoot) {
      super(host, root, CARD_STYLES + QUESTION_STYLES);
      this.#frame.body.append(this.#message, this.#answer);
      this.root.prepend(this.#frame.card);
    }

    override get status(): CallStatus | undefined {
      return this.#shown?.status;
    }

    override focus(options?: FocusOptions): void {
      this.#frame.card.focus(options);
    }

    protected override readTexts(): CardTexts & FormTexts {
      return { ...super.readTexts(), ...replaced(FORM_ENGLISH, this.host.texts) };
    }

    override reset(): void {
      this.#removeForm();
      this.#source = [];
      super.reset();
    }

    protected override update(): void {
      const { toolCallId, messageId, gate } = this.host;
      const found = gate && toolCallId !== undefined ? findCall(gate, toolCallId, messageId) : undefined;
      const old = this.#shown;
      this.#part = found?.part;
      this.#frame.card.hidden = found === undefined;
      if (!found) {
        this.#removeForm();
        this.#shown = undefined;
        return;
      }
      const { part } = found;
      if (part.input !== this.#source[0]) this.#questions = readQuestions(part.input, this.words);
      this.#pending = this.#questions && this.#pendingOf(part);
      const isWaiting = this.#pending !== undefined || this.#isWaiting(part);
      this.#shown = isWaiting
        ? { status: 'waiting', tone: 'wait', label: this.words.waiting, note: '' }
        : (answered(part, this.words) ?? wordsOf(part, found, this.words));
      this.#frame.renderHeader(part, this.#shown, this.host.headingLevel, this.words);
      const message = this.#updateQuestion(part, isWaiting);
      this.#updateAnswer(part);
      setText(this.#frame.note, this.#shown.note);
      this.#frame.foot.hidden = !isWaiting && this.#shown.note === '';
      this.#frame.foot.classList.toggle('slim', !isWaiting);
      const { status, label, note } = this.#shown;
      if (old?.status === status) return;
      const tool = labelOf(part);
      if (isWaiting) this.announceText(fill(this.words.asks, { tool, message: brief(message, 300) }));
      else if (old) this.announceText(`${tool}: ${label}. ${note}`.trim());
    }

    /** Whether the gate waits for an output of this call. */
    #isWaiting(part: ToolPart): boolean {
      if (part.outcome || part.state === 'input-streaming') return false;
      const { runnable, waitingFor } = (this.host.gate as NonNullable<QuestionHost['gate']>).getSnapshot().turn;
      const id = part.toolCallId;
      return (
        runnable.includes(id) || waitingFor.some((entry) => entry.kind === 'tool' && entry.toolCallIds.includes(id))
      );
    }

    /** The approval request of a call with questions alone, if its input may be edited. */
    #pendingOf(part: ToolPart): PendingApproval | undefined {
      const { gate } = this.host;
      if (part.state !== 'approval-requested' || !hasOnlyQuestions(part.input)) return undefined;
      return gate?.pending().find(({ approvalId, editable }) => approvalId === part.approval.id && editable);
    }

    /** Renders the question, and its form. Returns the message. */
    #updateQuestion(part: ToolPart, isWaiting: boolean): string {
      const { message, requestedSchema } =
        this.host.question ?? this.#questions?.question ?? (Object(part.input) as Question);
      const text = typeof message === 'string' ? message : '';
      const source = [part.input, this.host.question, part.state === 'input-streaming'];
      if (source.some((value, at) => value !== this.#source[at])) {
        this.#source = source;
        this.#message.replaceChildren(...textNodes(truncated(text, MESSAGE)));
        const asked = jsonOf([part.toolCallId, text, requestedSchema]);
        if (asked !== this.#asked) this.#removeForm();
        this.#asked = asked;
      }
      if (!isWaiting) this.#removeForm();
      else if (!this.#form) {
        this.#form = answerForm({
          form: readSchema(requestedSchema),
          texts: this.words,
          tool: labelOf(part),
          answer: (answer) => this.#send(answer),
        });
        setText(this.#frame.problem, '');
        this.#frame.foot.prepend(this.#form);
      }
      return text;
    }

    /** Shows the content of an accepted answer. */
    #updateAnswer(part: ToolPart): void {
      const { output } = part as { readonly output?: unknown };
      const content =
        answerOf(part) === 'accept' ? (output as { readonly content?: unknown }).content : answersOf(part);
      this.#answer.hidden = content === undefined;
      if (content === undefined || content === this.#output) return;
      this.#output = content;
      this.#answer.replaceChildren(layOut(content, this.words, new Map()));
    }

    #removeForm(): void {
      this.#form?.remove();
      this.#form = undefined;
    }

    #send(answer: QuestionAnswer): void {
      const [part, { gate }] = [this.#part, this.host];
      if (!part || !gate) return;
      const { toolCallId } = part;
      const hadFocus = this.root.activeElement !== null;
      setText(this.#frame.problem, '');
      const given: QuestionAnswer =
        answer.action === 'accept' && this.#questions && !this.host.question
          ? { action: 'accept', content: this.#questions.answersIn(answer.content) }
          : answer;
      try {
        if (this.#pending) gate.respond(this.#pending, decisionFor(part, given));
        else gate.addToolOutput(toolCallId, { output: given });
      } catch (error) {
        setText(this.#frame.problem, describeRefusal(error, this.words));
        emit<AnswerErrorDetail>(this.host, 'answer-error', { toolCallId, error });
        return;
      }
      if (this.host.isConnected) this.update();
      // The focused button was removed with the form.
      if (hadFocus && this.host.isConnected && !this.#form) this.focus({ preventScroll: true });
      emit<AnswerDetail>(this.host, 'answer', { toolCallId, toolName: toolNameOf(part), answer: given });
    }
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
