/** Moves the focus when the focused element disappears. It works with any framework. */
import { waitingCards } from '../session/follow-end';

/**
 * Moves the focus to where the user continues. On a touch screen the text box would open the keyboard over the
 * conversation, so the conversation itself is focused.
 */
export function goOn(root: HTMLElement | null, composer: HTMLElement | null): void {
  const touch = matchMedia('(pointer: coarse)').matches;
  (touch ? root?.querySelector<HTMLElement>('.messages') : composer)?.focus({ preventScroll: true });
}

/**
 * Moves the focus after a decision, once the cards are rendered: to the next waiting card (the card itself, not one of
 * its buttons), or else to where the user continues.
 */
export function toNextCard(root: HTMLElement | null): void {
  requestAnimationFrame(() => {
    const [next] = root ? waitingCards(root) : [];
    if (next) next.focus();
    else goOn(root, root?.querySelector('textarea') ?? null);
  });
}
