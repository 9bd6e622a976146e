/**
 * The content of the bar above the text box: how many calls wait for the user, and what happens to the answers. It
 * shows what an approval chat usually hides: that nothing is sent yet, that a request failed, and how a turn ended.
 */
import type { GateView, TurnView, Undelivered } from 'toolgate';
import type { CallView } from '../session/message-types';
import { statusOf, type Tone } from './call-status';

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
  /** Which buttons it has: to decide and to cancel, to retry and to give up, or none. */
  kind: 'waiting' | 'trouble' | 'told';
  tone: Tone;
  title: string;
  text: string;
  /** The browser's text for a failure. */
  detail: string;
  /** The calls that are drawn as dots. */
  asked: readonly CallView[];
  /** How many of them are decided. */
  decided: number;
}

/** The bar for the calls of the last assistant message; `undefined` if it is not needed. */
export function barOf(calls: readonly CallView[], trouble: readonly Trouble[], view: GateView): BarView | undefined {
  const first = trouble[0];
  if (first)
    return {
      ...told('bad', TROUBLE[first.delivery] ?? TROUBLE['failed']!, kept(first)),
      kind: 'trouble',
      detail: first.error ?? '',
    };

  const asked = calls.filter((call) => call.approvalId !== undefined && isOpen(call));
  const waiting = asked.filter((call) => statusOf(call).asks).length;
  if (waiting > 0) return waitingBar(asked, waiting);
  if (view.status !== 'idle') return undefined;
  if (brokeOff(view)) {
    return told(
      'bad',
      (view.turn.ending && ENDINGS[view.turn.ending]) ?? 'The turn is incomplete.',
      'Finished calls stay done. Your next message continues from there.',
    );
  }
  if (!asked.some(({ delivery }) => delivery === 'held')) return undefined;
  // Answers that are sent with the user's next message, because a denial ended the turn or the user stopped.
  const isDenied = asked.every(({ approved }) => approved === false);
  const title = isDenied ? 'Your denial ended the turn.' : 'The turn has ended.';
  return {
    ...told(
      'quiet',
      title,
      `Nothing was sent. ${isDenied ? 'Your denial is' : 'Your answers are'} sent with your next message.`,
    ),
    asked,
  };
}

/** Whether the turn ended badly, and not because the user stopped it. Then nothing more arrives until the user acts. */
export function brokeOff({ status, turn }: GateView): boolean {
  return status === 'idle' && turn.status === 'incomplete' && turn.ending !== 'interrupted';
}

const told = (tone: Tone, title: string, text: string): BarView => ({
  kind: 'told',
  tone,
  title,
  text,
  detail: '',
  asked: [],
  decided: 0,
});

function waitingBar(asked: readonly CallView[], waiting: number): BarView {
  const decided = asked.length - waiting;
  const count = waiting === 1 ? 'One call waits' : `${waiting} calls wait`;
  const [title, text] =
    decided === 0
      ? [`${count} for you.`, 'Nothing runs until you answer.']
      : [`${decided} of ${asked.length} decided.`, 'No answer has been sent yet.'];
  return { ...told('wait', title, text), kind: 'waiting', asked, decided };
}

/** Whether a call is part of the step that is being decided: pending, or answered and not settled. */
function isOpen(call: CallView): boolean {
  return call.state === 'approval-requested' || call.state === 'approval-responded';
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
