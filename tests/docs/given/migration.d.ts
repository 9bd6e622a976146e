/** What the blocks of docs/migration.md take for granted: the chat of the block before. */
declare const chat: import('@ai-sdk/react').Chat<import('ai').UIMessage>;
