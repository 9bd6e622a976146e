/** `toolgate/resolve`: what a server, or a browser that runs tools itself, does with approvals. No wasm, no store. */
export { collectApprovals } from './collect.js';
export { ToolDelegate } from './delegate.js';
export { errorResult, ToolRejectedError, ToolTimeoutError } from './delegate-errors.js';
export type * from './delegate-types.js';
export { ResolveError } from './errors.js';
export type { ResolveErrorAbout, ResolveErrorCode } from './errors.js';
export { MemoryRecord } from './record.js';
export { resolveApprovals, resolveApprovalsStream } from './resolve.js';
export { signApproval, verifyApproval } from './signature.js';
export type * from './types.js';
export { registerTools } from './browser-tools.js';
export type * from './browser-types.js';
