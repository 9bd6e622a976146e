// ======== toolgate/react ========
export { CallDescription, describeCall, describeRefusal } from 'toolgate';
export interface GateActions {
  readonly respond: <TARGET extends ApprovalTarget>(
    target: TARGET,
    decision: Decision<InputOfTarget<TARGET>>,
  ) => 'accepted' | 'duplicate';
  readonly respondAll: (approvals: readonly PendingApproval[], decision: Omit<DecisionForAll, 'where'>) => number;
  readonly cancel: (reason?: string, only?: CancelOnly) => void;
  readonly retry: (id: string) => void;
  readonly resume: () => void;
}
export declare function GateProvider({ gate, children }: GateProviderProps): ReactElement;
declare module 'react' {
  namespace JSX {
    interface IntrinsicElements extends ToolApprovalTags<
      import('react').HTMLAttributes<HTMLElement> & import('react').RefAttributes<HTMLElement>
    > {}
  }
}
export interface GateProviderProps { readonly gate: GateSource; readonly children?: ReactNode }
export type SharedChat<MESSAGE extends UIMessage = UIMessage> = Pick<
  AbstractChat<MESSAGE>,
  Members<
    | 'id' | 'messages' | 'lastMessage' | 'status' | 'error' | 'sendMessage' | 'regenerate' | 'stop' | 'resumeStream'
    | 'clearError' | 'addToolResult' | 'addToolOutput' | 'addToolApprovalResponse' | 'experimental_queuedMessages'
    | 'experimental_removeQueuedMessage' | 'experimental_sendQueuedMessageNow'
  >
>;
export type ShownCall = string | ToolPart;
export declare function ToolApproval<T extends AnyTools = AnyTools>(props: ToolApprovalProps<T>): ReactElement;
export interface ToolApprovalProps<T extends AnyTools = AnyTools> extends ApprovalProps<T>, CommonProps<T> {}
export declare function ToolApprovals<T extends AnyTools = AnyTools>(props: ToolApprovalsProps<T>): ReactElement;
export interface ToolApprovalsProps<T extends AnyTools = AnyTools> extends ApprovalsProps<T>, CommonProps<T> {}
export declare function ToolQuestion<T extends AnyTools = AnyTools>(props: ToolQuestionProps<T>): ReactElement;
export interface ToolQuestionProps<T extends AnyTools = AnyTools>
  extends QuestionProps<T>, Omit<HTMLAttributes<HTMLElement>, 'children' | 'part'> {
  readonly onAnswer?: ((event: CustomEvent<AnswerDetail>) => void) | undefined;
  readonly onAnswerError?: ((event: CustomEvent<AnswerErrorDetail>) => void) | undefined;
}
export type UseGuardedChatHelpers<MESSAGE extends UIMessage = UIMessage> = Omit<
  SharedChat<MESSAGE>,
  'lastMessage' | 'messages'
> & {
  readonly messages: GuardedMessage<MESSAGE>[];
  readonly setMessages: (messages: MESSAGE[] | ((messages: MESSAGE[]) => MESSAGE[])) => void;
  readonly chat: SharedChat<MESSAGE>;
};
export type UseGuardedChatOptions<MESSAGE extends UIMessage = UIMessage> = ChatInit<MESSAGE> &
  GuardOptions & {
    readonly throttle?: number | undefined; readonly experimental_throttle?: number | undefined;
    readonly resume?: boolean | undefined;
    readonly persist?: ((chat: SharedChat<MESSAGE>) => PromiseLike<{ close(): void }>) | undefined;
  };
