/** “Transitions”: each change of each call's state, each anomaly, and what became of each press of a button. */
import type { ReactNode } from 'react';
import { callsOf, callTitle } from '../session/message-types';
import type { GateLogEntry } from '../session/gate-log';
import type { Session } from '../session/session';

/** Props of `TransitionsPanel`. */
export interface TransitionsPanelProps {
  session: Session;
  log: readonly GateLogEntry[];
}

export function TransitionsPanel({ session, log }: TransitionsPanelProps) {
  if (log.length === 0) return <p className="blank">Nothing has moved yet. Each change of each tool call will stand here.</p>;
  const names = new Map<string, string>();
  for (const call of session.chat.messages.flatMap(callsOf)) {
    names.set(call.toolCallId, callTitle(call));
    if (call.approvalId) names.set(call.approvalId, callTitle(call));
  }
  return (
    <ol className="moves">
      {log.map(({ n, at, event }) => {
        const { subject, words } = describe(event, names);
        return (
          <li key={n} className={`move move-${event.type}`}>
            <time>{at.toFixed(2)} s</time>
            <div>
              <p className="move-name">{subject}</p>
              <p>{words}</p>
            </div>
          </li>
        );
      })}
    </ol>
  );
}

/** The lines worth showing: without what another line says already, and transitions that only a delivery caused. */
export function shownMoves(log: readonly GateLogEntry[]): GateLogEntry[] {
  return log.filter(({ event }) => {
    if (event.type === 'transition') return event.from !== event.to || event.outcome !== undefined;
    // The user's own answers are the presses.
    if (event.type === 'decision') return event.by !== 'user';
    return event.type !== 'tool-result';
  });
}

/** What a line says: what it is about, and what happened. */
function describe(event: GateLogEntry['event'], names: ReadonlyMap<string, string>): { subject: string; words: ReactNode } {
  const nameOf = (id: string): string => names.get(id) ?? id;
  switch (event.type) {
    case 'transition':
      return {
        subject: nameOf(event.toolCallId),
        words: (
          <>
            {event.from ? <code>{event.from}</code> : 'new'} <span aria-label="to">→</span> <code>{event.to}</code>
            {event.outcome ? ` (${event.outcome.kind}${event.outcome.mayHaveRun ? ', may have run' : ''})` : null}
          </>
        ),
      };
    case 'press':
      return {
        subject: nameOf(event.approvalId),
        words: (
          <>
            You pressed {event.approved ? 'Approve' : 'Deny'}: <code>{event.result}</code>
          </>
        ),
      };
    case 'keeper':
      return { subject: 'Keeper', words: event.message };
    case 'decision':
      return {
        subject: nameOf(event.approvalId),
        words: `${event.approved ? 'Approved' : 'Answered with no'} ${event.by === 'remembered' ? 'by what you asked to remember' : `by the ${event.by}`}`,
      };
    case 'delivery':
      return {
        subject: `Request ${event.id}`,
        words: (
          <>
            {event.from ? <code>{event.from}</code> : 'new'} <span aria-label="to">→</span> <code>{event.to}</code>
            {event.attempt > 1 ? `, attempt ${event.attempt}` : null}
            {event.error ? `: ${event.error}` : null}
          </>
        ),
      };
    case 'stalled':
      return { subject: `Request ${event.id}`, words: 'Stalled: nothing more leaves by itself' };
    case 'anomaly':
      return {
        subject: 'Anomaly',
        words: (
          <>
            <code>{event.error.code}</code> {event.error.message}
          </>
        ),
      };
    case 'lossy':
      return { subject: 'Not expressible', words: event.detail };
    case 'crashed':
      return { subject: 'Crashed', words: event.error.message };
    default:
      return { subject: event.type, words: 'Passed on' };
  }
}
