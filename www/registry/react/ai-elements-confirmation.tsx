'use client';

import type { AnyToolPart, GateSource } from 'toolgate';
import { describeCard } from 'toolgate/approval';
import { useCallDescription, useGate } from 'toolgate/react';
import { Confirmation, ConfirmationTitle } from '@/components/ai-elements/confirmation';
import { ApprovalActions } from '@/components/toolgate/approval-actions';
import { ApprovalInput } from '@/components/toolgate/approval-input';
import { ApprovalName, ApprovalNote, ApprovalStatus } from '@/components/toolgate/approval-status';

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
  const card = describeCard(part, { gate: useGate(gate) });
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
            {title ?? 'Run'} <ApprovalName card={card} />
          </ConfirmationTitle>
          <ApprovalStatus call={call} />
        </div>
        <ApprovalInput input={call.approval?.input ?? part.input} />
        <ApprovalNote call={call} decidedBy={card.decidedBy} />
        <ApprovalActions part={part} gate={gate} />
      </Confirmation>
    </div>
  );
}
