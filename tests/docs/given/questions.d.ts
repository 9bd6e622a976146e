/** Declarations for the code blocks of docs/questions.md: a guarded chat, and the gate and the form of questions. */
declare const chat: import('@ai-sdk/react').Chat<import('ai').UIMessage>;
declare const questions: import('toolgate').ToolGate;
declare const question: import('toolgate/element').ToolQuestionElement;
