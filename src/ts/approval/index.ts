/**
 * `toolgate/approval`: keeps users from deciding by accident, for approval cards of your own. The elements of
 * `toolgate/element` use it.
 */
export { guardPresses } from './press-guard.js';
