// ======== toolgate/rules ========
export interface AppliedRules { rules: readonly ApprovalRule[]; readonly stop: () => void }
export interface ApplyRulesOptions {
  readonly onAnswer?: (rule: ApprovalRule, approval: PendingApproval) => void;
  readonly onError?: (error: unknown, approval: PendingApproval) => void;
}
export interface ApprovalRule {
  readonly id: string; readonly toolName: string; readonly approved: boolean; readonly limits: Limits;
  readonly expiresAt?: number; readonly reason?: string; readonly by?: string;
}
export type Limit =
  | { readonly kind: 'any' }
  | { readonly kind: 'equals'; readonly value: LimitValue }
  | { readonly kind: 'one-of'; readonly values: readonly LimitValue[] }
  | { readonly kind: 'range'; readonly min: number; readonly max: number }
  | { readonly kind: 'within'; readonly path: string }
  | { readonly kind: 'host'; readonly host: string }
  | { readonly kind: 'each'; readonly limit: Limit }
  | { readonly kind: 'fields'; readonly limits: Limits };
export interface LimitLine {
  readonly field: readonly string[];
  readonly limit: Exclude<Limit, { readonly kind: 'fields' }>;
}
export type LimitValue = string | number | boolean | null;
export type Limits = Readonly<Record<string, Limit>>;
export interface RuledCall { readonly toolName: string; readonly input: unknown }
export declare class RulesError extends Error {
  readonly name = 'RulesError';
  readonly code: RulesErrorCode; readonly rule: number | undefined;
  constructor(code: RulesErrorCode, message: string, rule?: number);
}
export type RulesErrorCode = 'malformed-rules' | 'repeated-rule';
export declare function applyRules(
  chat: NonNullable<GateSource>,
  rules: readonly ApprovalRule[],
  options?: ApplyRulesOptions,
): AppliedRules;
export declare function coveredCalls(chat: NonNullable<GateSource>, rule: ApprovalRule): readonly ToolPart[];
export declare function describeLimits({ limits }: Pick<ApprovalRule, 'limits'>): readonly LimitLine[];
export declare function matchRule(rule: ApprovalRule, call: RuledCall, now: number): boolean;
export declare function parseRules(stored: unknown): readonly ApprovalRule[];

// ======== toolgate/persist ========
export interface LogOutOptions {
  readonly names?: readonly string[] | undefined; readonly storage?: PersistStorage | undefined;
}
export declare class PersistError extends Error {
  readonly name: string; readonly code: PersistErrorCode;
  constructor(code: PersistErrorCode, message: string, cause?: unknown);
}
export type PersistErrorCode =
  | 'timeout' | 'no-storage' | 'emptied' | 'outdated' | 'older-leader' | 'stale-storage' | 'logged-out'
  | 'journal-damaged' | 'not-stored' | 'leader-silent' | 'not-leader' | 'stopped';
export interface PersistOptions {
  readonly name: string | readonly [name: string, beside: 'fresh']; readonly storage?: 'indexeddb' | PersistStorage;
  readonly storeTimeoutMs?: number; readonly leaderTimeoutMs?: number; readonly outdated?: 'wait' | 'fresh';
  readonly onError?: (error: Error) => void;
  readonly onStop?: () => void;
}
export interface PersistStorage {
  read(name: string, signal?: AbortSignal): unknown;
  write(name: string, value: unknown, signal?: AbortSignal): void | PromiseLike<void>;
  remove(name: string, signal?: AbortSignal): void | PromiseLike<void>;
}
export interface PersistedChat {
  readonly state: 'leader' | 'follower' | 'leaderless' | 'closed'; readonly waiting: number;
  readonly isExclusive: boolean;
  flush(): Promise<void>;
  clear(): Promise<void>;
  lead(): Promise<void>;
  close(): void;
}
export declare function logOut(options?: LogOutOptions): Promise<void>;
export declare function persist(source: NonNullable<GateSource>, options: PersistOptions): Promise<PersistedChat>;

