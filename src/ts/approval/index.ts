/**
 * `toolgate/approval`: what keeps users from deciding by accident, for approval cards of your own. The elements of
 * `toolgate/element` and the registry's components use it.
 */
export { guardPresses } from './press-guard.js';
