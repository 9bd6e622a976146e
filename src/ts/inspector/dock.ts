/** The dock at the edge of the page: how high it is, by pointer and by keyboard. What is inside is not its business. */
import { h } from './dom.js';

const LEAST = 120;
const STEP = 24;

/** The handle that changes the height of `host`. */
export function resizer(host: HTMLElement, initial: number): HTMLElement {
  const most = (): number => Math.max(LEAST, Math.round(innerHeight * 0.9));
  let height = initial;
  const set = (wanted: number): void => {
    height = Math.min(Math.max(LEAST, Math.round(wanted)), most());
    host.style.setProperty('--height', `${height}px`);
    handle.setAttribute('aria-valuenow', String(height));
    handle.setAttribute('aria-valuemax', String(most()));
  };
  const move = (event: Event): void => {
    if (handle.hasPointerCapture((event as PointerEvent).pointerId)) set(innerHeight - (event as PointerEvent).clientY);
  };
  const key = (event: Event): void => {
    const { key: pressed } = event as KeyboardEvent;
    const wanted = { ArrowUp: height + STEP, ArrowDown: height - STEP, Home: LEAST, End: most() }[pressed];
    if (wanted === undefined) return;
    event.preventDefault();
    set(wanted);
  };
  const handle = h('div', {
    class: 'handle',
    role: 'separator',
    tabindex: 0,
    'aria-orientation': 'horizontal',
    'aria-label': 'Height of the inspector',
    'aria-valuemin': LEAST,
    on: {
      pointerdown: (event) => {
        handle.setPointerCapture((event as PointerEvent).pointerId);
        event.preventDefault();
      },
      pointermove: move,
      keydown: key,
    },
  });
  set(height);
  return handle;
}
