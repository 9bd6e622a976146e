/**
 * `toolgate/protocols`: the API for writing a protocol. The existing protocols have their own entry points,
 * `toolgate/protocols/<name>`.
 */
export { defineProtocol } from './shared/define-protocol.js';
export { ReplyWriter } from './shared/reply-writer.js';
export { isToolCall, resultOf, toModelMessages } from './shared/helpers.js';
export type { Capabilities, Loss, Protocol } from '../types/protocol.js';
export type * from '../types/protocol-definition.js';
