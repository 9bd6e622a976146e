'use client';

import { useId, type ReactNode } from 'react';
import { describeCard } from 'toolgate/approval';
import { useCallDescription, useGate } from 'toolgate/react';
import { ApprovalActions, type ApprovalActionsProps } from '@/components/toolgate/approval-actions';
import { ApprovalInput } from '@/components/toolgate/approval-input';
import { CARD, DANGER } from '@/components/toolgate/approval-looks';
import { ApprovalName, ApprovalNote, ApprovalStatus } from '@/components/toolgate/approval-status';
import { cn } from '@/lib/utils';

export interface ApprovalCardProps extends ApprovalActionsProps {
  /** Takes the place of the input as JSON. Show everything that the call will do. */
  children?: ReactNode;
  className?: string;
}

/** One tool call: what it does, its tool, its input, its status, and what the user can do. */
export function ApprovalCard({ children, className, ...props }: ApprovalCardProps) {
  const { part, gate: source, tools, texts } = props;
  const call = useCallDescription(part, source, texts);
  const gate = useGate(source);
  const id = useId();
  const card = describeCard(part, { gate, tools, texts });
  return (
    <div
      role="group"
      tabIndex={-1}
      aria-labelledby={id}
      data-status={call.status}
      {...card.language}
      className={cn(CARD, card.danger && DANGER, className)}
    >
      <header className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1 sm:flex-nowrap">
        <h3 id={id} className="min-w-0 text-sm font-semibold [overflow-wrap:anywhere]">
          <ApprovalName card={card} />
        </h3>
        {card.danger && <span className="text-sm font-semibold text-red-700 dark:text-red-400">⚠ {card.danger}</span>}
        <ApprovalStatus call={call} />
      </header>
      {children ?? <ApprovalInput input={call.approval?.input ?? part.input} texts={texts} />}
      <ApprovalNote call={call} decidedBy={card.decidedBy} />
      <ApprovalActions {...props} />
    </div>
  );
}
