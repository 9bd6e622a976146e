/**
 * Declarations for the code blocks of docs/security.md: the names that the text describes as the reader's own (`model`,
 * `tools`, `userOf`), and those of the reader's page.
 */
declare const model: import('ai').LanguageModel;
declare const tools: import('ai').ToolSet;
declare const userOf: (request: Request | import('node:http').IncomingMessage) => Promise<string | undefined>;
declare const removeFile: (path: string) => Promise<string>;
declare const secret: string;
declare const store: import('toolgate/server').RecordStore;
declare const gate: import('toolgate').ToolGate;
declare const openPicker: (palette: readonly string[], signal: AbortSignal) => Promise<string>;
declare const offerRetry: (retry: () => void) => void;
