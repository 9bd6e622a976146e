/** Declarations for the code blocks of docs/policies.md: a gate, a chat, and the data that the app has stored. */
declare const gate: import('toolgate').ToolGate;
declare const chat: import('@ai-sdk/react').Chat<import('ai').UIMessage>;
declare const snapshot: import('toolgate').SavedGate;
