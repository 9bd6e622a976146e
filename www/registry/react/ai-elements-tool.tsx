'use client';

import { ChevronDownIcon } from 'lucide-react';
import type { AnyToolPart, GateSource } from 'toolgate';
import { useCallDescription } from 'toolgate/react';
import { Tool, ToolContent, ToolInput, ToolOutput } from '@/components/ai-elements/tool';
import { ApprovalActions } from '@/components/toolgate/approval-actions';
import { ApprovalStatus } from '@/components/toolgate/approval-status';
import { CollapsibleTrigger } from '@/components/ui/collapsible';

export interface GuardedToolProps {
  /** The tool call, as it is in the messages of the chat. */
  part: AnyToolPart;
  /** The guarded chat. Default: that of the nearest `GateProvider`. */
  gate?: GateSource;
}

/**
 * AI Elements' `Tool` for a guarded chat. Its `ToolHeader` knows the state of a call only, and calls skipped and expired
 * calls "Denied"; this header shows how the call ended.
 */
export function GuardedTool({ part, gate }: GuardedToolProps) {
  const call = useCallDescription(part, gate);
  const hasResult = call.outcome === 'executed' || call.outcome === 'failed';
  return (
    <Tool defaultOpen={call.outcome === undefined} data-status={call.status}>
      <CollapsibleTrigger className="flex w-full items-center justify-between gap-4 p-3">
        <span className="flex min-w-0 flex-wrap items-center gap-2">
          <span className="text-sm font-medium break-words">
            {call.title && `${call.title} `}
            <code className="font-mono">{call.toolName}</code>
          </span>
          <ApprovalStatus call={call} />
        </span>
        <ChevronDownIcon aria-hidden className="text-muted-foreground size-4 shrink-0" />
      </CollapsibleTrigger>
      <ToolContent>
        <ToolInput input={part.input} />
        {hasResult ? (
          <ToolOutput output={part.output as never} errorText={part.errorText as never} />
        ) : (
          <p role="status" className="text-muted-foreground text-sm empty:hidden">
            {call.note}
          </p>
        )}
        <ApprovalActions part={part} gate={gate} />
      </ToolContent>
    </Tool>
  );
}