export declare function useApproval<T extends AnyTools = AnyTools>(
  call: ShownCall,
  gate?: GateSourceOf<T>,
): PendingApproval<T> | undefined;
export declare function useApprovals<T extends AnyTools = AnyTools>(
  gate?: GateSourceOf<T>,
): readonly PendingApproval<T>[];
export declare function useCallDescription(
  part: AnyToolPart,
  gate?: GateSource,
  texts?: Partial<CallTexts>,
): CallDescription;
export declare function useGate(gate?: GateSource): ToolGate | null;
export declare function useGateActions(gate?: GateSource): GateActions;
export declare function useGateView<T extends AnyTools = AnyTools>(): GateView<T>;
export declare function useGateView<R, T extends AnyTools = AnyTools>(
  select: (view: GateView<T>) => R,
  gate?: GateSourceOf<T>,
): R;
export declare function useGuardedChat<MESSAGE extends UIMessage = UIMessage>(
  options?: UseGuardedChatOptions<MESSAGE>,
): UseGuardedChatHelpers<MESSAGE>;
export declare function useInbox(inbox: Inbox): InboxView;
export declare function useMessages<T extends AnyTools = AnyTools>(gate?: GateSourceOf<T>): GateMessage<T>[];
export declare function useRemembered(gate?: GateSource): readonly RememberedDecision[];
export declare function useToolPart<T extends AnyTools = AnyTools>(
  toolCallId: string,
  gate?: GateSourceOf<T>,
): ToolPart<T> | undefined;
export declare function useUndelivered(gate?: GateSource): readonly Undelivered[];
type Members<NAME extends string> = Extract<keyof AbstractChat<UIMessage>, NAME>;
interface CommonProps<T extends AnyTools> extends Omit<HTMLAttributes<HTMLElement>, 'children' | 'part'> {
  readonly onDecision?: ((event: CustomEvent<DecisionDetail<T>>) => void) | undefined;
  readonly onDecisionError?: ((event: CustomEvent<DecisionErrorDetail>) => void) | undefined;
}

// ======== toolgate/svelte ========
export { CallDescription, describeCall, describeRefusal } from 'toolgate';
export { GateActions, SharedChat, ShownCall, UseGuardedChatOptions } from 'toolgate/react';
export type ReactiveChat<MESSAGE extends UIMessage = UIMessage> = Omit<SharedChat<MESSAGE>, 'messages'> & {
  messages: GuardedMessage<MESSAGE>[]; readonly chat: SharedChat<MESSAGE>;
};
export interface ReactiveGate<T extends AnyTools = AnyTools> extends GateActions {
  readonly gate: ToolGate | undefined; readonly view: GateView<T>; readonly status: GateStatus;
  readonly messages: GateMessage<T>[]; readonly pending: readonly PendingApproval<T>[];
  readonly undelivered: readonly Undelivered[]; readonly remembered: readonly RememberedDecision[];
  readonly part: (toolCallId: string) => ToolPart<T> | undefined;
  readonly approval: (call: ShownCall) => PendingApproval<T> | undefined;
  readonly describe: (part: AnyToolPart, texts?: Partial<CallTexts>) => CallDescription;
}
declare module 'svelte/elements' {
  interface SvelteHTMLElements extends ToolApprovalTags<import('svelte/elements').HTMLAttributes<HTMLElement>> {}
}
export declare const ToolApproval: ApprovalComponent;
export interface ToolApprovalProps<T extends AnyTools = AnyTools> extends ApprovalProps<T>, ApprovalEvents<T> {}
export declare const ToolApprovals: ApprovalsComponent;
export interface ToolApprovalsProps<T extends AnyTools = AnyTools> extends ApprovalsProps<T>, ApprovalEvents<T> {}
export declare const ToolQuestion: QuestionComponent;
export interface ToolQuestionProps<T extends AnyTools = AnyTools> extends QuestionProps<T> {
  readonly onanswer?: ((event: CustomEvent<AnswerDetail>) => void) | undefined;
  readonly onanswererror?: ((event: CustomEvent<AnswerErrorDetail>) => void) | undefined;
}
export declare function provideGate(gate: GateSource | (() => GateSource)): void;
export declare function useGate<T extends AnyTools = AnyTools>(
  gate?: GateSourceOf<T> | (() => GateSourceOf<T>),
): ReactiveGate<T>;
export declare function useGuardedChat<MESSAGE extends UIMessage = UIMessage>(
  options?: UseGuardedChatOptions<MESSAGE> | (() => UseGuardedChatOptions<MESSAGE>),
): ReactiveChat<MESSAGE>;
export declare function useInbox(inbox: Inbox): InboxView;
interface ApprovalComponent {
  new <T extends AnyTools = AnyTools>(
    options: ComponentConstructorOptions<ToolApprovalProps<T>>,
  ): SvelteComponent<ToolApprovalProps<T>>;
  <T extends AnyTools = AnyTools>(
    internals: Parameters<Component>[0],
    props: ToolApprovalProps<T>,
  ): ReturnType<Component>;
}
interface ApprovalEvents<T extends AnyTools> {
  readonly ondecision?: ((event: CustomEvent<DecisionDetail<T>>) => void) | undefined;
  readonly ondecisionerror?: ((event: CustomEvent<DecisionErrorDetail>) => void) | undefined;
}
interface ApprovalsComponent {
  new <T extends AnyTools = AnyTools>(
    options: ComponentConstructorOptions<ToolApprovalsProps<T>>,
  ): SvelteComponent<ToolApprovalsProps<T>>;
  <T extends AnyTools = AnyTools>(
    internals: Parameters<Component>[0],
    props: ToolApprovalsProps<T>,
  ): ReturnType<Component>;
}
interface QuestionComponent {
  new <T extends AnyTools = AnyTools>(
    options: ComponentConstructorOptions<ToolQuestionProps<T>>,
  ): SvelteComponent<ToolQuestionProps<T>>;
  <T extends AnyTools = AnyTools>(
    internals: Parameters<Component>[0],
    props: ToolQuestionProps<T>,
  ): ReturnType<Component>;
}

