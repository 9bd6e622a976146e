/** The block of docs/inbox.md that page-files.ts inserts. */
declare module 'docs:inbox/src/notify.ts' {
  export function notify(
    inbox: import('toolgate/inbox').Inbox,
    open: (entry: import('toolgate/inbox').InboxEntry) => void,
  ): () => void;
}
