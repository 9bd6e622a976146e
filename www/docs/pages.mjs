/**
 * The pages of the documentation in the order of the sidebar: the file in docs/ and its label. The API reference and
 * the changelog follow. The build fails for a page of docs/ that is not listed here.
 */

/** One page for each protocol, by its name. */
export const BACKENDS = [
  ['backends/ai-sdk', 'AI SDK'],
  ['backends/ai-sdk-ws', 'AI SDK over a WebSocket'],
  ['backends/effect', 'Effect'],
  ['backends/tanstack', 'TanStack AI'],
  ['backends/ag-ui', 'AG-UI'],
  ['backends/openai-agents', 'OpenAI Agents SDK'],
  ['backends/pydantic-ai', 'Pydantic AI'],
  ['backends/genkit', 'Genkit'],
  ['backends/adk', 'Google ADK'],
  ['backends/mastra', 'Mastra'],
  ['backends/langgraph', 'LangChain and LangGraph'],
  ['backends/claude-managed-agents', 'Claude Managed Agents'],
  ['backends/claude-agent-sdk', 'Claude Agent SDK'],
  ['backends/codex', 'Codex'],
  ['backends/a2a', 'A2A'],
  ['backends/opencode', 'opencode'],
  ['backends/cloudflare', 'Cloudflare Agents'],
  ['backends/acp', 'Agent Client Protocol'],
  ['backends/anthropic', 'Anthropic API'],
  ['backends/openai-chat', 'OpenAI Chat Completions'],
  ['backends/openai-responses', 'OpenAI Responses'],
  ['backends/gemini', 'Gemini API'],
  ['backends/vscode', 'VS Code'],
];

export const GROUPS = [
  {
    title: 'Start',
    pages: [
      ['index', 'Overview'],
      ['when-not', 'When you do not need it'],
      ['start-react', 'React'],
      ['start-svelte', 'Svelte'],
      ['start-vue', 'Vue'],
      ['start-plain', 'Without a framework'],
      ['nextjs', 'Next.js'],
      ['assistant-ui', 'assistant-ui'],
      ['migration', 'From plain useChat'],
      ['from-usestream', 'From useStream'],
    ],
  },
  {
    title: 'Guide',
    pages: [
      ['policies', 'Policies'],
      ['persistence', 'Persistence and tabs'],
      ['logging-out', 'Logging out'],
      ['security', 'Security'],
      ['csp', 'Content Security Policy'],
      ['servers', 'On the server'],
      ['server-frameworks', 'Hono, Express, Fastify'],
      ['testing', 'Testing your app'],
      ['backends', 'Backends'],
      ['writing-a-protocol', 'Writing a protocol'],
      ['rust', 'Rust'],
    ],
  },
  {
    title: 'Parts',
    pages: [
      ['element', 'The approval card'],
      ['your-own-design', 'In your own design'],
      ['accessibility', 'Accessibility'],
      ['questions', 'Questions to the user'],
      ['rules', 'Rules'],
      ['inbox', 'An inbox'],
      ['evidence', 'Evidence of a decision'],
      ['inspector', 'The inspector'],
      ['bindings', 'Bindings'],
      ['typed-tools', 'Typed tools'],
      ['bundlers', 'Bundlers and runtimes'],
    ],
  },
  {
    title: 'Reference',
    pages: [
      ['faq', 'FAQ'],
      ['errors', 'Errors'],
      ['messages', 'Messages'],
      ['how-it-works', 'How it works'],
      ['bugs', 'What goes wrong without it'],
      ['conformance', 'Conformance'],
      ['ai-sdk-differences', 'Differences from the AI SDK'],
      ['benchmarks', 'Benchmarks'],
    ],
  },
  { title: 'Each backend', pages: BACKENDS },
];

/** The names of all listed pages, in order. */
export const PAGES = GROUPS.flatMap(({ pages }) => pages.map(([name]) => name));
