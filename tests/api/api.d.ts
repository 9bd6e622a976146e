// ======== toolgate ========
export interface AiSdkBody {
  readonly id: string; readonly messages: GateMessage[]; readonly trigger: 'submit-message' | 'regenerate-message';
  readonly messageId?: string;
}
export interface AiSdkChat {
  readonly id: string; readonly status: string; messages: readonly unknown[]; sendMessage: AnyMethod;
  regenerate: AnyMethod; stop: AnyMethod; resumeStream: AnyMethod; clearError: AnyMethod;
  addToolApprovalResponse: AnyMethod; addToolOutput: AnyMethod;
}
export interface AnomalyEvent { readonly type: 'anomaly'; readonly error: ToolGateError }
export interface AnyApproval {
  readonly id: string; readonly approved?: boolean | undefined; readonly reason?: string | undefined;
  readonly isAutomatic?: boolean | undefined; readonly requestReason?: string | undefined;
}
export interface AnyToolPart {
  readonly type: string; readonly toolCallId: string; readonly state: ToolState; readonly toolName?: string | undefined;
  readonly title?: string | undefined; readonly input?: unknown; readonly output?: unknown;
  readonly errorText?: string | undefined; readonly preliminary?: boolean | undefined;
  readonly approval?: AnyApproval | undefined; readonly callProviderMetadata?: unknown;
  readonly outcome?: Outcome | undefined; readonly decidedBy?: 'remembered' | 'policy' | undefined;
  readonly delivery?: DeliveryState | undefined;
}
export type AnyTools = ToolTypes | MessageType;
export interface ApprovalEnvelope {
  id: string; descriptor?: unknown; requestReason?: string; requestedBy?: string; isKind?: boolean;
  isAutomatic?: boolean; isLocal?: boolean; signature?: string; inputSchemaInput?: unknown;
}
export interface ApprovalOfTool<NAME extends string, INPUT> {
  readonly approvalId: string; readonly toolCallId: string; readonly toolName: NAME; readonly input: INPUT;
  readonly inputDigest: string; readonly shownRevision: string; readonly editable: boolean;
  readonly rememberable?: false; readonly requestedAt: number; readonly expiresAt?: number;
  readonly extendable?: boolean;
}
export interface ApprovalRequest extends ApprovalEnvelope { approved?: never; reason?: never }
export interface ApprovalResponse extends ApprovalEnvelope { approved: boolean; reason?: string }
export type ApprovalTarget = string | PendingApproval | ToolPart;
export type AuditEntry = { readonly at: number } & (
  | {
      readonly type: 'transition'; readonly toolCallId: string; readonly toolName: string; readonly from?: ToolState;
      readonly to: ToolState;
    }
  | {
      readonly type: 'requested'; readonly approvalId: string; readonly toolCallId: string; readonly toolName: string;
      readonly inputDigest?: string;
    }
  | {
      readonly type: 'decided'; readonly approvalId: string; readonly toolCallId: string; readonly toolName: string;
      readonly approved: boolean; readonly reason?: string; readonly by: DecidedBy; readonly inputDigest?: string;
      readonly editedInputDigest?: string;
    }
  | { readonly type: 'settled'; readonly toolCallId: string; readonly toolName: string; readonly outcome: Outcome }
  | {
      readonly type: 'delivery'; readonly id: string; readonly key: string; readonly approvalIds: readonly string[];
      readonly to: DeliveryState | 'stalled' | 'withdrawn'; readonly attempt: number; readonly error?: string;
    }
  | {
      readonly type: 'anomaly'; readonly code: ToolGateErrorCode; readonly message: string;
      readonly toolCallId?: string; readonly approvalId?: string;
    }
);
export interface CallActions {
  readonly approve: boolean; readonly deny: boolean; readonly edit: boolean; readonly retry: boolean;
  readonly giveUp: boolean; readonly cancel: boolean; readonly stop: boolean; readonly resume: boolean;
  readonly doNotRun: boolean;
}
export interface CallDescription {
  readonly status: CallStatus; readonly tone: CallTone; readonly toolName: string; readonly title: string | undefined;
  readonly label: string; readonly note: string; readonly result: string; readonly outcome: OutcomeKind | undefined;
  readonly mayHaveRun: boolean; readonly decidedBy: DecidedBy | undefined; readonly reason: string | undefined;
  readonly requestReason: string | undefined; readonly can: CallActions; readonly approval: PendingApproval | undefined;
  readonly undelivered: Undelivered | undefined;
}
export type CallStatus =
  | 'drafting' | 'running' | 'checking' | 'waiting' | 'forwarded' | 'approved' | 'sending' | 'working' | 'undelivered'
  | 'unconfirmed' | 'unknown' | 'done' | 'failed' | 'denied' | 'skipped' | 'expired' | 'cancelled' | 'interrupted';
export type CallTexts = { readonly [KEY in keyof typeof CALL_TEXTS]: string };
export type CallTone = 'wait' | 'busy' | 'yes' | 'no' | 'quiet';
export interface CancelOnly { readonly approvalId?: string | undefined; readonly id?: string | undefined }
export interface Capabilities {
  readonly kind: 'raw-model' | 'resubmitting' | 'answering'; readonly reason: boolean; readonly editedInput: boolean;
  readonly cancel: boolean; readonly remember: boolean; readonly history: 'client' | 'server';
  readonly historyChoices: readonly ('client' | 'server')[];
  readonly denialVisible: boolean; readonly lost: readonly Loss[];
  readonly repeat: 'ignored' | 'runs-again' | 'unknown'; readonly messageWhilePending: boolean;
}
export interface Citation {
  source: { type: 'source'; id: string; providerMetadata?: ProviderMetadata } & (
    | { sourceType: 'url'; url: string; title?: string }
    | { sourceType: 'document'; mediaType: string; title: string; filename?: string }
  );
  startIndex?: number; endIndex?: number; citedText?: string;
}
export type ContentPart =
  | TextPart | ReasoningPart | FilePart | SourceUrlPart | SourceDocumentPart | DataPart | StepStartPart | CustomPart
  | ReasoningFilePart | SteeringMessagePart;
