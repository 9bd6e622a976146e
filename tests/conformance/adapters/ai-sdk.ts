/**
 * Adapters of the AI SDK's chats: React, Svelte and Vue, of version 6 and 7, bare and guarded by Toolgate. Their
 * options are the documented ones: the default transport, and the predicate that sends when all approvals are answered.
 */
import * as ai7 from 'ai';
import * as ai6 from 'ai6';
import { init } from 'toolgate';
import { guard, whenReady } from 'toolgate/ai-sdk';
import type { AnyChat, ChatKind, Message } from '../../ai-sdk/support/chats';
import { shownIn, type Adapter, type Client, type Dispute, type OpenOptions } from '../kit/src/index';
import { dependencyOf, versionOf } from './versions';

/** The package of each kind of chat. */
const PACKAGES: Readonly<Record<string, string>> = {
  'react 6': 'ai-sdk-react6',
  'react 7': '@ai-sdk/react',
  'svelte 6': 'ai-sdk-svelte6',
  'svelte 7': '@ai-sdk/svelte',
  'vue 6': 'ai-sdk-vue6',
  'vue 7': '@ai-sdk/vue',
};

const DISABLED: Dispute = {
  reason: 'The text box of the documented page is disabled unless `status` is `ready`.',
  source: 'https://ai-sdk.dev/docs/ai-sdk-ui/chatbot',
};

const AFTER_ERROR: Dispute = {
  reason: 'The text box of the documented page is disabled while the chat has an error; the page offers to regenerate.',
  source: 'https://ai-sdk.dev/docs/ai-sdk-ui/error-handling',
};

/** The documentation of the AI SDK leaves these rules to the page. */
const DISPUTES: Readonly<Record<string, Dispute>> = {
  'double-send': DISABLED,
  'message-right-after-approval': DISABLED,
  'cut-while-a-tool-runs': AFTER_ERROR,
  'refused-by-a-proxy': AFTER_ERROR,
  'lost-decisions': AFTER_ERROR,
};

/** Opens a chat with these messages. */
async function chatOf(
  kind: ChatKind,
  isGuarded: boolean,
  { id, url }: OpenOptions,
  messages: Message[],
): Promise<AnyChat> {
  const ai = (kind.version === 7 ? ai7 : ai6) as typeof ai7;
  const chat = kind.create({
    id,
    messages,
    transport: new ai.DefaultChatTransport({ api: url }),
    // Toolgate's documentation asks to remove the predicate.
    ...(isGuarded ? {} : { sendAutomaticallyWhen: ai.lastAssistantMessageIsCompleteWithApprovalResponses }),
    onError: () => {},
  });
  if (!isGuarded) return chat;
  const guarded = guard(chat as never) as unknown as AnyChat;
  await whenReady(guarded as never);
  return guarded;
}

async function open(
  kind: ChatKind,
  isGuarded: boolean,
  options: OpenOptions,
  messages: Message[] = [],
): Promise<Client> {
  const chat = await chatOf(kind, isGuarded, options, messages);
  return {
    send: (text) => chat.sendMessage({ text }),
    approve: (id) => chat.addToolApprovalResponse({ id, approved: true }),
    deny: (id, reason) =>
      chat.addToolApprovalResponse({ id, approved: false, ...(reason === undefined ? {} : { reason }) }),
    output: (tool, toolCallId, output) => chat.addToolOutput({ tool, toolCallId, output }),
    stop: () => chat.stop(),
    reconnect: () => chat.resumeStream(),
    state: () => ({
      isBusy: chat.status === 'submitted' || chat.status === 'streaming',
      ...shownIn(chat.messages),
    }),
    // An app stores the messages of a chat, and opens it with them.
    reload: () => open(kind, isGuarded, options, JSON.parse(JSON.stringify(chat.messages)) as Message[]),
    close: () => chat.dispose?.(),
  };
}

const FRAMEWORKS = { react: 'React', svelte: 'Svelte', vue: 'Vue' } as const;

/** The adapter of a kind of chat. Its name is the framework. */
export function aiSdkAdapter(kind: ChatKind, isGuarded: boolean): Adapter {
  const own = PACKAGES[kind.name]!;
  const versions = {
    [`@ai-sdk/${kind.framework}`]: versionOf(own),
    ai: dependencyOf(own, 'ai'),
    ...(isGuarded && { toolgate: versionOf('toolgate') }),
  };
  return {
    name: FRAMEWORKS[kind.framework],
    versions,
    options: isGuarded
      ? '`DefaultChatTransport`, `guard(chat)` without options'
      : '`DefaultChatTransport`, `sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses`',
    ...(isGuarded ? {} : { disputes: DISPUTES }),
    open: async (options) => {
      if (isGuarded) await init();
      return open(kind, isGuarded, options);
    },
  };
}
