/**
 * What the blocks of docs/errors.md take for granted: a gate, an answer to it, the app's own ways to show things, and
 * its model.
 */
declare const gate: import('toolgate').ToolGate;
declare const approvalId: string;
declare const inputDigest: string;
declare const showAgain: (toolCallId: string | undefined) => void;
declare const notice: (message: string) => void;
declare const model: Parameters<typeof import('ai').wrapLanguageModel>[0]['model'];
