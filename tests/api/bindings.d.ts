// ======== toolgate/react ========
export interface GateActions {
  readonly respond: <TARGET extends ApprovalTarget>(
    target: TARGET,
    decision: Decision<InputOfTarget<TARGET>>,
  ) => 'accepted' | 'duplicate';
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
export declare function ToolApproval<T extends AnyTools = AnyTools>(props: ToolApprovalProps<T>): ReactElement;
export interface ToolApprovalProps<T extends AnyTools = AnyTools> extends ApprovalProps<T>, CommonProps<T> {}
export declare function ToolApprovals<T extends AnyTools = AnyTools>(props: ToolApprovalsProps<T>): ReactElement;
export interface ToolApprovalsProps<T extends AnyTools = AnyTools> extends ApprovalsProps<T>, CommonProps<T> {}
export type UseGuardedChatHelpers<MESSAGE extends UIMessage = UIMessage> = Omit<SharedChat<MESSAGE>, 'lastMessage'> & {
  readonly setMessages: (messages: MESSAGE[] | ((messages: MESSAGE[]) => MESSAGE[])) => void;
  readonly chat: SharedChat<MESSAGE>;
};
export type UseGuardedChatOptions<MESSAGE extends UIMessage = UIMessage> = ChatInit<MESSAGE> &
  GuardOptions & {
    readonly throttle?: number | undefined; readonly experimental_throttle?: number | undefined;
    readonly resume?: boolean | undefined;
  };
export declare function useApproval<T extends AnyTools = AnyTools>(
  call: ShownCall,
  gate?: GateSourceOf<T>,
): PendingApproval<T> | undefined;
export declare function useApprovals<T extends AnyTools = AnyTools>(
  gate?: GateSourceOf<T>,
): readonly PendingApproval<T>[];
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
export { GateActions, SharedChat, ShownCall, UseGuardedChatOptions } from 'toolgate/react';
export type ReactiveChat<MESSAGE extends UIMessage = UIMessage> = SharedChat<MESSAGE> & {
  readonly chat: SharedChat<MESSAGE>;
};
export interface ReactiveGate<T extends AnyTools = AnyTools> extends GateActions {
  readonly gate: ToolGate | undefined; readonly view: GateView<T>; readonly status: GateStatus;
  readonly messages: GateMessage<T>[]; readonly pending: readonly PendingApproval<T>[];
  readonly undelivered: readonly Undelivered[]; readonly remembered: readonly RememberedDecision[];
  readonly part: (toolCallId: string) => ToolPart<T> | undefined;
  readonly approval: (call: ShownCall) => PendingApproval<T> | undefined;
}
declare module 'svelte/elements' {
  interface SvelteHTMLElements extends ToolApprovalTags<import('svelte/elements').HTMLAttributes<HTMLElement>> {}
}
export declare const ToolApproval: ApprovalComponent;
export interface ToolApprovalProps<T extends AnyTools = AnyTools> extends ApprovalProps<T>, ApprovalEvents<T> {}
export declare const ToolApprovals: ApprovalsComponent;
export interface ToolApprovalsProps<T extends AnyTools = AnyTools> extends ApprovalsProps<T>, ApprovalEvents<T> {}
export declare function provideGate(gate: GateSource | (() => GateSource)): void;
export declare function useGate<T extends AnyTools = AnyTools>(
  gate?: GateSourceOf<T> | (() => GateSourceOf<T>),
): ReactiveGate<T>;
export declare function useGuardedChat<MESSAGE extends UIMessage = UIMessage>(
  options?: UseGuardedChatOptions<MESSAGE> | (() => UseGuardedChatOptions<MESSAGE>),
): ReactiveChat<MESSAGE>;
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

// ======== toolgate/vue ========
export { GateActions, SharedChat, ShownCall, UseGuardedChatOptions } from 'toolgate/react';
export interface ApprovalEvents<T extends AnyTools = AnyTools> {
  readonly onDecision?: Listener<CustomEvent<DecisionDetail<T>>> | undefined;
  readonly onDecisionError?: ((event: CustomEvent<DecisionErrorDetail>) => void) | undefined;
}
export interface ApprovalProps<T extends AnyTools = AnyTools>
  extends ApprovalsProps<T>, Pick<ToolApprovalProps, 'approvalId' | 'toolCallId' | 'messageId' | 'announce'> {
  readonly part?: { readonly toolCallId: string } | undefined;
}
export interface ApprovalsProps<T extends AnyTools = AnyTools> extends Pick<
  ToolApprovalsProps,
  'texts' | 'validateInput' | 'remember' | 'headingLevel' | 'theme'
> { readonly gate?: GateSourceOf<T>; readonly chat?: GateSourceOf<T> }
export type GuardedChat<CHAT extends AiSdkChat> = {
  readonly id: ComputedRef<string>; readonly messages: WritableComputedRef<CHAT['messages']>;
  readonly status: ComputedRef<CHAT['status']>; readonly error: ComputedRef<Error | undefined>;
  readonly chat: ComputedRef<CHAT | undefined>;
} & Pick<CHAT, (typeof COMMON_METHODS)[number]>;
export declare const ToolApproval: <T extends AnyTools = AnyTools>(
  props: VNodeProps & AllowedComponentProps & ApprovalProps<T> & ApprovalEvents<T>,
) => VNode;
export declare const ToolApprovals: <T extends AnyTools = AnyTools>(
  props: VNodeProps & AllowedComponentProps & ApprovalsProps<T> & ApprovalEvents<T>,
) => VNode;
export declare function provideGate(gate: MaybeRefOrGetter<GateSource>): void;
export declare function useApproval<T extends AnyTools = AnyTools>(
  call: MaybeRefOrGetter<ShownCall>,
  gate?: MaybeRefOrGetter<GateSourceOf<T>>,
): Readonly<ShallowRef<PendingApproval<T> | undefined>>;
export declare function useApprovals<T extends AnyTools = AnyTools>(
  gate?: MaybeRefOrGetter<GateSourceOf<T>>,
): Readonly<ShallowRef<readonly PendingApproval<T>[]>>;
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
declare const COMMON_METHODS: readonly [
  'sendMessage', 'regenerate', 'stop', 'resumeStream', 'clearError', 'addToolApprovalResponse', 'addToolOutput',
];

// ======== toolgate/element ========
export type ApprovalStatus =
  | 'drafting' | 'running' | 'waiting' | 'forwarded' | 'approved' | 'sending' | 'working' | 'undelivered'
  | 'unconfirmed' | 'unknown' | 'done' | 'failed' | 'denied' | 'skipped' | 'expired' | 'cancelled' | 'interrupted';
export type ApprovalTexts = { readonly [KEY in keyof typeof ENGLISH | keyof typeof LOAD_TEXTS]: string };
export type DecisionDetail<T extends AnyTools = AnyTools> = DecisionOnTool<ToolNameOf<T>>;
export interface DecisionErrorDetail { readonly approvalId: string; readonly error: unknown }
export interface DecisionOnTool<NAME extends string> {
  readonly approvalId: string; readonly toolCallId: string; readonly toolName: NAME; readonly approved: boolean;
  readonly reason?: string; readonly remember?: Remember; readonly input?: unknown;
  readonly result: 'accepted' | 'duplicate';
}
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
  remember?: RememberChoice | undefined; headingLevel?: number | undefined;
  theme?: 'light' | 'dark' | 'auto' | undefined;
  ondecision?: ((event: CustomEvent<DecisionDetail>) => void) | undefined;
  'ondecision-error'?: ((event: CustomEvent<DecisionErrorDetail>) => void) | undefined;
}
export declare function defineToolApproval(): void;
export declare function loadToolApproval(): Promise<void>;
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
