/** The protocols of the panel. Each is loaded as a separate file when the user selects it. */
import { AI_SDK } from '../protocols/shared/protocol-value.js';
import type { Protocol } from '../types/index.js';

/** All protocols by name, in the order of the list. The AI SDK's protocol is built in. */
export const PROTOCOLS: Readonly<Record<string, () => Promise<Protocol>>> = {
  'ai-sdk': async () => AI_SDK,
  'ai-sdk-ws': async () => (await import('../protocols/ai-sdk-ws.js')).aiSdkWs,
  effect: async () => (await import('../protocols/effect.js')).effect,
  anthropic: async () => (await import('../protocols/anthropic.js')).anthropic,
  'openai-chat': async () => (await import('../protocols/openai-chat.js')).openaiChat,
  'openai-responses': async () => (await import('../protocols/openai-responses.js')).openaiResponses,
  genkit: async () => (await import('../protocols/genkit.js')).genkit,
  gemini: async () => (await import('../protocols/gemini.js')).gemini,
  adk: async () => (await import('../protocols/adk.js')).adk,
  vscode: async () => (await import('../protocols/vscode.js')).vscode,
  'ag-ui': async () => (await import('../protocols/ag-ui.js')).agUi,
  tanstack: async () => (await import('../protocols/tanstack.js')).tanstack,
  acp: async () => (await import('../protocols/acp.js')).acp,
  langgraph: async () => (await import('../protocols/langgraph.js')).langgraph,
  'openai-agents': async () => (await import('../protocols/openai-agents.js')).openaiAgents,
  'pydantic-ai': async () => (await import('../protocols/pydantic-ai.js')).pydanticAi,
  mastra: async () => (await import('../protocols/mastra.js')).mastra,
  cloudflare: async () => (await import('../protocols/cloudflare.js')).cloudflare,
  opencode: async () => (await import('../protocols/opencode.js')).opencode,
  'claude-managed-agents': async () => (await import('../protocols/claude-managed-agents.js')).claudeManagedAgents,
  'claude-agent-sdk': async () => (await import('../protocols/claude-agent-sdk.js')).claudeAgentSdk,
  codex: async () => (await import('../protocols/codex.js')).codex,
  a2a: async () => (await import('../protocols/a2a.js')).a2a,
};
