/**
 * `approvalForm`: the decision form of one call without its looks. It holds what the user enters, decides what may be
 * pressed, and passes the decision to the gate, which validates it. While the reason for denying is open, it offers
 * only to deny and to go back: no key that is pressed after the reason can approve the call.
 */
import { brief } from '../describe/brief.js';
import { fill } from '../describe/call-texts.js';
import { statusOf, type AnyToolPart } from '../describe/call-status.js';
import { describeRefusal } from '../describe/describe-refusal.js';
import type { ToolGate } from '../gate/tool-gate.js';
import { descriptorOf, type ApprovalDescriptor } from '../types/approval-descriptor.js';
import type { PendingApproval } from '../types/index.js';
import { toolNameOf } from '../types/tool-part.js';
import { askedBy } from './asked-answer.js';
import { callIn } from './call-in.js';
import { controls, DECIDED, type Drawn } from './controls.js';
import { clockOf, HURRY_SECONDS, LOOK_EVERY_MS, nowOf, secondsLeft, spanOf } from './countdown.js';
import { jsonOf, readEdit } from './edited-input.js';
import type {
  FieldId,
  FormAct,
  FormContext,
  FormDeadline,
  FormDecision,
  FormView,
  HeldDecision,
} from './form-types.js';
import { buttonsOf, fieldsOf, promptOf, questionOf, scopesOf, type Entries, type FormProblem, type FormState, type Mode } from './form-view.js'; // prettier-ignore
import { isLasting, scopeOf } from './remember-scopes.js';
import { sharedOf } from './shared-state.js';
import { counted, textsWith, type CardTexts } from './texts.js';
import { isDangerous, summaryOf } from './tool-cards.js';
import { labelOf } from './tool-names.js';

/**
 * The decision form of one call. A component draws `view(…)` in each render, passes its outermost element to `attach`,
 * and calls `rendered` after each render. The form then listens to the buttons with `data-act` and the fields with
 * `data-field`, and moves the focus. An element with `data-status` around it is the card.
 */
export interface ApprovalForm extends Drawn {
  /** Returns what to show for a call. The user's entries stay while the request is the same. */
  readonly view: (context: FormContext) => FormView;
  /** Does what a button does. Without effect if the form does not offer it. */
  readonly press: (act: FormAct) => void;
  /** Enters a value into a field. */
  readonly enter: (field: FieldId, value: string) => void;
}

const NO_PROBLEM: FormProblem = { text: '' };

/** The form for contexts with a gate. Shows nothing without one. */
export interface DecisionForm extends Omit<ApprovalForm, 'view'> {
  readonly view: (context: FormContext) => FormView | undefined;
}

