import { ToolGateError } from '../types/errors.js';
import { say } from '../types/say.js';

/** The error of all methods of a disposed chat. */
export function disposed(): ToolGateError {
  return new ToolGateError('crashed', say`This chat was disposed. Create a new one.`);
}
