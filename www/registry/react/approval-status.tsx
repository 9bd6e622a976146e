import { visible, type CardDescription } from 'toolgate/approval';
import type { CallDescription } from 'toolgate/react';
import { STATUS, TONES } from '@/components/toolgate/approval-looks';
import { cn } from '@/lib/utils';

/** The status of a call, in one or two words. */
export function ApprovalStatus({ call, className }: { call: CallDescription; className?: string }) {
  return <span className={cn(STATUS, TONES[call.tone], className)}>{call.label}</span>;
}

/** Why the backend asks, what became of the call, and who decided. */
export function ApprovalNote({ call, decidedBy }: { call: CallDescription; decidedBy?: string }) {
  return (
    <>
      {call.requestReason && (
        <p className="text-sm break-words">
          <bdi>{visible(call.requestReason)}</bdi>
        </p>
      )}
      <p role="status" className="text-muted-foreground text-sm break-words empty:sr-only">
        {call.note && <bdi>{call.note}</bdi>} {decidedBy && <bdi>{decidedBy}</bdi>}
      </p>
    </>
  );
}

/** What a call does, in the app's words; the name of its tool; and in quotes what the tool calls itself. */
export function ApprovalName({ card: { summary, toolName, title } }: { card: CardDescription }) {
  return (
    <>
      {summary && <bdi>{summary} </bdi>}
      <code dir="ltr" className="font-mono">
        {toolName}
      </code>
      {title && <bdi className="text-muted-foreground font-normal"> {title}</bdi>}
    </>
  );
}
