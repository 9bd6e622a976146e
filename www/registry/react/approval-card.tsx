'use client';

import { useId, type ReactNode } from 'react';
import type { AnyToolPart, GateSource } from 'toolgate';
import { useCallDescription } from 'toolgate/react';
import { ApprovalActions } from '@/components/toolgate/approval-actions';
import { ApprovalInput, visible } from '@/components/toolgate/approval-input';
import { ApprovalStatus } from '@/components/toolgate/approval-status';
import { languageOf, type ApprovalWords } from '@/components/toolgate/approval-words';
import { cn } from '@/lib/utils';

export interface ApprovalCardProps {
  /** The tool call, as it is in the messages of the chat. */
  part: AnyToolPart;
  /** The guarded chat. Default: that of the nearest `GateProvider`. */
  gate?: GateSource;
  /** Takes the place of the input as JSON. Show everything that the call will do. */
  children?: ReactNode;
  className?: string;
  /** Called when the user has decided. The focused button disappears then, and the card gets the focus. */
  onDecided?: () => void;
  /** Called when the reason for denying is opened and closed. Do not offer to approve this call in between. */
  onDenying?: (isDenying: boolean) => void;
  /** The words in another language, such as `de` of `toolgate/element/texts/de`. Pass the same object each time. */
  texts?: ApprovalWords;
}

/** One tool call: its tool, its input, its status, and what the user can do. */
export function ApprovalCard({ part, gate, children, className, onDecided, onDenying, texts }: ApprovalCardProps) {
  const call = useCallDescription(part, gate, texts);
  const id = useId();
  return (
    <div
      role="group"
      tabIndex={-1}
      aria-labelledby={id}
      data-status={call.status}
      {...languageOf(texts)}
      className={cn(
        'bg-card text-card-foreground focus-visible:ring-ring/50 flex min-w-0 flex-col gap-3 rounded-xl border p-4 shadow-sm focus-visible:outline-hidden focus-visible:ring-[3px]',
        className,
      )}
    >
      <header className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1 sm:flex-nowrap">
        <h3 id={id} className="min-w-0 text-sm font-semibold [overflow-wrap:anywhere]">
          {call.title && (
            <>
              <bdi>{visible(call.title)}</bdi>{' '}
            </>
          )}
          <code dir="ltr" className={cn('font-mono', call.title && 'text-muted-foreground font-normal')}>
            {visible(call.toolName)}
          </code>
        </h3>
        <ApprovalStatus call={call} />
      </header>
      {call.requestReason && (
        <p className="text-sm break-words">
          <bdi>{visible(call.requestReason)}</bdi>
        </p>
      )}
      {children ?? <ApprovalInput input={call.approval?.input ?? part.input} />}
      <p role="status" className="text-muted-foreground text-sm break-words empty:sr-only">
        {call.note && <bdi>{call.note}</bdi>}
      </p>
      <ApprovalActions {...{ part, gate, onDecided, onDenying, texts }} />
    </div>
  );
}