export interface CrashedEvent { readonly type: 'crashed'; readonly error: ToolGateError }
export interface CustomPart {
  type: 'custom';
  kind: `${string}.${string}`;
  providerMetadata?: ProviderMetadata;
}
export interface DataEvent { readonly type: 'data'; readonly part: DataPart }
export interface DataPart {
  type: `data-${string}`;
  id?: string; data: unknown;
}
export type DecidedBy = 'user' | 'remembered' | 'policy' | 'backend';
export interface Decision<INPUT = unknown> {
  readonly approved: boolean; readonly reason?: string; readonly input?: INPUT; readonly inputDigest?: string;
  readonly shownRevision?: string; readonly remember?: Remember;
}
export interface DecisionEvent<NAME extends string = string> {
  readonly type: 'decision'; readonly approvalId: string; readonly toolCallId: string; readonly toolName: NAME;
  readonly approved: boolean; readonly reason?: string; readonly by: DecidedBy;
}
export interface DecisionForAll<T extends AnyTools = AnyTools> {
  readonly approved: boolean; readonly reason?: string;
  readonly where?: (approval: PendingApproval<T>) => boolean;
}
export interface DeliveryEvent {
  readonly type: 'delivery'; readonly id: string; readonly from?: DeliveryState;
  readonly to: DeliveryState | 'withdrawn'; readonly attempt: number; readonly error?: string;
}
export type DeliveryState = 'held' | 'forwarded' | 'ready' | 'in-flight' | 'acknowledged' | 'failed' | 'unconfirmed';
export interface DescribeOptions {
  readonly view?: Pick<GateView, 'messages' | 'pending' | 'undelivered' | 'turn'> | undefined;
  readonly texts?: Partial<CallTexts> | undefined;
}
export type DynamicToolPart = { type: 'dynamic-tool'; toolName: string; dynamic?: false } & ToolCall & ToolCallState;
export interface FilePart {
  type: 'file'; mediaType: string; filename?: string; url: string;
  providerReference?: Record<string, string> & { type?: never };
  providerMetadata?: ProviderMetadata;
}
export type GateEvent<T extends AnyTools = AnyTools> =
  | TransitionEvent<ToolNameOf<T>> | InputChangedEvent<ToolNameOf<T>> | DecisionEvent<ToolNameOf<T>> | DeliveryEvent
  | ToolResultEvent<T> | AnomalyEvent | ReplyFailedEvent | StalledEvent | LossyEvent | PassthroughEvent | DataEvent
  | StoppedEvent | CrashedEvent;
export interface GateMessage<T extends AnyTools = AnyTools> {
  id: string; role: 'system' | 'user' | 'assistant'; metadata?: unknown; parts: GatePart<T>[];
}
export type GatePart<T extends AnyTools = AnyTools> = ContentPart | ToolPart<T>;
export type GateSource = AnyGate | AiSdkChat | ChatHolder | null | undefined;
export type GateSourceOf<T> =
  GateSource | ChatWith<T> | { readonly chat: ChatWith<T> | { readonly value: ChatWith<T> | null | undefined } };
export type GateStatus = 'idle' | 'submitted' | 'streaming' | 'awaiting-approval' | 'stalled' | 'crashed';
export interface GateTexts {
  readonly denied: string; readonly skipped: string; readonly cancelled: string; readonly expired: string;
  readonly interrupted: string; readonly mayHaveRun: string; readonly denyPending: string;
}
export interface GateView<T extends AnyTools = AnyTools> {
  readonly revision: number; readonly status: GateStatus; readonly messages: GateMessage<T>[];
  readonly queued: readonly QueuedMessage<T>[]; readonly pending: readonly PendingApproval<T>[];
  readonly undelivered: readonly Undelivered[]; readonly remembered: readonly RememberedDecision[];
  readonly turn: TurnView;
}
export type GuardedMessage<MESSAGE> = MESSAGE extends { parts: readonly (infer PART)[] }
  ? Omit<MESSAGE, 'parts'> & { parts: GuardedPart<PART>[] }
  : MESSAGE;
export type InitSource = string | URL | Response | PromiseLike<Response> | WasmBytes | CompiledModule;
export interface InputChangedEvent<NAME extends string = string> {
  readonly type: 'input-changed'; readonly toolCallId: string; readonly toolName: NAME; readonly approvalId?: string;
  readonly decisionVoid: boolean;
}
export type InputOf<T extends AnyTools, NAME extends string> = NAME extends keyof ToolsOf<T>
  ? FieldOf<ToolsOf<T>[NAME], 'input'>
  : unknown;
export type InputOfTarget<TARGET extends ApprovalTarget> = TARGET extends { readonly input: infer INPUT }
  ? INPUT
  : unknown;
export type JSONObject = { [key: string]: JSONValue | undefined };
export type JSONValue = null | string | number | boolean | Readonly<JSONObject> | readonly JSONValue[];
export type Loss =
  | 'approval' | 'pending' | 'failed' | 'json' | 'input' | 'system' | 'reasoning' | 'file' | 'custom' | 'content' | 'id'
  | 'reason' | 'option';
export interface LossyEvent {
  readonly type: 'lossy'; readonly protocol: string; readonly toolCallId?: string; readonly loss: Loss;
  readonly detail: string;
}
export interface MessageType { readonly parts: readonly { readonly type: string }[] }
export type OnDeny = 'continue' | 'skip-rest' | 'end-turn' | 'by-reason';
export type OnUserMessage = 'deny-pending' | 'cancel-pending' | 'queue' | 'block' | 'pass';
export type OtherToolName = `${string} (not in your types)`;
export interface Outcome { readonly kind: OutcomeKind; readonly reason?: string; readonly mayHaveRun?: boolean }
export type OutcomeKind = 'executed' | 'failed' | 'denied' | 'skipped' | 'cancelled' | 'expired' | 'interrupted';
export interface Outgoing<BODY = unknown> {
  readonly id: string; readonly key: string; readonly kind: 'submission' | 'answer';
  readonly approvalIds: readonly string[]; readonly body: BODY; readonly attempt: number;
}
export type OutgoingHead = Omit<Outgoing, 'body'>;
export type OutputOf<T extends AnyTools, NAME extends string> = NAME extends keyof ToolsOf<T>
  ? FieldOf<ToolsOf<T>[NAME], 'output'>
  : unknown;
export interface PassthroughEvent { readonly type: 'passthrough'; readonly event: unknown }
export type PendingApproval<
  T extends AnyTools = AnyTools,
  NAME extends ToolNameOf<T> = ToolNameOf<T>,
> = NAME extends string ? ApprovalOfTool<NAME, InputOf<T, NAME>> : never;
export interface Protocol<BODY = unknown, EVENT = unknown, MESSAGE = unknown> {
  readonly name: string; readonly capabilities: Capabilities;
  readonly [madeByDefineProtocol]: { readonly body: BODY; readonly event: EVENT; readonly message: MESSAGE };
}
export type ProviderMetadata = Record<string, JSONObject>;
export type QueuedMessage<T extends AnyTools = AnyTools> = GateMessage<T> & { readonly delivery?: DeliveryState };
export interface ReasoningFilePart {
  type: 'reasoning-file'; mediaType: string; url: string; providerMetadata?: ProviderMetadata;
}
export interface ReasoningPart {
  type: 'reasoning'; id?: string; text: string; state?: 'streaming' | 'done'; providerMetadata?: ProviderMetadata;
}
export type Remember =
  | 'once' | 'chat' | 'always'
  | { readonly for: 'chat' | 'always'; readonly scope: 'input' | 'tool'; readonly expiresAt?: number };
