/** Declarations for the code blocks of docs/inbox.md: a guarded chat, and the inbox of the first block. */
declare const chat: import('@ai-sdk/react').Chat<import('ai').UIMessage>;
declare const inbox: import('toolgate/inbox').Inbox;