// ======== toolgate/vue ========
export { CallDescription, describeCall, describeRefusal } from 'toolgate';
export { GateActions, SharedChat, ShownCall, UseGuardedChatOptions } from 'toolgate/react';
export interface ApprovalEvents<T extends AnyTools = AnyTools> {
  readonly onDecision?: Listener<CustomEvent<DecisionDetail<T>>> | undefined;
  readonly onDecisionError?: ((event: CustomEvent<DecisionErrorDetail>) => void) | undefined;
}
export interface ApprovalProps<T extends AnyTools = AnyTools>
  extends Omit<ApprovalsProps<T>, 'view'>, CallProps, Pick<ToolApprovalProps, 'approvalId' | 'announce'> {}
export interface ApprovalsProps<T extends AnyTools = AnyTools>
  extends
    SourceProps<T>,
    Pick<ToolApprovalsProps, 'texts' | 'validateInput' | 'tools' | 'remember' | 'headingLevel' | 'theme' | 'view'> {}
export type GuardedChat<CHAT extends AiSdkChat> = {
  readonly id: ComputedRef<string>; readonly messages: WritableComputedRef<GuardedMessage<CHAT['messages'][number]>[]>;
  readonly status: ComputedRef<CHAT['status']>; readonly error: ComputedRef<Error | undefined>;
  readonly chat: ComputedRef<CHAT | undefined>;
} & Pick<CHAT, (typeof COMMON_METHODS)[number]>;
export interface QuestionEvents {
  readonly onAnswer?: ((event: CustomEvent<AnswerDetail>) => void) | undefined;
  readonly onAnswerError?: ((event: CustomEvent<AnswerErrorDetail>) => void) | undefined;
}
export interface QuestionProps<T extends AnyTools = AnyTools>
  extends SourceProps<T>, CallProps, Pick<ToolQuestionProps, 'question' | 'texts' | 'headingLevel' | 'theme'> {}
