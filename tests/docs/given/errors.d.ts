/**
 * Declarations for the code blocks of docs/errors.md: a gate, a decision, functions of the app's UI, and its model.
 */
declare const gate: import('toolgate').ToolGate;
declare const approvalId: string;
declare const inputDigest: string;
declare const showAgain: (toolCallId: string | undefined) => void;
declare const notice: (message: string) => void;
declare const model: Parameters<typeof import('ai').wrapLanguageModel>[0]['model'];
