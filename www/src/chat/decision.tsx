/** The controls of a card that waits for the user: Approve and its menu, Deny, the reason, and the countdown. */
import { useId, useRef, useState, type KeyboardEvent } from 'react';
import { callNoun, type CallView } from '../session/message-types';
import { ApproveMenu } from './approve-menu';
import { Countdown } from './countdown';
import { useCardActions } from './card-actions';

/** Props of `Decision`. */
export interface DecisionProps {
  call: CallView;
  approvalId: string;
}

export function Decision({ call, approvalId }: DecisionProps) {
  const [open, setOpen] = useState(false);
  const [reason, setReason] = useState('');
  const fieldId = useId();
  const toggle = useRef<HTMLButtonElement>(null);
  const { decide, remembers, expiresAt } = useCardActions();
  const noun = callNoun(call);
  const until = expiresAt(approvalId);

  const deny = (clicks: number): void =>
    decide({ approvalId, approved: false, reason: (open && reason.trim()) || undefined, clicks });
  const keys = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      deny(0);
    }
    if (event.key === 'Escape') {
      setOpen(false); // the typed text stays in the field
      toggle.current?.focus();
    }
  };

  return (
    <div className="decision">
      {open ? (
        <div className="reason">
          <label htmlFor={fieldId}>Why not? The model reads this.</label>
          <input
            id={fieldId}
            type="text"
            autoFocus
            autoComplete="off"
            value={reason}
            placeholder="Not before June"
            onChange={(event) => setReason(event.target.value)}
            onKeyDown={keys}
          />
        </div>
      ) : null}
      <div className="buttons">
        <span className="joined">
          <button
            type="button"
            className="button primary"
            aria-label={`Approve ${noun}`}
            onClick={({ detail }) => decide({ approvalId, approved: true, clicks: detail })}
          >
            Approve
          </button>
          {remembers ? (
            <ApproveMenu
              noun={noun}
              toolName={call.toolName}
              approve={(remember, clicks) => decide({ approvalId, approved: true, remember, clicks })}
            />
          ) : null}
        </span>
        <button type="button" className="button" aria-label={`Deny ${noun}`} onClick={({ detail }) => deny(detail)}>
          Deny
        </button>
        <button
          ref={toggle}
          type="button"
          className="button plain"
          aria-expanded={open}
          aria-label={`Reason… for denying ${noun}`}
          onClick={() => setOpen(!open)}
        >
          Reason…
        </button>
        {until === undefined ? null : <Countdown until={until} />}
      </div>
    </div>
  );
}
