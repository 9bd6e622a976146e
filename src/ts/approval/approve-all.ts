/**
 * `approveAll`: the buttons of a list that decide all its open calls, without their looks. They decide the approvals
 * that their labels count, with the inputs that the cards show. An approval that arrives joins them only after a pause,
 * so that a click that was already under way does not decide it. Calls are approved together only if the user has seen
 * each, and if a bare yes answers it. The list also offers to send what is held, where no single card can.
 */
import { fill } from '../describe/call-texts.js';
import { describeRefusal } from '../describe/describe-refusal.js';
import type { GateSource } from '../gate/gate-source.js';
import { respondToShown } from '../gate/respond-shown.js';
import type { ToolGate } from '../gate/tool-gate.js';
import type { PendingApproval, ToolPart } from '../types/index.js';
import { callsOfStep } from '../types/tool-part.js';
import { isBareYes } from './asked-answer.js';
import { controls, DECIDED, type Drawn } from './controls.js';
import type { CardDescription } from './describe-card.js';
import type { FormButton } from './form-types.js';
import { sharedOf } from './shared-state.js';
import { counted, textsWith, type ApprovalTexts, type CardTexts } from './texts.js';
import { needsSecondLook, type ToolCards } from './tool-cards.js';
import { briefName } from './tool-names.js';

/** With fewer approvals, the cards have buttons enough. */
const FEWEST = 2;

/** How long a new approval is shown before the buttons include it, in ms. */
const JOIN_AFTER_MS = 1000;

/** The most tools that are named. */
const NAMES = 6;

/**
 * What a button does. `showUnseen`: leads to the first call that the user has not seen. `sendNow`, `doNotRun`: sends
 * the decisions that are held since the reply was stopped or broke off, or cancels the approvals among them.
 */
export type AllAct = 'approveAll' | 'denyAll' | 'confirmAll' | 'back' | 'showUnseen' | 'sendNow' | 'doNotRun';

/** What the buttons of a list show. */
export interface AllView {
  /** Whether there is anything to show. */
  readonly isShown: boolean;
  /** The name of the list, and the language and direction of its texts. */
  readonly list: string;
  readonly language: CardDescription['language'];
  /** How many calls wait, as a sentence; or empty. */
  readonly waiting: string;
  /** The tools of the calls that are approved together; or empty. */
  readonly what: string;
  /** Which calls are not, because the backend asks for an answer; or empty. */
  readonly needed: string;
  /** The question before dangerous calls are approved; or empty. Draw it with `data-question` and `tabindex="-1"`. */
  readonly question: string;
  /** What the last press has done; or empty. Draw it with `data-result` and `tabindex="-1"`. */
  readonly result: string;
  readonly buttons: readonly FormButton<AllAct>[];
  /** Why the last press was refused; or empty. */
  readonly problem: string;
}

/** What the buttons are about. */
export interface AllContext {
  /** The gate, or a guarded chat. */
  readonly gate: GateSource;
  /** The approvals of the list that can be decided, in the order of their cards. */
  readonly approvals: readonly PendingApproval[];
  /** Replacements for the English texts. */
  readonly texts?: Partial<ApprovalTexts> | undefined;
  /** What the app knows about its tools. */
  readonly tools?: ToolCards | undefined;
  /** Called with the approvals that the gate has decided. */
  readonly onDecision?: ((decided: readonly PendingApproval[], approved: boolean) => void) | undefined;
  /** Called with the error when the gate refuses. */
  readonly onRefusal?: ((approvalId: string, error: unknown) => void) | undefined;
}

/**
 * The buttons that decide all open calls of a list. A component draws `view(…)` in each render, passes the element
 * around the buttons to `attach`, and calls `rendered` after each render.
 */
export interface ApproveAll extends Drawn {
  /** Returns what to show for these approvals. */
  readonly view: (context: AllContext) => AllView;
  /** Does what a button does. Without effect if it is not offered. */
  readonly press: (act: AllAct) => void;
}

/** The buttons for contexts with a gate. `open`: the number of calls that wait, if the buttons are offered. */
export interface ListButtons extends Omit<ApproveAll, 'view'> {
  readonly view: (context: AllContext) => Omit<AllView, 'list' | 'language' | 'waiting'> & { readonly open: number };
}

