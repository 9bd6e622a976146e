/** Declarations for the code blocks of docs/logging-out.md: a persisted gate, and a storage on a server. */
declare const gate: import('toolgate').ToolGate;
declare const persisted: import('toolgate/persist').PersistedChat;
declare const chatId: string;
declare const serverStorage: (url: string) => import('toolgate/persist').PersistStorage;
