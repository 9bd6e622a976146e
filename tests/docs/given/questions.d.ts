/** Declarations for the code blocks of docs/questions.md: a guarded chat. */
declare const chat: import('@ai-sdk/react').Chat<import('ai').UIMessage>;
