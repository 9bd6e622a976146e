'use client';

import { useId, useState, type KeyboardEvent } from 'react';
import type { AnyToolPart, GateSource } from 'toolgate';
import { describeRefusal, useCallDescription, useGate, useGateActions } from 'toolgate/react';
import { Button } from '@/components/ui/button';

const FIELD =
  'border-input bg-background focus-visible:border-ring focus-visible:ring-ring/50 w-full rounded-md border px-3 py-2 text-sm outline-none focus-visible:ring-[3px]';

export interface ApprovalActionsProps {
  /** The tool call, as it is in the messages of the chat. */
  part: AnyToolPart;
  /** The guarded chat. Default: that of the nearest `GateProvider`. */
  gate?: GateSource;
  /** Called when the gate has accepted a decision. */
  onDecided?: () => void;
}

/** What the user can do about a call: approve, deny with a reason, edit the input, send again. */
export function ApprovalActions({ part, ...props }: ApprovalActionsProps) {
  // Another request starts with empty fields.
  return <Actions key={part.approval?.id} part={part} {...props} />;
}

function Actions({ part, gate, onDecided }: ApprovalActionsProps) {
  const { approval, can, toolName, undelivered } = useCallDescription(part, gate);
  const { respond, retry } = useGateActions(gate);
  const own = useGate(gate);
  const id = useId();
  const [reason, setReason] = useState<string>();
  const [edited, setEdited] = useState<string>();
  const [problem, setProblem] = useState('');

  function attempt(act: () => void) {
    try {
      act();
      setProblem('');
      onDecided?.();
    } catch (error) {
      setProblem(describeRefusal(error));
    }
  }

  function approve() {
    if (!approval) return;
    if (edited === undefined) return attempt(() => respond(approval, { approved: true }));
    let input: unknown;
    try {
      input = JSON.parse(edited);
    } catch (error) {
      return setProblem(`Not valid JSON: ${(error as Error).message}`);
    }
    attempt(() => respond(approval, { approved: true, input }));
  }

  function deny() {
    if (approval)
      attempt(() => respond(approval, { approved: false, ...(reason?.trim() && { reason: reason.trim() }) }));
  }

  function onReasonKey(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing || event.repeat) return;
    if (event.key === 'Enter') deny();
    if (event.key === 'Escape') setReason(undefined);
  }

  return (
    <div className="flex flex-col gap-3 empty:hidden">
      {can.edit && edited !== undefined && (
        <div className="flex flex-col gap-1.5">
          <label className="text-sm font-medium" htmlFor={`${id}-input`}>
            Input, as JSON
          </label>
          <textarea
            id={`${id}-input`}
            className={`${FIELD} min-h-24 font-mono`}
            spellCheck={false}
            value={edited}
            onChange={(event) => setEdited(event.target.value)}
          />
        </div>
      )}
      {can.deny && reason !== undefined && (
        <div className="flex flex-col gap-1.5">
          <label className="text-sm font-medium" htmlFor={`${id}-reason`}>
            Why not? The model reads this.
          </label>
          <input
            autoFocus
            id={`${id}-reason`}
            className={FIELD}
            autoComplete="off"
            value={reason}
            onChange={(event) => setReason(event.target.value)}
            onKeyDown={onReasonKey}
          />
        </div>
      )}
      {(can.approve || can.retry || can.resume) && (
        <div className="flex flex-wrap items-center gap-2">
          {can.approve && (
            <Button type="button" size="sm" aria-label={`Approve: ${toolName}`} onClick={approve}>
              {edited === undefined ? 'Approve' : 'Approve as edited'}
            </Button>
          )}
          {can.deny && (
            <Button type="button" size="sm" variant="outline" aria-label={`Deny: ${toolName}`} onClick={deny}>
              Deny
            </Button>
          )}
          {can.deny && (
            <Button
              type="button"
              size="sm"
              variant="ghost"
              aria-expanded={reason !== undefined}
              aria-label={`Reason: ${toolName}`}
              onClick={() => setReason(reason === undefined ? '' : undefined)}
            >
              Reason…
            </Button>
          )}
          {can.edit && (
            <Button
              type="button"
              size="sm"
              variant="ghost"
              aria-expanded={edited !== undefined}
              aria-label={`Edit: ${toolName}`}
              onClick={() => setEdited(edited === undefined ? JSON.stringify(approval?.input, null, 2) : undefined)}
            >
              {edited === undefined ? 'Edit…' : 'Discard changes'}
            </Button>
          )}
          {can.retry && undelivered && (
            <Button type="button" size="sm" variant="outline" onClick={() => attempt(() => retry(undelivered.id))}>
              Send again
            </Button>
          )}
          {can.resume && (
            <Button type="button" size="sm" variant="outline" onClick={() => attempt(() => own?.resume())}>
              Send now
            </Button>
          )}
        </div>
      )}
      {problem && (
        <p role="alert" className="text-destructive text-sm">
          {problem}
        </p>
      )}
    </div>
  );
}
