'use client';

import type { ToolCallMessagePartProps } from '@assistant-ui/react';
import { useCallDescription, useToolPart } from 'toolgate/react';
import type { ToolPart } from 'toolgate';
import {
  ToolFallbackArgs,
  ToolFallbackContent,
  ToolFallbackResult,
  ToolFallbackRoot,
  ToolFallbackTrigger,
} from '@/components/assistant-ui/tool-fallback';
import { ApprovalActions } from '@/components/toolgate/approval-actions';
import { ApprovalStatus } from '@/components/toolgate/approval-status';

/**
 * assistant-ui's `ToolFallback` for a guarded chat. Needs a `GateProvider` above the thread. Pass it to
 * `MessagePrimitive.Parts` as `tools.Fallback`, or to `makeAssistantToolUI` as `render`.
 */
export function GuardedToolFallback(props: ToolCallMessagePartProps) {
  const part = useToolPart(props.toolCallId);
  return part ? <Guarded {...props} part={part} /> : null;
}

function Guarded({ part, toolName, argsText, status }: ToolCallMessagePartProps & { part: ToolPart }) {
  const call = useCallDescription(part);
  return (
    <ToolFallbackRoot defaultOpen={call.outcome === undefined} data-status={call.status}>
      <div className="flex flex-wrap items-center gap-2">
        <ToolFallbackTrigger toolName={toolName} status={status} />
        <ApprovalStatus call={call} />
      </div>
      <ToolFallbackContent>
        <ToolFallbackArgs argsText={argsText} />
        {call.outcome === 'executed' ? (
          <ToolFallbackResult result={part.output} />
        ) : (
          <p role="status" className="text-muted-foreground text-sm empty:hidden">
            {call.note}
          </p>
        )}
        <ApprovalActions part={part} />
      </ToolFallbackContent>
    </ToolFallbackRoot>
  );
}
