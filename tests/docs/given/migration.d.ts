/** Declarations for the code blocks of docs/migration.md: the chat that the previous block creates. */
declare const chat: import('@ai-sdk/react').Chat<import('ai').UIMessage>;