// ======== toolgate/server ========
export { CheckEvidenceOptions, DecidedIn, Evidence, EvidenceEntry, EvidenceError, EvidenceErrorCode, EvidenceFact, EvidenceLink, EvidenceOfApproval, EvidenceProblem, EvidenceSeal, FoundEntry, RanEntry, Receipt, WebCryptoKey, checkEvidence } from 'toolgate/evidence';
export interface Approval {
  readonly approvalId: string; readonly toolCallId: string; readonly approved: boolean; readonly reason?: string;
  readonly toolCall?: ApprovedCall;
}
export interface ApprovalRecord {
  request(call: RequestedCall): void | PromiseLike<void>;
  requested(approvalId: string): RequestedCall | undefined | null | PromiseLike<RequestedCall | undefined | null>;
  begin(key: string, result?: CallResult): boolean | PromiseLike<boolean>;
  finish?(key: string, result: CallResult): void | PromiseLike<void>;
  result?(key: string): CallResult | undefined | null | PromiseLike<CallResult | undefined | null>;
}
export interface ApprovalStream<MESSAGE, AI_SDK extends 6 | 7 = 7> {
  readonly stream: ReadableStream<ResolveChunk<AI_SDK>>; readonly resolved: Promise<ResolvedApprovals<MESSAGE>>;
}
export interface ApprovedCall {
  readonly toolCallId: string; readonly toolName: string; readonly input: unknown; readonly providerExecuted?: boolean;
}
export interface CallResult {
  readonly toolCallId: string; readonly toolName: string; readonly approvalId: string;
  readonly outcome: 'executed' | 'failed' | 'denied' | 'interrupted'; readonly output?: unknown;
  readonly errorText?: string; readonly reason?: string; readonly receipt?: Receipt;
}
export interface CollectOptions { readonly excludeResolved?: boolean }
export interface CollectedApprovals { readonly approved: Approval[]; readonly denied: Approval[] }
export interface D1Binding {
  prepare(sql: string): { bind(...values: unknown[]): { all(): Promise<{ readonly results: readonly unknown[] }> } };
}
export declare class DelegateError extends Error {
  readonly name = 'DelegateError';
  readonly code: DelegateErrorCode; readonly toolCallId: string | undefined;
  constructor(code: DelegateErrorCode, message: string, toolCallId?: string, options?: ErrorOptions);
}
export type DelegateErrorCode =
  | 'missing-call-id' | 'unknown-call' | 'missing-result' | 'malformed-answer' | 'already-answered' | 'too-late'
  | 'already-waiting' | 'closed';
