/**
 * Compares assembled histories with the vendors' published types: generated chats are written as TypeScript and
 * compiled, which also finds unknown properties.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { histories } from '../interop/ai-sdk/histories';
import { outputOf, replies, streamOf, type Raw } from './replies';
import type { Checked } from './pairing';
import { gateFor, loaded, type Data } from './support';
import { named } from './all.js';

/** The vendor's types of a history and of a request. A2A's SDK has no types of its JSON: a2a.test.ts parses it. */
const TYPES: Record<
  Exclude<Checked, 'opencode' | 'codex' | 'a2a'>,
  { imports: string; history: string; body: string }
> = {
  anthropic: {
    imports: `import type Anthropic from '@anthropic-ai/sdk';`,
    history: 'Anthropic.MessageParam[]',
    body: `Omit<Anthropic.MessageCreateParams, 'model' | 'max_tokens'>`,
  },
  'openai-chat': {
    imports: `import type OpenAI from 'openai';`,
    history: 'OpenAI.ChatCompletionMessageParam[]',
    body: `Omit<OpenAI.ChatCompletionCreateParams, 'model'>`,
  },
  'openai-responses': {
    imports: `import type OpenAI from 'openai';`,
    history: 'OpenAI.Responses.ResponseInput',
    body: `Omit<OpenAI.Responses.ResponseCreateParams, 'model'>`,
  },
  gemini: {
    imports: `import type { Content } from '@google/genai';`,
    history: 'Content[]',
    body: '{ contents: Content[]; systemInstruction?: Content }',
  },
  // ADK is written in Python; its contents are those of Google's library.
  adk: {
    imports: `import type { Content } from '@google/genai';`,
    history: '{ author: string; content: Content }[]',
    body: '{ session_id: string; new_message: Content; streaming: boolean }',
  },
  effect: {
    imports: `import type { Prompt } from 'effect/ai';`,
    history: 'Prompt.MessageEncoded[]',
    body: '{ prompt: Prompt.MessageEncoded[] }',
  },
  genkit: {
    imports: `import type { MessageData, ToolRequestPart, ToolResponsePart } from 'genkit';`,
    history: 'MessageData[]',
    body: '{ messages: MessageData[]; resume?: { restart?: ToolRequestPart[]; respond?: ToolResponsePart[] } }',
  },
  vscode: {
    imports: `import type { LanguageModelChatMessage } from 'vscode';`,
    history: 'LanguageModelChatMessage[]',
    body: '{ messages: LanguageModelChatMessage[] }',
  },
  langgraph: {
    imports: `import type { Client, Message } from '@langchain/langgraph-sdk';`,
    history: 'Message[]',
    body: `NonNullable<Parameters<Client['runs']['stream']>[2]> & { input?: { messages: Message[] } }`,
  },
  'openai-agents': {
    imports: `import type { AgentInputItem } from '@openai/agents';`,
    history: 'AgentInputItem[]',
    body: '{ chatId: string; input?: AgentInputItem[]; decisions?: { callId: string; approve: boolean; message?: string }[] }',
  },
  'ag-ui': {
    imports: `import type { Message, RunAgentInput } from '@ag-ui/core';`,
    history: 'Message[]',
    body: 'RunAgentInput',
  },
  tanstack: {
    imports: `import type { chatParamsFromRequestBody } from '@tanstack/ai'; import type { Message, RunAgentInput } from '@ag-ui/core';`,
    history: 'Message[]',
    body: `RunAgentInput & Pick<Awaited<ReturnType<typeof chatParamsFromRequestBody>>, 'threadId' | 'resume'>`,
  },
  'pydantic-ai': {
    imports: `import type { UIMessage } from 'ai';`,
    history: 'UIMessage[]',
    body: `{ id: string; messages: UIMessage[]; trigger: 'submit-message' }`,
  },
  acp: {
    imports: `import type { PromptRequest, SessionUpdate } from '@agentclientprotocol/sdk';`,
    history: 'SessionUpdate[]',
    body: `{ jsonrpc: '2.0'; id: string; method: 'session/prompt'; params: PromptRequest }`,
  },
  'ai-sdk-ws': {
    imports: `import type { ModelMessage, UIMessage } from 'ai';`,
    history: 'ModelMessage[]',
    body: `{ type: 'message'; data: { id: string; messages: UIMessage[]; trigger: 'submit-message'; messageId?: string } }`,
  },
  // Mastra accepts the messages of AI SDK 5, which 6 and 7 still use.
  mastra: {
    imports: `import type { ModelMessage } from 'ai';`,
    history: 'ModelMessage[]',
    body: `{ action: 'stream'; body: { messages: ModelMessage[] } }`,
  },
  cloudflare: {
    imports: `import type { ModelMessage } from 'ai';`,
    history: 'ModelMessage[]',
    body: `{ type: 'cf_agent_use_chat_request'; id: string; init: { method: 'POST'; body: string } }`,
  },
  'claude-managed-agents': {
    imports: `import type Anthropic from '@anthropic-ai/sdk';
type Sent = Anthropic.Beta.Sessions.EventSendParams;
// The server adds these fields to each event.
type Stamped<T> = T extends unknown ? Omit<T, 'id' | 'processed_at'> & { id?: string; processed_at?: string } : never;
type Kept = Stamped<Anthropic.Beta.Sessions.BetaManagedAgentsSessionEvent>;`,
    history: 'Kept[]',
    body: 'Sent',
  },
  // The SDK's own types are installed by ./pkg-scripts/rigs only: its messages contain those of the API.
  'claude-agent-sdk': {
    imports: `import type Anthropic from '@anthropic-ai/sdk';
type Message<R> = { type: R; message: Anthropic.MessageParam & { role: R }; parent_tool_use_id: null };`,
    history: `(Message<'user'> | Message<'assistant'>)[]`,
    body: `Message<'user'>`,
  },
};

