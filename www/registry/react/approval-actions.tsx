'use client';

import { useEffect, useId, useRef, useState, type KeyboardEvent, type MouseEvent, type RefObject } from 'react';
import type { AnyToolPart, GateSource, PendingApproval } from 'toolgate';
import { describeRefusal, useCallDescription, useGate, useGateActions, type CallDescription } from 'toolgate/react';
import { ApprovalDeadline } from '@/components/toolgate/approval-deadline';
import { visible } from '@/components/toolgate/approval-input';
import { filled, wordsOf, type ApprovalWords } from '@/components/toolgate/approval-words';
import { Button } from '@/components/ui/button';

/** A long label wraps instead of sticking out of a narrow card. */
const WRAPS = 'h-auto min-h-8 max-w-full whitespace-normal';

const FIELD =
  'border-input bg-background focus-visible:border-ring focus-visible:ring-ring/50 w-full rounded-md border px-3 py-2 text-sm focus-visible:outline-hidden focus-visible:ring-[3px]';

export interface ApprovalActionsProps {
  /** The tool call, as it is in the messages of the chat. */
  part: AnyToolPart;
  /** The guarded chat. Default: that of the nearest `GateProvider`. */
  gate?: GateSource;
  /** Called when the gate has accepted a decision. */
  onDecided?: () => void;
  /** Called when the reason for denying is opened and closed. Do not offer to approve this call in between. */
  onDenying?: (isDenying: boolean) => void;
  /** The words in another language, such as `de` of `toolgate/element/texts/de`. Pass the same object each time. */
  texts?: ApprovalWords;
}

/**
 * What the user can do about a call: approve, deny with a reason, edit the input, take more time, send again or give
 * up. While the reason is open, only that denial and the way back are offered: no key that is pressed after it approves
 * the call. If the focused control disappears, the element with `data-status` around it gets the focus.
 */
export function ApprovalActions({ part, gate, onDecided, onDenying, texts }: ApprovalActionsProps) {
  const call = useCallDescription(part, gate, texts);
  const element = useRef<HTMLDivElement>(null);
  const focused = useRef<Element>(null);
  // A decision removes the buttons and fields: the user's own, one in another tab, or the end of the time.
  useEffect(() => {
    if (!focused.current || focused.current.isConnected) return;
    focused.current = null;
    if (document.activeElement === document.body) element.current?.closest<HTMLElement>('[data-status]')?.focus();
  });
  return (
    <div
      ref={element}
      className="flex flex-col gap-3 [&:not(:has(*))]:hidden"
      onFocus={(event) => (focused.current = event.target)}
      onBlur={() => (focused.current = null)}
    >
      {/* Another request starts with empty fields. */}
      <Actions
        key={part.approval?.id}
        approvalId={part.approval?.id}
        {...{ call, gate, onDecided, onDenying, element, texts }}
      />
    </div>
  );
}

interface ActionsProps extends Omit<ApprovalActionsProps, 'part'> {
  approvalId: string | undefined;
  call: CallDescription;
  element: RefObject<HTMLDivElement | null>;
}

