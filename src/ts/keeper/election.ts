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
  const { signal, abort } = controller();
  let leave!: () => void;
  const held = new Promise<void>(resolve => (leave = resolve));
  const lead = (): Promise<void> => {
    onElected();
    return held;
  };

  const outcome = new Promise<'leader' | 'follower' | 'alone'>(resolve => {
    const alone = (): void => {
      if (signal.aborted) return;
      resolve('alone');
      onElected();
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
      abort();
      leave();
    },
  };
}

function controller(): { readonly signal: AbortSignal; readonly abort: () => void } {
  const own = new AbortController();
  return { signal: own.signal, abort: () => own.abort() };
}
