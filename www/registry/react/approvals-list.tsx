'use client';

import { useRef, type MouseEvent } from 'react';
import { callsOfStep, type GateSource, type GateView, type ToolPart } from 'toolgate';
import { useApprovals, useGateActions, useGateView } from 'toolgate/react';
import { ApprovalCard } from '@/components/toolgate/approval-card';
import { Button } from '@/components/ui/button';
import { cn } from '@/lib/utils';

export interface ApprovalsListProps {
  /** The guarded chat. Default: that of the nearest `GateProvider`. */
  gate?: GateSource;
  className?: string;
}

/** The calls of the current step that needed an approval. A card stays until the next step begins. */
export function ApprovalsList({ gate, className }: ApprovalsListProps) {
  const view = useGateView(stepOf, gate);
  const approvals = useApprovals(gate);
  const { respondAll } = useGateActions(gate);
  const list = useRef<HTMLElement>(null);
  const calls = callsOfStep(view).filter(({ approval }) => approval && !approval.isAutomatic);
  if (calls.length === 0) return null;

  // The focused button disappears with the decision: the next card that waits gets the focus.
  const focusNext = () => {
    const before = document.activeElement;
    const card = before?.closest<HTMLElement>('[data-status]');
    requestAnimationFrame(() => {
      const now = document.activeElement;
      // The next key is meant for what the user has focused since.
      if (now !== before && now !== card && now !== document.body) return;
      const waiting = [...(list.current?.querySelectorAll<HTMLElement>('[data-status=waiting]') ?? [])];
      const isAfter = (each: Node) => card && card.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING;
      (waiting.find(isAfter) ?? waiting[0] ?? card ?? list.current)?.focus();
    });
  };
  const decideAll = (event: MouseEvent, approved: boolean) => {
    // The second click of a double click was meant for what was here before.
    if (event.detail > 1) return;
    respondAll(approvals, { approved });
    focusNext();
  };

  return (
    <section
      ref={list}
      tabIndex={-1}
      aria-label="Approvals"
      className={cn('flex min-w-0 flex-col gap-3 rounded-xl outline-none', className)}
    >
      {approvals.length > 1 && (
        <div className="flex flex-wrap items-center gap-2">
          <p className="text-muted-foreground me-auto text-sm">
            <bdi>{approvals.length} approvals needed</bdi>
          </p>
          <div className="flex gap-2">
            <Button type="button" size="sm" variant="outline" onClick={(event) => decideAll(event, true)}>
              Approve all
            </Button>
            <Button type="button" size="sm" variant="outline" onClick={(event) => decideAll(event, false)}>
              Deny all
            </Button>
          </div>
        </div>
      )}
      {calls.map((part: ToolPart) => (
        <ApprovalCard key={part.approval?.id} part={part} gate={gate} onDecided={focusNext} />
      ))}
    </section>
  );
}

/** The view itself: the calls of its step are a new list each time. */
const stepOf = (view: GateView): GateView => view;
