/** The time until a request expires. The clock of the gate expires it; this only shows the time. */
import { useEffect, useState } from 'react';
import { Icon } from './icons';

/** How often the time is updated, in milliseconds: often enough that no second is skipped. */
const LOOK_MS = 250;

/** The last seconds, which are highlighted. */
const HURRY = 10;

const secondsTo = (time: number): number => Math.max(0, Math.ceil((time - Date.now()) / 1000));

/** The time until `until`, in ms since 1970. */
export function Countdown({ until }: { until: number }) {
  const [left, setLeft] = useState(() => secondsTo(until));
  useEffect(() => {
    const look = (): void => setLeft(secondsTo(until));
    look();
    const timer = setInterval(look, LOOK_MS);
    return () => clearInterval(timer);
  }, [until]);
  return (
    <p
      className={left <= HURRY ? 'countdown hurry' : 'countdown'}
      role="timer"
      aria-label={`Expires in ${left} seconds`}
    >
      <Icon name="clock" />
      <span aria-hidden="true">
        <span className="wide">Expires in </span>
        {Math.floor(left / 60)}:{String(left % 60).padStart(2, '0')}
      </span>
    </p>
  );
}
