/** The error `busy` in a file of its own: only the core needs it, and the core is loaded later. */
import { ToolGateError } from './errors.js';
import { say } from './say.js';

/** The error for a getter, proxy or `toJSON` that uses the gate while the gate reads its value. @internal */
export function atWork(): ToolGateError {
  return new ToolGateError(
    'busy',
    say`The gate is reading a value. A getter, proxy or toJSON of that value must not use the same gate.`,
  );
}
