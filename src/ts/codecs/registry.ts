/**
 * Every codec by its protocol's name, loaded when it is wanted: a page downloads those it names, and not the others. The AI
 * SDK's form has none: it is the neutral form, and the core's own.
 */
import { ToolGateError } from '../errors.js';
import type { Protocol } from '../types.js';
import type { Codec } from './codec.js';
import type { Translator } from './translator.js';

const SOURCES: { readonly [P in Exclude<Protocol, 'ai-sdk'>]: () => Promise<Codec> } = {
  'ai-sdk-ws': async () => (await import('./ai-sdk-ws.js')).aiSdkWs,
  effect: async () => (await import('./effect.js')).effect,
  anthropic: async () => (await import('./anthropic.js')).anthropic,
  'openai-chat': async () => (await import('./openai-chat.js')).openaiChat,
  'openai-responses': async () => (await import('./openai-responses.js')).openaiResponses,
  genkit: async () => (await import('./genkit.js')).genkit,
  gemini: async () => (await import('./gemini.js')).gemini,
  adk: async () => (await import('./adk.js')).adk,
  vscode: async () => (await import('./vscode.js')).vscode,
  'ag-ui': async () => (await import('./ag-ui.js')).agUi,
  tanstack: async () => (await import('./tanstack.js')).tanstack,
  acp: async () => (await import('./acp.js')).acp,
  langgraph: async () => (await import('./langgraph.js')).langgraph,
  'openai-agents': async () => (await import('./openai-agents.js')).openaiAgents,
  'pydantic-ai': async () => (await import('./pydantic-ai.js')).pydanticAi,
  mastra: async () => (await import('./mastra.js')).mastra,
  cloudflare: async () => (await import('./cloudflare.js')).cloudflare,
  opencode: async () => (await import('./opencode.js')).opencode,
  'claude-managed-agents': async () => (await import('./claude-managed-agents.js')).claudeManagedAgents,
};

const loaded = new Map<Protocol, Codec>();
let TranslatorClass: typeof Translator | undefined;

/** The names of all protocols, whether they are loaded or not. */
export const PROTOCOLS = ['ai-sdk', ...Object.keys(SOURCES)] as readonly Protocol[];

/**
 * Loads the codecs of these protocols, without names those of all. Loaded ones are not loaded again. Rejects with
 * `load-failed`, and a later call may try again; with a `TypeError` for a name that is none.
 */
export async function loadProtocols(names: readonly Protocol[] = PROTOCOLS): Promise<void> {
  const wanted = names.filter((name) => known(name) !== 'ai-sdk' && !loaded.has(name)) as Exclude<Protocol, 'ai-sdk'>[];
  await Promise.all(
    wanted.map(async (name) => {
      try {
        const [codec, shared] = await Promise.all([SOURCES[name](), import('./translator.js')]);
        TranslatorClass = shared.Translator;
        loaded.set(name, codec);
      } catch (cause) {
        throw new ToolGateError('load-failed', `the part of the package for the protocol "${name}" could not be loaded`, { cause });
      }
    }),
  );
}

/**
 * The protocol's codec; undefined for the AI SDK's. Throws a `TypeError` for an unknown protocol, and `not-initialized` for
 * one whose codec has not been loaded. @internal
 */
export function codecOf(protocol: Protocol = 'ai-sdk'): Codec | undefined {
  if (known(protocol) === 'ai-sdk') return undefined;
  const codec = loaded.get(protocol);
  if (codec) return codec;
  throw new ToolGateError('not-initialized', `the protocol "${protocol}" is not loaded: call \`await init()\` first, or name it in init({ protocols })`);
}

/** What translates for a gate. Undefined as long as no protocol has been loaded: the AI SDK's needs none. @internal */
export function translatorFor(...about: ConstructorParameters<typeof Translator>): Translator | undefined {
  return TranslatorClass && new TranslatorClass(...about);
}

function known(protocol: Protocol): Protocol {
  if (!PROTOCOLS.includes(protocol)) throw new TypeError(`no protocol "${String(protocol)}"; there is ${PROTOCOLS.join(', ')}`);
  return protocol;
}
