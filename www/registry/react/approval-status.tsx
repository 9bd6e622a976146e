import type { CallDescription } from 'toolgate/react';
import { cn } from '@/lib/utils';

const TONES: Record<CallDescription['tone'], string> = {
  wait: 'border-amber-600/40 bg-amber-500/10 text-amber-800 dark:text-amber-300',
  busy: 'border-sky-600/40 bg-sky-500/10 text-sky-800 dark:text-sky-300',
  yes: 'border-emerald-600/40 bg-emerald-500/10 text-emerald-800 dark:text-emerald-300',
  no: 'border-red-600/40 bg-red-500/10 text-red-800 dark:text-red-300',
  quiet: 'border-border bg-muted text-foreground',
};

/** The status of a call, in one or two words. */
export function ApprovalStatus({ call, className }: { call: CallDescription; className?: string }) {
  return (
    <span
      className={cn(
        'inline-flex shrink-0 items-center rounded-full border px-2 py-0.5 text-xs font-medium whitespace-nowrap',
        TONES[call.tone],
        className,
      )}
    >
      {call.label}
    </span>
  );
}
