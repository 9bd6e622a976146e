/** Declarations for the code blocks of docs/element.md: a guarded chat, and the types that an earlier block imports. */
declare const chat: import('@ai-sdk/react').Chat<import('ai').UIMessage>;
type ToolApprovalTags<COMMON> = import('toolgate/element').ToolApprovalTags<COMMON>;
