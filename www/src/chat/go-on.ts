/** Moves the focus when the focused element disappears. It works with any framework. */
import { waitingCards } from '../session/follow-end';

/**
 * Moves the focus to where the user continues. On a touch screen the text box would open the keyboard over the
 * conversation, so the conversation itself is focused.
 */
export function goOn(root: HTMLElement | null): void {
  const place = matchMedia('(pointer: coarse)').matches ? '.messages' : 'textarea';
  root?.querySelector<HTMLElement>(place)?.focus({ preventScroll: true });
}

/**
 * Moves the focus after a decision, once the cards are rendered: to the next waiting card (the card itself, not one of
 * its buttons), or else to where the user continues. On a busy page that takes a while: a focus that the user has moved
 * since stays, because the next key is meant for what has it.
 */
export function toNextCard(root: HTMLElement | null): void {
  const before = focused();
  requestAnimationFrame(() => {
    const now = focused();
    if (now !== before && now !== document.body) return;
    const [next] = root ? waitingCards(root) : [];
    if (next) next.focus();
    else goOn(root);
  });
}

/** The focused element, also inside a shadow tree; the body if none has the focus. */
function focused(): Element | null {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element;
}
