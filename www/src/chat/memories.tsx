/** The remembered decisions, each with a button that deletes it. */
import { useRef } from 'react';
import type { Session } from '../session/session';
import { useRemembered } from './use-session';
import { Icon } from './icons';
import { subjectOf } from './memory-words';

export function Memories({ session }: { session: Session }) {
  const decisions = useRemembered(session.gate);
  const root = useRef<HTMLElement>(null);

  // The button disappears with its decision, so the focus moves to the next one, or to the text box.
  const forget = (id: string): void => {
    session.gate.forget(id);
    requestAnimationFrame(() => (root.current?.querySelector('button') ?? document.querySelector('textarea'))?.focus());
  };

  if (decisions.length === 0) return null;
  return (
    <section className="memories" aria-label="Remembered decisions" ref={root}>
      <h2>
        <Icon name="keep" />
        Remembered for this chat
      </h2>
      <ul>
        {decisions.map((decision) => {
          const what = subjectOf(decision, session.chat.messages);
          return (
            <li key={decision.id}>
              <span>
                {decision.approved ? 'Approve' : 'Deny'} <strong>{what}</strong>
              </span>
              <button
                type="button"
                className="button plain small"
                aria-label={`Forget: ${what}`}
                onClick={() => forget(decision.id)}
              >
                Forget
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
