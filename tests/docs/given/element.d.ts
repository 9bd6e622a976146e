/** What the blocks of docs/element.md take for granted: a gate, and the types that an earlier block imports. */
declare const gate: import('toolgate').ToolGate;
type ToolApprovalTags<COMMON> = import('toolgate/element').ToolApprovalTags<COMMON>;
