/**
 * Errors that the client does not catch: of a timer that throws, or a promise that is dropped. A page prints them and
 * continues. So the command records them at their scenario instead of ending.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** The scenario that runs. */
export interface Running {
  readonly id: string;
  /** Receives the errors. */
  readonly thrown: string[];
}

const running = new AsyncLocalStorage<Running>();

/** Runs a scenario, so that uncaught errors of its client are attributed to it. */
export const attributed = <T>(scenario: Running, run: () => Promise<T>): Promise<T> => running.run(scenario, run);

/** From now on, uncaught errors do not end the process: they are recorded, and printed with the scenario's id. */
export function noteUncaught(print: (text: string) => void): void {
  const note = (error: unknown): void => {
    const scenario = running.getStore();
    scenario?.thrown.push(`${String(error)} (uncaught)`);
    const where = scenario ? `in the scenario ${scenario.id}` : 'outside of the scenarios';
    print(`Uncaught ${where}: ${(error as Error)?.stack ?? String(error)}`);
  };
  process.on('uncaughtException', note);
  process.on('unhandledRejection', note);
}
