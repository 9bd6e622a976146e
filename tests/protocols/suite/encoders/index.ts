/** The encoders of all protocols. */
import type { Encoder } from '../encoder.js';
import { a2a } from './a2a.js';
import { acp } from './acp.js';
import { adk } from './adk.js';
import { agUi, tanstack } from './ag-ui.js';
import { aiSdk, aiSdkWs, cloudflare, pydanticAi } from './ai-sdk.js';
import { anthropic } from './anthropic.js';
import { claudeAgentSdk } from './claude-agent-sdk.js';
import { claudeManagedAgents } from './claude-managed-agents.js';
import { codex } from './codex.js';
import { effect } from './effect.js';
import { gemini } from './gemini.js';
import { genkit } from './genkit.js';
import { langgraph } from './langgraph.js';
import { mastra } from './mastra.js';
import { openaiAgents } from './openai-agents.js';
import { openaiChat } from './openai-chat.js';
import { openaiResponses } from './openai-responses.js';
import { opencode } from './opencode.js';
import { vscode } from './vscode.js';

export const encoders: readonly Encoder[] = [
  a2a,
  acp,
  adk,
  agUi,
  aiSdk,
  aiSdkWs,
  anthropic,
  claudeAgentSdk,
  claudeManagedAgents,
  cloudflare,
  codex,
  effect,
  gemini,
  genkit,
  langgraph,
  mastra,
  openaiAgents,
  openaiChat,
  openaiResponses,
  opencode,
  pydanticAi,
  tanstack,
  vscode,
];
