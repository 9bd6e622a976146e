'use client';

import type { ToolCallMessagePartProps } from '@assistant-ui/react';
import { useCallDescription, useToolPart } from 'toolgate/react';
import type { ToolPart } from 'toolgate';
import {
  ToolFallbackContent,
  ToolFallbackResult,
  ToolFallbackRoot,
  ToolFallbackTrigger,
} from '@/components/assistant-ui/tool-fallback';
import { ApprovalActions } from '@/components/toolgate/approval-actions';
import { ApprovalInput, visible } from '@/components/toolgate/approval-input';
import { ApprovalStatus } from '@/components/toolgate/approval-status';

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
  return (
    <div
      tabIndex={-1}
      data-status={call.status}
      className="focus-visible:ring-ring/50 min-w-0 [overflow-wrap:anywhere] rounded-md focus-visible:outline-hidden focus-visible:ring-[3px]"
    >
      <ToolFallbackRoot defaultOpen={call.outcome === undefined}>
        <div className="flex flex-wrap items-center gap-2">
          <ToolFallbackTrigger toolName={visible(call.toolName)} status={status} />
          <ApprovalStatus call={call} />
        </div>
        <ToolFallbackContent>
          {call.requestReason && (
            <p className="text-sm break-words">
              <bdi>{visible(call.requestReason)}</bdi>
            </p>
          )}
          <ApprovalInput input={call.approval?.input ?? part.input} />
          {call.outcome === 'executed' ? (
            <ToolFallbackResult result={part.output} />
          ) : (
            <p role="status" className="text-muted-foreground text-sm empty:sr-only">
              {call.note && <bdi>{call.note}</bdi>}
            </p>
          )}
          <ApprovalActions part={part} />
        </ToolFallbackContent>
      </ToolFallbackRoot>
    </div>
  );
}
