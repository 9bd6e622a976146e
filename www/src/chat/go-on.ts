/** Moves the focus when the focused element disappears. Without a framework. */
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
 * After a decision: moves the focus to the next waiting card as a whole, or else to where the user continues, once the
 * cards are rendered.
 */
export function toNextCard(root: HTMLElement | null): void {
  requestAnimationFrame(() => {
    const [next] = root ? waitingCards(root) : [];
    if (next) next.focus();
    else goOn(root, root?.querySelector('textarea') ?? null);
  });
}
