/**
 * The six chats that guard supports: React, Svelte and Vue, each for AI SDK 6 and 7. Each package uses the `ai` version
 * that it pins, usually not the newest; this is part of the test.
 */
import { Chat as ReactChat7 } from '@ai-sdk/react';
import { Chat as SvelteChat7 } from '@ai-sdk/svelte';
import { Chat as VueChat7 } from '@ai-sdk/vue';
import { Chat as ReactChat6 } from 'ai-sdk-react6';
import { Chat as SvelteChat6 } from 'ai-sdk-svelte6';
import { Chat as VueChat6 } from 'ai-sdk-vue6';
import { guard, type GuardOptions } from 'toolgate/ai-sdk';

import { initFromFile } from './init';
import { ScriptedTransport, type Reply } from './transport';

/** One kind of chat. */
export interface ChatKind {
  readonly framework: 'react' | 'svelte' | 'vue';
  readonly version: 6 | 7;
  /** For test names. */
  readonly name: string;
  create(options: object): AnyChat;
}

/** A message with loose types. */
export interface Message {
  id: string;
  role: string;
  metadata?: unknown;
  parts: { type: string; [key: string]: unknown }[];
}

/** The common interface of all six chats. */
export interface AnyChat {
  readonly id: string;
  readonly status: string;
  readonly error: Error | undefined;
  readonly lastMessage: Message | undefined;
  messages: Message[];
  sendMessage(message?: object | null, options?: object): Promise<void>;
  regenerate(options?: object): Promise<void>;
  stop(): Promise<void>;
  resumeStream(options?: object): Promise<void>;
  clearError(): void;
  addToolApprovalResponse(answer: { id: string; approved: boolean; reason?: string; options?: object }): Promise<void>;
  addToolOutput(answer: object): Promise<void>;
  addToolResult(answer: object): Promise<void>;
  dispose?(): Promise<void>;
  '~resumeStreamIfDisconnected'?(options?: { shouldResume?: () => boolean }): Promise<void>;
  readonly experimental_queuedMessages?: Message[];
  experimental_removeQueuedMessage?(id: string): void;
  experimental_sendQueuedMessageNow?(id: string): Promise<void>;
}

type Constructor = new (options: never) => unknown;

const kind = (framework: ChatKind['framework'], version: 6 | 7, Chat: Constructor): ChatKind => ({
  framework,
  version,
  name: `${framework} ${version}`,
  create: (options) => new Chat(options as never) as AnyChat,
});

/** All six chats. */
export const chats: readonly ChatKind[] = [
  kind('react', 6, ReactChat6),
  kind('react', 7, ReactChat7),
  kind('svelte', 6, SvelteChat6),
  kind('svelte', 7, SvelteChat7),
  kind('vue', 6, VueChat6),
  kind('vue', 7, VueChat7),
];

/** The two chats for tests of the methods. The other chats share the code of these methods. */
export const reactChats = chats.filter(({ framework }) => framework === 'react');

/** The options of a test chat: the chat's options, and the replies of its backend. */
export interface StageOptions {
  readonly messages?: readonly Message[];
  readonly replies?: readonly Reply[];
  readonly guard?: GuardOptions;
  /** Further options of the chat. */
  readonly chat?: object;
}

/** Returns a guarded chat, the object before `guard` (`bare`), its scripted transport, and its callbacks (`told`). */
export async function stage(kind: ChatKind, options: StageOptions = {}) {
  await initFromFile();
  const transport = new ScriptedTransport(options.replies ?? []);
  const told: { name: string; value: unknown; status: string }[] = [];
  const tell = (name: string) => (value: unknown) => void told.push({ name, value, status: chat.status });
  let ids = 0;
  const chat = kind.create({
    id: 'chat-1',
    messages: options.messages ?? [],
    transport,
    generateId: () => `id-${ids++}`,
    onToolCall: tell('onToolCall'),
    onData: tell('onData'),
    onFinish: tell('onFinish'),
    onError: tell('onError'),
    ...options.chat,
  });
  const guarded = guard(chat, options.guard);
  return { chat: guarded, bare: chat, transport, told };
}