/** Creates the decision form of one call. */
export function decisionForm(): DecisionForm {
  let context: FormContext | undefined;
  /** What the next render shows, and what the page shows: a decision is bound to that. */
  let [next, shown]: [FormState | undefined, FormState | undefined] = [undefined, undefined];
  /** The last request, the number of its form, and what the backend says about it beside the input. */
  let request: PendingApproval | undefined;
  let key = 0;
  let words: readonly string[] = [];
  let mode: Mode = 'open';
  let entries: Entries = {};
  let problem = NO_PROBLEM;
  /** The label of the last button that was pressed. */
  let pressed = '';
  /** The deadline that is counted down, what is announced about it, and the seconds that are shown. */
  let expiresAt: number | undefined;
  let announcement: string | undefined;
  let seconds: number | undefined;
  let timer: ReturnType<typeof setInterval> | undefined;
  /** Takes the form out of the state that the forms of a gate share. */
  let withdraw: (() => void) | undefined;
  let published: string | undefined;

  const dom = controls({
    placed,
    press: (act) => press(act as FormAct),
    enter(field, value, isDone) {
      enter(field as FieldId, value);
      if (isDone && field === 'edited') {
        checkEdit();
        dom.notify();
      }
    },
    onKey,
    tooSoon: () => complain({ text: textsWith(context?.texts).tooSoon }),
  });

  const complain = (now: FormProblem): void => {
    problem = now;
    dom.notify();
  };

  function read(about: FormContext): FormState | undefined {
    const gate = about.gate as ToolGate | null | undefined;
    if (!gate) return undefined;
    const { part, tools } = about;
    const facts = callIn(gate, part);
    const pending = statusOf(part, facts.isOver, facts.isClosed) === 'waiting' ? facts.approval : undefined;
    const texts = textsWith(about.texts);
    const descriptor = descriptorOf(part.approval as never);
    if (pending) adopt(gate, pending, wordsOf(part, descriptor), texts);
    const name = toolNameOf(part);
    const { input } = pending ?? part;
    const known = next?.pending === pending && next?.input === input && next?.tools === tools ? next : undefined;
    return {
      ...about,
      ...facts,
      gate,
      pending,
      texts,
      descriptor,
      input,
      isDangerous: known?.isDangerous ?? (pending !== undefined && isDangerous(tools, name, input)),
      summary: part.state === 'input-streaming' ? '' : (known?.summary ?? summaryOf(tools, name, input)),
    };
  }

  /**
   * Takes a request over. If it has changed, only a reason of what the user has entered stays, and the form says which
   * words have changed.
   */
  function adopt(gate: ToolGate, now: PendingApproval, nowWords: readonly string[], texts: CardTexts): void {
    const before = request;
    if (before === now) return;
    request = now;
    const [, seen] = sharedOf(gate);
    if (before && isSameRequest(before, now)) {
      if (seen.has(before)) seen.add(now);
      return;
    }
    const [isChanged, old] = [before?.approvalId === now.approvalId, words];
    const without = (all: readonly string[], some: readonly string[]): string =>
      all.filter((word) => !some.includes(word)).join(', ');
    const [removed, added] = [without(old, nowWords), without(nowWords, old)];
    key++;
    words = nowWords;
    problem = isChanged && removed + added ? { text: `${texts.changed} ${removed} → ${added}` } : NO_PROBLEM;
    entries = isChanged ? { reason: entries.reason ?? '' } : {};
    if (!isChanged || mode !== 'denying') mode = 'open';
  }

  function deadlineOf({ gate, pending, texts, part }: FormState): FormDeadline | undefined {
    seconds = pending && secondsLeft(gate, pending);
    if (!pending || seconds === undefined) return undefined;
    spanOf(gate, pending);
    const isHurry = seconds <= HURRY_SECONDS;
    if (pending.expiresAt !== expiresAt) announcement = isHurry ? '' : undefined;
    expiresAt = pending.expiresAt;
    if (isHurry) announcement ??= counted(texts, 'secondsLeft', seconds, { tool: labelOf(part), seconds });
    return { text: fill(texts.expiresIn, { time: clockOf(seconds) }), isHurry };
  }

  function press(act: FormAct): void {
    const state = shown;
    const button = state && buttonsOf(state, mode, entries).find((each) => each.act === act);
    if (!button) return;
    pressed = button.label;
    const { gate, pending, part, undelivered } = state;
    problem = NO_PROBLEM;
    if (act === 'approve') return approve(state);
    if (act === 'deny') return decide(false);
    if (act === 'confirm') return decide(mode === 'approving', true);
    if (act === 'reasonToggle') return go(mode === 'denying' ? 'open' : 'denying');
    if (act === 'back') return go('open');
    if (act === 'edit') {
      const isOpen = entries.edited !== undefined;
      entries = { ...entries, edited: isOpen ? undefined : jsonOf(pending?.input) };
      dom.lead(isOpen ? '[data-act=edit]' : '[data-field=edited]');
    } else if (act === 'moreTime') {
      if (pending) attempt(() => gate.extend(pending, nowOf(gate) + spanOf(gate, pending)));
    } else {
      const [id, approvalId] = [undelivered?.id as string, part.approval?.id as string];
      attempt(() => {
        if (act === 'sendNow') gate.resume();
        else if (act === 'retry') gate.retry(id);
        else gate.cancel(undefined, act === 'giveUp' ? { id } : { approvalId });
      });
      dom.lead('');
    }
    dom.notify();
  }

  function enter(field: FieldId, value: string): void {
    if (entries[field] === value) return;
    entries = { ...entries, [field]: value };
    if (problem.text === '') return;
    // While the user types, an edit is often not valid: only a problem that is shown already is updated.
    if (problem.of !== 'edited') problem = NO_PROBLEM;
    else if (field === 'edited') checkEdit();
    dom.notify();
  }

  function approve({ gate, texts, descriptor }: FormState): void {
    if (checkEdit()) {
      dom.lead('[data-field=edited]');
      return dom.notify();
    }
    const { options, isRequired } = askedBy(descriptor, gate);
    // A rule of the server is an answer to its question, too.
    if (!isRequired || scope(true).reason !== undefined || answer()) return decide(true);
    const of = options.length > 0 ? 'option' : 'answer';
    dom.lead(`[data-field=${of}]`);
    complain({ of, text: texts[`${of === 'option' ? 'choice' : of}Missing`] });
  }

  /** The answer to the backend's question: the text, or else the id of the option. */
  function answer(): string | undefined {
    const { options, acceptsText } = askedBy(shown!.descriptor, shown!.gate);
    return (acceptsText && entries.answer?.trim()) || options.find(({ id }) => id === entries.option)?.id;
  }

  /** The scope of a decision. An edited decision cannot be remembered: later calls have the model's input. */
  const scope = (approved: boolean): ReturnType<typeof scopeOf> =>
    scopesOf(shown!) && entries.edited === undefined
      ? scopeOf(entries.remember ?? '', approved, shown!.descriptor)
      : {};

  /** Decides. Asks first if the decision lasts, unless that is confirmed. What is hidden does not apply. */
  function decide(approved: boolean, isConfirmed = false): void {
    const { gate, pending, texts } = shown!;
    if (!pending) return;
    const isDenying = mode === 'denying';
    const chosen = isDenying ? {} : scope(approved);
    if (isLasting(chosen) && !isConfirmed) return go(approved ? 'approving' : 'refusing');
    const { edited, reason } = entries;
    const edit = approved && edited !== undefined ? readEdit(edited, pending.input, texts) : {};
    const given = approved ? answer() : isDenying && reason?.trim();
    const decision = { approved, ...(given && { reason: given }), ...edit, ...chosen };
    const { approvalId, toolCallId, toolName } = pending;
    const give = (): FormDecision['result'] | undefined => {
      const result = attempt(() => gate.respond(pending, decision));
      if (result === undefined) dom.lead('[data-question]');
      else mode = 'open';
      dom.notify();
      if (result === undefined) return;
      context?.onDecision?.({ approvalId, toolCallId, toolName, ...decision, result } as FormDecision);
      dom.root()?.dispatchEvent(new CustomEvent(DECIDED, { bubbles: true }));
      return result;
    };
    if (dom.focused()) dom.lead('');
    const hold = context?.hold;
    if (!hold) return void give();
    mode = 'open';
    dom.notify();
    hold({ ...decision, approval: pending, label: pressed, give } as HeldDecision);
  }

  /** Checks the edited input, and notes what is wrong with it. */
  function checkEdit(): boolean {
    if (entries.edited === undefined || !shown?.pending) return false;
    const result = readEdit(entries.edited, shown.pending.input, shown.texts, context?.validateInput);
    const isWrong = 'problem' in result;
    problem = isWrong ? { of: 'edited', text: result.problem } : NO_PROBLEM;
    return isWrong;
  }

  /** Opens or closes the reason or the question. The focus follows, but never onto a button that decides. */
  function go(to: Mode): void {
    const back = mode === 'denying' ? 'reasonToggle' : mode === 'approving' ? 'approve' : 'deny';
    mode = to;
    // Some frameworks draw later: until then, the next key must not reach the list's "Approve all".
    placed();
    dom.lead(to === 'denying' ? '[data-field=reason]' : to === 'open' ? `[data-act=${back}]` : '[data-question]');
    dom.notify();
  }

  function onKey(event: KeyboardEvent): void {
    const field = (event.target as HTMLElement).dataset['field'];
    if (event.key === 'Escape' && mode !== 'open' && shown?.pending) {
      go('open');
      // Do not close a dialog that contains the card.
      event.stopPropagation();
      event.preventDefault();
    } else if (event.key === 'Enter' && (field === 'reason' || field === 'answer')) {
      // Enter does not submit a form around the card.
      event.preventDefault();
      // The field of the answer does not show the edit that Enter would approve.
      if (mode === 'denying' || entries.edited === undefined) return press(mode === 'denying' ? 'deny' : 'approve');
      dom.lead('[data-act=approve]');
      dom.notify();
    }
  }

  /** Calls the gate, and notes the error that it throws. */
  function attempt<T>(act: () => T): T | undefined {
    try {
      return act();
    } catch (error) {
      problem = { text: describeRefusal(error, shown!.texts) };
      context?.onRefusal?.(shown!.part.approval?.id as string, error);
      return undefined;
    }
  }

  /** Tells the lists of the gate that the user has seen this call, or is denying it. Starts and ends the countdown. */
  function placed(): void {
    const { gate, pending } = shown ?? {};
    const id = gate && dom.root() ? pending?.approvalId : undefined;
    if (id !== published) {
      withdraw?.();
      withdraw = undefined;
    }
    published = id;
    if (gate && pending && id !== undefined) {
      const [forms, seen, listeners] = sharedOf(gate);
      const [card, isDenying, old] = [dom.card(), mode === 'denying', forms.get(id)];
      const isNew = dom.isSeen() && !seen.has(pending);
      if (isNew) seen.add(pending);
      // Telling a list makes it draw its cards, which call this function again: only tell what has changed.
      if (isNew || old?.[1] !== card || old?.[0] !== isDenying) {
        const tell = (): void => listeners.forEach((listener) => listener());
        forms.set(id, [isDenying, card]);
        withdraw = () => {
          forms.delete(id);
          tell();
        };
        tell();
      }
      if (pending.expiresAt !== undefined) {
        timer ??= setInterval(() => {
          const { gate, pending } = shown ?? {};
          if (gate && pending && secondsLeft(gate, pending) !== seconds) dom.notify();
        }, LOOK_EVERY_MS);
        return;
      }
    }
    clearInterval(timer);
    timer = undefined;
  }

  return {
    ...dom,
    rendered() {
      shown = next;
      dom.rendered();
    },
    view(about) {
      context = about;
      const state = (next = read(about));
      return (
        state && {
          key,
          isWaiting: state.pending !== undefined,
          isDangerous: state.isDangerous,
          summary: state.summary,
          prompt: promptOf(state),
          question: questionOf(state, mode, entries),
          fields: fieldsOf(state, mode, entries, problem),
          buttons: buttonsOf(state, mode, entries),
          deadline: deadlineOf(state),
          announcement: announcement ?? '',
          problem: problem.of === undefined ? problem.text : '',
        }
      );
    },
    press,
    enter,
  };
}

/** Whether both are the same request: for the same call with the same input, with the same words and options. */
const isSameRequest = (before: PendingApproval, now: PendingApproval): boolean =>
  (['approvalId', 'toolCallId', 'toolName', 'shownRevision'] as const).every((key) => before[key] === now[key]) &&
  // An empty digest means that the input cannot be encoded: compare by identity.
  (before.input === now.input || (before.inputDigest !== '' && before.inputDigest === now.inputDigest));

/** The words of a request beside its input, each in one line. */
const wordsOf = ({ title }: AnyToolPart, { prompt, options }: ApprovalDescriptor): readonly string[] =>
  [title, prompt, ...options.map(({ label }) => label)].map((word) => brief(word ?? '', 80));
