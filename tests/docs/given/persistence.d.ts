/**
 * Declarations for the code blocks of docs/persistence.md: a gate, its delivery, a guarded chat, and the values that
 * earlier blocks create.
 */
declare const gate: import('toolgate').ToolGate;
declare const chat: import('@ai-sdk/react').Chat<import('ai').UIMessage>;
declare const send: (item: import('toolgate').Outgoing) => Promise<void>;
declare const persisted: import('toolgate/persist').PersistedChat;
declare const chatId: string;
/** The request in flight. */
declare const request: AbortController | undefined;
/** A button of the page. */
declare const button: HTMLButtonElement;
