/**
 * Stops accidental presses: the second click of a double click, a click on a button that has just appeared or moved
 * under the pointer, and a key on a button that has another label than when it got the focus. Otherwise keys, assistive
 * technology and scripts, whose clicks have the `detail` 0 or are not trusted, are never delayed.
 */
import { watchView } from './in-view.js';

/** How long a button must have been at its place, with its label, before a pointer presses it, in ms. */
const SETTLED_AFTER_MS = 500;

/** How often the places of the buttons in view are looked at, in ms. */
const LOOK_EVERY_MS = 100;

/** Where a button is. */
interface Place {
  /** The place and the label, to compare. */
  readonly is: string;
  readonly box: DOMRect;
  readonly since: number;
  /** Whether the pointer has moved onto the button since it is at this place. */
  isMovedOnto: boolean;
}

const guarded = new WeakSet<EventTarget>();
const places = new WeakMap<Element, Place>();
/** The labels of buttons when they got the focus. A press by the user takes it back: it changes the button. */
const labels = new WeakMap<EventTarget, string | null | undefined>();
/** The guarded elements that are in view. */
const inView = new Set<HTMLElement>();
let timer: ReturnType<typeof setInterval> | undefined;
/** The last place of the mouse or pen. */
let pointer: readonly [x: number, y: number] | undefined;

/** Whether a pointer may press the button now. Shows on the button if not. */
function isSettled(button: Element): boolean {
  const place = look(button);
  const isIt = place.isMovedOnto || performance.now() - place.since >= SETTLED_AFTER_MS;
  button.toggleAttribute('data-settling', !isIt);
  return isIt;
}

function look(button: Element): Place {
  const box = button.getBoundingClientRect();
  const is = JSON.stringify(box) + button.textContent;
  let place = places.get(button);
  if (place?.is !== is) places.set(button, (place = { is, box, since: performance.now(), isMovedOnto: false }));
  return place;
}

const lookAtAll = (root: HTMLElement): void => root.querySelectorAll('button').forEach(isSettled);

/** Notes the buttons onto which the pointer moves. */
function onMove(event: PointerEvent): void {
  const { clientX: x, clientY: y } = event;
  // A finger comes from nowhere.
  if (event.pointerType === 'touch') return;
  const before = pointer;
  pointer = [x, y];
  const button = (event.composedPath()[0] as Element).closest?.('button');
  if (!button || !event.composedPath().some((each) => guarded.has(each))) return;
  const place = look(button);
  const { left, right, top, bottom } = place.box;
  if (!before || before[0] < left || before[0] > right || before[1] < top || before[1] > bottom)
    place.isMovedOnto = true;
  isSettled(button);
}

/**
 * Stops the accidental presses of the buttons in an element, before their listeners get them. `refuse` is called for a
 * press that came too soon after the button appeared or moved, and for a key after its label has changed: the next
 * press counts. While a button is that new, it has the attribute `data-settling`: show it as inactive, but do not
 * disable it.
 */
export function guardPresses(root: HTMLElement, refuse: () => void, signal?: AbortSignal): void {
  /** The buttons on which a pointer is down, and whether that counts. */
  const down = new WeakMap<Element, boolean>();
  const guard = (event: MouseEvent): void => {
    const button = (event.target as Element).closest('button');
    if (!button) return;
    const { type, detail, isTrusted } = event;
    if (type === 'pointerdown') return void down.set(button, isSettled(button));
    const label = button.textContent;
    const isSame = (labels.get(button) ?? label) === label;
    labels.set(button, isSame ? undefined : label);
    // Without a detail it is a key or assistive technology.
    const counts = !isTrusted || (detail ? (down.get(button) ?? isSettled(button)) : isSame);
    if (counts && detail < 2) return;
    event.preventDefault();
    event.stopPropagation();
    if (detail < 2) refuse();
  };
  const { ownerDocument } = root;
  guarded.add(root);
  const options = { capture: true, ...(signal && { signal }) };
  // The same listener is added once.
  ownerDocument.addEventListener('pointermove', onMove, true);
  root.addEventListener('pointerdown', guard, options);
  root.addEventListener('click', guard, options);
  root.addEventListener('focusin', ({ target }) => labels.set(target!, (target as Element).textContent), options);
  // A key that takes something back changes the label, too.
  root.addEventListener('keydown', ({ key, target }) => key === 'Escape' && labels.delete(target!), options);
  watchView(root, (isInView) => {
    inView[isInView ? 'add' : 'delete'](root);
    timer ??= setInterval(() => {
      if (inView.size > 0) return inView.forEach(lookAtAll);
      clearInterval(timer);
      timer = undefined;
    }, LOOK_EVERY_MS);
  });
}
