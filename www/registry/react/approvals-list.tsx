'use client';

import { useEffect, useRef, useState, type MouseEvent } from 'react';
import { callsOfStep, type GateSource, type GateView, type PendingApproval, type ToolPart } from 'toolgate';
import { useApprovals, useGateActions, useGateView } from 'toolgate/react';
import { ApprovalCard } from '@/components/toolgate/approval-card';
import { visible } from '@/components/toolgate/approval-input';
import { filled, languageOf, wordsOf, type ApprovalWords } from '@/components/toolgate/approval-words';
import { Button } from '@/components/ui/button';
import { cn } from '@/lib/utils';

export interface ApprovalsListProps {
  /** The guarded chat. Default: that of the nearest `GateProvider`. */
  gate?: GateSource;
  className?: string;
  /** Whether *Approve all* asks a second time before it approves this call. Default: it never does. */
  isDangerous?: (approval: PendingApproval) => boolean;
  /** The words in another language, such as `de` of `toolgate/element/texts/de`. Pass the same object each time. */
  texts?: ApprovalWords;
}

/** The calls of the current step that needed an approval. A card stays until the next step begins. */
export function ApprovalsList({ gate, className, isDangerous, texts }: ApprovalsListProps) {
  const view = useGateView(stepOf, gate);
  const approvals = useApprovals(gate);
  const { respondAll } = useGateActions(gate);
  const list = useRef<HTMLElement>(null);
  const question = useRef<HTMLParagraphElement>(null);
  const approveAll = useRef<HTMLButtonElement>(null);
  // A request that the backend withdraws becomes automatic: its card stays, and says so.
  const shown = useRef(new Set<string>());
  const calls = callsOfStep(view).filter(
    ({ approval }) => approval && (!approval.isAutomatic || shown.current.has(approval.id)),
  );
  const [asked, setAsked] = useState<{ approvals: readonly PendingApproval[]; tools: string }>();
  // The question is about certain calls: others need another one.
  const isAsking =
    asked?.approvals.length === approvals.length && asked.approvals.every((one) => approvals.includes(one));
  /** How many reasons for denying are open. A call that is being denied is not approved together with the others. */
  const [denying, setDenying] = useState(0);
  const onDenying = (isDenying: boolean) => {
    setDenying((count) => count + (isDenying ? 1 : -1));
    setAsked(undefined);
  };
  useEffect(() => {
    for (const { approval } of calls) if (approval) shown.current.add(approval.id);
  });
  // The focus is on the question, not on a button: a key that is held down must not answer it.
  useEffect(() => {
    if (isAsking) question.current?.focus();
  }, [isAsking]);
  if (calls.length === 0) return null;
  const words = wordsOf(texts);
  const counted = (word: 'arrivedMany' | 'approveAll' | 'denyAll' | 'confirmAll' | 'confirmAllNow') =>
    filled(words[word], { count: approvals.length, tools: asked?.tools ?? '' }, words.language);

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
    const dangerous = approved && !isAsking && isDangerous ? approvals.filter((approval) => isDangerous(approval)) : [];
    if (dangerous.length > 0) {
      const tools = new Set(dangerous.map(({ toolName }) => visible(toolName)));
      return setAsked({ approvals, tools: [...tools].join(', ') });
    }
    setAsked(undefined);
    respondAll(approvals, { approved });
    focusNext();
  };
  const goBack = () => {
    setAsked(undefined);
    requestAnimationFrame(() => approveAll.current?.focus());
  };

  return (
    <section
      ref={list}
      tabIndex={-1}
      aria-label={filled(words.list)}
      {...languageOf(texts)}
      className={cn(
        'focus-visible:ring-ring/50 flex min-w-0 flex-col gap-3 rounded-xl focus-visible:outline-hidden focus-visible:ring-[3px]',
        className,
      )}
    >
      {approvals.length > 1 && (
        <div
          className="flex flex-wrap items-center gap-2"
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || !isAsking) return;
            event.stopPropagation();
            goBack();
          }}
        >
          <p
            ref={question}
            tabIndex={-1}
            role={isAsking ? 'alert' : undefined}
            className={cn(
              'text-muted-foreground focus-visible:ring-ring/50 me-auto min-w-0 rounded-sm text-sm [overflow-wrap:anywhere] focus-visible:outline-hidden focus-visible:ring-[3px]',
              isAsking && 'text-foreground font-medium',
            )}
          >
            <bdi>{counted(isAsking ? 'confirmAll' : 'arrivedMany')}</bdi>
          </p>
          <div className="flex flex-wrap gap-2">
            <Button
              ref={approveAll}
              type="button"
              size="sm"
              variant={isAsking ? 'default' : 'outline'}
              disabled={denying > 0}
              className={WRAPS}
              onClick={(event) => decideAll(event, true)}
            >
              {counted(isAsking ? 'confirmAllNow' : 'approveAll')}
            </Button>
            {isAsking ? (
              <Button type="button" size="sm" variant="outline" className={WRAPS} onClick={goBack}>
                {filled(words.back)}
              </Button>
            ) : (
              <Button
                type="button"
                size="sm"
                variant="outline"
                className={WRAPS}
                onClick={(event) => decideAll(event, false)}
              >
                {counted('denyAll')}
              </Button>
            )}
          </div>
        </div>
      )}
      {calls.map((part: ToolPart) => (
        <ApprovalCard
          key={part.approval?.id}
          part={part}
          gate={gate}
          onDecided={focusNext}
          onDenying={onDenying}
          texts={texts}
        />
      ))}
    </section>
  );
}

/** A long label wraps instead of sticking out of a narrow page. */
const WRAPS = 'h-auto min-h-8 max-w-full whitespace-normal';

/** The view itself: the calls of its step are a new list each time. */
const stepOf = (view: GateView): GateView => view;
