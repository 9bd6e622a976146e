/** The dock at the edge of the page: how high it is, by pointer and by keyboard, and the room that the page leaves for it. */
import { h } from './panel-dom.js';

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

/** Keeps the end of the page within reach: what the dock covers is added to the page's length. Returns what ends that. */
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
