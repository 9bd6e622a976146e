/**
 * The dock at the lower edge of the page: its height, changed by pointer and keyboard, and the page's padding for it.
 */
import { h } from './panel-dom.js';

const MIN_HEIGHT = 120;
const STEP = 24;

/** Creates the handle that changes the height of `host`. */
export function resizer(host: HTMLElement, initial: number): HTMLElement {
  const most = (): number => Math.max(MIN_HEIGHT, Math.round(innerHeight * 0.9));
  let height = initial;
  const set = (wanted: number): void => {
    height = Math.min(Math.max(MIN_HEIGHT, Math.round(wanted)), most());
    host.style.setProperty('--height', `${height}px`);
    handle.setAttribute('aria-valuenow', String(height));
    handle.setAttribute('aria-valuemax', String(most()));
  };
  const move = (event: Event): void => {
    if (handle.hasPointerCapture((event as PointerEvent).pointerId)) set(innerHeight - (event as PointerEvent).clientY);
  };
  const key = (event: Event): void => {
    const { key: pressed } = event as KeyboardEvent;
    const wanted = { ArrowUp: height + STEP, ArrowDown: height - STEP, Home: MIN_HEIGHT, End: most() }[pressed];
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
    'aria-valuemin': MIN_HEIGHT,
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

/** Adds padding to the page, so that the dock does not cover its end. Returns a function that removes the padding. */
export function keepRoom(host: HTMLElement): () => void {
  const { style } = document.body;
  const before = style.paddingBottom;
  const observer = new ResizeObserver(() => {
    style.paddingBottom = `${host.offsetHeight}px`;
  });
  observer.observe(host);
  return () => {
    observer.disconnect();
    style.paddingBottom = before;
  };
}
