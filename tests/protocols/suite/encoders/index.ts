/** The encoders of all protocols. */
import type { Encoder } from '../encoder.js';
import { a2a } from './a2a.js';
import { acp } from './acp.js';
import { agUi, tanstack } from './ag-ui.js';
import { aiSdk, aiSdkWs, cloudflare, pydanticAi } from './ai-sdk.js';
import { anthropic } from './anthropic.js';
import { claudeAgentSdk } from './claude-agent-sdk.js';
import { claudeManagedAgents } from './claude-managed-agents.js';
import { codex } from './codex.js';
import { gemini } from './gemini.js';
import { openaiAgents } from './openai-agents.js';
import { openaiChat } from './openai-chat.js';
import { openaiResponses } from './openai-responses.js';
import { opencode } from './opencode.js';
import { vscode } from './vscode.js';

export const encoders: readonly Encoder[] = [
  a2a,
  acp,
  anthropic,
  claudeAgentSdk,
  claudeManagedAgents,
  codex,
  gemini,
  openaiAgents,
  openaiChat,
  openaiResponses,
  opencode,
  tanstack,
  vscode,
];
