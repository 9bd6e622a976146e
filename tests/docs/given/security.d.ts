/** What the blocks of docs/security.md take for granted: "`model` and `tools` are yours". */
declare const model: import('ai').LanguageModel;
declare const tools: import('ai').ToolSet;
