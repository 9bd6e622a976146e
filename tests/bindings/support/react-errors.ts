/** What every test of a React component needs. */
import { afterEach, beforeEach, vi } from 'vitest';

/** Lets `act` work in the tests of a file, and returns the list of what React writes to the console as an error. */
export function collectReactErrors(): unknown[][] {
  const errors: unknown[][] = [];
  beforeEach(() => {
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
    errors.length = 0;
    vi.spyOn(console, 'error').mockImplementation((...args) => void errors.push(args));
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
  return errors;
}
