/** The types of `useGuardedChat` of all bindings, made from those of the app's version of `ai`. */
/** @ts-ignore An app that does not use `useGuardedChat` need not install `ai`. */
import type { AbstractChat, ChatInit, UIMessage } from 'ai';
import type { GuardOptions } from '../ai-sdk/guard-options.js';

export type { UIMessage };

/**
 * The options of `useGuardedChat`: those of the AI SDK's `useChat`, and `gate` and `idempotencyHeader` of `guard`.
 *
 * The options of the last render count: the chat reads its transport, its callbacks, `generateId`, the schemas and the
 * functions in `gate` when it needs them. It reads `messages`, the other options in `gate` and `idempotencyHeader` only
 * when it is created. If several components have the same `id`, each option is that of the component that rendered
 * last and passes it.
 */
export type UseGuardedChatOptions<MESSAGE extends UIMessage = UIMessage> = ChatInit<MESSAGE> &
  GuardOptions & {
    /** Renders new messages of a reply at most once in this many ms. Default: at every change. */
    readonly throttle?: number | undefined;
    /** @deprecated Use `throttle`. */
    readonly experimental_throttle?: number | undefined;
    /** Reconnects to a running reply when the component is mounted, and after the page was in the background. */
    readonly resume?: boolean | undefined;
    /**
     * Stores the chat: `persist: (chat) => persist(chat, { name: chat.id })`, with `persist` of `toolgate/persist`.
     * Called once, when the chat has its gate; nothing is sent before the promise has resolved. When the chat is
     * disposed, `close()` of the result is called. Errors are passed to `onError`, and the chat works without being
     * stored. If several components have the same `id`, one of them needs the option.
     */
    readonly persist?: ((chat: SharedChat<MESSAGE>) => PromiseLike<{ close(): void }>) | undefined;
  };

/** The members of a chat that exist in the app's version of `ai`. */
type Members<NAME extends string> = Extract<keyof AbstractChat<UIMessage>, NAME>;

/**
 * The chat of `useGuardedChat`: the same object for all components with its `id`. It has the public members of the AI
 * SDK's `Chat`, and takes the place of a guarded chat everywhere: in the hooks, in `<ToolApprovals>`, in `gateOf`,
 * `whenReady` and `persist`. It is not reactive itself.
 */
export type SharedChat<MESSAGE extends UIMessage = UIMessage> = Pick<
  AbstractChat<MESSAGE>,
  Members<
    | 'id'
    | 'messages'
    | 'lastMessage'
    | 'status'
    | 'error'
    | 'sendMessage'
    | 'regenerate'
    | 'stop'
    | 'resumeStream'
    | 'clearError'
    | 'addToolResult'
    | 'addToolOutput'
    | 'addToolApprovalResponse'
    | 'experimental_queuedMessages'
    | 'experimental_removeQueuedMessage'
    | 'experimental_sendQueuedMessageNow'
  >
>;
