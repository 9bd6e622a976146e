/** What the block of docs/errors.md takes for granted: a gate, an answer to it, and the app's own ways to show things. */
declare const gate: import('toolgate').ToolGate;
declare const approvalId: string;
declare const inputDigest: string;
declare const showAgain: (toolCallId: string | undefined) => void;
declare const notice: (message: string) => void;