export interface RememberedDecision {
  readonly id: string; readonly toolName: string; readonly approved: boolean; readonly reason?: string;
  readonly for: 'chat' | 'always'; readonly scope: 'input' | 'tool'; readonly inputDigest?: string;
  readonly decidedAt: number; readonly expiresAt?: number;
}
export interface Repair { readonly code: RepairCode; readonly toolCallId?: string; readonly detail: string }
export type RepairCode =
  | 'duplicate-call' | 'missing-state' | 'stale-approval' | 'missing-approval' | 'unanswered-call' | 'incomplete-input'
  | 'malformed' | 'duplicate-message' | 'duplicate-approval' | 'orphaned' | 'denied-output' | 'invalid-value';
export interface RepairReport { readonly repairs: readonly Repair[] }
export interface ReplyFailedEvent { readonly type: 'reply-failed'; readonly error: string; readonly requestId?: string }
export interface ReplyTo {
  readonly requestId?: string; readonly attempt?: number; readonly reconnect?: 'start' | 'offset';
}
export interface RestoreOptions<P extends Protocol = Protocol> extends ToolGateOptions<P> {
  readonly incompleteTurn?: 'keep' | 'drop';
}
export interface ResultOfTool<NAME extends string, RESULT> {
  readonly type: 'tool-result'; readonly toolCallId: string; readonly toolName: NAME; readonly outcome: Outcome;
  readonly result: RESULT;
}
export type SavedGate = { readonly version: number; readonly [key: string]: JSONValue | undefined } & {
  readonly [snapshotBrand]: true;
};
export interface SourceDocumentPart {
  type: 'source-document'; sourceId: string; mediaType: string; title: string; filename?: string;
  providerMetadata?: ProviderMetadata;
}
export interface SourceUrlPart {
  type: 'source-url'; sourceId: string; url: string; title?: string; providerMetadata?: ProviderMetadata;
}
export interface StalledEvent {
  readonly type: 'stalled'; readonly id?: string; readonly approvalIds: readonly string[];
}
export type StaticToolPart<
  T extends AnyTools = AnyTools,
  NAME extends keyof ToolsOf<T> & string = keyof ToolsOf<T> & string,
> = NAME extends string
  ? { type: `tool-${NAME}`; toolName?: never } & ToolCall & ToolCallState<InputOf<T, NAME>, OutputOf<T, NAME>>
  : never;
export interface SteeringMessagePart { type: 'steering-message'; id: string; parts: (TextPart | FilePart)[] }
export interface StepStartPart { type: 'step-start' }
export interface StoppedEvent { readonly type: 'stopped' }
export interface StreamEnd {
  readonly status: 'finished' | 'error' | 'aborted' | 'disconnected' | 'step-limit'; readonly error?: string;
}
export type Streamed<INPUT> = INPUT extends readonly (infer ITEM)[]
  ? Streamed<ITEM>[]
  : INPUT extends object
    ? { [KEY in keyof INPUT]?: Streamed<INPUT[KEY]> }
    : INPUT;
export interface SynthesizedResult {
  readonly toolCallId: string; readonly toolName: string; readonly input: unknown;
  readonly outcome: Outcome & { readonly kind: Exclude<OutcomeKind, 'executed' | 'failed'> };
  readonly text: string;
}
export interface TextPart {
  type: 'text'; text: string; state?: 'streaming' | 'done'; citations?: Citation[]; providerMetadata?: ProviderMetadata;
}
export interface ToolCall {
  toolCallId: string; title?: string; toolMetadata?: JSONObject; providerExecuted?: boolean;
  callProviderMetadata?: ProviderMetadata; outcome?: Outcome; decidedBy?: 'remembered' | 'policy';
  delivery?: DeliveryState;
}
export type ToolCallState<INPUT = unknown, OUTPUT = unknown> =
  | (Unsettled<'input-streaming'> & {
      input?: Streamed<INPUT> | undefined; rawInput?: string; inputEncoding?: 'json' | 'text'; approval?: never;
    })
  | (Unsettled<'input-available'> & { input: INPUT; approval?: never })
  | (Unsettled<'approval-requested'> & { input: INPUT; approval: ApprovalRequest })
  | (Unsettled<'approval-responded'> & { input: INPUT; approval: ApprovalResponse })
  | {
      state: 'output-available'; input: INPUT; output: OUTPUT; preliminary?: boolean; errorText?: never;
      resultProviderMetadata?: ProviderMetadata;
      approval?: ApprovalResponse & { approved: true };
    }
  | {
      state: 'output-error'; input: INPUT | undefined; rawInput?: unknown; output?: never; errorText: string;
      resultProviderMetadata?: ProviderMetadata;
      approval?: ApprovalResponse & { approved: true };
    }
  | (Unsettled<'output-denied'> & { input: INPUT; approval: ApprovalResponse & { approved: false } });
export declare class ToolGate<P extends Protocol = Protocol> {
  readonly [Symbol.dispose]: () => void;
  constructor(options?: ToolGateOptions<P>);
  static restore<P extends Protocol = Protocol>(saved: SavedGate, options?: RestoreOptions<P>): ToolGate<P>;
  get protocol(): P;
  receive(event: TypesOf<P>['event'], about?: ReplyTo): void;
  streamEnded(how: StreamEnd, about?: ReplyTo): void;
  reconnecting(about?: ReplyTo): void;
  load(messages: readonly TypesOf<P>['message'][] | readonly GateMessage[]): RepairReport;
  sendUserMessage(message: UserMessage, options?: { replace?: string }): 'sent' | 'queued';
  regenerate(options?: { messageId?: string | undefined }): void;
  respond<TARGET extends ApprovalTarget>(
    target: TARGET,
    decision: Decision<InputOfTarget<TARGET>>,
  ): 'accepted' | 'duplicate';
  respondAll<T extends AnyTools = AnyTools>(decision: DecisionForAll<T>): number;
  extend(target: ApprovalTarget, expiresAt: number): boolean;
  cancel(reason?: string, only?: CancelOnly): void;
  stop(): void;
  resume(): void;
  addToolOutput(toolCallId: string, result: ToolOutput): void;
  outgoing(): readonly Outgoing<TypesOf<P>['body']>[];
  claim(id: string): boolean;
  markSent(id: string): void;
  markFailed(id: string, error: string): void;
  retry(id: string): void;
  undelivered(): readonly Undelivered[];
  deliver(send: (item: Outgoing<TypesOf<P>['body']>) => Promise<void>): Promise<void>;
  assemble<Q extends 'ai-sdk' | Protocol = P>(protocol?: Q): TypesOf<Q>['message'][];
  tick(nowMs: number): void;
  nextDeadline(): number | null;
  pending<T extends AnyTools = AnyTools>(): readonly PendingApproval<T>[];
  getSnapshot<T extends AnyTools = AnyTools>(): GateView<T>;
  part<T extends AnyTools = AnyTools>(toolCallId: string): ToolPart<T> | undefined;
  approval<T extends AnyTools = AnyTools>(call: string | ToolPart): PendingApproval<T> | undefined;
  subscribe(listener: () => void, toolCallId?: string): () => void;
  onEvent<T extends AnyTools = AnyTools>(listener: (event: GateEvent<T>) => void): () => void;
  remembered(): readonly RememberedDecision[];
  forget(id: string): void;
  auditLog(): readonly AuditEntry[];
  toJSON(): SavedGate;
  free(): void;
}
export declare class ToolGateError extends Error {
  readonly name = 'ToolGateError';
  readonly code: ToolGateErrorCode; readonly toolCallId?: string; readonly approvalId?: string;
  constructor(
    code: ToolGateErrorCode,
    message: string,
    about?: { toolCallId?: string | undefined; approvalId?: string | undefined; cause?: unknown },
  );
}
export type ToolGateErrorCode =
  | 'not-initialized' | 'load-failed' | 'unknown-approval' | 'unknown-call' | 'unknown-outgoing' | 'already-decided'
  | 'already-settled' | 'approval-pending' | 'superseded' | 'stale-input' | 'stale-shown' | 'edit-unsupported'
  | 'choice-required' | 'message-blocked' | 'busy' | 'repeat-unsafe' | 'unserializable' | 'bad-snapshot'
  | 'malformed-event' | 'unanswerable-request' | 'crashed';
