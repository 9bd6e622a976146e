// ======== toolgate/react ========
export interface GateActions {
  readonly respond: (target: ApprovalTarget, decision: Decision) => 'accepted' | 'duplicate';
  readonly respondAll: (approvals: readonly PendingApproval[], decision: Omit<DecisionForAll, 'where'>) => number;
  readonly cancel: (reason?: string) => void;
  readonly retry: (id: string) => void;
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
export declare function ToolApproval(props: ToolApprovalProps): ReactElement;
export interface ToolApprovalProps extends ApprovalProps, CommonProps {}
export declare function ToolApprovals(props: ToolApprovalsProps): ReactElement;
export interface ToolApprovalsProps extends ApprovalsProps, CommonProps {}
export type UseGuardedChatHelpers<MESSAGE extends UIMessage = UIMessage> = Omit<SharedChat<MESSAGE>, 'lastMessage'> & {
  readonly setMessages: (messages: MESSAGE[] | ((messages: MESSAGE[]) => MESSAGE[])) => void;
  readonly chat: SharedChat<MESSAGE>;
};
export type UseGuardedChatOptions<MESSAGE extends UIMessage = UIMessage> = ChatInit<MESSAGE> &
  GuardOptions & {
    readonly throttle?: number | undefined; readonly experimental_throttle?: number | undefined;
    readonly resume?: boolean | undefined;
  };
export declare function useApproval(call: ShownCall, gate?: GateSource): PendingApproval | undefined;
export declare function useApprovals(gate?: GateSource): readonly PendingApproval[];
export declare function useGate(gate?: GateSource): ToolGate | null;
export declare function useGateActions(gate?: GateSource): GateActions;
export declare function useGateView(): GateView;
export declare function useGateView<T>(select: (view: GateView) => T, gate?: GateSource): T;
export declare function useGuardedChat<MESSAGE extends UIMessage = UIMessage>(
  options?: UseGuardedChatOptions<MESSAGE>,
): UseGuardedChatHelpers<MESSAGE>;
export declare function useInbox(inbox: Inbox): InboxView;
export declare function useMessages(gate?: GateSource): GateMessage[];
export declare function useRemembered(gate?: GateSource): readonly RememberedDecision[];
export declare function useToolPart(toolCallId: string, gate?: GateSource): ToolPart | undefined;
export declare function useUndelivered(gate?: GateSource): readonly Undelivered[];
type Members<NAME extends string> = Extract<keyof AbstractChat<UIMessage>, NAME>;
interface CommonProps extends Omit<HTMLAttributes<HTMLElement>, 'children' | 'part'> {
  readonly onDecision?: ((event: CustomEvent<DecisionDetail>) => void) | undefined;
  readonly onDecisionError?: ((event: CustomEvent<DecisionErrorDetail>) => void) | undefined;
}

// ======== toolgate/svelte ========
export { GateActions, SharedChat, ShownCall, UseGuardedChatOptions } from 'toolgate/react';
export type ReactiveChat<MESSAGE extends UIMessage = UIMessage> = SharedChat<MESSAGE> & {
  readonly chat: SharedChat<MESSAGE>;
};
export interface ReactiveGate extends GateActions {
  readonly gate: ToolGate | undefined; readonly view: GateView; readonly status: GateStatus;
  readonly messages: GateMessage[]; readonly pending: readonly PendingApproval[];
  readonly undelivered: readonly Undelivered[]; readonly remembered: readonly RememberedDecision[];
  readonly part: (toolCallId: string) => ToolPart | undefined;
  readonly approval: (call: ShownCall) => PendingApproval | undefined;
}
declare module 'svelte/elements' {
  interface SvelteHTMLElements extends ToolApprovalTags<import('svelte/elements').HTMLAttributes<HTMLElement>> {}
}
export declare const ToolApproval: Component<ToolApprovalProps>;
export interface ToolApprovalProps extends ApprovalProps, ApprovalEvents {}
export declare const ToolApprovals: Component<ToolApprovalsProps>;
export interface ToolApprovalsProps extends ApprovalsProps, ApprovalEvents {}
export declare function provideGate(gate: GateSource | (() => GateSource)): void;
export declare function useGate(gate?: GateSource | (() => GateSource)): ReactiveGate;
export declare function useGuardedChat<MESSAGE extends UIMessage = UIMessage>(
  options?: UseGuardedChatOptions<MESSAGE> | (() => UseGuardedChatOptions<MESSAGE>),
): ReactiveChat<MESSAGE>;
export declare function useInbox(inbox: Inbox): InboxView;
interface ApprovalEvents {
  readonly ondecision?: ((event: CustomEvent<DecisionDetail>) => void) | undefined;
  readonly ondecisionerror?: ((event: CustomEvent<DecisionErrorDetail>) => void) | undefined;
}

// ======== toolgate/vue ========
export { GateActions, SharedChat, ShownCall, UseGuardedChatOptions } from 'toolgate/react';
export interface ApprovalEvents {
  readonly onDecision?: ((event: CustomEvent<DecisionDetail>) => void) | undefined;
  readonly onDecisionError?: ((event: CustomEvent<DecisionErrorDetail>) => void) | undefined;
}
export interface ApprovalProps
  extends ApprovalsProps, Pick<ToolApprovalProps, 'approvalId' | 'toolCallId' | 'messageId' | 'announce'> {
  readonly part?: { readonly toolCallId: string } | undefined;
}
export interface ApprovalsProps extends Pick<
  ToolApprovalsProps,
  'gate' | 'texts' | 'validateInput' | 'remember' | 'headingLevel' | 'theme'
> { readonly chat?: GateSource }
export type GuardedChat<CHAT extends AiSdkChat> = {
  readonly id: ComputedRef<string>; readonly messages: WritableComputedRef<CHAT['messages']>;
  readonly status: ComputedRef<CHAT['status']>; readonly error: ComputedRef<Error | undefined>;
  readonly chat: ComputedRef<CHAT | undefined>;
} & Pick<CHAT, (typeof COMMON_METHODS)[number]>;
export declare const ToolApproval: DefineComponent<ApprovalProps & ApprovalEvents>;
export declare const ToolApprovals: DefineComponent<ApprovalsProps & ApprovalEvents>;
export declare function provideGate(gate: MaybeRefOrGetter<GateSource>): void;
export declare function useApproval(
  call: MaybeRefOrGetter<ShownCall>,
  gate?: MaybeRefOrGetter<GateSource>,
): Readonly<ShallowRef<PendingApproval | undefined>>;
export declare function useApprovals(
  gate?: MaybeRefOrGetter<GateSource>,
): Readonly<ShallowRef<readonly PendingApproval[]>>;
export declare function useGate(gate?: MaybeRefOrGetter<GateSource>): ComputedRef<ToolGate | undefined>;
export declare function useGateActions(gate?: MaybeRefOrGetter<GateSource>): GateActions;
export declare function useGateView<T = GateView>(
  select?: (view: GateView) => T,
  gate?: MaybeRefOrGetter<GateSource>,
): Readonly<ShallowRef<T>>;
export declare function useGuardedChat<CHAT extends AiSdkChat>(
  chat: MaybeRefOrGetter<CHAT | null | undefined>,
): GuardedChat<CHAT>;
export declare function useGuardedChat<MESSAGE extends UIMessage = UIMessage>(
  options?: MaybeRefOrGetter<UseGuardedChatOptions<MESSAGE>>,
): GuardedChat<SharedChat<MESSAGE>>;
export declare function useInbox(inbox: Inbox): Readonly<ShallowRef<InboxView>>;
export declare function useMessages(gate?: MaybeRefOrGetter<GateSource>): Readonly<ShallowRef<GateMessage[]>>;
export declare function useRemembered(
  gate?: MaybeRefOrGetter<GateSource>,
): Readonly<ShallowRef<readonly RememberedDecision[]>>;
export declare function useToolPart(
  toolCallId: MaybeRefOrGetter<string>,
  gate?: MaybeRefOrGetter<GateSource>,
): Readonly<ShallowRef<ToolPart | undefined>>;
export declare function useUndelivered(
  gate?: MaybeRefOrGetter<GateSource>,
): Readonly<ShallowRef<readonly Undelivered[]>>;
declare const COMMON_METHODS: readonly [
  'sendMessage', 'regenerate', 'stop', 'resumeStream', 'clearError', 'addToolApprovalResponse', 'addToolOutput',
];

// ======== toolgate/element ========
export interface AnswerDetail {
  readonly toolCallId: string; readonly toolName: string; readonly answer: QuestionAnswer;
}
export interface AnswerErrorDetail { readonly toolCallId: string; readonly error: unknown }
export type ApprovalStatus =
  | 'drafting' | 'running' | 'waiting' | 'forwarded' | 'approved' | 'sending' | 'working' | 'undelivered'
  | 'unconfirmed' | 'unknown' | 'done' | 'failed' | 'denied' | 'skipped' | 'expired' | 'cancelled' | 'interrupted';
export type ApprovalTexts = { readonly [KEY in keyof typeof ENGLISH | keyof typeof LOAD_TEXTS]: string };
export interface DecisionDetail {
  readonly approvalId: string; readonly toolCallId: string; readonly toolName: string; readonly approved: boolean;
  readonly reason?: string; readonly remember?: Remember; readonly input?: unknown;
  readonly result: 'accepted' | 'duplicate';
}
export interface DecisionErrorDetail { readonly approvalId: string; readonly error: unknown }
export type InputCheck = (input: unknown) => string | undefined;
export interface Question { readonly message?: string | undefined; readonly requestedSchema?: unknown }
export type QuestionAnswer =
  | {
      readonly action: 'accept';
      readonly content: Readonly<Record<string, string | number | boolean | readonly string[]>>;
    }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' };
export type QuestionTexts = ApprovalTexts & FormTexts;
export type RememberChoice = 'none' | 'chat' | 'always';
export declare class ToolApprovalElement extends GateElement implements CardHost {
  get announce(): 'all' | 'none';
  set announce(value: 'all' | 'none' | undefined | null);
  get approvalId(): string | undefined;
  set approvalId(id: string | undefined | null);
  get toolCallId(): string | undefined;
  set toolCallId(id: string | undefined | null);
  get messageId(): string | undefined;
  set messageId(id: string | undefined | null);
  get status(): ApprovalStatus | undefined;
}
export interface ToolApprovalProps extends ToolApprovalsProps {
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
export declare class ToolApprovalsElement extends GateElement {}
export interface ToolApprovalsProps {
  gate?: GateSource; texts?: Partial<ApprovalTexts> | undefined; validateInput?: InputCheck | undefined;
  remember?: RememberChoice | undefined; headingLevel?: number | undefined;
  theme?: 'light' | 'dark' | 'auto' | undefined;
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
  readonly status: ApprovalStatus | undefined;
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
export declare function loadToolApproval(): Promise<void>;
export declare function loadToolQuestion(): Promise<void>;
declare const ENGLISH: {
  readonly approve; readonly approveEdited; readonly deny; readonly reason; readonly reasonLabel; readonly edit;
  readonly editLabel; readonly discardEdit; readonly badJson; readonly notAnObject; readonly remember; readonly once;
  readonly chatInput; readonly chatTool; readonly alwaysInput; readonly alwaysTool; readonly expiresIn;
  readonly secondsLeft; readonly noInput; readonly emptyText; readonly removed; readonly added; readonly showAll;
  readonly showAllLines; readonly showAllEntries; readonly showLess; readonly previous; readonly next; readonly range;
  readonly retry; readonly changed; readonly answered; readonly closed; readonly refused; readonly arrived;
  readonly arrivedMany; readonly list; readonly drafting; readonly draftingNote; readonly running; readonly runningNote;
  readonly waiting; readonly waitingNote; readonly forwarded; readonly forwardedNote; readonly forwardedApproval;
  readonly forwardedDenial; readonly approved; readonly approvedNote; readonly leaving; readonly sending;
  readonly sendingNote; readonly working; readonly workingNote; readonly undelivered; readonly undeliveredNote;
  readonly unconfirmed; readonly unconfirmedNote; readonly unknown; readonly unknownNote; readonly done;
  readonly doneNote; readonly failed; readonly failedNote; readonly denied; readonly deniedNote; readonly skipped;
  readonly skippedNote; readonly expired; readonly expiredNote; readonly cancelled; readonly cancelledNote;
  readonly interrupted; readonly interruptedNote; readonly remembered; readonly reasonGiven; readonly mayHaveRun;
};
declare const LOAD_TEXTS: { readonly notLoaded; readonly loadAgain };
type FormTexts = { readonly [KEY in keyof typeof FORM_ENGLISH]: string };
declare abstract class GateElement extends Base implements Host {
  constructor();
  get gate(): ToolGate | undefined;
  set gate(source: GateSource);
  get texts(): Partial<ApprovalTexts> | undefined;
  set texts(texts: Partial<ApprovalTexts> | undefined | null);
  get validateInput(): InputCheck | undefined;
  set validateInput(check: InputCheck | undefined | null);
  get remember(): RememberChoice;
  set remember(choice: RememberChoice | undefined | null);
  get headingLevel(): number;
  set headingLevel(level: number | undefined | null);
  focus(options?: FocusOptions): void;
}
interface CardHost extends Host {
  get approvalId(): string | undefined;
  get toolCallId(): string | undefined;
  set toolCallId(id: string | undefined | null);
  get messageId(): string | undefined;
  get announce(): 'all' | 'none';
  set announce(value: 'all' | 'none' | undefined | null);
  get status(): ApprovalStatus | undefined;
}
declare const FORM_ENGLISH: {
  readonly send; readonly decline; readonly dismiss; readonly optional; readonly choose; readonly unset; readonly asks;
  readonly omitted; readonly noForm; readonly checkFields; readonly missing; readonly notChosen; readonly badEmail;
  readonly badUri; readonly badDate; readonly badNumber; readonly badInteger; readonly tooShort; readonly tooLong;
  readonly tooSmall; readonly tooLarge; readonly tooFew; readonly tooMany; readonly answeredLabel;
  readonly answeredLabelNote; readonly declinedLabel; readonly declinedLabelNote; readonly dismissedLabel;
  readonly dismissedLabelNote;
};
declare const Base: typeof HTMLElement;
interface Host extends HTMLElement {
  get gate(): ToolGate | undefined;
  set gate(source: GateSource);
  get texts(): Partial<ApprovalTexts> | undefined;
  set texts(texts: Partial<ApprovalTexts> | undefined | null);
  get validateInput(): InputCheck | undefined;
  set validateInput(check: InputCheck | undefined | null);
  get remember(): RememberChoice;
  set remember(choice: RememberChoice | undefined | null);
  get headingLevel(): number;
  set headingLevel(level: number | undefined | null);
}

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
export declare class Inbox {
  add(chat: NonNullable<GateSource>, about: InboxChat): () => void;
  setClosed(chats: readonly ClosedChat[]): void;
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