export declare const ToolApproval: <T extends AnyTools = AnyTools>(
  props: VNodeProps & AllowedComponentProps & ApprovalProps<T> & ApprovalEvents<T>,
) => VNode;
export declare const ToolApprovals: <T extends AnyTools = AnyTools>(
  props: VNodeProps & AllowedComponentProps & ApprovalsProps<T> & ApprovalEvents<T>,
) => VNode;
export declare const ToolQuestion: <T extends AnyTools = AnyTools>(
  props: VNodeProps & AllowedComponentProps & QuestionProps<T> & QuestionEvents,
) => VNode;
export declare function provideGate(gate: MaybeRefOrGetter<GateSource>): void;
export declare function useApproval<T extends AnyTools = AnyTools>(
  call: MaybeRefOrGetter<ShownCall>,
  gate?: MaybeRefOrGetter<GateSourceOf<T>>,
): Readonly<ShallowRef<PendingApproval<T> | undefined>>;
export declare function useApprovals<T extends AnyTools = AnyTools>(
  gate?: MaybeRefOrGetter<GateSourceOf<T>>,
): Readonly<ShallowRef<readonly PendingApproval<T>[]>>;
export declare function useCallDescription(
  part: MaybeRefOrGetter<AnyToolPart>,
  gate?: MaybeRefOrGetter<GateSource>,
  texts?: MaybeRefOrGetter<Partial<CallTexts> | undefined>,
): Readonly<ShallowRef<CallDescription>>;
export declare function useGate(gate?: MaybeRefOrGetter<GateSource>): ComputedRef<ToolGate | undefined>;
export declare function useGateActions(gate?: MaybeRefOrGetter<GateSource>): GateActions;
export declare function useGateView<R = GateView, T extends AnyTools = AnyTools>(
  select?: (view: GateView<T>) => R,
  gate?: MaybeRefOrGetter<GateSourceOf<T>>,
): Readonly<ShallowRef<R>>;
export declare function useGuardedChat<CHAT extends AiSdkChat>(
  chat: MaybeRefOrGetter<CHAT | null | undefined>,
): GuardedChat<CHAT>;
export declare function useGuardedChat<MESSAGE extends UIMessage = UIMessage>(
  options?: MaybeRefOrGetter<UseGuardedChatOptions<MESSAGE>>,
): GuardedChat<SharedChat<MESSAGE>>;
export declare function useInbox(inbox: Inbox): Readonly<ShallowRef<InboxView>>;
export declare function useMessages<T extends AnyTools = AnyTools>(
  gate?: MaybeRefOrGetter<GateSourceOf<T>>,
): Readonly<ShallowRef<GateMessage<T>[]>>;
export declare function useRemembered(
  gate?: MaybeRefOrGetter<GateSource>,
): Readonly<ShallowRef<readonly RememberedDecision[]>>;
export declare function useToolPart<T extends AnyTools = AnyTools>(
  toolCallId: MaybeRefOrGetter<string>,
  gate?: MaybeRefOrGetter<GateSourceOf<T>>,
): Readonly<ShallowRef<ToolPart<T> | undefined>>;
export declare function useUndelivered(
  gate?: MaybeRefOrGetter<GateSource>,
): Readonly<ShallowRef<readonly Undelivered[]>>;
type Listener<EVENT> = { listen(event: EVENT): void }['listen'];
interface CallProps {
  readonly part?: { readonly toolCallId: string } | undefined;
  readonly toolCallId?: string | undefined; readonly messageId?: string | undefined;
}
interface SourceProps<T extends AnyTools = AnyTools> {
  readonly gate?: GateSourceOf<T>; readonly chat?: GateSourceOf<T>;
}
declare const COMMON_METHODS: readonly [
  'sendMessage', 'regenerate', 'stop', 'resumeStream', 'clearError', 'addToolApprovalResponse', 'addToolOutput',
];

