/** `toolgate/server`: processes approvals on a server before it calls the model. Loads no WebAssembly and no gate. */
export { collectApprovals } from './collect.js';
export { checkEvidence, sealEvidence } from '../evidence/check-evidence.js';
export type { CheckEvidenceOptions, SealEvidenceOptions } from '../evidence/check-evidence.js';
export { EvidenceError, type EvidenceErrorCode } from '../evidence/evidence-error.js';
export type * from '../evidence/evidence-types.js';
export { ToolDelegate } from './delegate.js';
export { errorResult, ToolRejectedError, ToolTimeoutError } from './delegate-errors.js';
export type * from './delegate-types.js';
export { ResolveError } from './resolve-errors.js';
export type { ResolveErrorAbout, ResolveErrorCode } from './resolve-errors.js';
export { MemoryRecord } from './memory-record.js';
export { recordSchema } from './record-store.js';
export type { RecordStore, SqlRecordStore } from './record-store.js';
export { redisStore, type RedisClient } from './redis-store.js';
export type { ReceiptOptions } from '../evidence/receipt.js';
export { resolveApprovals, resolveApprovalsStream } from './resolve.js';
export { respondOnce, type RespondOnceOptions } from './respond-once.js';
export { signApproval, verifyApproval } from './signature.js';
export { d1Store, postgresStore, sqliteStore } from './sql-stores.js';
export type {
  D1Binding,
  D1BoundStatement,
  D1Statement,
  PostgresClient,
  SqliteDatabase,
  SqliteStatement,
} from './sql-stores.js';
export { StoredRecord, type StoredRecordOptions } from './stored-record.js';
export type * from './resolve-types.js';
