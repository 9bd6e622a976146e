/**
 * The backend with which each protocol was tested, for the docs' table: a real server or runner, started by the test
 * command; the vendor's own client, against a server of ours; or the published types alone.
 */
import { type ProtocolName } from '../protocols/all.js';

/** The kind of test, and the tested packages. */
export interface Verified {
  readonly by: 'server' | 'client' | 'types' | 'shapes';
  readonly why: string;
}

/** By protocol. */
export const verified: Readonly<Record<ProtocolName, Verified>> = {
  'ai-sdk': { by: 'server', why: '`streamText` of `ai` 7 and 6' },
  'ai-sdk-ws': { by: 'server', why: '`streamText` of `ai` 7 and a delegate with a WebSocket' },
  effect: { by: 'server', why: '`LanguageModel` of `effect` 4' },
  anthropic: {
    by: 'client',
    why: '`@anthropic-ai/sdk` and its types, with a scripted server in place of the cloud service',
  },
  'openai-chat': { by: 'client', why: '`openai` and its types, with a scripted server in place of the cloud service' },
  'openai-responses': {
    by: 'client',
    why: '`openai` and its types, with a scripted server in place of the cloud service',
  },
  genkit: { by: 'server', why: '`genkit`, a flow around `generateStream`' },
  gemini: { by: 'client', why: '`@google/genai` and its types, with a scripted server in place of the cloud service' },
  adk: { by: 'server', why: "`google-adk`'s API server" },
  vscode: { by: 'types', why: '`@types/vscode`; the API exists in the editor only' },
  'ag-ui': {
    by: 'server',
    why: 'an agent on `@ag-ui/*`, and the servers of Microsoft Agent Framework, AWS Strands, Agno, LangGraph and ADK',
  },
  tanstack: { by: 'server', why: '`chat()` of `@tanstack/ai`' },
  acp: { by: 'server', why: 'an agent on `@agentclientprotocol/sdk`, versions 1 and 2' },
  langgraph: { by: 'server', why: '`@langchain/langgraph` with the middleware of `langchain`, and both in Python' },
  'openai-agents': { by: 'server', why: '`@openai/agents`' },
  'pydantic-ai': { by: 'server', why: '`pydantic-ai`, both of its adapters' },
  a2a: { by: 'server', why: 'the server of `@a2a-js/sdk`, with a scripted agent that asks as this page documents' },
  mastra: { by: 'server', why: '`@mastra/core`, an agent with its memory' },
  cloudflare: { by: 'server', why: '`AIChatAgent` of `@cloudflare/ai-chat` in workerd' },
  opencode: { by: 'server', why: 'the server of `opencode-ai`' },
  'claude-managed-agents': {
    by: 'client',
    why: '`@anthropic-ai/sdk` and its types, with a scripted server in place of the cloud service',
  },
  'claude-agent-sdk': {
    by: 'server',
    why: '`query` of `@anthropic-ai/claude-agent-sdk` 0.3.330; its messages are recorded, and the tests replay them',
  },
  codex: {
    by: 'server',
    why: 'the app server of `@openai/codex` 0.169.0; its messages are recorded, and the tests replay them',
  },
};
