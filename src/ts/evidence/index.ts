/**
 * `toolgate/evidence`: records what was shown, decided, sent and run as a chain of hashes, and checks it. Loads no
 * WebAssembly.
 */
export { checkEvidence, type CheckEvidenceOptions } from './check-evidence.js';
export { EvidenceError, type EvidenceErrorCode } from './evidence-error.js';
export type * from './evidence-types.js';
export { recordEvidence, type EvidenceRecorder, type RecordEvidenceOptions } from './evidence-recorder.js';
