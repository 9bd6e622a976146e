/**
 * The content of the bar above the text box: how many calls wait for the user, and what happens to the answers. It
 * shows what an approval chat usually hides: that nothing is sent yet, that a request failed, and how a turn ended.
 */
import {
  callsOfStep,
  describeCall,
  type CallDescription,
  type GateView,
  type TurnView,
  type Undelivered,
} from 'toolgate';

/** An undelivered item. */
export interface Trouble {
  id: string;
  delivery: string;
  /** How many decisions it contains. */
  decisions: number;
  error: string | null;
}

/** An undelivered item, as the bar needs it. */
export function troubleOf({ id, delivery, approvalIds, error }: Undelivered): Trouble {
  return { id, delivery, decisions: approvalIds.length, error: error ?? null };
}

/** The content of the bar. */
export interface BarView {
  /** Which buttons it has: to cancel, to retry and to give up, or none. */
  kind: 'waiting' | 'trouble' | 'told';
  tone: 'wait' | 'bad' | 'quiet';
  title: string;
  text: string;
  /** The browser's text for a failure. */
  detail: string;
  /** The calls that are drawn as dots, each by its tone. */
  dots: readonly CallDescription['tone'][];
}

/** The bar for the calls of the current step; `undefined` if it is not needed. */
export function barOf(trouble: readonly Trouble[], view: GateView): BarView | undefined {
  const first = trouble[0];
  if (first)
    return {
      ...told('bad', TROUBLE[first.delivery] ?? TROUBLE['failed']!, kept(first)),
      kind: 'trouble',
      detail: first.error ?? '',
    };

  // Pending, or answered and not settled.
  const asked = callsOfStep(view).filter(
    ({ state, approval }) => approval && (state === 'approval-requested' || state === 'approval-responded'),
  );
  const calls = asked.map((part) => describeCall(part, { view }));
  const dots = calls.map(({ tone }) => tone);
  const waiting = calls.filter(({ status }) => status === 'waiting').length;
  if (waiting > 0) return waitingBar(dots, waiting);
  if (view.status !== 'idle') return undefined;
  const { status, ending } = view.turn;
  if (status === 'incomplete' && ending !== 'interrupted') {
    return told(
      'bad',
      (ending && ENDINGS[ending]) ?? 'The turn is incomplete.',
      'Finished calls stay done. Your next message continues from there.',
    );
  }
  if (!asked.some(({ delivery }) => delivery === 'held')) return undefined;
  // Answers that are sent with the user's next message, because a denial ended the turn or the user stopped.
  const isDenied = asked.every(({ approval }) => approval?.approved === false);
  const title = isDenied ? 'Your denial ended the turn.' : 'The turn has ended.';
  return {
    ...told(
      'quiet',
      title,
      `Nothing was sent. ${isDenied ? 'Your denial is' : 'Your answers are'} sent with your next message.`,
    ),
    dots,
  };
}

const told = (tone: BarView['tone'], title: string, text: string): BarView => ({
  kind: 'told',
  tone,
  title,
  text,
  detail: '',
  dots: [],
});

function waitingBar(dots: BarView['dots'], waiting: number): BarView {
  const decided = dots.length - waiting;
  const count = waiting === 1 ? 'One call waits' : `${waiting} calls wait`;
  const [title, text] =
    decided === 0
      ? [`${count} for you.`, 'Nothing runs until you answer.']
      : [`${decided} of ${dots.length} decided.`, 'No answer has been sent yet.'];
  return { ...told('wait', title, text), kind: 'waiting', dots };
}

const ENDINGS: Readonly<Partial<Record<NonNullable<TurnView['ending']>, string>>> = {
  disconnected: 'The connection was lost.',
  failed: 'The reply broke off.',
  'step-limit': 'The server stopped at its limit.',
};

const TROUBLE: Readonly<Record<string, string>> = {
  failed: 'No usable reply came: the request may have arrived.',
  stalled: 'The server’s answer was empty.',
  unconfirmed: 'We don’t know whether the server received the request.',
};

/** What happens to the undelivered decisions or message. */
function kept({ delivery, decisions }: Trouble): string {
  if (delivery !== 'failed') return 'Nothing is sent again unless you retry.';
  const what = decisions === 0 ? 'Your message is' : decisions === 1 ? 'Your answer is' : 'Your answers are';
  return `${what} not lost, and sent again only if you retry.`;
}