type Typed = keyof typeof TYPES;

const chats = fc.oneof(histories({ version: 7, calls: 'left' }), histories({ version: 7, calls: 'settled' }));

/** Returns a value as TypeScript source. */
function literal(value: unknown): string {
  if (value instanceof URL) return `new URL(${JSON.stringify(value.href)})`;
  if (value instanceof Uint8Array) return `new Uint8Array([${String([...value])}])`;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  return `{ ${Object.entries(value)
    .map(([key, inner]) => `[${JSON.stringify(key)}]: ${literal(inner)}`.replace(/^\["([A-Za-z_$][\w$]*)"\]/, '$1'))
    .join(', ')} }`;
}

/** A chat with the protocol's own replies: they contain ids, reasoning and signatures. */
function own(protocol: Typed): unknown {
  const gate = gateFor(protocol);
  gate.sendUserMessage({ text: 'Go.' });
  gate.claim(gate.outgoing()[0]!.id);
  const reply = {
    thought: 'Hm.',
    text: 'Well.',
    calls: ['a', 'b'].map((id) => ({ id, name: 'edit', input: { path: id } })),
  };
  const request = {
    type: 'mcp_approval_request',
    id: 'mcpr_1',
    server_label: 'files',
    name: 'delete',
    arguments: '{}',
  } as const;
  const raw = protocol in replies ? replies[protocol as Raw](reply) : [];
  for (const event of protocol === 'openai-responses' ? streamOf([...outputOf(reply), request]) : raw)
    gate.receive(event);
  gate.streamEnded({ status: 'finished' });
  gate.respondAll({ approved: false, reason: 'No.' });
  return gate.assemble();
}

function bodyOf(history: readonly unknown[], protocol: Typed): Data {
  const gate = loaded(protocol, history);
  gate.sendUserMessage({ text: 'And now?' });
  // Decisions are sent first if they are separate messages.
  for (let round = 0; round < 20; round++) {
    // Unconfirmed requests are given up if they hold the message back.
    if (!gate.outgoing().length) gate.cancel();
    const [item] = gate.outgoing();
    if (item?.kind !== 'answer') return item?.body;
    gate.claim(item.id);
    gate.markSent(item.id);
  }
  throw new Error('more answers than calls');
}

test('assembled histories match the vendors’ types', { timeout: 120_000 }, () => {
  const folder = join(import.meta.dirname, '../../target/codec-types');
  mkdirSync(folder, { recursive: true });
  const samples = fc.sample(chats, { numRuns: 60, seed: 4 });
  const files = (Object.keys(TYPES) as Typed[]).map((protocol) => {
    const { imports, history, body } = TYPES[protocol];
    const gates = samples.map((sample) => loaded('ai-sdk', sample));
    const lines = [
      imports,
      ...gates.map((gate) => `(${literal(gate.assemble(named(protocol)))}) satisfies ${history};`),
      `(${literal(own(protocol))}) satisfies ${history};`,
      ...samples.map((sample) => `(${literal(bodyOf(sample, protocol))}) satisfies ${body};`),
    ];
    expect(lines.length).toBeGreaterThan(120);
    const file = join(folder, `${protocol}.ts`);
    writeFileSync(file, `${lines.join('\n')}\nexport {};\n`);
    return file;
  });
  const options = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--target',
    'es2023',
    '--module',
    'esnext',
    '--moduleResolution',
    'bundler',
    '--types',
    'node',
  ];
  const compile = (): string => {
    try {
      return execFileSync('node_modules/.bin/tsc', [...options, ...files], {
        cwd: join(import.meta.dirname, '../..'),
        encoding: 'utf8',
      });
    } catch (error) {
      return String((error as { stdout: unknown }).stdout);
    }
  };
  expect(compile().slice(0, 4000)).toBe('');
});
