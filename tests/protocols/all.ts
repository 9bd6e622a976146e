/** All protocols of the package by name, for tests that run with each of them. */
import type { Capabilities, Protocol } from 'toolgate';
import { a2a } from 'toolgate/protocols/a2a';
import { acp } from 'toolgate/protocols/acp';
import { adk } from 'toolgate/protocols/adk';
import { agUi } from 'toolgate/protocols/ag-ui';
import { aiSdkWs } from 'toolgate/protocols/ai-sdk-ws';
import { anthropic } from 'toolgate/protocols/anthropic';
import { claudeAgentSdk } from 'toolgate/protocols/claude-agent-sdk';
import { claudeManagedAgents } from 'toolgate/protocols/claude-managed-agents';
import { cloudflare } from 'toolgate/protocols/cloudflare';
import { codex } from 'toolgate/protocols/codex';
import { effect } from 'toolgate/protocols/effect';
import { gemini } from 'toolgate/protocols/gemini';
import { genkit } from 'toolgate/protocols/genkit';
import { langgraph } from 'toolgate/protocols/langgraph';
import { mastra } from 'toolgate/protocols/mastra';
import { openaiAgents } from 'toolgate/protocols/openai-agents';
import { openaiChat } from 'toolgate/protocols/openai-chat';
import { openaiResponses } from 'toolgate/protocols/openai-responses';
import { opencode } from 'toolgate/protocols/opencode';
import { pydanticAi } from 'toolgate/protocols/pydantic-ai';
import { tanstack } from 'toolgate/protocols/tanstack';
import { vscode } from 'toolgate/protocols/vscode';
import { AI_SDK } from '../../src/ts/protocols/shared/protocol-value.js';

const PROTOCOLS = {
  'ai-sdk-ws': aiSdkWs,
  effect,
  anthropic,
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  genkit,
  gemini,
  adk,
  vscode,
  'ag-ui': agUi,
  tanstack,
  acp,
  langgraph,
  'openai-agents': openaiAgents,
  'pydantic-ai': pydanticAi,
  mastra,
  cloudflare,
  opencode,
  'claude-managed-agents': claudeManagedAgents,
  'claude-agent-sdk': claudeAgentSdk,
  codex,
  a2a,
} satisfies Record<string, Protocol>;

/** The name of a protocol. */
export type ProtocolName = 'ai-sdk' | keyof typeof PROTOCOLS;

/** The names of all protocols. */
export const PROTOCOL_NAMES = ['ai-sdk', ...Object.keys(PROTOCOLS)] as readonly ProtocolName[];

/** Returns the protocol with a name. */
export function named(name: ProtocolName): 'ai-sdk' | Protocol {
  return name === 'ai-sdk' ? name : PROTOCOLS[name];
}

/** Returns the capabilities of a protocol. */
export function capabilitiesOf(name: ProtocolName): Capabilities {
  return (name === 'ai-sdk' ? AI_SDK : PROTOCOLS[name]).capabilities;
}
