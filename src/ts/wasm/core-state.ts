/**
 * Whether the core runs, and the loading in progress. One state for all entry points, in a file that imports nothing of
 * the core: an entry point can load the core later than itself.
 */

/**
 * Scripts that load with the core, such as the lazy part of `toolgate/ai-sdk`. Each may be called again after a
 * failure.
 */
const companions: (() => Promise<unknown>)[] = [];
const listeners = new Set<() => void>();
let isStarted = false;
let loading: Promise<void> | undefined;
let location: string | URL | undefined;

/** Whether the core is running. */
export function isRunning(): boolean {
  return isStarted;
}

/** Called when the core has been started. */
export function markRunning(): void {
  isStarted = true;
}

/** The app's last location of the wasm file, for further attempts; undefined for the package's own file. */
export function givenLocation(): string | URL | undefined {
  return location;
}

/** Remembers a source of the app, if it can be fetched again. */
export function rememberLocation(source: unknown): void {
  if (typeof source === 'string' || source instanceof URL) location = source;
}

/**
 * Returns the loading in progress, or starts one: the core, unless it is running, and the companions. All calls share
 * one promise; a rejected one is dropped, so that a later call tries again.
 */
export function loadOnce(startCore: () => Promise<void>): Promise<void> {
  return (loading ??= track([isStarted ? undefined : startCore(), ...companions.map((load) => load())]));
}

/** Loads a script with the core from now on. If the core is being loaded or running, loads it now. */
export function loadWithCore(load: () => Promise<unknown>): void {
  companions.push(load);
  if (loading) loading = track([loading, load()]);
}

/** Calls `listener` after each successful loading. Returns an unsubscribe function. */
export function onLoaded(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function track(parts: readonly unknown[]): Promise<void> {
  const made: Promise<void> = Promise.all(parts).then(() => {});
  made.then(
    () => [...listeners].forEach((listener) => listener()),
    () => {
      if (loading === made) loading = undefined;
    },
  );
  return made;
}
