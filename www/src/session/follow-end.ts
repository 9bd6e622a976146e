/**
 * Keeps the end of a conversation visible while it grows. If cards wait for a decision, the first of these is shown
 * instead. It works with any framework.
 */

/** How near the end, in pixels, still counts as being at the end. */
const NEAR = 80;

/** How much, in pixels, stays visible above the first waiting card. */
const ABOVE = 72;

/** The cards in `root` that wait for the user. */
export function waitingCards(root: HTMLElement): HTMLElement[] {
  return [...root.querySelectorAll('tool-approval')].filter(({ status }) => status === 'waiting');
}

/**
 * Scrolls `box`, whose only child is the conversation. Returns `toEnd`, after which it follows the end again, and
 * `stop`, after which it no longer scrolls.
 */
export function followEnd(box: HTMLElement): { toEnd: () => void; stop: () => void } {
  let isAtEnd = true;
  let waited = 0;
  const follow = (): void => {
    const [first, ...more] = waitingCards(box);
    const waiting = first ? 1 + more.length : 0;
    if (waiting === 0 && waited > 0) isAtEnd = true;
    waited = waiting;
    if (!isAtEnd || !box.querySelector('.message')) return;
    const end = box.scrollHeight - box.clientHeight;
    const top = first
      ? box.scrollTop + first.getBoundingClientRect().top - box.getBoundingClientRect().top - ABOVE
      : end;
    box.scrollTop = Math.min(top, end);
  };
  const scrolled = (): void => {
    isAtEnd = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR;
  };
  const sizes = new ResizeObserver(follow);
  sizes.observe(box);
  if (box.firstElementChild) sizes.observe(box.firstElementChild);
  box.addEventListener('scroll', scrolled);
  const stop = (): void => {
    sizes.disconnect();
    box.removeEventListener('scroll', scrolled);
  };
  return { toEnd: () => (isAtEnd = true), stop };
}
