/**
 * Passes the user's decisions to the gate, and moves the focus afterwards. The focus moves to the next waiting card as
 * a whole, not to its Approve button: a key that is pressed twice, or held down, must not approve the next call unseen.
 * When no card waits, it moves to the text box.
 */
import { useCallback, useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import type { Session } from '../session/session';
import type { CardAnswer, CardActions } from './card-actions';
import { goOn } from './go-on';

/**
 * Returns the functions of the cards and the bar, and whether the reason for denying a call is open. `root` contains
 * the cards; `composer` gets the focus if none waits.
 */
export function useDecisions(
  session: Session,
  root: RefObject<HTMLElement | null>,
  composer: RefObject<HTMLTextAreaElement | null>,
): { cardActions: CardActions; decideRest: (approved: boolean) => void; isDenying: boolean } {
  const moveFocus = useRef(false);
  const pressed = useRef('');
  const [openReasons, setOpenReasons] = useState(0);

  // After each render: the card that had the focus has just lost its buttons.
  useEffect(() => {
    if (!moveFocus.current) return;
    moveFocus.current = false;
    const next = root.current?.querySelector<HTMLElement>('[data-status="waiting"]');
    if (next) next.focus();
    else goOn(root.current, composer.current);
  });

  const decide = useCallback(
    ({ approvalId, clicks, ...answer }: CardAnswer): void => {
      // The second half of a double click that began on another card is not a decision about this one.
      if (clicks > 1 && pressed.current !== approvalId) return;
      pressed.current = approvalId;
      session.decide(approvalId, answer);
      moveFocus.current = !session.scenario.keepButtons;
    },
    [session],
  );

  const decideRest = useCallback(
    (approved: boolean) => {
      session.decideAll(approved);
      moveFocus.current = true;
    },
    [session],
  );

  const cardActions = useMemo<CardActions>(
    () => ({
      decide,
      denying: (isDenying) => setOpenReasons((count) => count + (isDenying ? 1 : -1)),
      keepButtons: session.scenario.keepButtons ?? false,
      remembers: session.scenario.remembers ?? false,
      expiresAt: (approvalId) => session.gate.pending().find((pending) => pending.approvalId === approvalId)?.expiresAt,
    }),
    [session, decide],
  );

  return { cardActions, decideRest, isDenying: openReasons > 0 };
}