export interface ToolGateOptions<P extends Protocol = Protocol> {
  readonly protocol?: 'ai-sdk' | P; readonly chatId?: string; readonly onDeny?: OnDeny;
  readonly onUserMessage?: OnUserMessage; readonly approvalTimeoutMs?: number;
  readonly needsApproval?: (call: {
    readonly toolCallId: string; readonly toolName: string; readonly input: unknown;
  }) => boolean;
  readonly browserTools?: readonly string[]; readonly texts?: Partial<GateTexts>;
  readonly rewriteResult?: (result: SynthesizedResult) => string | Promise<string>;
  readonly remembered?: readonly RememberedDecision[]; readonly neverRemember?: readonly string[];
  readonly now?: () => number;
  readonly history?: 'client' | 'server'; readonly logLimit?: number;
  readonly generateId?: () => string;
}
export type ToolNameOf<T extends AnyTools> = string extends keyof ToolsOf<T>
  ? string
  : (keyof ToolsOf<T> & string) | OtherToolName;
export type ToolOutput =
  | { readonly output: unknown }
  | { readonly content: readonly (TextPart | FilePart)[] }
  | { readonly errorText: string };
export type ToolPart<T extends AnyTools = AnyTools> = StaticToolPart<T> | DynamicToolPart;
export type ToolResultEvent<
  T extends AnyTools = AnyTools,
  NAME extends ToolNameOf<T> = ToolNameOf<T>,
> = NAME extends string ? ResultOfTool<NAME, OutputOf<T, NAME> | string> : never;
export type ToolState = ToolCallState['state'];
export interface ToolType { readonly input: unknown; readonly output: unknown }
export type ToolTypes = { readonly [toolName: string]: ToolType };
export type ToolsOf<T extends AnyTools> = [T] extends [never]
  ? ToolTypes
  : [AnyTools] extends [T]
    ? ToolTypes
    : T extends { readonly parts: readonly (infer PART)[] }
      ? ToolsOfParts<PART>
      : T extends ToolTypes
        ? T
        : ToolTypes;
export interface TransitionEvent<NAME extends string = string> {
  readonly type: 'transition'; readonly toolCallId: string; readonly toolName: NAME; readonly from?: ToolState;
  readonly to: ToolState; readonly approvalId?: string; readonly outcome?: Outcome;
}
export type TurnEnding = 'finished' | 'failed' | 'empty' | 'step-limit' | 'interrupted' | 'disconnected';
export interface TurnView {
  readonly status: 'open' | 'done' | 'incomplete' | 'error' | 'stalled'; readonly ending?: TurnEnding;
  readonly undecided: number; readonly decided: number; readonly waitingFor: readonly WaitingFor[];
  readonly stepStart: number; readonly runnable: readonly string[];
}
export type TypesOf<P> =
  P extends Protocol<infer BODY, infer EVENT, infer MESSAGE>
    ? { body: BODY; event: EVENT; message: MESSAGE }
    : { body: unknown; event: unknown; message: unknown };
export interface Undelivered {
  readonly id: string; readonly key: string; readonly kind: 'submission' | 'answer';
  readonly approvalIds: readonly string[]; readonly attempt: number;
  readonly delivery: 'failed' | 'unconfirmed' | 'stalled'; readonly error?: string;
}
export type UserMessage =
  | { readonly text: string; readonly metadata?: unknown }
  | (Omit<GateMessage, 'id' | 'role'> & { readonly id?: string; readonly role?: 'user' });
export type WaitingFor =
  | { readonly kind: 'user'; readonly approvalIds: readonly string[] }
  | { readonly kind: 'tool'; readonly toolCallIds: readonly string[] }
  | { readonly kind: 'host' | 'retry' | 'cancel'; readonly ids: readonly string[] }
  | { readonly kind: 'reply' | 'rewrite' | 'resume' };
export declare function callsOfStep<T extends AnyTools = AnyTools>(
  view: Pick<GateView<T>, 'messages' | 'turn'>,
): ToolPart<T>[];
export declare function describeCall(part: AnyToolPart, options?: DescribeOptions): CallDescription;
export declare function describeRefusal(error: unknown, texts?: Partial<CallTexts>): string;
export declare function digest(value: unknown): string;
export declare function init(source?: InitSource): Promise<void>;
export declare function isInitialized(): boolean;
export declare function isToolPart(part: { readonly type: string }): part is ToolPart;
export declare function toolNameOf(part: { readonly type: string; readonly toolName?: string | undefined }): string;
type AnyMethod = (...args: never[]) => unknown;
declare const CALL_TEXTS: {
  readonly drafting; readonly draftingNote; readonly running; readonly runningNote; readonly checking;
  readonly checkingNote; readonly waiting; readonly waitingNote; readonly forwarded; readonly forwardedNote;
  readonly approved; readonly approvedNote; readonly heldForReply; readonly heldUntilResume; readonly leaving;
  readonly sending; readonly sendingNote; readonly working; readonly workingNote; readonly undelivered;
  readonly undeliveredNote; readonly unconfirmed; readonly unconfirmedNote; readonly unknown; readonly unknownNote;
  readonly done; readonly doneNote; readonly failed; readonly failedNote; readonly denied; readonly deniedNote;
  readonly deniedByMessage; readonly deniedByServer; readonly skipped; readonly skippedNote; readonly expired;
  readonly expiredNote; readonly cancelled; readonly cancelledNote; readonly interrupted; readonly interruptedNote;
  readonly superseded; readonly unsent; readonly closed; readonly remembered; readonly reasonGiven; readonly mayHaveRun;
  readonly changed; readonly answered; readonly refused;
};
interface AnyGate extends Pick<ToolGate, 'subscribe' | 'retry' | 'cancel' | 'addToolOutput'> {
  getSnapshot(): GateView;
  onEvent(listener: (event: GateEvent) => void): () => void;
  respond(target: ApprovalTarget, decision: Decision): 'accepted' | 'duplicate';
  respondAll(decision: DecisionForAll): number;
}
interface ChatHolder { readonly chat: AiSdkChat | { readonly value: AiSdkChat | null | undefined } }
type ChatWith<T> = AiSdkChat & { readonly messages: readonly T[] };
type GuardedPart<PART> = PART extends { toolCallId: string }
  ? PART & Pick<ToolCall, 'outcome' | 'decidedBy' | 'delivery'>
  : PART;
