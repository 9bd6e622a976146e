/** Declarations for the code blocks of docs/servers.md: the app's own messages, tools, record, gate and connection. */
declare const messages: import('ai').UIMessage[];
declare const model: import('ai').LanguageModel;
declare const tools: import('ai').ToolSet;
declare const record: import('toolgate/server').ApprovalRecord;
declare const gate: import('toolgate').ToolGate;
declare const socket: import('ws').WebSocket;
declare const toolCallId: string;
declare const openPicker: (input: unknown, signal: AbortSignal) => Promise<string>;
declare const user: string;
declare const chatId: string;
declare const idempotencyKey: string;
declare const key: string;
declare const store: import('toolgate/server').RecordStore;
declare const answer: (
  messages: import('ai').UIMessage[],
  record?: import('toolgate/server').ApprovalRecord,
) => Promise<Response>;