// ======== toolgate/element ========
export { ApprovalTexts, CountedText, InputCheck, RememberChoice, ToolCard, ToolCards } from 'toolgate/approval';
export interface AnswerDetail {
  readonly toolCallId: string; readonly toolName: string; readonly answer: QuestionAnswer;
}
export interface AnswerErrorDetail { readonly toolCallId: string; readonly error: unknown }
export interface ApprovalDescriptor {
  readonly prompt?: string; readonly options: readonly ApprovalOption[]; readonly acceptsText: boolean;
  readonly requiresText: boolean; readonly isOfProtocol: boolean;
}
export interface ApprovalOption {
  readonly id: string; readonly kind: 'allow-once' | 'allow-always' | 'reject-once' | 'reject-always' | 'choice';
  readonly label: string; readonly description?: string; readonly grants?: readonly string[];
}
export type ApprovalStatus = CallStatus;
export type DecisionDetail<T extends AnyTools = AnyTools> = DecisionOnTool<ToolNameOf<T>>;
export interface DecisionErrorDetail { readonly approvalId: string; readonly error: unknown }
export interface DecisionOnTool<NAME extends string> {
  readonly approvalId: string; readonly toolCallId: string; readonly toolName: NAME; readonly approved: boolean;
  readonly reason?: string; readonly remember?: Remember; readonly input?: unknown;
  readonly result: 'accepted' | 'duplicate';
}
export interface Question { readonly message?: string | undefined; readonly requestedSchema?: unknown }
export type QuestionAnswer =
  | {
      readonly action: 'accept';
      readonly content: Readonly<Record<string, string | number | boolean | readonly string[]>>;
    }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' };
