/** Where the focus goes when what had it is done. No framework in here. */
import { waitingCards } from '../session/follow-end';

/**
 * Puts the focus where the user goes on. On a touch screen the text box would open the keyboard over the
 * conversation, so the conversation itself gets it.
 */
export function goOn(root: HTMLElement | null, composer: HTMLElement | null): void {
  const touch = matchMedia('(pointer: coarse)').matches;
  (touch ? root?.querySelector<HTMLElement>('.messages') : composer)?.focus({ preventScroll: true });
}

/** Behind an answer: to the next card that waits, as a whole, or else to where the user goes on; when the cards are drawn. */
export function toNextCard(root: HTMLElement | null): void {
  requestAnimationFrame(() => {
    const [next] = root ? waitingCards(root) : [];
    if (next) next.focus();
    else goOn(root, root?.querySelector('textarea') ?? null);
  });
}
