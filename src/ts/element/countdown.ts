/**
 * The countdown of a request with a deadline. The gate expires the request; this module only shows the time. One timer
 * updates all countdowns.
 */
import { h, setAttribute, setText } from './card-dom.js';
import { fill } from '../describe/call-texts.js';
import type { CardTexts } from '../approval/texts.js';

/** Interval of the timer in ms: short enough that no second is skipped. */
const INTERVAL_MS = 250;

/** With this many seconds left, the countdown is highlighted and announced once. */
const HURRY_SECONDS = 10;

const updates = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** A running countdown. */
export interface Countdown {
  readonly element: HTMLElement;
  readonly stop: () => void;
}

/** Counts down to `until` by the clock `now`, both in ms since 1970. Calls `hurry` once when little time is left. */
export function countdown(
  until: number,
  now: () => number,
  texts: CardTexts,
  hurry: (seconds: number) => void,
): Countdown {
  const secondsLeft = (): number => Math.max(0, Math.ceil((until - now()) / 1000));
  const clock = h('span', { 'aria-hidden': 'true' });
  const element = h('span', { 'class part': 'countdown', role: 'timer' }, clock);
  let isAnnounced = secondsLeft() <= HURRY_SECONDS;
  let shown = -1;
  const update = (): void => {
    const seconds = secondsLeft();
    if (seconds === shown) return;
    shown = seconds;
    const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    setText(clock, fill(texts.expiresIn, { time }));
    setAttribute(element, 'aria-label', fill(texts.expiresIn, { time }));
    element.classList.toggle('hurry', seconds <= HURRY_SECONDS);
    if (seconds > HURRY_SECONDS || isAnnounced) return;
    isAnnounced = true;
    hurry(seconds);
  };
  update();
  updates.add(update);
  timer ??= setInterval(() => updates.forEach((each) => each()), INTERVAL_MS);
  return {
    element,
    stop: () => {
      updates.delete(update);
      if (updates.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    },
  };
}