function Actions({ approvalId, call, gate, onDecided, onDenying, element, texts }: ActionsProps) {
  const { approval, can, undelivered } = call;
  const words = wordsOf(texts);
  const { respond, retry, resume, cancel } = useGateActions(gate);
  const own = useGate(gate);
  const id = useId();
  const [reason, setReason] = useState('');
  const [isReasonOpen, setReasonOpen] = useState(false);
  const [edited, setEdited] = useState<string>();
  const [problem, setProblem] = useState('');
  const isDenying = can.deny && isReasonOpen;
  const isEditing = can.edit && edited !== undefined && !isDenying;

  const report = useRef(onDenying);
  useEffect(() => {
    report.current = onDenying;
  });
  useEffect(() => {
    if (!isDenying) return;
    report.current?.(true);
    return () => report.current?.(false);
  }, [isDenying]);

  function attempt(act: () => void) {
    try {
      act();
      setProblem('');
      onDecided?.();
    } catch (error) {
      setProblem(describeRefusal(error, texts));
    }
  }

  function approve(event: MouseEvent) {
    // The second click of a double click was meant for what was here before.
    if (!approval || isDenying || event.detail > 1) return;
    if (edited === undefined) return attempt(() => respond(approval, { approved: true }));
    let input: unknown;
    try {
      input = JSON.parse(edited);
    } catch (error) {
      return setProblem(filled(words.badJson, { problem: (error as Error).message }));
    }
    attempt(() => respond(approval, { approved: true, input }));
  }

  // More time is no decision.
  function extend(asked: PendingApproval, until: number) {
    try {
      own?.extend(asked, until);
    } catch (error) {
      setProblem(describeRefusal(error, texts));
    }
  }

  function deny() {
    const given = isDenying ? reason.trim() : '';
    if (approval) attempt(() => respond(approval, { approved: false, ...(given && { reason: given }) }));
  }

  // The field keeps its text.
  function closeReason() {
    setReasonOpen(false);
    element.current?.querySelector<HTMLElement>('[data-action=reason]')?.focus();
  }

  function onKey(event: KeyboardEvent) {
    // Safari reports the Enter that ends an IME composition by its key code only.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (event.key === 'Enter' && (event.repeat || event.target instanceof HTMLInputElement)) {
      // A key that is held down is pressed once, and Enter does not submit a form around the card.
      event.preventDefault();
      if (!event.repeat) deny();
    }
    if (event.key !== 'Escape' || !isDenying) return;
    // Escape does not close a dialog around the card.
    event.preventDefault();
    event.stopPropagation();
    closeReason();
  }

  // Names begin with the visible words, for voice control.
  const named = (word: keyof typeof words) => ({
    children: filled(words[word]),
    'aria-label': `${filled(words[word])}: ${visible(call.toolName)}`,
    className: WRAPS,
  });

  return (
    <>
      {isEditing && (
        <div className="flex flex-col gap-1.5">
          <label className="text-sm font-medium" htmlFor={`${id}-input`}>
            {filled(words.editLabel)}
          </label>
          <textarea
            id={`${id}-input`}
            dir="ltr"
            className={`${FIELD} min-h-24 font-mono`}
            spellCheck={false}
            value={edited}
            onChange={(event) => setEdited(event.target.value)}
          />
        </div>
      )}
      {isDenying && (
        <div className="flex flex-col gap-1.5" onKeyDown={onKey}>
          <label className="text-sm font-medium" htmlFor={`${id}-reason`}>
            <bdi>{filled(words.reasonLabel)}</bdi>
          </label>
          <input
            autoFocus
            id={`${id}-reason`}
            dir="auto"
            className={FIELD}
            autoComplete="off"
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </div>
      )}
      {(can.approve || can.giveUp || can.resume) && (
        <div className="flex flex-wrap items-center gap-2" onKeyDown={onKey}>
          {can.approve && !isDenying && (
            <Button
              type="button"
              size="sm"
              onClick={approve}
              {...named(edited === undefined ? 'approve' : 'approveEdited')}
            />
          )}
          {can.deny && (
            <Button
              type="button"
              size="sm"
              variant="outline"
              onClick={(event) => event.detail <= 1 && deny()}
              {...named(isDenying ? 'denyWithReason' : 'deny')}
            />
          )}
          {can.deny && (
            <Button
              type="button"
              size="sm"
              variant="ghost"
              data-action="reason"
              onClick={(event) => {
                if (event.detail > 1) return;
                if (isDenying) return closeReason();
                setReasonOpen(true);
                setProblem('');
              }}
              {...named(isDenying ? 'back' : 'reason')}
            />
          )}
          {can.edit && !isDenying && (
            <Button
              type="button"
              size="sm"
              variant="ghost"
              aria-expanded={edited !== undefined}
              onClick={() => setEdited(edited === undefined ? JSON.stringify(approval?.input, null, 2) : undefined)}
              {...named(edited === undefined ? 'edit' : 'discardEdit')}
            />
          )}
          {can.retry && undelivered && (
            <Button type="button" size="sm" variant="outline" onClick={() => attempt(() => retry(undelivered.id))}>
              {filled(words.retry)}
            </Button>
          )}
          {can.giveUp && undelivered && (
            <Button
              type="button"
              size="sm"
              variant="outline"
              onClick={() => attempt(() => cancel(undefined, { id: undelivered.id }))}
            >
              {filled(words.giveUp)}
            </Button>
          )}
          {can.resume && (
            <Button type="button" size="sm" variant="outline" onClick={() => attempt(resume)}>
              {filled(words.sendNow)}
            </Button>
          )}
          {can.doNotRun && (
            <Button
              type="button"
              size="sm"
              variant="outline"
              onClick={() => attempt(() => cancel(undefined, { approvalId }))}
            >
              {filled(words.doNotRun)}
            </Button>
          )}
          {approval && (
            <ApprovalDeadline approval={approval} texts={texts} onExtend={(until) => extend(approval, until)} />
          )}
        </div>
      )}
      {problem && (
        <p role="alert" className="text-destructive text-sm">
          <bdi>{problem}</bdi>
        </p>
      )}
    </>
  );
}
