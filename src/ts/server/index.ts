/** `toolgate/server`: processes approvals on a server before it calls the model. Loads no WebAssembly and no gate. */
export { collectApprovals } from './collect.js';
export { ToolDelegate } from './delegate.js';
export { errorResult, ToolRejectedError, ToolTimeoutError } from './delegate-errors.js';
export type * from './delegate-types.js';
export { ResolveError } from './resolve-errors.js';
export type { ResolveErrorAbout, ResolveErrorCode } from './resolve-errors.js';
export { MemoryRecord } from './memory-record.js';
export { resolveApprovals, resolveApprovalsStream } from './resolve.js';
export { signApproval, verifyApproval } from './signature.js';
export type * from './resolve-types.js';
