/** The state of an exhibit: not run yet, running, shown step by step, or shown whole. */
import { useEffect, useRef, useState } from 'react';
import { pairOf, runBoth, type Bug, type Run, type Version } from './run';

/** How long the steps of a run take, in milliseconds: all of them, and one of them at most. */
const WHOLE = 5000;
const STEP = 450;

/** What the page shows of an exhibit. */
export interface Exhibit {
  readonly phase: 'idle' | 'running' | 'revealing' | 'done' | 'failed';
  readonly run: Run | undefined;
  /** The number of steps that are shown, on each side. */
  readonly shown: number;
  /** Why the run failed. */
  readonly problem: string | undefined;
  /** Runs the bug; while steps are being shown, shows all of them. */
  press(): void;
}

type State = Omit<Exhibit, 'press'>;

const IDLE: State = { phase: 'idle', run: undefined, shown: 0, problem: undefined };

/** Runs `bug` at once, and again when its button is pressed. For a component whose key is the bug and the version. */
export function useExhibit(bug: Bug, version: Version): Exhibit {
  const [state, setState] = useState<State>(IDLE);
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => void (isMounted.current = false);
  }, []);

  const { phase, run, shown } = state;
  const last = run ? Math.max(run.plain.steps.length, run.guarded.steps.length) : 0;
  useEffect(() => {
    if (phase !== 'revealing') return undefined;
    const timer = setTimeout(() => setState((now) => reveal(now, shown + 1, last)), Math.min(STEP, WHOLE / last));
    return () => clearTimeout(timer);
  }, [phase, shown, last]);

  const start = async (): Promise<void> => {
    setState({ ...IDLE, phase: 'running' });
    try {
      const found = await runBoth(bug, pairOf(version));
      const all = Math.max(found.plain.steps.length, found.guarded.steps.length);
      const first = matchMedia('(prefers-reduced-motion: reduce)').matches ? all : 1;
      if (isMounted.current) setState(reveal({ ...IDLE, run: found }, first, all));
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      if (isMounted.current) setState({ ...IDLE, phase: 'failed', problem });
    }
  };

  const hasBegun = useRef(false);
  useEffect(() => {
    // StrictMode runs effects twice.
    if (!hasBegun.current) void start(); // it reports its own errors
    hasBegun.current = true;
  }, []);

  const press = (): void => {
    if (phase === 'revealing') setState((now) => reveal(now, last, last));
    else if (phase !== 'running') void start();
  };
  return { ...state, press };
}

function reveal(state: State, shown: number, last: number): State {
  return { ...state, shown, phase: shown >= last ? 'done' : 'revealing' };
}
