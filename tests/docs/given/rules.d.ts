/** Declarations for the code blocks of docs/rules.md: a guarded chat, an account, and what the first block makes. */
declare const chat: import('@ai-sdk/react').Chat<import('ai').UIMessage>;
declare const account: { readonly id: string };
declare const edits: import('toolgate/rules').ApprovalRule;
declare const rules: import('toolgate/rules').AppliedRules;
