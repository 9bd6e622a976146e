/**
 * The bar above the text box: how many calls wait for the user, and what happens with the answers.
 * It shows the two things an approval chat usually hides: that nothing has left yet, and that something failed.
 */
import type { ReactNode } from 'react';
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

/** Props of `GateBar`. */
export interface GateBarProps {
  /** The calls of the last assistant message. */
  calls: readonly CallView[];
  trouble: readonly Trouble[];
  decideRest: (approved: boolean) => void;
  retry: (id: string) => void;
  giveUp: () => void;
}

export function GateBar({ calls, trouble, decideRest, retry, giveUp }: GateBarProps) {
  const first = trouble[0];
  if (first) return <TroubleBar trouble={first} retry={() => retry(first.id)} giveUp={giveUp} />;

  const asked = calls.filter((call) => call.approvalId !== undefined && isOpen(call));
  const waiting = asked.filter((call) => statusOf(call).asks).length;
  if (waiting === 0) return null;
  const decided = asked.length - waiting;
  return (
    <Bar tone="wait" dots={asked}>
      <p>
        <strong>{decided === 0 ? `${count(waiting)} for you.` : `${decided} of ${asked.length} decided.`}</strong>{' '}
        {decided === 0 ? 'Nothing runs before you answer.' : 'No answer has left this page yet.'}
      </p>
      {asked.length > 1 ? (
        <div className="buttons">
          <button type="button" className="button small" onClick={() => decideRest(true)}>
            Approve {decided ? 'the rest' : 'all'}
          </button>
          <button type="button" className="button small" onClick={() => decideRest(false)}>
            Deny {decided ? 'the rest' : 'all'}
          </button>
        </div>
      ) : null}
    </Bar>
  );
}

/** Still part of the step that is being decided: waiting, or answered and not settled. */
function isOpen(call: CallView): boolean {
  return call.state === 'approval-requested' || call.state === 'approval-responded';
}

function count(waiting: number): string {
  return waiting === 1 ? 'One call waits' : `${waiting} calls wait`;
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
