/**
 * The controls of a card that waits for the user: Approve and its menu, Deny, the reason, and the countdown. While the
 * reason is open, only that denial and the way back are offered: no key that is pressed after it approves the call.
 */
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
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
  const { decide, denying, keepButtons, remembers, expiresAt } = useCardActions();
  const noun = callNoun(call);
  const until = expiresAt(approvalId);

  useEffect(() => {
    if (!open) return;
    denying(true);
    return () => denying(false);
  }, [open, denying]);

  const close = (): void => {
    setOpen(false); // the typed text stays in the field
    toggle.current?.focus();
  };
  const deny = (clicks: number): void => {
    decide({ approvalId, approved: false, reason: (open && reason.trim()) || undefined, clicks });
    if (open && keepButtons) close();
  };
  const keys = (event: KeyboardEvent): void => {
    // Safari reports the Enter that ends an IME composition by its key code only.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (event.key === 'Enter' && (event.repeat || event.target instanceof HTMLInputElement)) {
      // A key that is held down is pressed once.
      event.preventDefault();
      if (!event.repeat) deny(0);
    }
    if (event.key === 'Escape' && open) close();
  };

  return (
    <div className="decision" onKeyDown={keys}>
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
          />
        </div>
      ) : null}
      <div className="buttons">
        {open ? null : (
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
        )}
        <button
          type="button"
          className="button"
          aria-label={open ? `Deny with this reason: ${noun}` : `Deny ${noun}`}
          onClick={({ detail }) => deny(detail)}
        >
          {open ? 'Deny with this reason' : 'Deny'}
        </button>
        <button
          ref={toggle}
          type="button"
          className="button plain"
          aria-label={open ? `Back to ${noun}` : `Reason… for denying ${noun}`}
          onClick={({ detail }) => {
            // The second click of a double click was meant for what was here before.
            if (detail > 1) return;
            if (open) close();
            else setOpen(true);
          }}
        >
          {open ? 'Back' : 'Reason…'}
        </button>
        {until === undefined ? null : <Countdown until={until} />}
      </div>
    </div>
  );
}
