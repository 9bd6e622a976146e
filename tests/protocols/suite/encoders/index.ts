/** The encoders of all protocols. */
import type { Encoder } from '../encoder.js';
import { acp } from './acp.js';
import { anthropic } from './anthropic.js';
import { claudeAgentSdk } from './claude-agent-sdk.js';
import { claudeManagedAgents } from './claude-managed-agents.js';
import { codex } from './codex.js';
import { gemini } from './gemini.js';
import { openaiChat } from './openai-chat.js';
import { openaiResponses } from './openai-responses.js';
import { opencode } from './opencode.js';
import { vscode } from './vscode.js';

export const encoders: readonly Encoder[] = [
  acp,
  anthropic,
  claudeAgentSdk,
  claudeManagedAgents,
  codex,
  gemini,
  openaiChat,
  openaiResponses,
  opencode,
  vscode,
];
