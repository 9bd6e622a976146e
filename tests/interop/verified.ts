/**
 * What the code of each page in docs/backends/ runs against (pages/), for a line of the page: a real server or runner,
 * started by the test command; the vendor's own client, with a server of ours; or what the published types describe.
 */
import { type ProtocolName } from '../protocols/all.js';

/** The kind of test. */
export interface Verified {
  readonly by: 'server' | 'client' | 'types';
  /** The other side of the test. */
  readonly against: string;
  /** The packages whose versions the page names. */
  readonly packages: readonly string[];
}

const CLOUD = 'a scripted server in place of the cloud service';

/** By protocol. */
export const verified: Readonly<Record<ProtocolName, Verified>> = {
  'ai-sdk': { by: 'server', against: 'servers with `streamText`', packages: ['ai', 'ai6'] },
  'ai-sdk-ws': { by: 'server', against: 'a server with `streamText` and a `ToolDelegate`', packages: ['ai'] },
  effect: { by: 'server', against: 'a server with `LanguageModel`', packages: ['effect'] },
  anthropic: { by: 'client', against: CLOUD, packages: ['@anthropic-ai/sdk'] },
  'openai-chat': { by: 'client', against: CLOUD, packages: ['openai'] },
  'openai-responses': { by: 'client', against: CLOUD, packages: ['openai'] },
  genkit: { by: 'server', against: 'a flow around `generateStream`', packages: ['genkit'] },
  gemini: { by: 'client', against: CLOUD, packages: ['@google/genai'] },
  adk: { by: 'server', against: "ADK's API server", packages: ['google-adk'] },
  vscode: { by: 'types', against: 'a stand-in for the editor', packages: ['@types/vscode'] },
  'ag-ui': {
    by: 'server',
    against: "an agent on AG-UI's packages, and Pydantic AI's",
    packages: ['@ag-ui/client', 'pydantic-ai-slim'],
  },
  tanstack: { by: 'server', against: 'a server with `chat()`', packages: ['@tanstack/ai'] },
  acp: { by: 'server', against: "an agent on the protocol's SDK", packages: ['@agentclientprotocol/sdk'] },
  langgraph: {
    by: 'server',
    against: "agents in JavaScript and Python, behind a server in the format of LangGraph's",
    packages: ['@langchain/langgraph-sdk', '@langchain/langgraph', 'langchain', 'langgraph'],
  },
  'openai-agents': {
    by: 'server',
    against: 'the server below, and one with the SDK in Python',
    packages: ['@openai/agents', 'openai-agents'],
  },
  'pydantic-ai': { by: 'server', against: 'the adapter', packages: ['pydantic-ai-slim'] },
  a2a: { by: 'server', against: "the server of A2A's SDK, with a scripted agent", packages: ['@a2a-js/sdk'] },
  mastra: { by: 'server', against: 'an agent with its memory', packages: ['@mastra/core'] },
  cloudflare: { by: 'server', against: 'an `AIChatAgent` in workerd', packages: ['@cloudflare/ai-chat', 'agents'] },
  opencode: { by: 'server', against: "opencode's server", packages: ['opencode-ai'] },
  'claude-managed-agents': { by: 'client', against: CLOUD, packages: ['@anthropic-ai/sdk'] },
  'claude-agent-sdk': {
    by: 'server',
    against: 'the server below, which gets the recorded messages of a session',
    packages: ['@anthropic-ai/claude-agent-sdk'],
  },
  codex: {
    by: 'server',
    against: 'the server below, which gets the recorded messages of a thread',
    packages: ['@openai/codex'],
  },
};
