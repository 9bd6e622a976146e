'use client';

import type { AnyToolPart, GateSource } from 'toolgate';
import { useCallDescription } from 'toolgate/react';
import { Confirmation, ConfirmationTitle } from '@/components/ai-elements/confirmation';
import { ApprovalActions } from '@/components/toolgate/approval-actions';
import { ApprovalInput, visible } from '@/components/toolgate/approval-input';
import { ApprovalStatus } from '@/components/toolgate/approval-status';

export interface GuardedConfirmationProps {
  /** The tool call, as it is in the messages of the chat. */
  part: AnyToolPart;
  /** The guarded chat. Default: that of the nearest `GateProvider`. */
  gate?: GateSource;
  /** The words before the tool's name. Default: Run. */
  title?: string;
}

/**
 * AI Elements' `Confirmation` for a guarded chat. Use it in place of `ConfirmationAccepted` and `ConfirmationRejected`:
 * these say "rejected" for calls that nobody rejected.
 */
export function GuardedConfirmation({ part, gate, title }: GuardedConfirmationProps) {
  const call = useCallDescription(part, gate);
  if (!part.approval) return null;
  return (
    <div
      tabIndex={-1}
      data-status={call.status}
      className="focus-visible:ring-ring/50 min-w-0 [overflow-wrap:anywhere] rounded-lg focus-visible:outline-hidden focus-visible:ring-[3px]"
    >
      <Confirmation approval={part.approval as never} state={part.state}>
        <div className="flex flex-wrap items-center justify-between gap-2">
          <ConfirmationTitle className="min-w-0">
            {title ?? 'Run'}{' '}
            <code dir="ltr" className="font-mono">
              {visible(call.toolName)}
            </code>
          </ConfirmationTitle>
          <ApprovalStatus call={call} />
        </div>
        {call.requestReason && (
          <p className="text-sm break-words">
            <bdi>{visible(call.requestReason)}</bdi>
          </p>
        )}
        <ApprovalInput input={call.approval?.input ?? part.input} />
        <p role="status" className="text-muted-foreground text-sm empty:sr-only">
          {call.note && <bdi>{call.note}</bdi>}
        </p>
        <ApprovalActions part={part} gate={gate} />
      </Confirmation>
    </div>
  );
}
