/** The blocks of the documentation that page-files.ts inserts. */
declare module 'docs:inbox/src/notify.ts' {
  export function notify(
    inbox: import('toolgate/inbox').Inbox,
    open: (entry: import('toolgate/inbox').InboxEntry) => void,
  ): () => void;
}
declare module 'docs:errors/src/ChatError.tsx' {
  export function ChatError(props: {
    chat: { sendMessage(): Promise<void> };
    error: (Error & { code?: string }) | undefined;
  }): import('react').ReactElement | null;
}