/** Creates the buttons of a list. */
export function listButtons(): ListButtons {
  let context: AllContext | undefined;
  let gate: ToolGate | undefined;
  /** The approvals that the labels count in the next render, and on the page. */
  let offered: readonly PendingApproval[] = [];
  let shown = offered;
  let joining: ReturnType<typeof setTimeout> | undefined;
  /** The approvals that the question is about; undefined without a question. */
  let asked: readonly PendingApproval[] | undefined;
  let [result, problem] = ['', ''];
  let isLooking = false;
  let buttons: readonly FormButton<AllAct>[] = [];

  const dom = controls({
    placed: () => dom.root() ?? stop(),
    press: (act) => press(act as AllAct),
    onKey(event) {
      if (event.key !== 'Escape' || !asked) return;
      event.preventDefault();
      event.stopPropagation();
      press('back');
    },
    tooSoon: () => complain(textsWith(context?.texts).tooSoon),
  });

  const complain = (text: string): void => {
    problem = text;
    dom.notify();
  };
  const stop = (): void => {
    clearTimeout(joining);
    joining = undefined;
  };
  /** Draws again, once for all cards that come into view together. */
  const look = (): void => {
    if (isLooking) return;
    isLooking = true;
    queueMicrotask(() => {
      isLooking = false;
      dom.notify();
    });
  };
  /** The calls that a bare yes answers. */
  const answerable = (all: readonly PendingApproval[]): readonly PendingApproval[] =>
    all.filter((one) => gate && isBareYes(gate, one));
  const risky = (all: readonly PendingApproval[]): readonly PendingApproval[] =>
    all.filter(({ toolName, input }) => needsSecondLook(context?.tools, toolName, input));

  /** Follows the forms of a gate. */
  function follow(now: ToolGate | undefined): void {
    if (now === gate) return;
    if (gate) sharedOf(gate)[2].delete(look);
    gate = now;
    offered = shown = [];
    asked = undefined;
    result = '';
    if (gate) sharedOf(gate)[2].add(look);
  }

  /** The calls whose decisions are held. */
  const heldCalls = (): ToolPart[] => callsOfStep(gate!.getSnapshot()).filter(({ delivery }) => delivery === 'held');
  /** Those that would run. */
  const approvedOf = (held: readonly ToolPart[]): readonly ToolPart[] =>
    held.filter(({ state }) => state === 'approval-responded');

  /** What the list offers for held decisions. A single one has these buttons on its card. */
  function buttonsForHeld(texts: CardTexts): readonly FormButton<AllAct>[] {
    const { turn, queued } = gate!.getSnapshot();
    const held = heldCalls();
    if (held.length === 1 || !turn.waitingFor.some(({ kind }) => kind === 'resume')) return [];
    return [
      button('sendNow', held.length + queued.length > 0 ? texts.sendNow : texts.goOn),
      ...(approvedOf(held).length > 0 ? [button('doNotRun', texts.doNotRun)] : []),
    ];
  }

  function buttonsFor(yes: readonly PendingApproval[], texts: CardTexts): readonly FormButton<AllAct>[] {
    const [forms, seen] = sharedOf(gate!);
    // A call that is being denied must not be approved together with the others.
    const isDenying = offered.some(({ approvalId }) => forms.get(approvalId)?.[0]);
    if (isDenying) asked = undefined;
    if (asked) return [button('confirmAll', counted(texts, 'confirmAllNow', yes.length)), button('back', texts.back)];
    const deny = button('denyAll', counted(texts, 'denyAll', offered.length));
    // Where it cannot be known what the user has seen, nothing is approved together.
    if (yes.length < FEWEST || typeof IntersectionObserver === 'undefined') return [deny];
    // With the focus, the button that leads to unseen calls must not become another one under the user's keys.
    const isSeen = yes.every((one) => seen.has(one)) && dom.focused()?.dataset['act'] !== 'showUnseen';
    return [
      isSeen
        ? button('approveAll', counted(texts, 'approveAll', yes.length), isDenying)
        : button('showUnseen', texts.showUnseen, isDenying),
      deny,
    ];
  }

  function press(act: AllAct): void {
    if (!gate || !buttons.some((button) => button.act === act && !button.isDisabled)) return;
    problem = '';
    const yes = answerable(shown);
    if (act === 'denyAll') return decide(shown, false);
    if (act === 'confirmAll' || (act === 'approveAll' && risky(yes).length === 0)) return decide(yes, true);
    if (act === 'sendNow' || act === 'doNotRun') {
      try {
        if (act === 'sendNow') gate.resume();
        else approvedOf(heldCalls()).forEach(({ approval }) => gate!.cancel(undefined, { approvalId: approval!.id }));
      } catch (error) {
        return complain(describeRefusal(error, textsWith(context?.texts)));
      }
      dom.root()?.dispatchEvent(new CustomEvent(DECIDED, { bubbles: true }));
    } else if (act === 'approveAll') {
      // The focus is on the question, not on a button: a key that is held down must not answer it.
      asked = shown;
      dom.lead('[data-question]');
    } else if (act === 'back') {
      asked = undefined;
      dom.lead('[data-act=approveAll]');
    } else {
      const [forms, seen] = sharedOf(gate);
      forms.get((yes.find((one) => !seen.has(one)) ?? yes[0])?.approvalId ?? '')?.[1]?.focus();
    }
    dom.notify();
  }

  function decide(approvals: readonly PendingApproval[], approved: boolean): void {
    const pendingIds = (): Set<string> => new Set(gate!.pending().map(({ approvalId }) => approvalId));
    const texts = textsWith(context?.texts);
    asked = undefined;
    const before = pendingIds();
    let count: number;
    try {
      count = respondToShown(gate!, approvals, { approved });
    } catch (error) {
      complain(describeRefusal(error, texts));
      context?.onRefusal?.(approvals[0]!.approvalId, error);
      return;
    }
    const after = pendingIds();
    const decided = approvals.filter(({ approvalId }) => before.has(approvalId) && !after.has(approvalId));
    decided.forEach(({ approvalId }) => sharedOf(gate!)[4].add(approvalId));
    const left = approvals.length - count;
    result = counted(texts, approved ? 'approvedAll' : 'deniedAll', count);
    if (left > 0) result += ` ${counted(texts, 'notAll', left)}`;
    dom.lead('[data-result]');
    dom.notify();
    context?.onDecision?.(decided, approved);
  }

  return {
    ...dom,
    rendered() {
      shown = offered;
      if (dom.root() && offered.length < context!.approvals.length)
        joining ??= setTimeout(() => {
          stop();
          offered = context!.approvals;
          dom.notify();
        }, JOIN_AFTER_MS);
      dom.rendered();
    },
    press,
    view(about) {
      follow((about.gate ?? undefined) as ToolGate | undefined);
      context = about;
      const { approvals } = about;
      const texts = textsWith(about.texts);
      const now = new Map(approvals.map((approval) => [approval.approvalId, approval]));
      const remaining = offered.map(({ approvalId }) => now.get(approvalId)).filter((one) => one !== undefined);
      const isNew = remaining.length === 0;
      if (isNew && approvals.length > 0) result = '';
      offered = isNew ? approvals : remaining;
      // The question is about certain calls: others need another one.
      if (asked?.length !== offered.length || asked.some((one) => !offered.includes(one))) asked = undefined;
      const count = offered.length;
      const isOffered = gate !== undefined && count >= FEWEST;
      const yes = answerable(offered);
      const rest = offered.filter((one) => !yes.includes(one));
      buttons = [...(isOffered ? buttonsFor(yes, texts) : []), ...(gate ? buttonsForHeld(texts) : [])];
      const needed = rest.length > 0 ? fill(texts.needAnswer, { tools: toolsOf(rest) }) : '';
      return {
        isShown: buttons.length > 0 || result !== '',
        open: isOffered ? count : 0,
        what: isOffered && !asked ? toolsOf(yes) : '',
        needed: isOffered ? needed : '',
        question: isOffered && asked ? counted(texts, 'confirmAll', yes.length, { tools: toolsOf(risky(yes)) }) : '',
        result,
        buttons,
        problem,
      };
    },
  };
}

const button = (act: AllAct, label: string, isDisabled = false): FormButton<AllAct> => ({
  act,
  label,
  name: label,
  look: act === 'confirmAll' ? 'main' : 'other',
  isDisabled,
});

/** The tools of some approvals, each with the number of its calls. */
function toolsOf(approvals: readonly PendingApproval[]): string {
  const counts = new Map<string, number>();
  for (const { toolName } of approvals) counts.set(toolName, (counts.get(toolName) ?? 0) + 1);
  const named = [...counts]
    .slice(0, NAMES)
    .map(([name, count]) => (count > 1 ? `${briefName(name)} ×${count}` : briefName(name)));
  return [...named, ...(counts.size > NAMES ? ['…'] : [])].join(', ');
}