type WasmBytes = ArrayBufferView | ArrayBuffer;
interface CompiledModule { readonly exports?: never }
type FieldOf<PART, FIELD extends string> = PART extends { readonly [_ in FIELD]: infer VALUE } ? VALUE : unknown;
declare const madeByDefineProtocol: unique symbol;
declare const snapshotBrand: unique symbol;
interface Unsettled<STATE extends string> { state: STATE; output?: never; errorText?: never }
type ToolsOfParts<PART> = {
  [NAME in NameOfPart<PART>]: {
    readonly input: FieldOf<Extract<PART, { type: `tool-${NAME}`; state: 'input-available' }>, 'input'>;
    readonly output: FieldOf<Extract<PART, { type: `tool-${NAME}`; state: 'output-available' }>, 'output'>;
  };
};
type NameOfPart<PART> = PART extends { readonly type: `tool-${infer NAME}` } ? NAME : never;

// ======== toolgate/slim ========
export { AiSdkBody, AiSdkChat, AnomalyEvent, AnyTools, ApprovalEnvelope, ApprovalOfTool, ApprovalRequest, ApprovalResponse, ApprovalTarget, AuditEntry, CancelOnly, Capabilities, Citation, ContentPart, CrashedEvent, CustomPart, DataEvent, DataPart, DecidedBy, Decision, DecisionEvent, DecisionForAll, DeliveryEvent, DeliveryState, DynamicToolPart, FilePart, GateEvent, GateMessage, GatePart, GateSource, GateSourceOf, GateStatus, GateTexts, GateView, GuardedMessage, InitSource, InputChangedEvent, InputOf, InputOfTarget, JSONObject, JSONValue, Loss, LossyEvent, MessageType, OnDeny, OnUserMessage, OtherToolName, Outcome, OutcomeKind, Outgoing, OutgoingHead, OutputOf, PassthroughEvent, PendingApproval, Protocol, ProviderMetadata, QueuedMessage, ReasoningFilePart, ReasoningPart, Remember, RememberedDecision, Repair, RepairCode, RepairReport, ReplyFailedEvent, ReplyTo, RestoreOptions, ResultOfTool, SavedGate, SourceDocumentPart, SourceUrlPart, StalledEvent, StaticToolPart, SteeringMessagePart, StepStartPart, StoppedEvent, StreamEnd, Streamed, SynthesizedResult, TextPart, ToolCall, ToolCallState, ToolGate, ToolGateError, ToolGateErrorCode, ToolGateOptions, ToolNameOf, ToolOutput, ToolPart, ToolResultEvent, ToolState, ToolType, ToolTypes, ToolsOf, TransitionEvent, TurnEnding, TurnView, TypesOf, Undelivered, UserMessage, WaitingFor, callsOfStep, digest, isInitialized, isToolPart, toolNameOf } from 'toolgate';
export declare function init(source: InitSource): Promise<void>;
export declare function initSync(source: WasmBytes | CompiledModule): void;

// ======== toolgate/ai-sdk ========
export { AiSdkChat } from 'toolgate';
export interface GuardOptions {
  readonly gate?: Omit<ToolGateOptions, 'protocol' | 'chatId' | 'generateId'>;
  readonly idempotencyHeader?: string | false;
}
export declare function dispose(chat: object): Promise<void>;
export declare function gateOf(chat: object): ToolGate;
export declare function guard<CHAT extends AiSdkChat>(chat: CHAT, options?: GuardOptions): CHAT;
export declare function whenReady(chat: object): Promise<ToolGate>;

