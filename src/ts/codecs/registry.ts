/**
 * Every codec by its protocol's name. The AI SDK's has none: it is the neutral form, and the core's own.
 */
import type { Protocol } from '../types.js';
import { anthropic } from './anthropic.js';
import { claudeManagedAgents } from './claude-managed-agents.js';
import { cloudflare } from './cloudflare.js';
import type { Codec } from './codec.js';
import { effect } from './effect.js';
import { gemini } from './gemini.js';
import { mastra } from './mastra.js';
import { openaiChat } from './openai-chat.js';
import { openaiResponses } from './openai-responses.js';
import { opencode } from './opencode.js';
import { vscode } from './vscode.js';

const CODECS: { readonly [P in Exclude<Protocol, 'ai-sdk'>]?: Codec } = {
  anthropic,
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  gemini,
  effect,
  vscode,
  mastra,
  cloudflare,
  opencode,
  'claude-managed-agents': claudeManagedAgents,
};

/** The names of all protocols. */
export const PROTOCOLS = ['ai-sdk', ...Object.keys(CODECS)] as Protocol[];

/** The protocol's codec; undefined for the AI SDK's. Throws a `TypeError` for an unknown protocol. */
export function codecOf(protocol: Protocol = 'ai-sdk'): Codec | undefined {
  if (!PROTOCOLS.includes(protocol)) throw new TypeError(`no protocol "${String(protocol)}"; there is ${PROTOCOLS.join(', ')}`);
  return protocol === 'ai-sdk' ? undefined : CODECS[protocol];
}
