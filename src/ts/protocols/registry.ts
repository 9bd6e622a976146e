/**
 * Every codec by its protocol's name, loaded when it is wanted: a page downloads those it names, and not the others. The AI
 * SDK's form has none: it is the neutral form, and the core's own.
 */
import { ToolGateError } from '../types/errors.js';
import type { Protocol } from '../types/index.js';
import type { Codec } from './shared/codec.js';
import type { TranslatedGate, Translator } from './shared/translator.js';

const SOURCES: { readonly [P in Exclude<Protocol, 'ai-sdk'>]: () => Promise<{ readonly codec: Codec }> } = {
  'ai-sdk-ws': () => import('./ai-sdk-ws.js'),
  effect: () => import('./effect.js'),
  anthropic: () => import('./anthropic.js'),
  'openai-chat': () => import('./openai-chat.js'),
  'openai-responses': () => import('./openai-responses.js'),
  genkit: () => import('./genkit.js'),
  gemini: () => import('./gemini.js'),
  adk: () => import('./adk.js'),
  vscode: () => import('./vscode.js'),
  'ag-ui': () => import('./ag-ui.js'),
  tanstack: () => import('./tanstack.js'),
  acp: () => import('./acp.js'),
  langgraph: () => import('./langgraph.js'),
  'openai-agents': () => import('./openai-agents.js'),
  'pydantic-ai': () => import('./pydantic-ai.js'),
  mastra: () => import('./mastra.js'),
  cloudflare: () => import('./cloudflare.js'),
  opencode: () => import('./opencode.js'),
  'claude-managed-agents': () => import('./claude-managed-agents.js'),
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
        const [{ codec }, shared] = await Promise.all([SOURCES[name](), import('./shared/translator.js')]);
        TranslatorClass = shared.Translator;
        loaded.set(name, codec);
      } catch (cause) {
        throw new ToolGateError(
          'load-failed',
          `the part of the package for the protocol "${name}" could not be loaded`,
          { cause },
        );
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
  throw new ToolGateError(
    'not-initialized',
    `the protocol "${protocol}" is not loaded: call \`await init()\` first, or name it in init({ protocols })`,
  );
}

/** What translates for a gate. Undefined as long as no protocol has been loaded: the AI SDK's needs none. @internal */
export function translatorFor(gate: TranslatedGate): Translator | undefined {
  return TranslatorClass && new TranslatorClass(codecOf, gate);
}

function known(protocol: Protocol): Protocol {
  if (!PROTOCOLS.includes(protocol))
    throw new TypeError(`no protocol "${String(protocol)}"; there is ${PROTOCOLS.join(', ')}`);
  return protocol;
}