// ======== toolgate/protocols ========
export { Capabilities, Loss, Protocol } from 'toolgate';
export interface DecisionToSend {
  readonly approvalId: string; readonly toolCallId: string; readonly toolName: string; readonly input: unknown;
  readonly editedInput?: unknown; readonly outcome: 'approved' | Exclude<OutcomeKind, 'interrupted'>;
  readonly reason?: string; readonly output?: unknown; readonly content?: readonly HistoryPart[];
  readonly remember?: 'chat' | 'always'; readonly approval: unknown; readonly metadata: unknown;
}
export type EventReader<EVENT = unknown> = (event: EVENT) => boolean;
export interface HistoryCall extends HistoryPart {
  type: 'tool-call'; toolCallId: string; toolName: string; input: unknown; providerExecuted?: boolean;
  request?: HistoryPart; response?: HistoryPart; result?: HistoryPart;
}
export interface HistoryMessage { role: 'system' | 'user' | 'assistant'; content: (HistoryPart | HistoryCall)[] }
export interface HistoryPart { type: string; providerOptions?: Record<string, unknown>; [field: string]: unknown }
export interface HistoryResult {
  readonly kind: OutcomeKind; readonly text: string; readonly value: unknown; readonly content?: readonly HistoryPart[];
  readonly failed: boolean;
}
export type ProtocolCapabilities = Pick<Capabilities, 'kind'> & Partial<Capabilities>;
export interface ProtocolDefinition<BODY = unknown, EVENT = unknown, MESSAGE = unknown, ANSWER = unknown> {
  readonly name: string; readonly capabilities: ProtocolCapabilities; readonly asksItself?: boolean;
  readonly answersBeforeMessages?: boolean; readonly repliesToDenials?: boolean;
  readonly resultImpliesApproval?: boolean; readonly denialCloses?: 'call' | 'session';
  createReader(stream: StreamContext): EventReader<EVENT>;
  write(history: readonly HistoryMessage[], context: WriteContext): MESSAGE[];
  read?(messages: readonly MESSAGE[], context: ReadContext): HistoryMessage[];
  body(history: readonly HistoryMessage[], context: RequestContext): BODY;
  answer?(decision: DecisionToSend, context: WriteContext): ANSWER;
  acceptsEdit?(approval: Readonly<Record<string, unknown>>): boolean;
  lacksChoice?(
    asked: { readonly toolName: string; readonly input: unknown; readonly approval: Readonly<Record<string, unknown>> },
    choice: { readonly reason?: string; readonly input?: unknown },
  ): boolean;
}
export interface ReadContext extends WriteContext {
  reportRepair(code: RepairCode, detail: string, toolCallId?: string): void;
}
export interface ReplyChunk { readonly type: string; readonly [field: string]: unknown }
export declare class ReplyWriter extends MessageWriter {
  constructor(context: Pick<StreamContext, 'emit'> & Partial<StreamContext>, options?: WriterOptions);
  lane(key: unknown): Lane;
  shown(toolCallId: string | undefined): KnownCall | undefined;
  inputOf(toolCallId: string | undefined): unknown;
  call(toolCallId: string | undefined, toolName: string | undefined, input: unknown, more?: Fields): void;
  update(toolCallId: string | undefined, { toolName, input, more }: Omit<AskedCall, 'toolCallId'>): void;
  ask(approvalId: string | undefined, { toolCallId, toolName, input, more }: AskedCall, envelope?: Fields): string;
  result(toolCallId: string | undefined, value: unknown, failed: boolean, more?: Fields): boolean;
  confirmDecision(toolCallId: string | undefined): boolean;
  question(id: string, question: Question | AgentQuestions, toolName?: string, envelope?: Fields): boolean;
  endInputs(): void;
  get isStepOver(): boolean;
}
export interface RequestContext extends WriteContext {
  readonly history: 'client' | 'server'; readonly item: OutgoingHead; readonly request: AiSdkBody;
  readonly metadata: unknown; readonly decisions: readonly DecisionToSend[];
  readonly newMessages: readonly HistoryMessage[];
}
export interface StreamContext {
  emit(chunk: ReplyChunk | undefined): void;
  refuse(): void;
  unread(requestId: string): void;
  unanswerable(what: string): void;
  onEnd(end: () => void): void;
  newId(): string;
  calls(): readonly (ToolPart & { readonly toolName: string })[];
  messages(): readonly GateMessage[];
}
export interface WriteContext {
  readonly chatId: string; readonly texts: Partial<GateTexts> | undefined;
  reportLoss(loss: Loss, toolCallId?: string): void;
}
export declare function defineProtocol<BODY, EVENT, MESSAGE, ANSWER = never>(
  definition: ProtocolDefinition<BODY, EVENT, MESSAGE, ANSWER>,
): Protocol<BODY | ANSWER, EVENT, MESSAGE>;
export declare function isToolCall(part: HistoryPart): part is HistoryCall;
export declare function resultOf(call: HistoryCall, texts?: Partial<GateTexts>): HistoryResult | undefined;
export declare function toModelMessages(messages: readonly HistoryMessage[]): unknown[];
declare class MessageWriter {
  constructor(emit: StreamContext['emit']);
  startReply(messageMetadata?: unknown, messageId?: string): void;
  content(chunk: ReplyChunk): void;
  emit(chunk: ReplyChunk | undefined): void;
  each<ITEM>(list: readonly ITEM[] | null | undefined, read: (item: ITEM, place: number) => unknown): void;
  textDelta(id: string | undefined, delta: string | null | undefined, kind?: string, more?: Fields): void;
  endText(which?: string | ((id: string) => boolean), providerMetadata?: unknown): void;
  isOpen(id: string): boolean;
  endStep(): void;
  endReply(finishReason?: string): void;
  cutOff(finishReason: string | undefined): void;
  failReply(error: unknown, finishReason?: string): void;
  endInputs(): void;
}
interface WriterOptions { readonly isDenialAnOutput?: boolean; readonly stepEndsWithResults?: boolean }
declare class Lane {
  get id(): string | undefined;
  get isOpen(): boolean;
  get isWhole(): boolean;
  start(id: string | null | undefined, toolName: string | null | undefined, more?: Fields, initial?: unknown): string;
  delta(text: string | null | undefined): void;
  end(input?: unknown, more?: Fields): void;
}
interface KnownCall {
  readonly toolCallId: string; readonly toolName: string; readonly input?: unknown; readonly state?: string;
  readonly approval?: { readonly id: string; readonly approved?: boolean };
  readonly delivery?: unknown; readonly outcome?: unknown; readonly output?: unknown; readonly errorText?: unknown;
}
type Fields = Readonly<Record<string, unknown>>;
interface AskedCall {
  readonly toolCallId?: string | undefined; readonly toolName?: string | undefined; readonly input?: unknown;
  readonly more?: Fields;
}
interface AgentQuestions { readonly questions: readonly unknown[] }

// ======== toolgate/protocols/ai-sdk-ws ========
export declare const aiSdkWs: Protocol<AiSdkWsBody, Typed | string, AnyMessage>;
type AiSdkWsBody =
  | { readonly type: 'message'; readonly data: AiSdkBody }
  | { readonly type: 'tool_result'; readonly data: Readonly<Record<string, unknown>> };
type Typed = Open<{ readonly type: string }>;
type AnyMessage = Said | SaidInParts;
type Open<T> = T | (T & { readonly [field: string]: unknown });
type Said = Open<{ readonly role: string; readonly id?: string | undefined; readonly content?: unknown }>;
type SaidInParts = Open<{ readonly role: string; readonly parts: readonly object[] }>;

// ======== toolgate/protocols/effect ========
export declare const effect: Protocol<{ readonly prompt }, Typed, Said>;

// ======== toolgate/protocols/anthropic ========
export declare const anthropic: Protocol<AnthropicBody, Typed, AnthropicMessage>;
interface AnthropicBody { readonly system?: Typed[]; readonly messages: AnthropicMessage[] }
type AnthropicMessage = Open<{ readonly role: string; readonly content: string | readonly object[] }>;

// ======== toolgate/protocols/openai-chat ========
export declare const openaiChat: Protocol<{ readonly messages }, OpenAiChunk, OpenAiMessage>;
type OpenAiMessage = Open<{
  readonly role: string; readonly content?: string | readonly object[] | null;
  readonly tool_calls?: readonly object[] | undefined; readonly tool_call_id?: string | undefined;
}>;
type OpenAiChunk = Open<{ readonly choices?: readonly object[] | null; readonly error?: unknown }>;

// ======== toolgate/protocols/openai-responses ========
export declare const openaiResponses: Protocol<
  { readonly input; readonly previous_response_id? },
  Typed,
  ResponsesItem
>;
type ResponsesItem = Open<{ readonly type?: string | null | undefined; readonly id?: string | null | undefined }>;

// ======== toolgate/protocols/genkit ========
export declare const genkit: Protocol<GenkitBody, GenkitEvent, Said>;
interface GenkitBody {
  readonly messages: readonly Said[];
  readonly resume?: { readonly restart?: readonly object[]; readonly respond?: readonly object[] } | undefined;
}
type GenkitEvent = Open<{ readonly message?: object; readonly result?: unknown; readonly error?: unknown }>;

// ======== toolgate/protocols/gemini ========
export declare const gemini: Protocol<{ readonly systemInstruction?; readonly contents }, GeminiEvent, GeminiContent>;
type GeminiContent = Open<{ readonly role?: string | undefined; readonly parts?: readonly object[] | undefined }>;
type GeminiEvent = Open<{ readonly candidates?: readonly object[] | undefined; readonly error?: unknown }>;

// ======== toolgate/protocols/adk ========
export declare const adk: Protocol<AdkBody, AdkEvent, AdkEvent>;
interface AdkBody {
  readonly session_id: string;
  readonly new_message: { readonly role: 'user'; readonly parts: readonly object[] };
  readonly streaming: true;
}
type AdkEvent = Open<{ readonly author?: string | undefined; readonly content?: GeminiContent | undefined }>;

