/**
 * One tool call: what it would do, how it stands, and the buttons while it waits for the user.
 * The foot keeps its height when a decision replaces the buttons, so that nothing moves under the pointer and the
 * second half of a double click cannot land on the next card.
 */
import { useId, useRef, useState, type KeyboardEvent } from 'react';
import { callNoun, callTitle, type CallView } from '../session/message-types';
import { statusOf } from './call-status';
import { CallBody } from './diff';
import { Icon } from './icons';
import type { Decide } from './use-decisions';

/** Props of `ToolCard`. */
export interface ToolCardProps {
  call: CallView;
  decide: Decide;
  /** Leaves the buttons in place after a decision. */
  keepButtons: boolean;
}

export function ToolCard({ call, decide, keepButtons }: ToolCardProps) {
  const titleId = useId();
  const status = statusOf(call);
  const title = callTitle(call);
  const buttons = call.approvalId !== undefined && (status.asks || keepButtons);
  return (
    <section
      className={`card tone-${status.tone}`}
      aria-labelledby={titleId}
      tabIndex={-1}
      data-call={call.toolCallId}
      data-status={status.key}
    >
      <header className="card-head">
        <Icon name={iconOf(call.toolName)} />
        <h3 id={titleId}>
          {title}
          <span className="hidden">: {status.label}</span>
        </h3>
        <span className="pill" aria-hidden="true">
          {status.tone === 'busy' ? <span className="spinner" /> : null}
          {status.label}
        </span>
      </header>
      <CallBody call={call} />
      {buttons || status.note ? (
        <footer className={buttons || call.approvalId ? 'card-foot' : 'card-foot card-foot-slim'}>
          {buttons ? <Decision noun={callNoun(call)} approvalId={call.approvalId!} decide={decide} /> : null}
          {!status.asks && status.note ? <p className="card-note">{status.note}</p> : null}
        </footer>
      ) : null}
    </section>
  );
}

function Decision({ noun, approvalId, decide }: { noun: string; approvalId: string; decide: Decide }) {
  const [open, setOpen] = useState(false);
  const [reason, setReason] = useState('');
  const fieldId = useId();
  const toggle = useRef<HTMLButtonElement>(null);

  const deny = (clicks: number): void => decide(approvalId, false, (open && reason.trim()) || undefined, clicks);
  const keys = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      deny(0);
    }
    if (event.key === 'Escape') {
      setOpen(false); // what was typed stays in the field
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
        <button type="button" className="button primary" aria-label={`Approve ${noun}`} onClick={({ detail }) => decide(approvalId, true, undefined, detail)}>
          Approve
        </button>
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
      </div>
    </div>
  );
}

function iconOf(toolName: string): 'pencil' | 'page' | 'bin' | 'eye' {
  if (toolName === 'edit_file') return 'pencil';
  if (toolName === 'write_file') return 'page';
  return toolName === 'delete_file' ? 'bin' : 'eye';
}
