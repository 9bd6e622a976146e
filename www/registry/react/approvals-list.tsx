'use client';

import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { callsOfStep, type GateView } from 'toolgate';
import { approveAll, leadFocus } from 'toolgate/approval';
import { useApprovals, useGate, useGateView } from 'toolgate/react';
import type { ApprovalActionsProps } from '@/components/toolgate/approval-actions';
import { ApprovalCard } from '@/components/toolgate/approval-card';
import { BUTTON, FOCUSED, LOOKS } from '@/components/toolgate/approval-looks';
import { Button } from '@/components/ui/button';
import { cn } from '@/lib/utils';

export interface ApprovalsListProps extends Omit<ApprovalActionsProps, 'part' | 'onDecision' | 'onRefusal'> {
  className?: string;
}

/** The calls of the current step that needed an approval. A card stays until the next step begins. */
export function ApprovalsList({ className, ...props }: ApprovalsListProps) {
  const { gate: source, tools, texts } = props;
  const view = useGateView(stepOf, source);
  const approvals = useApprovals(source);
  const gate = useGate(source);
  const [all] = useState(approveAll);
  useSyncExternalStore(all.subscribe, all.getSnapshot, all.getSnapshot);
  const bulk = all.view({ gate, approvals, tools, texts });
  useEffect(all.rendered);
  // A request that the backend withdraws becomes automatic: its card stays, and says so.
  const shown = useRef(new Set<string>());
  const calls = callsOfStep(view).filter(
    ({ approval }) => approval && (!approval.isAutomatic || shown.current.has(approval.id)),
  );
  useEffect(() => {
    for (const { approval } of calls) if (approval) shown.current.add(approval.id);
  });
  if (calls.length === 0 && !bulk.isShown) return null;
  return (
    <section
      ref={leadFocus}
      tabIndex={-1}
      aria-label={bulk.list}
      {...bulk.language}
      className={cn('flex min-w-0 flex-col gap-3', FOCUSED, className)}
    >
      {/* It keeps its place when the calls are decided: nothing moves under the pointer. */}
      {(calls.length > 1 || bulk.isShown) && (
        <div ref={all.attach} className="flex min-h-8 flex-wrap items-center gap-2">
          <p
            data-question={bulk.question ? true : undefined}
            data-result={bulk.result ? true : undefined}
            tabIndex={-1}
            role={bulk.question ? 'alert' : undefined}
            className={cn('me-auto min-w-0 text-sm', FOCUSED, bulk.question ? 'font-medium' : 'text-muted-foreground')}
          >
            <bdi>{bulk.question || bulk.result || bulk.waiting}</bdi>
            {bulk.needed && <bdi> {bulk.needed}</bdi>}
          </p>
          <div className="flex flex-wrap gap-2">
            {bulk.buttons.map(({ act, label, look, isDisabled }) => (
              <Button
                key={act}
                type="button"
                size="sm"
                variant={LOOKS[look].variant}
                data-act={act}
                disabled={isDisabled}
                className={BUTTON}
              >
                {label}
              </Button>
            ))}
          </div>
          {bulk.problem && (
            <p role="alert" className="text-destructive w-full text-sm">
              <bdi>{bulk.problem}</bdi>
            </p>
          )}
        </div>
      )}
      {calls.map((part) => (
        <ApprovalCard key={part.approval?.id} part={part} {...props} />
      ))}
    </section>
  );
}

/** The view itself: the calls of its step are a new list each time. */
const stepOf = (view: GateView): GateView => view;
