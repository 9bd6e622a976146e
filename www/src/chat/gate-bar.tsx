/**
 * The bar above the text box: how many calls wait for the user, and what happens with the answers.
 * It shows what an approval chat usually hides: that nothing has left yet, that something failed, and how a turn ended.
 */
import type { ReactNode } from 'react';
import type { GateView, TurnView } from 'toolgate';
import type { CallView } from '../session/message-types';
import { statusOf } from './call-status';
import { Icon } from './icons';

/** Something that did not get through. */
export interface Trouble {
  id: string;
  delivery: string;
  /** How many decisions it carries. */
  decisions: number;
  error: string | null;
}

/** What the bar's buttons do. */
export interface GateBarActs {
  decideRest: (approved: boolean) => void;
  cancel: () => void;
  retry: (id: string) => void;
  giveUp: () => void;
}

/** Props of `GateBar`. */
export interface GateBarProps extends GateBarActs {
  /** The calls of the last assistant message. */
  calls: readonly CallView[];
  trouble: readonly Trouble[];
  view: GateView;
}

export function GateBar({ calls, trouble, view, ...acts }: GateBarProps) {
  const first = trouble[0];
  if (first) return <TroubleBar trouble={first} retry={() => acts.retry(first.id)} giveUp={acts.giveUp} />;

  const asked = calls.filter((call) => call.approvalId !== undefined && isOpen(call));
  const waiting = asked.filter((call) => statusOf(call).asks).length;
  if (waiting > 0) return <WaitingBar asked={asked} waiting={waiting} {...acts} />;
  if (view.status !== 'idle') return null;
  if (brokeOff(view)) return <BrokenBar turn={view.turn} />;
  return asked.some(({ delivery }) => delivery === 'held') ? <EndedBar asked={asked} /> : null;
}

/** Whether the turn ended badly, and not by the user's will. Then nothing more arrives by itself. */
export function brokeOff({ status, turn }: GateView): boolean {
  return status === 'idle' && turn.status === 'incomplete' && turn.ending !== 'interrupted';
}

/** Still part of the step that is being decided: waiting, or answered and not settled. */
function isOpen(call: CallView): boolean {
  return call.state === 'approval-requested' || call.state === 'approval-responded';
}

function WaitingBar({ asked, waiting, decideRest, cancel }: GateBarActs & { asked: readonly CallView[]; waiting: number }) {
  const decided = asked.length - waiting;
  return (
    <Bar tone="wait" dots={asked}>
      <p>
        <strong>{decided === 0 ? `${count(waiting)} for you.` : `${decided} of ${asked.length} decided.`}</strong>{' '}
        {decided === 0 ? 'Nothing runs before you answer.' : 'No answer has left this page yet.'}
      </p>
      <div className="buttons">
        {asked.length > 1 ? (
          <>
            <button type="button" className="button small" onClick={() => decideRest(true)}>
              Approve {decided ? 'the rest' : 'all'}
            </button>
            <button type="button" className="button small" onClick={() => decideRest(false)}>
              Deny {decided ? 'the rest' : 'all'}
            </button>
          </>
        ) : null}
        <button type="button" className="button small plain" title="Calls everything off: it runs nothing and sends nothing" onClick={cancel}>
          Cancel
        </button>
      </div>
    </Bar>
  );
}

function count(waiting: number): string {
  return waiting === 1 ? 'One call waits' : `${waiting} calls wait`;
}

/** Answers that leave with the user's next message: a denial ended the turn, or the user stopped. */
function EndedBar({ asked }: { asked: readonly CallView[] }) {
  const isDenied = asked.every(({ approved }) => approved === false);
  return (
    <Bar tone="quiet" dots={asked}>
      <p>
        <strong>{isDenied ? 'Your denial ended the turn.' : 'The turn has ended.'}</strong> Nothing was sent. Your next message takes
        {isDenied ? ' it' : ' your answers'} along.
      </p>
    </Bar>
  );
}

const ENDINGS: Readonly<Partial<Record<NonNullable<TurnView['ending']>, string>>> = {
  disconnected: 'The connection was lost.',
  failed: 'The reply broke off.',
  'step-limit': 'The server stopped at its limit.',
};

/** A turn that ended badly after work was done. */
function BrokenBar({ turn }: { turn: TurnView }) {
  return (
    <Bar tone="bad">
      <p>
        <strong>{(turn.ending && ENDINGS[turn.ending]) ?? 'The turn is incomplete.'}</strong> What was done is kept. Your next message
        goes on from there.
      </p>
    </Bar>
  );
}

const TROUBLE: Readonly<Record<string, string>> = {
  failed: 'The request did not get through.',
  stalled: 'The server answered, with nothing in it.',
  unconfirmed: 'Whether the server got the request is not known.',
};

/** What has become of what the user did. */
function kept({ delivery, decisions }: Trouble): string {
  if (delivery !== 'failed') return 'Nothing is sent again by itself.';
  const what = decisions === 0 ? 'Your message is' : decisions === 1 ? 'Your answer is' : 'Your answers are';
  return `${what} kept, and sent again only if you say so.`;
}

function TroubleBar({ trouble, retry, giveUp }: { trouble: Trouble; retry: () => void; giveUp: () => void }) {
  return (
    <Bar tone="bad">
      <p>
        <strong>{TROUBLE[trouble.delivery] ?? TROUBLE['failed']}</strong> {kept(trouble)}
        {trouble.error ? <span className="bar-detail"> ({trouble.error})</span> : null}
      </p>
      <div className="buttons">
        <button type="button" className="button small primary" onClick={retry}>
          <Icon name="again" />
          Retry
        </button>
        <button type="button" className="button small" onClick={giveUp}>
          Give up
        </button>
      </div>
    </Bar>
  );
}

function Bar({ tone, dots, children }: { tone: string; dots?: readonly CallView[]; children: ReactNode }) {
  return (
    <section className={`gate-bar tone-${tone}`} aria-label="Your answers">
      {dots ? (
        <span className="dots" aria-hidden="true">
          {dots.map((call) => (
            <span key={call.toolCallId} className={`dot tone-${statusOf(call).tone}`} />
          ))}
        </span>
      ) : null}
      {children}
    </section>
  );
}
