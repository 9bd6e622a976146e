/** The blocks of the documentation that page-files.ts inserts. */
declare module 'docs:inbox/src/notify.ts' {
  export function notify(
    inbox: import('toolgate/inbox').Inbox,
    open: (entry: import('toolgate/inbox').InboxEntry) => void,
  ): () => void;
}
declare module 'docs:errors/src/ChatError.tsx' {
  export function ChatError(props: {
    chat: import('toolgate/react').SharedChat;
    error: (Error & { code?: string }) | undefined;
  }): import('react').ReactElement | null;
}
declare module 'docs:persistence/src/use-persisted.ts' {
  export function usePersisted(chat: import('toolgate/react').SharedChat): void;
}
