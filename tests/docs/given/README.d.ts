/** What the blocks of README.md take for granted: what earlier blocks import, and the app's own. */
declare const { init, ToolGate, runClock }: typeof import('toolgate');
declare const { registerTools, ToolDelegate }: typeof import('toolgate/resolve');
declare const { convertToModelMessages, streamText }: typeof import('ai');

declare const gate: import('toolgate').ToolGate;
/** "readEvents stands for your reader of the event stream". */
declare const readEvents: (response: Response) => AsyncIterable<unknown>;
declare const sessionId: string;

declare const messages: import('ai').UIMessage[];
declare const model: import('ai').LanguageModel;
declare const tools: import('ai').ToolSet;
declare const record: import('toolgate/resolve').ApprovalRecord;

declare const socket: import('ws').WebSocket;
declare const toolCallId: string;
declare const openPicker: (input: unknown, signal: AbortSignal) => Promise<string>;