// ======== toolgate/protocols/vscode ========
export declare const vscode: Protocol<{ readonly messages }, object | string, VscodeMessage>;
type VscodeMessage = Open<{ readonly role: number; readonly content: string | readonly unknown[] }>;

// ======== toolgate/protocols/ag-ui ========
export type AgUiServer = keyof typeof SERVERS;
export declare const agUi: AgUi;
export declare const agUiFor: (server: AgUiServer) => AgUi;
declare const SERVERS: { 'pydantic-ai'; microsoft; strands; langgraph; adk; agno };
type AgUi = Protocol<AgUiBody, Typed, Said>;
interface AgUiBody {
  readonly threadId: string; readonly runId: string; readonly parentRunId?: string | undefined;
  readonly messages: readonly Said[]; readonly resume?: readonly object[] | undefined;
  readonly forwardedProps?: unknown;
}

// ======== toolgate/protocols/tanstack ========
export declare const tanstack: Protocol<AgUiBody, Typed, AnyMessage>;

// ======== toolgate/protocols/acp ========
export declare const acp: Protocol<AcpBody, Rpc, AcpUpdate>;
type AcpBody =
  | RpcRequest<'session/prompt', { readonly sessionId: string; readonly prompt: readonly object[] }>
  | RpcRequest<'_toolgate/tool_result', { readonly sessionId: string; readonly toolCallId: string }>
  | RpcResponse<{ readonly outcome: object } | { readonly action: 'accept' | 'decline' | 'cancel' }>;
type Rpc = Open<{
  readonly id?: RpcId; readonly method?: string | undefined; readonly params?: unknown; readonly result?: unknown;
  readonly error?: unknown;
}>;
type AcpUpdate = Open<{ readonly sessionUpdate?: string; readonly update?: object; readonly params?: object }>;
interface RpcRequest<METHOD extends string, PARAMS> {
  readonly jsonrpc?: '2.0'; readonly id?: RpcId; readonly method: METHOD; readonly params: PARAMS;
}
interface RpcResponse<RESULT> { readonly jsonrpc?: '2.0'; readonly id: RpcId; readonly result: RESULT }
type RpcId = string | number | null | undefined;

// ======== toolgate/protocols/langgraph ========
export declare const langgraph: Protocol<LangGraphBody, LangGraphEvent, Typed>;
interface LangGraphBody {
  readonly config: { readonly configurable: { readonly thread_id: string } };
  readonly input?: { readonly messages: readonly Typed[] };
  readonly command?: { readonly resume: unknown; readonly update?: LangGraphBody['update'] };
  readonly responses?: readonly { readonly interrupt_id: string | undefined; readonly response: unknown }[];
  readonly update?: { readonly messages: readonly Typed[] };
}
type LangGraphEvent = Open<{ readonly event: string } | { readonly method: string }>;

// ======== toolgate/protocols/openai-agents ========
export declare const openaiAgents: Protocol<OpenAiAgentsBody, Typed, ResponsesItem>;
interface OpenAiAgentsBody {
  readonly chatId: string; readonly input?: readonly ResponsesItem[];
  readonly decisions?: readonly { readonly callId: string; readonly approve: boolean; readonly message?: string }[];
}

// ======== toolgate/protocols/pydantic-ai ========
export declare const pydanticAi: Protocol<{ readonly id; readonly messages; readonly trigger }, Typed, SaidInParts>;

// ======== toolgate/protocols/mastra ========
export declare const mastra: Protocol<MastraBody, Typed, Said>;
type MastraBody =
  | { readonly action: 'stream'; readonly body: { readonly messages: readonly Said[] } }
  | { readonly action: 'approve-tool-call' | 'decline-tool-call'; readonly body: MastraDecision };
interface MastraDecision { readonly runId: string | undefined; readonly toolCallId: string; readonly reason?: string }

// ======== toolgate/protocols/cloudflare ========
export declare const cloudflare: Protocol<CloudflareBody, Typed, AnyMessage>;
type CloudflareBody =
  | {
      readonly type: 'cf_agent_use_chat_request'; readonly id: string;
      readonly init: { readonly method: 'POST'; readonly body: string };
    }
  | (CloudflareAnswer & { readonly type: 'cf_agent_tool_approval'; readonly approved: boolean })
  | (CloudflareAnswer & { readonly type: 'cf_agent_tool_result'; readonly toolName: string; readonly output: unknown });
interface CloudflareAnswer {
  readonly toolCallId: string; readonly autoContinue: true; readonly state?: 'output-error';
  readonly errorText?: string;
}

// ======== toolgate/protocols/opencode ========
export declare const opencode: Protocol<OpencodeBody, Typed, OpencodeMessage>;
type OpencodeBody =
  | { readonly sessionID: string; readonly parts: readonly object[]; readonly noReply?: true }
  | { readonly requestID: string; readonly sessionID?: string; readonly reply?: string; readonly message?: string };
type OpencodeMessage = Open<{ readonly info: { readonly role: string }; readonly parts: readonly object[] }>;

// ======== toolgate/protocols/claude-managed-agents ========
export declare const claudeManagedAgents: Protocol<{ readonly events }, Typed, Typed>;

// ======== toolgate/protocols/claude-agent-sdk ========
export declare const claudeAgentSdk: Protocol<Typed, Typed, Typed>;

// ======== toolgate/protocols/a2a ========
export declare const a2a: Protocol<A2aBody, Rpc, A2aMessage>;
type A2aBody =
  | RpcRequest<'SendStreamingMessage', { readonly message: A2aMessage }>
  | RpcRequest<'CancelTask', { readonly id: string }>;
type A2aMessage = Open<{ readonly messageId?: string; readonly parts?: readonly object[] | undefined }>;

// ======== toolgate/protocols/codex ========
export declare const codex: Protocol<CodexBody, Rpc, CodexItem>;
type CodexBody =
  | RpcRequest<
      'turn/start',
      { readonly threadId: string; readonly input: readonly object[]; readonly clientUserMessageId: string }
    >
  | RpcRequest<'thread/inject_items', { readonly threadId: string; readonly items: readonly object[] }>
  | RpcResponse<object>;
type CodexItem = Open<{ readonly type?: string; readonly items?: readonly object[] }>;