export type QuestionTexts = ApprovalTexts & FormTexts;
export declare class ToolApprovalElement extends CallElement implements CardHost {
  get announce(): 'all' | 'none';
  set announce(value: 'all' | 'none' | undefined | null);
  get approvalId(): string | undefined;
  set approvalId(id: string | undefined | null);
}
export interface ToolApprovalProps extends Omit<ToolApprovalsProps, 'view'> {
  approvalId?: string | undefined; toolCallId?: string | undefined; messageId?: string | undefined;
  announce?: 'all' | 'none' | undefined;
}
declare global {
  interface HTMLElementTagNameMap { 'tool-approval': ToolApprovalElement; 'tool-approvals': ToolApprovalsElement }
}
export interface ToolApprovalTags<COMMON = unknown> {
  'tool-approval': Omit<COMMON, keyof ToolApprovalProps> & ToolApprovalProps;
  'tool-approvals': Omit<COMMON, keyof ToolApprovalsProps> & ToolApprovalsProps;
  'tool-question': Omit<COMMON, keyof ToolQuestionProps> & ToolQuestionProps;
}
export declare class ToolApprovalsElement extends GateElement {
  get view(): ListView;
  set view(view: ListView | undefined | null);
}
export interface ToolApprovalsProps {
  gate?: GateSource; texts?: Partial<ApprovalTexts> | undefined; validateInput?: InputCheck | undefined;
  tools?: ToolCards | undefined; remember?: RememberChoice | undefined; headingLevel?: number | undefined;
  theme?: 'light' | 'dark' | 'auto' | undefined; view?: ListView | undefined;
  ondecision?: ((event: CustomEvent<DecisionDetail>) => void) | undefined;
  'ondecision-error'?: ((event: CustomEvent<DecisionErrorDetail>) => void) | undefined;
}
export interface ToolQuestionElement extends HTMLElement {
  get gate(): ToolGate | undefined;
  set gate(source: GateSource);
  get toolCallId(): string | undefined;
  set toolCallId(id: string | undefined | null);
  get messageId(): string | undefined;
  set messageId(id: string | undefined | null);
  get question(): Question | undefined;
  set question(question: Question | undefined | null);
  get texts(): Partial<QuestionTexts> | undefined;
  set texts(texts: Partial<QuestionTexts> | undefined | null);
  get headingLevel(): number;
  set headingLevel(level: number | undefined | null);
  readonly status: CallStatus | undefined;
}
export interface ToolQuestionProps {
  gate?: GateSource; toolCallId?: string | undefined; messageId?: string | undefined; question?: Question | undefined;
  texts?: Partial<QuestionTexts> | undefined; headingLevel?: number | undefined;
  theme?: 'light' | 'dark' | 'auto' | undefined;
  onanswer?: ((event: CustomEvent<AnswerDetail>) => void) | undefined;
  'onanswer-error'?: ((event: CustomEvent<AnswerErrorDetail>) => void) | undefined;
}
export declare function defineToolApproval(): void;
export declare function defineToolQuestion(): void;
declare global {
  interface HTMLElementTagNameMap { 'tool-question': ToolQuestionElement }
}
export declare function descriptorOf(approval: ApprovalEnvelope | undefined): ApprovalDescriptor;
export declare function loadToolApproval(): Promise<void>;
export declare function loadToolQuestion(): Promise<void>;
type FormTexts = { readonly [KEY in keyof typeof FORM_ENGLISH]: string };
declare abstract class CallElement extends GateElement {
  get toolCallId(): string | undefined;
  set toolCallId(id: string | undefined | null);
  get messageId(): string | undefined;
  set messageId(id: string | undefined | null);
  get status(): CallStatus | undefined;
}
interface CardHost extends Host {
  get approvalId(): string | undefined;
  get toolCallId(): string | undefined;
  set toolCallId(id: string | undefined | null);
  get messageId(): string | undefined;
  get announce(): 'all' | 'none';
  set announce(value: 'all' | 'none' | undefined | null);
  get status(): CallStatus | undefined;
  hold?: ((decision: HeldDecision) => void) | undefined;
}
declare abstract class GateElement extends Base implements Host {
  constructor();
  get gate(): ToolGate | undefined;
  set gate(source: GateSource);
  get texts(): Partial<ApprovalTexts> | undefined;
  set texts(texts: Partial<ApprovalTexts> | undefined | null);
  get validateInput(): InputCheck | undefined;
  set validateInput(check: InputCheck | undefined | null);
  get tools(): ToolCards | undefined;
  set tools(tools: ToolCards | undefined | null);
  get remember(): RememberChoice;
  set remember(choice: RememberChoice | undefined | null);
  get headingLevel(): number;
  set headingLevel(level: number | undefined | null);
  focus(options?: FocusOptions): void;
  protected abstract readonly script: Script;
}
type ListView = 'list' | 'review';
declare const FORM_ENGLISH: {
  readonly send; readonly decline; readonly dismiss; readonly optional; readonly choose; readonly unset;
  readonly otherAnswer; readonly asks; readonly omitted; readonly secret; readonly noForm; readonly checkFields;
  readonly missing; readonly notChosen; readonly badEmail; readonly badUri; readonly badDate; readonly badNumber;
  readonly badInteger; readonly tooShort; readonly tooLong; readonly tooSmall; readonly tooLarge; readonly tooFew;
  readonly tooMany; readonly answeredLabel; readonly declinedLabel; readonly declinedLabelNote; readonly dismissedLabel;
  readonly dismissedLabelNote;
};
interface Host extends HTMLElement {
  get gate(): ToolGate | undefined;
  set gate(source: GateSource);
  get texts(): Partial<ApprovalTexts> | undefined;
  set texts(texts: Partial<ApprovalTexts> | undefined | null);
  get validateInput(): InputCheck | undefined;
  set validateInput(check: InputCheck | undefined | null);
  get tools(): ToolCards | undefined;
  set tools(tools: ToolCards | undefined | null);
  get remember(): RememberChoice;
  set remember(choice: RememberChoice | undefined | null);
  get headingLevel(): number;
  set headingLevel(level: number | undefined | null);
}
declare const Base: typeof HTMLElement;
interface Script {
  readonly create: () => ((host: never, root: ShadowRoot) => View) | undefined;
  readonly load: () => Promise<void>;
}
interface View {
  readonly status: CallStatus | undefined;
  connect(): void;
  disconnect(): void;
  adopt(): void;
  gateChanged(): void;
  textsChanged(): void;
  changed(): void;
  reset(): void;
  focus(options?: FocusOptions): void;
}

// ======== toolgate/element/texts/ar ========
export declare const ar: ApprovalTexts;

// ======== toolgate/element/texts/de ========
export declare const de: ApprovalTexts;

// ======== toolgate/element/texts/en ========
export declare const en: Partial<ApprovalTexts>;

// ======== toolgate/element/texts/es ========
export declare const es: ApprovalTexts;

// ======== toolgate/element/texts/fr ========
export declare const fr: ApprovalTexts;

// ======== toolgate/element/texts/he ========
export declare const he: ApprovalTexts;

// ======== toolgate/element/texts/ja ========
export declare const ja: ApprovalTexts;

