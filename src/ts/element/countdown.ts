/**
 * How long a request still holds. The gate expires it, by its own clock; this only shows the time, from one timer for
 * all.
 */
import { h, setAttribute, setText } from './card-dom.js';
import { fill, type ApprovalTexts } from './card-texts.js';

/** How often the time is looked at, in milliseconds: no second must be skipped. */
const LOOK_MS = 250;

/** From here on, in seconds, it stands out, and is told once. */
const HURRY = 10;

const looks = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** What shows the time that is left. */
export interface Countdown {
  readonly element: HTMLElement;
  readonly stop: () => void;
}

/**
 * The time until `until` by the clock `now`, both in ms since 1970. `hurry` is called once when little is left; `stop`
 * ends it.
 */
export function countdown(
  until: number,
  now: () => number,
  texts: ApprovalTexts,
  hurry: (seconds: number) => void,
): Countdown {
  const left = (): number => Math.max(0, Math.ceil((until - now()) / 1000));
  const clock = h('span', { 'aria-hidden': 'true' });
  const element = h('span', { class: 'countdown', part: 'countdown', role: 'timer' }, clock);
  let isAnnounced = left() <= HURRY;
  let shown = -1;
  const look = (): void => {
    const seconds = left();
    if (seconds === shown) return;
    shown = seconds;
    const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    setText(clock, fill(texts.expiresIn, { time }));
    setAttribute(element, 'aria-label', fill(texts.expiresIn, { time }));
    element.classList.toggle('hurry', seconds <= HURRY);
    if (seconds > HURRY || isAnnounced) return;
    isAnnounced = true;
    hurry(seconds);
  };
  look();
  looks.add(look);
  timer ??= setInterval(() => looks.forEach((each) => each()), LOOK_MS);
  return {
    element,
    stop: () => {
      looks.delete(look);
      if (looks.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    },
  };
}
