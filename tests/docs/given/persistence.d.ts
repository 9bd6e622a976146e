/** What the blocks of docs/persistence.md take for granted: a gate, its delivery, and what an earlier block made. */
declare const gate: import('toolgate').ToolGate;
declare const send: (item: import('toolgate').Outgoing) => Promise<void>;
declare const kept: import('toolgate/keeper').Kept;
declare const chatId: string;
/** The request that is on its way. */
declare const request: AbortController | undefined;
