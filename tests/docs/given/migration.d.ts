/** Declarations for the code blocks of docs/migration.md: the chat of the block before. */
declare const chat: import('@ai-sdk/react').Chat<import('ai').UIMessage>;
