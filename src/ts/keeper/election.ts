/**
 * Which tab leads: the one that holds the lock of the name, for as long as its page lives. The browser gives the lock to the
 * next tab when the page is gone, however it went.
 */

/** A tab's part in it. */
export interface Election {
  /** Resolves with whether this tab led at once, or is alone because there are no locks. */
  readonly outcome: Promise<'leader' | 'follower' | 'alone'>;
  /** Gives the lock back, or waits for it no longer. */
  leave(): void;
}

/** Takes part. `onElected` is called once, when this tab begins to lead. */
export function elect(name: string, onElected: () => void): Election {
  const key = `toolgate:${name}`;
  const locks = (globalThis.navigator as Navigator | undefined)?.locks;
  const waiting = new AbortController();
  const { signal } = waiting;
  let leave!: () => void;
  const held = new Promise<void>(resolve => (leave = resolve));
  let isElected = false;
  const begin = (): void => {
    if (isElected || signal.aborted) return;
    isElected = true;
    onElected();
  };
  const lead = (): Promise<void> => {
    begin();
    return held;
  };

  const outcome = new Promise<'leader' | 'follower' | 'alone'>(resolve => {
    const alone = (): void => {
      resolve('alone');
      begin();
    };
    if (!locks) return alone();
    const atOnce = locks.request(key, { ifAvailable: true }, lock => {
      resolve(lock ? 'leader' : 'follower');
      if (lock) return lead();
      // Waits for its turn, however long that takes.
      locks.request(key, { signal }, lead).catch(() => {});
      return undefined;
    });
    // A page may not be allowed to have locks, a sandboxed frame for one.
    atOnce.catch(alone);
  });

  return {
    outcome,
    leave: () => {
      waiting.abort();
      leave();
    },
  };
}