export interface ExecuteOptions {
  readonly toolCallId: string; readonly messages: readonly unknown[]; readonly abortSignal: AbortSignal | undefined;
  readonly context: unknown;
}
export interface ExpectOptions { readonly permission?: boolean }
export declare class MemoryRecord implements ApprovalRecord {
  request(call: RequestedCall): void;
  requested(approvalId: string): RequestedCall | undefined;
  begin(key: string, result?: CallResult): boolean;
  finish(key: string, result: CallResult): void;
  result(key: string): CallResult | undefined;
}
export interface PostgresClient {
  query(text: string, values: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
}
export interface ReceiptOptions { readonly key: WebCryptoKey; readonly chatId: string }
export interface RecordStore {
  insert(key: string, value: string, ttlMs: number): Promise<boolean>;
  put(key: string, value: string, ttlMs: number): Promise<void>;
  get(key: string): Promise<string | undefined>;
}
export interface RecordedChat { readonly user: string; readonly chat: string }
export type RedisClient =
  { sendCommand(args: string[]): Promise<unknown> } | { call(command: string, ...args: string[]): Promise<unknown> };
export interface RequestOfUser { readonly user: string; readonly key: string }
export interface RequestedCall {
  readonly approvalId: string; readonly toolCallId: string; readonly toolName: string; readonly input: unknown;
  readonly turn?: string;
}
export interface ResolvableTool {
  execute?(input: never, options: never): unknown;
  readonly inputSchema?: unknown;
  toModelOutput?(options: never): unknown;
}
export type ResolveChunk<AI_SDK extends 6 | 7 = 7> =
  | { type: 'tool-output-available'; toolCallId: string; output: unknown; preliminary?: boolean }
  | { type: 'tool-output-error'; toolCallId: string; errorText: string }
  | { type: 'tool-output-denied'; toolCallId: string }
  | { type: 'data-toolgate-receipt'; id: string; data: Receipt }
  | (AI_SDK extends 7
      ? { type: 'tool-approval-response'; approvalId: string; approved: boolean; reason?: string }
      : never);
export declare class ResolveError extends Error {
  readonly name: string; readonly code: ResolveErrorCode; readonly toolCallId?: string; readonly approvalId?: string;
  readonly toolName?: string; readonly toolNames?: readonly string[];
  constructor(code: ResolveErrorCode, message: string, about?: ResolveErrorAbout);
}
export interface ResolveErrorAbout {
  readonly toolCallId?: string | undefined; readonly approvalId?: string | undefined;
  readonly toolName?: string | undefined; readonly toolNames?: readonly string[] | undefined; readonly cause?: unknown;
}
export type ResolveErrorCode =
  | 'toolkit-required' | 'unknown-tool' | 'invalid-input' | 'invalid-signature' | 'not-on-record' | 'already-started'
  | 'record-failed' | 'malformed-messages' | 'too-long';
export interface ResolveOptions {
  readonly toolkit?: Toolkit | undefined; readonly concurrency?: number; readonly failureMode?: 'result' | 'throw';
  readonly onUserMessage?: 'supersede' | 'run'; readonly maxParts?: number;
  readonly onError?: (error: ResolveError) => void;
  readonly abortSignal?: AbortSignal | undefined; readonly secret?: string | Uint8Array;
  readonly verify?: (call: RequestedCall & { readonly signature?: string }) => boolean | PromiseLike<boolean>;
  readonly record?: ApprovalRecord; readonly receipts?: ReceiptOptions;
  readonly toolsContext?: Readonly<Record<string, unknown>>; readonly deniedText?: string;
  readonly errorText?: (error: unknown, call: ApprovedCall) => string;
  readonly strip?: boolean; readonly aiSdk?: 6 | 7;
}
export interface ResolvedApprovals<MESSAGE> {
  readonly messages: MESSAGE[]; readonly results: readonly CallResult[]; readonly unrecorded?: readonly ResolveError[];
  readonly unresolved: readonly string[];
}
export interface RespondOnceOptions<RECORD extends ApprovalRecord | undefined = ApprovalRecord | undefined> {
  readonly record?: RECORD; readonly ttlMs?: number; readonly replyTtlMs?: number; readonly waitMs?: number;
  readonly leaseMs?: number;
  readonly waitUntil?: (work: Promise<unknown>) => void;
  readonly onError?: (error: unknown) => void;
}
export interface RunContext<RECORD = unknown> { readonly begun: () => void; readonly record: RECORD }
export interface SealEvidenceOptions extends CheckEvidenceOptions {
  readonly privateKey: WebCryptoKey; readonly chatId: string; readonly receipts?: readonly Receipt[];
  readonly previous: EvidenceSeal | null | undefined;
  readonly commit: (seal: EvidenceSeal, previous: EvidenceSeal | undefined) => boolean | Promise<boolean>;
  readonly now?: number;
}
export interface SqlRecordStore extends RecordStore { deleteExpired(): Promise<number> }
export interface SqliteDatabase { prepare(sql: string): { all(...values: (string | number)[]): readonly unknown[] } }
export declare class StoredRecord implements ApprovalRecord {
  constructor(store: RecordStore, chat: RecordedChat, options?: StoredRecordOptions);
  request(call: RequestedCall): Promise<void>;
  requested(approvalId: string): Promise<RequestedCall | undefined>;
  begin(key: string, result?: CallResult): Promise<boolean>;
  finish(key: string, result: CallResult): Promise<void>;
  result(key: string): Promise<CallResult | undefined>;
}
export interface StoredRecordOptions { readonly ttlMs?: number }
export declare class ToolDelegate {
  constructor(options?: ToolDelegateOptions);
  get waiting(): readonly string[];
  expect(toolCallId: string, options?: ExpectOptions): void;
  wait<RESULT = unknown>(toolCallId: string, options?: WaitOptions): Promise<RESULT>;
  ask(toolCallId: string, options?: WaitOptions): Promise<unknown>;
  resolve(toolCallId: string, result: unknown): void;
  reject(toolCallId: string, reason?: string): void;
  receive(frame: unknown): boolean;
  close(reason?: string): void;
}
export interface ToolDelegateOptions { readonly timeoutMs?: number; readonly limit?: number }
export interface ToolErrorResult {
  readonly success: false; readonly error: string; readonly denied?: true; readonly timedOut?: true;
}
export declare class ToolRejectedError extends Error {
  readonly name = 'ToolRejectedError';
  readonly code = 'rejected';
  readonly toolCallId: string; readonly reason: string | undefined;
  constructor(toolCallId: string, reason?: string);
}
export interface ToolResultFrame {
  readonly type: 'tool_result';
  readonly data: {
    readonly toolCallId: string; readonly approved?: boolean; readonly status?: string; readonly reason?: string;
    readonly result?: unknown;
  };
}
export declare class ToolTimeoutError extends Error {
  readonly name = 'ToolTimeoutError';
  readonly code = 'timed-out';
  readonly toolCallId: string; readonly timeoutMs: number;
  constructor(toolCallId: string, timeoutMs: number);
}
export type Toolkit = Readonly<
  Record<string, ResolvableTool | ((input: never, options: never) => unknown) | undefined>
>;
export interface WaitOptions extends ExpectOptions { readonly signal?: AbortSignal; readonly timeoutMs?: number }
export declare function collectApprovals(
  messages: readonly unknown[],
  { excludeResolved }?: CollectOptions,
): CollectedApprovals;
export declare function d1Store(database: D1Binding): SqlRecordStore;
export declare function errorResult(error: unknown): ToolErrorResult;
export declare function postgresStore(client: PostgresClient): SqlRecordStore;
export declare function recordRequests(
  record: Pick<ApprovalRecord, 'request'>,
  turn?: string,
): (step: { readonly content: readonly object[] }) => Promise<void>;
export declare const recordSchema: string;
export declare function redisStore(client: RedisClient): RecordStore;
export declare function resolveApprovals<MESSAGE>(
  messages: readonly MESSAGE[],
  options?: ResolveOptions,
): Promise<ResolvedApprovals<MESSAGE>>;
export declare function resolveApprovalsStream<MESSAGE, AI_SDK extends 6 | 7 = 7>(
  messages: readonly MESSAGE[],
  options?: ResolveOptions & { readonly aiSdk?: AI_SDK },
): ApprovalStream<MESSAGE, AI_SDK>;
export declare function respondOnce<RECORD extends ApprovalRecord | undefined = undefined>(
  store: RecordStore,
  request: RequestOfUser,
  run: (context: RunContext<RECORD>) => Response | PromiseLike<Response>,
  options?: RespondOnceOptions<RECORD>,
): Promise<Response>;
export declare function sealEvidence(evidence: Evidence, options: SealEvidenceOptions): Promise<Evidence>;
export declare function signApproval(call: RequestedCall, secret: string | Uint8Array): Promise<string>;
export declare function sqliteStore(database: SqliteDatabase): SqlRecordStore;
export declare function verifyApproval(
  call: RequestedCall,
  signature: unknown,
  secret: string | Uint8Array,
): Promise<boolean>;

// ======== toolgate/tools ========
export interface BrowserCall { readonly toolCallId: string; readonly toolName: string; readonly input: unknown }
export interface BrowserTool {
  execute(input: never, context: BrowserToolContext): unknown;
  readonly inputSchema?: unknown; readonly needsApproval?: boolean; readonly timeoutMs?: number;
}
export interface BrowserToolContext {
  readonly toolCallId: string; readonly signal: AbortSignal;
  readonly onProgress: (output: unknown) => void;
}
export type BrowserToolEvent =
  | { readonly type: 'started'; readonly toolCallId: string; readonly toolName: string }
  | { readonly type: 'progress'; readonly toolCallId: string; readonly toolName: string; readonly output: unknown }
  | {
      readonly type: 'ended'; readonly toolCallId: string; readonly toolName: string;
      readonly how: 'executed' | 'failed' | 'aborted';
    }
  | { readonly type: 'interrupted'; readonly toolCallId: string; readonly toolName: string }
  | { readonly type: 'error'; readonly toolCallId: string; readonly toolName: string; readonly error: unknown };
export type ElicitationAnswer =
  | { action: 'accept'; content: Record<string, string | number | boolean | string[]> }
  | { action: 'decline' | 'cancel' };
export interface ElicitationContext { readonly mcpReq?: { readonly signal?: AbortSignal } }
export interface ElicitationOptions { readonly toolName?: string }
export interface ElicitationRequest { readonly params: Question & { readonly mode?: string | undefined } }
export interface RegisterOptions {
  readonly concurrency?: number;
  readonly onEvent?: (event: BrowserToolEvent) => void;
  readonly claim?: (call: BrowserCall) => boolean | PromiseLike<boolean>;
}
export interface RegisteredTools {
  (): void;
  readonly running: readonly string[]; readonly interrupted: readonly string[];
  retry(toolCallId: string): void;
}
export type Tools = Readonly<Record<string, BrowserTool>>;
export declare function elicitationHandler(
  gate: ToolGate,
  options?: ElicitationOptions,
): (request: ElicitationRequest, context?: ElicitationContext) => Promise<ElicitationAnswer>;
export declare function registerTools(
  source: NonNullable<GateSource>,
  tools: Tools,
  options?: RegisterOptions,
): RegisteredTools;
