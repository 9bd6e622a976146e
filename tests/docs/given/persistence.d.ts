/**
 * Declarations for the code blocks of docs/persistence.md: a gate, its delivery, a guarded chat, and the values that
 * earlier blocks create; for the server, the reader's model, tools and login, and the database of docs/security.md.
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
declare const model: import('ai').LanguageModel;
declare const tools: import('ai').ToolSet;
declare const userOf: (request: Request) => Promise<string | undefined>;
declare const database: import('node:sqlite').DatabaseSync;
declare const store: import('toolgate/server').RecordStore;