// ======== toolgate/approval ========
export type AllAct = 'approveAll' | 'denyAll' | 'confirmAll' | 'back' | 'showUnseen' | 'sendNow' | 'doNotRun';
export interface AllContext {
  readonly gate: GateSource; readonly approvals: readonly PendingApproval[];
  readonly texts?: Partial<ApprovalTexts> | undefined; readonly tools?: ToolCards | undefined;
  readonly onDecision?: ((decided: readonly PendingApproval[], approved: boolean) => void) | undefined;
  readonly onRefusal?: ((approvalId: string, error: unknown) => void) | undefined;
}
export interface AllView {
  readonly isShown: boolean; readonly list: string; readonly language: CardDescription['language'];
  readonly waiting: string; readonly what: string; readonly needed: string; readonly question: string;
  readonly result: string; readonly buttons: readonly FormButton<AllAct>[]; readonly problem: string;
}
export interface ApprovalForm extends Drawn {
  readonly view: (context: FormContext) => FormView;
  readonly press: (act: FormAct) => void;
  readonly enter: (field: FieldId, value: string) => void;
}
export type ApprovalTexts = {
  readonly [KEY in keyof typeof ENGLISH | keyof CallTexts | keyof typeof LOAD_TEXTS]: KEY extends CountedKey
    ? CountedText
    : string;
};
export interface ApproveAll extends Drawn {
  readonly view: (context: AllContext) => AllView;
  readonly press: (act: AllAct) => void;
}
export interface CardDescription {
  readonly summary: string; readonly toolName: string; readonly title: string; readonly danger: string;
  readonly decidedBy: string;
  readonly language: { readonly lang?: string; readonly dir?: 'ltr' | 'rtl' };
}
export interface CardOptions {
  readonly gate: GateSource; readonly tools?: ToolCards | undefined;
  readonly texts?: Partial<ApprovalTexts> | undefined;
}
export type CountedText = string | ({ readonly [FORM in Intl.LDMLPluralRule]?: string } & { readonly other: string });
export interface Drawn {
  readonly subscribe: (listener: () => void) => () => void;
  readonly getSnapshot: () => number;
  readonly attach: (root: HTMLElement | null) => void;
  readonly rendered: () => void;
}
export type FieldId = 'edited' | 'option' | 'answer' | 'reason' | 'remember';
export interface FieldOption { readonly value: string; readonly label: string; readonly description: string }
export type FormAct = 'approve' | 'confirm' | 'deny' | 'reasonToggle' | 'back' | 'edit' | 'moreTime' | CallAct;
export interface FormButton<ACT extends string = FormAct> {
  readonly act: ACT; readonly label: string; readonly name: string;
  readonly look: 'main' | 'danger' | 'other' | 'quiet'; readonly isDisabled: boolean;
}
export interface FormContext {
  readonly gate: GateSource; readonly part: AnyToolPart; readonly texts?: Partial<ApprovalTexts> | undefined;
  readonly tools?: ToolCards | undefined; readonly remember?: RememberChoice | undefined;
  readonly validateInput?: InputCheck | undefined;
  readonly hold?: ((decision: HeldDecision) => void) | undefined;
  readonly onDecision?: ((decision: FormDecision) => void) | undefined;
  readonly onRefusal?: ((approvalId: string, error: unknown) => void) | undefined;
}
export interface FormDeadline { readonly text: string; readonly isHurry: boolean }
export interface FormDecision {
  readonly approvalId: string; readonly toolCallId: string; readonly toolName: string; readonly approved: boolean;
  readonly reason?: string; readonly remember?: Remember; readonly input?: unknown;
  readonly result: 'accepted' | 'duplicate';
}
export interface FormField {
  readonly id: FieldId; readonly kind: 'json' | 'options' | 'text' | 'menu'; readonly label: string;
  readonly value: string; readonly problem: string; readonly options: readonly FieldOption[];
  readonly isDisabled: boolean;
}
export interface FormView {
  readonly key: number; readonly isWaiting: boolean; readonly isDangerous: boolean; readonly summary: string;
  readonly prompt: string; readonly question: string; readonly fields: readonly FormField[];
  readonly buttons: readonly FormButton[]; readonly deadline: FormDeadline | undefined; readonly announcement: string;
  readonly problem: string;
}
export interface HeldDecision extends Omit<FormDecision, 'result' | 'approvalId' | 'toolCallId' | 'toolName'> {
  readonly approval: PendingApproval; readonly label: string;
  readonly give: () => FormDecision['result'] | undefined;
}
export type InputCheck = (input: unknown) => string | undefined;
export type RememberChoice = 'none' | 'chat' | 'always';
export interface ShownJson { readonly pieces: readonly string[]; readonly more: string | undefined }
export interface ToolCard<INPUT = unknown> {
  readonly summary?: OfInput<INPUT, string | undefined> | undefined;
  readonly isDangerous?: boolean | OfInput<INPUT, boolean> | undefined;
}
export type ToolCards<TOOLS = Readonly<Record<string, { readonly input: unknown }>>> = {
  readonly [NAME in keyof TOOLS]?: ToolCard<TOOLS[NAME] extends { readonly input: infer INPUT } ? INPUT : unknown>;
};
export declare function approvalForm(): ApprovalForm;
export declare function approveAll(): ApproveAll;
export declare function describeCard(part: AnyToolPart, { gate: source, tools, texts }: CardOptions): CardDescription;
export declare function guardPresses(root: HTMLElement, refuse: () => void, signal?: AbortSignal): void;
export declare const leadFocus: (list: HTMLElement | null) => void;
export declare function shownJson(value: unknown, isWhole: boolean, texts?: Partial<ApprovalTexts>): ShownJson;
export declare const visible: (text: string) => string;
declare const ENGLISH: {
  readonly language; readonly approve; readonly approveEdited; readonly deny; readonly denyWithReason; readonly reason;
  readonly reasonLabel; readonly edit; readonly editLabel; readonly discardEdit; readonly badJson; readonly notAnObject;
  readonly remember; readonly once; readonly chatInput; readonly chatTool; readonly alwaysInput; readonly alwaysTool;
  readonly notAskedAgain; readonly dangerous; readonly expiresIn; readonly moreTime; readonly secondsLeft;
  readonly noInput; readonly emptyText; readonly removed; readonly added; readonly showAll; readonly showAllLines;
  readonly showAllEntries; readonly showLess; readonly previous; readonly next; readonly range; readonly retry;
  readonly giveUp; readonly sendNow; readonly doNotRun; readonly goOn; readonly arrived; readonly arrivedMany;
  readonly list; readonly all; readonly approveAll; readonly showUnseen; readonly needAnswer; readonly denyAll;
  readonly confirmAll; readonly confirmAllNow; readonly back; readonly approvedAll; readonly deniedAll; readonly notAll;
  readonly choice; readonly choiceMissing; readonly answer; readonly answerMissing; readonly rule; readonly tooSoon;
  readonly askedBy; readonly byPolicy; readonly byServer; readonly byOtherTab; readonly elsewhere;
};
declare const LOAD_TEXTS: { readonly notLoaded; readonly loadAgain };
type CountedKey =
  | 'secondsLeft' | 'showAll' | 'showAllLines' | 'showAllEntries' | 'arrivedMany' | 'approveAll' | 'denyAll'
  | 'confirmAll' | 'confirmAllNow' | 'approvedAll' | 'deniedAll' | 'notAll';
type CallAct = 'sendNow' | 'doNotRun' | 'retry' | 'giveUp';
type OfInput<INPUT, RESULT> = { of(input: INPUT): RESULT }['of'];

