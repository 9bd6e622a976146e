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
  'gate' | 'texts' | 'validateInput' | 'tools' | 'remember' | 'headingLevel' | 'theme'
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
export interface ApprovalDescriptor {
  readonly prompt?: string; readonly options: readonly ApprovalOption[]; readonly acceptsText: boolean;
  readonly requiresText: boolean; readonly isOfProtocol: boolean;
}
export interface ApprovalOption {
  readonly id: string; readonly kind: 'allow-once' | 'allow-always' | 'reject-once' | 'reject-always' | 'choice';
  readonly label: string; readonly description?: string; readonly grants?: readonly string[];
}
export type ApprovalStatus =
  | 'drafting' | 'running' | 'waiting' | 'forwarded' | 'approved' | 'sending' | 'working' | 'undelivered'
  | 'unconfirmed' | 'unknown' | 'done' | 'failed' | 'denied' | 'skipped' | 'expired' | 'cancelled' | 'interrupted';
export type ApprovalTexts = {
  readonly [KEY in keyof typeof ENGLISH | keyof typeof LOAD_TEXTS]: KEY extends CountedKey ? CountedText : string;
};
export type CountedText = string | ({ readonly [FORM in Intl.LDMLPluralRule]?: string } & { readonly other: string });
export interface DecisionDetail {
  readonly approvalId: string; readonly toolCallId: string; readonly toolName: string; readonly approved: boolean;
  readonly reason?: string; readonly remember?: Remember; readonly input?: unknown;
  readonly result: 'accepted' | 'duplicate';
}
export interface DecisionErrorDetail { readonly approvalId: string; readonly error: unknown }
export type InputCheck = (input: unknown) => string | undefined;
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
}
export declare class ToolApprovalsElement extends GateElement {}
export interface ToolApprovalsProps {
  gate?: GateSource; texts?: Partial<ApprovalTexts> | undefined; validateInput?: InputCheck | undefined;
  tools?: ToolCards | undefined; remember?: RememberChoice | undefined; headingLevel?: number | undefined;
  theme?: 'light' | 'dark' | 'auto' | undefined;
  ondecision?: ((event: CustomEvent<DecisionDetail>) => void) | undefined;
  'ondecision-error'?: ((event: CustomEvent<DecisionErrorDetail>) => void) | undefined;
}
export interface ToolCard<INPUT = unknown> {
  readonly summary?: OfInput<INPUT, string | undefined> | undefined;
  readonly isDangerous?: boolean | OfInput<INPUT, boolean> | undefined;
}
export type ToolCards<TOOLS = Readonly<Record<string, { readonly input: unknown }>>> = {
  readonly [NAME in keyof TOOLS]?: ToolCard<TOOLS[NAME] extends { readonly input: infer INPUT } ? INPUT : unknown>;
};
export declare function defineToolApproval(): void;
export declare function descriptorOf(approval: ApprovalEnvelope | undefined): ApprovalDescriptor;
export declare function loadToolApproval(): Promise<void>;
declare const ENGLISH: {
  readonly language; readonly approve; readonly approveEdited; readonly deny; readonly reason; readonly reasonLabel;
  readonly edit; readonly editLabel; readonly discardEdit; readonly badJson; readonly notAnObject; readonly remember;
  readonly once; readonly chatInput; readonly chatTool; readonly alwaysInput; readonly alwaysTool; readonly expiresIn;
  readonly secondsLeft; readonly noInput; readonly emptyText; readonly removed; readonly added; readonly showAll;
  readonly showAllLines; readonly showAllEntries; readonly showLess; readonly previous; readonly next; readonly range;
  readonly retry; readonly changed; readonly answered; readonly closed; readonly refused; readonly arrived;
  readonly arrivedMany; readonly list; readonly all; readonly approveAll; readonly denyAll; readonly confirmAll;
  readonly confirmAllNow; readonly back; readonly approvedAll; readonly deniedAll; readonly notAll; readonly moreTools;
  readonly choice; readonly choiceMissing; readonly answer; readonly answerMissing; readonly rule; readonly askedBy;
  readonly drafting; readonly draftingNote; readonly running; readonly runningNote; readonly waiting;
  readonly waitingNote; readonly forwarded; readonly forwardedNote; readonly forwardedApproval;
  readonly forwardedDenial; readonly approved; readonly approvedNote; readonly leaving; readonly sending;
  readonly sendingNote; readonly working; readonly workingNote; readonly undelivered; readonly undeliveredNote;
  readonly unconfirmed; readonly unconfirmedNote; readonly unknown; readonly unknownNote; readonly done;
  readonly doneNote; readonly failed; readonly failedNote; readonly denied; readonly deniedNote; readonly skipped;
  readonly skippedNote; readonly expired; readonly expiredNote; readonly cancelled; readonly cancelledNote;
  readonly interrupted; readonly interruptedNote; readonly remembered; readonly byYou; readonly byPolicy;
  readonly byServer; readonly byOtherTab; readonly elsewhere; readonly reasonGiven; readonly mayHaveRun;
};
declare const LOAD_TEXTS: { readonly notLoaded; readonly loadAgain };
type CountedKey =
  | 'secondsLeft' | 'showAll' | 'showAllLines' | 'showAllEntries' | 'arrivedMany' | 'approveAll' | 'denyAll'
  | 'confirmAll' | 'confirmAllNow' | 'approvedAll' | 'deniedAll' | 'notAll' | 'moreTools';
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
type OfInput<INPUT, RESULT> = { of(input: INPUT): RESULT }['of'];
declare const Base: typeof HTMLElement;
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

// ======== toolgate/element/texts/zh ========
export declare const zh: ApprovalTexts;
