/** “Presses”: the result of each press of a button, and the errors of `toolgate/persist`. */
import { callsOf, callTitle } from '../session/message-types';
import type { PressLogEntry } from '../session/press-log';
import type { Session } from '../session/session';

/** Props of `PressesPanel`. */
export interface PressesPanelProps {
  session: Session;
  log: readonly PressLogEntry[];
}

export function PressesPanel({ session, log }: PressesPanelProps) {
  if (log.length === 0)
    return <p className="blank">Nothing yet. Each press of Approve or Deny is listed here, with its result.</p>;
  const names = new Map(session.chat.messages.flatMap(callsOf).map((call) => [call.approvalId, callTitle(call)]));
  return (
    <ol className="moves">
      {log.map(({ n, at, event }) => (
        <li key={n} className={`move move-${event.type}`}>
          <time>{at.toFixed(2)} s</time>
          {event.type === 'persist' ? (
            <div>
              <p className="move-name">Storage and tabs</p>
              <p>{event.message}</p>
            </div>
          ) : (
            <div>
              <p className="move-name">{names.get(event.approvalId) ?? event.approvalId}</p>
              <p>
                {event.type === 'refusal' ? 'Refused' : `You pressed ${event.approved ? 'Approve' : 'Deny'}`}:{' '}
                <code>{event.result}</code>
              </p>
            </div>
          )}
        </li>
      ))}
    </ol>
  );
}
