'use client';

import type { AnyToolPart, GateSource } from 'toolgate';
import { describeCard } from 'toolgate/approval';
import { useCallDescription, useGate } from 'toolgate/react';
import { Tool, ToolContent, ToolOutput } from '@/components/ai-elements/tool';
import { ApprovalActions } from '@/components/toolgate/approval-actions';
import { ApprovalInput } from '@/components/toolgate/approval-input';
import { ApprovalName, ApprovalNote, ApprovalStatus } from '@/components/toolgate/approval-status';
import { CollapsibleTrigger } from '@/components/ui/collapsible';

export interface GuardedToolProps {
  /** The tool call, as it is in the messages of the chat. */
  part: AnyToolPart;
  /** The guarded chat. Default: that of the nearest `GateProvider`. */
  gate?: GateSource;
}

/**
 * AI Elements' `Tool` for a guarded chat. Its `ToolHeader` knows the state of a call only, and calls skipped and
 * expired calls "Denied"; this header shows how the call ended. Its `ToolInput` shows text with invisible characters as
 * it is; this input writes them out.
 */
export function GuardedTool({ part, gate }: GuardedToolProps) {
  const call = useCallDescription(part, gate);
  const card = describeCard(part, { gate: useGate(gate) });
  const hasResult = call.outcome === 'executed' || call.outcome === 'failed';
  return (
    <div
      tabIndex={-1}
      data-status={call.status}
      className="focus-visible:ring-ring/50 min-w-0 [overflow-wrap:anywhere] rounded-md focus-visible:outline-hidden focus-visible:ring-[3px]"
    >
      <Tool defaultOpen={call.outcome === undefined}>
        <CollapsibleTrigger className="flex w-full items-center justify-between gap-4 p-3 text-start">
          <span className="flex min-w-0 flex-wrap items-center gap-2">
            <span className="min-w-0 text-sm font-medium break-words">
              <ApprovalName card={card} />
            </span>
            <ApprovalStatus call={call} />
          </span>
          <span
            aria-hidden
            className="text-muted-foreground shrink-0 transition-transform motion-reduce:transition-none group-data-[state=open]:rotate-180"
          >
            ▾
          </span>
        </CollapsibleTrigger>
        <ToolContent>
          <ApprovalInput input={call.approval?.input ?? part.input} />
          {hasResult ? (
            <ToolOutput output={part.output as never} errorText={part.errorText as never} />
          ) : (
            <ApprovalNote call={call} decidedBy={card.decidedBy} />
          )}
          <ApprovalActions part={part} gate={gate} />
        </ToolContent>
      </Tool>
    </div>
  );
}