// ======== toolgate/element/texts/ko ========
export declare const ko: ApprovalTexts;

// ======== toolgate/element/texts/pt ========
export declare const pt: ApprovalTexts;

// ======== toolgate/element/texts/pt-br ========
export declare const ptBR: ApprovalTexts;

// ======== toolgate/element/texts/zh ========
export declare const zh: ApprovalTexts;

// ======== toolgate/evidence ========
export interface CheckEvidenceOptions { readonly publicKey: WebCryptoKey }
export interface DecidedIn {
  readonly user?: string; readonly rule?: string; readonly tab?: string; readonly decidedAt?: number;
}
export interface Evidence {
  readonly version: 1; readonly chatId: string; readonly links: readonly EvidenceLink[]; readonly seal?: EvidenceSeal;
}
export type EvidenceEntry = (AuditEntry & DecidedIn) | RanEntry | FoundEntry;
export declare class EvidenceError extends Error {
  readonly name = 'EvidenceError';
  readonly code: EvidenceErrorCode; readonly link: number | undefined;
  constructor(code: EvidenceErrorCode, message: string, link?: number);
}
export type EvidenceErrorCode =
  | 'too-large' | 'malformed-evidence' | 'broken-chain' | 'other-chat' | 'bad-signature' | 'not-sealed'
  | 'not-continued' | 'sealed-meanwhile' | 'missing-receipt' | 'malformed-receipt' | 'repeated-receipt'
  | 'not-witnessed' | 'not-approved' | 'ran-twice';
export type EvidenceFact = 'requested' | 'decided' | 'sent';
export interface EvidenceLink { readonly entry: EvidenceEntry; readonly hash: string }
export interface EvidenceOfApproval {
  readonly approvalId: string; readonly toolCallId: string; readonly toolName: string;
  readonly inputDigest: string | undefined;
  readonly decision?: {
    readonly approved: boolean; readonly by: DecidedBy | 'unknown'; readonly user?: string; readonly rule?: string;
    readonly tab?: string; readonly reason?: string; readonly at?: number; readonly editedInputDigest?: string;
  };
  readonly afterTheFact: readonly EvidenceFact[]; readonly keys: readonly string[]; readonly receipt?: Receipt;
  readonly problems: readonly EvidenceProblem[];
}
export type EvidenceProblem =
  | 'not-shown' | 'decided-twice' | 'sent-undecided' | 'not-approved' | 'ran-twice' | 'not-witnessed' | 'bad-receipt'
  | 'repeated-receipt';
export declare class EvidenceRecorder { toJSON(): Evidence; stop(): void }
export interface EvidenceSeal {
  readonly count: number; readonly head: string; readonly at: number; readonly signature: string;
}
export interface FoundEntry {
  readonly at: number; readonly type: 'found'; readonly approvalId: string; readonly toolCallId: string;
  readonly toolName: string; readonly inputDigest?: string; readonly requestedAt?: number;
  readonly decision?: {
    readonly approved: boolean; readonly by: DecidedBy | 'unknown'; readonly reason?: string; readonly at?: number;
    readonly editedInputDigest?: string;
  };
  readonly keys?: readonly string[];
}
export interface RanEntry { readonly at: number; readonly type: 'ran'; readonly receipt: Receipt }
export interface Receipt {
  readonly chatId: string; readonly approvalId: string; readonly toolCallId: string; readonly toolName: string;
  readonly inputDigest: string; readonly outcome: 'executed' | 'failed'; readonly outputDigest?: string;
  readonly at: number; readonly signature: string;
}
export interface RecordEvidenceOptions {
  readonly chatId: string;
  readonly user?: () => string;
  readonly saved?: Evidence | null | (() => Evidence | null | undefined);
  readonly onChange?: (evidence: Evidence) => void;
  readonly publicKey?: WebCryptoKey;
  readonly onError?: (error: EvidenceError) => void;
}
export interface WebCryptoKey {
  readonly type: string; readonly extractable: boolean; readonly algorithm: object; readonly usages: readonly string[];
}
export declare function checkEvidence(
  evidence: Evidence,
  { publicKey }: CheckEvidenceOptions,
): Promise<EvidenceOfApproval[]>;
export declare function recordEvidence(chat: NonNullable<GateSource>, options: RecordEvidenceOptions): EvidenceRecorder;

