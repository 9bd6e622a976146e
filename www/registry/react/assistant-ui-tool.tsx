'use client';

import type { ToolCallMessagePartProps } from '@assistant-ui/react';
import { describeCard } from 'toolgate/approval';
import { useCallDescription, useGate, useToolPart } from 'toolgate/react';
import type { ToolPart } from 'toolgate';
import {
  ToolFallbackContent,
  ToolFallbackResult,
  ToolFallbackRoot,
  ToolFallbackTrigger,
} from '@/components/assistant-ui/tool-fallback';
import { ApprovalActions } from '@/components/toolgate/approval-actions';
import { ApprovalInput } from '@/components/toolgate/approval-input';
import { ApprovalNote, ApprovalStatus } from '@/components/toolgate/approval-status';

/**
 * assistant-ui's `ToolFallback` for a guarded chat. Needs a `GateProvider` above the thread. Pass it to
 * `MessagePrimitive.Parts` as `tools.Fallback`, or to `makeAssistantToolUI` as `render`.
 */
export function GuardedToolFallback(props: ToolCallMessagePartProps) {
  const part = useToolPart(props.toolCallId);
  return part ? <Guarded {...props} part={part} /> : null;
}

function Guarded({ part, status }: ToolCallMessagePartProps & { part: ToolPart }) {
  const call = useCallDescription(part);
  const card = describeCard(part, { gate: useGate() });
  return (
    <div
      tabIndex={-1}
      data-status={call.status}
      className="focus-visible:ring-ring/50 min-w-0 [overflow-wrap:anywhere] rounded-md focus-visible:outline-hidden focus-visible:ring-[3px]"
    >
      <ToolFallbackRoot defaultOpen={call.outcome === undefined}>
        <div className="flex flex-wrap items-center gap-2">
          <ToolFallbackTrigger toolName={card.toolName} status={status} />
          <ApprovalStatus call={call} />
        </div>
        <ToolFallbackContent>
          <ApprovalInput input={call.approval?.input ?? part.input} />
          {call.outcome === 'executed' ? (
            <ToolFallbackResult result={part.output} />
          ) : (
            <ApprovalNote call={call} decidedBy={card.decidedBy} />
          )}
          <ApprovalActions part={part} />
        </ToolFallbackContent>
      </ToolFallbackRoot>
    </div>
  );
}
