'use client';

import { useEffect, useState } from 'react';
import type { PendingApproval } from 'toolgate';
import { clockOf, countDown, HURRY_SECONDS, laterThan, secondsLeft } from '@/components/toolgate/deadline-clock';
import { visible } from '@/components/toolgate/approval-input';
import { filled, wordsOf, type ApprovalWords } from '@/components/toolgate/approval-words';
import { Button } from '@/components/ui/button';
import { cn } from '@/lib/utils';

export interface ApprovalDeadlineProps {
  approval: PendingApproval;
  /** Gives the user time until then, in ms since 1970. */
  onExtend: (until: number) => void;
  texts?: ApprovalWords;
}

/** The time that is left to answer, and the button for more of it. Shows nothing without a deadline. */
export function ApprovalDeadline({ approval, onExtend, texts }: ApprovalDeadlineProps) {
  const [seconds, setSeconds] = useState(() => secondsLeft(approval));
  const [hurry, setHurry] = useState<number>();
  useEffect(() => {
    let isSaid = (secondsLeft(approval) ?? 0) <= HURRY_SECONDS;
    setHurry(undefined);
    return countDown(approval, (left) => {
      setSeconds(left);
      if (isSaid || left > HURRY_SECONDS) return;
      isSaid = true;
      setHurry(left);
    });
  }, [approval]);
  if (approval.expiresAt === undefined || seconds === undefined) return null;
  const words = wordsOf(texts);
  const tool = visible(approval.toolName);
  const more = filled(words.moreTime);
  return (
    <>
      {/* A server and the page may count different seconds. */}
      <span
        role="timer"
        suppressHydrationWarning
        className={cn(
          'text-muted-foreground text-sm tabular-nums',
          seconds <= HURRY_SECONDS && 'font-semibold text-amber-800 dark:text-amber-300',
        )}
      >
        {filled(words.expiresIn, { time: clockOf(seconds) })}
      </span>
      {approval.extendable && (
        <Button
          type="button"
          size="sm"
          variant="ghost"
          aria-label={`${more}: ${tool}`}
          onClick={() => onExtend(laterThan(approval))}
        >
          {more}
        </Button>
      )}
      <span role="status" className="sr-only">
        {hurry !== undefined && filled(words.secondsLeft, { tool, seconds: hurry }, words.language)}
      </span>
    </>
  );
}