// ======== toolgate/inbox ========
export interface ApprovalEntry extends EntryBase { readonly kind: 'approval'; readonly approval: PendingApproval }
export interface ClosedApproval {
  readonly approvalId: string; readonly toolCallId: string; readonly toolName: string; readonly requestedAt: number;
  readonly expiresAt?: number; readonly href?: string;
}
export interface ClosedChat {
  readonly id: string; readonly title?: string; readonly approvals: readonly ClosedApproval[];
}
export interface ClosedEntry extends EntryBase { readonly kind: 'closed'; readonly approval: ClosedApproval }
export type ClosedHref = (chatId: string, approvalId: string) => string | undefined;
export declare class Inbox {
  add(chat: NonNullable<GateSource>, about: InboxChat): () => void;
  setClosed(chats: readonly ClosedChat[], href?: ClosedHref): void;
  get entries(): readonly InboxEntry[];
  get count(): number;
  getSnapshot(): InboxView;
  getServerSnapshot(): InboxView;
  subscribe(listener: () => void): () => void;
  respond(entry: InboxEntry, decision: Decision): 'accepted' | 'duplicate';
  retry(entry: UndeliveredEntry): void;
  gateOf(entry: InboxEntry): ToolGate | undefined;
  toJSON(): ClosedChat[];
}
export interface InboxChat {
  readonly id: string; readonly title?: string | undefined;
  readonly href?: string | ((approvalId: string) => string) | undefined;
  readonly keep?: boolean | undefined;
}
export type InboxEntry = ApprovalEntry | UndeliveredEntry | ClosedEntry;
export interface InboxView { readonly entries: readonly InboxEntry[]; readonly count: number }
export interface UndeliveredEntry extends EntryBase { readonly kind: 'undelivered'; readonly item: Undelivered }
interface EntryBase {
  readonly key: string; readonly chatId: string; readonly title?: string; readonly href?: string;
  readonly since: number;
}

// ======== toolgate/inspector ========
export interface Difference {
  readonly step: number | 'end'; readonly call?: string; readonly path: string; readonly recorded: unknown;
  readonly replayed: unknown; readonly message: string;
}
export interface EndState { readonly view: JSONValue; readonly outgoing: JSONValue }
export interface InspectOptions { readonly element?: HTMLElement; readonly open?: boolean }
export interface Inspector { readonly element: HTMLElement; recording(): Recording | undefined; remove(): void }
export interface RecordOptions { readonly limit?: number }
export interface Recorder { recording(): Recording | undefined; readonly problem: string | undefined; stop(): void }
export interface Recording {
  readonly toolgate: 'recording'; readonly version: 1; readonly options: JSONObject;
  readonly functions: readonly string[]; readonly start?: SavedGate; readonly steps: readonly Step[];
  readonly end: EndState; readonly auditLog: readonly AuditEntry[];
}
export interface ReplayOptions { readonly ToolGate: typeof Gate; readonly protocol?: 'ai-sdk' | Protocol }
export interface Replayed { readonly difference?: Difference; readonly gate: ToolGate }
export interface Step {
  readonly at: number; readonly call: string; readonly args: readonly JSONValue[]; readonly inside?: true;
  readonly returned?: JSONValue; readonly threw?: string; readonly events?: readonly JSONValue[];
  readonly taken?: readonly JSONValue[]; readonly ids?: readonly string[]; readonly asked?: readonly boolean[];
  readonly rewrites?: readonly (string | number | null)[];
}
export declare function inspect(source: NonNullable<GateSource>, { element: parent, open }?: InspectOptions): Inspector;
export declare function record(source: NonNullable<GateSource>, options?: RecordOptions): Recorder;
export declare function replay(recording: unknown, { ToolGate, protocol }: ReplayOptions): Promise<Replayed>;

