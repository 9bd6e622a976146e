/** Leads the focus from a decided card to the next one that waits. */
import { DECIDED } from './controls.js';

/**
 * Takes the element around the cards of a list. After a decision in a card that has the focus, or by a button of the
 * list that disappears, focuses the next card that waits, or else the first one, unless the user has moved the focus
 * since. A card has the attribute `data-status`.
 */
export const leadFocus = (list: HTMLElement | null): void => list?.addEventListener(DECIDED, lead);

function lead({ currentTarget }: Event): void {
  const list = currentTarget as HTMLElement;
  const { ownerDocument: page } = list;
  const before = page.activeElement;
  if (!before || !list.contains(before)) return;
  const card = before.closest<HTMLElement>('[data-status]');
  requestAnimationFrame(() => {
    const now = page.activeElement;
    // The next key is meant for what the user has focused since.
    if (now !== before && now !== card && now !== page.body) return;
    const waiting = [...list.querySelectorAll<HTMLElement>('[data-status=waiting]')];
    const isAfter = (each: Node): number =>
      (card ?? list).compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING;
    (waiting.find(isAfter) ?? waiting[0] ?? card ?? list).focus();
  });
}
