/**
 * Adapters of assistant-ui's runtime on the AI SDK: bare, with the options of its documentation on approvals, and on a
 * guarded chat, as docs/assistant-ui.md describes. The page is a component without a thread. The adapters call what the
 * thread's buttons call: the text box's `send`, and `respondToApproval` of a tool's component.
 */
import { useChat } from '@ai-sdk/react';
import { AssistantChatTransport, useAISDKRuntime } from '@assistant-ui/ai-sdk';
import { AssistantRuntimeProvider, type AssistantRuntime, type ToolCallMessagePart } from '@assistant-ui/react';
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses, type UIMessage } from 'ai';
import { createElement, useEffect } from 'react';
import { init } from 'toolgate';
import { GateProvider, useGuardedChat, type UseGuardedChatHelpers } from 'toolgate/react';
import type { Adapter, Client, Dispute, OpenOptions, Shown } from '../kit/src/index';
import { mount } from '../support/dom';
import { versionOf } from './versions';

/** What a component of the page holds. */
interface Page {
  chat: Pick<ReturnType<typeof useChat>, 'messages' | 'resumeStream' | 'stop'>;
  runtime: AssistantRuntime;
}

/** Renders a page. Returns what it holds, which each render replaces, and a function that removes it. */
type Render = (options: OpenOptions, messages: UIMessage[]) => { page: Page; close: () => void };

/** https://www.assistant-ui.com/docs/runtimes/ai-sdk/v7#server-side-tool-approval */
const bare: Render = ({ id, url }, messages) => {
  const page = {} as Page;
  function Assistant() {
    const chat = useChat({
      id,
      messages,
      transport: new DefaultChatTransport({ api: url }),
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
      onError: () => {},
    });
    page.chat = chat;
    page.runtime = useAISDKRuntime(chat);
    return createElement(AssistantRuntimeProvider, { runtime: page.runtime });
  }
  return { page, close: mount(createElement(Assistant)) };
};

let pages = 0;

/** The page of docs/assistant-ui.md. Guarded chats with the same id would be the same chat. */
const guarded: Render = ({ id, url }, messages) => {
  const page = {} as Page;
  const transport = new AssistantChatTransport({ api: url });
  const own = `${id}-${pages++}`;
  function Assistant() {
    const chat: UseGuardedChatHelpers = useGuardedChat({ id: own, messages, transport, onError: () => {} });
    const runtime = useAISDKRuntime(chat, {
      cancelPendingToolCallsOnSend: false,
      adapters: { threadList: { threadId: own } },
    });
    useEffect(() => transport.setRuntime(runtime), [runtime]);
    page.chat = chat;
    page.runtime = runtime;
    return createElement(AssistantRuntimeProvider, { runtime }, createElement(GateProvider, { gate: chat }));
  }
  return { page, close: mount(createElement(Assistant)) };
};

function open(render: Render, options: OpenOptions, messages: UIMessage[] = []): Client {
  const { page, close } = render(options, messages);
  const shownMessages = () => page.runtime.thread.getState().messages;
  const toolCalls = () =>
    shownMessages().flatMap(({ content }) => content.filter((part) => part.type === 'tool-call')) as Call[];
  /** The methods that a tool's component gets. Throws if the page shows no such call. */
  const methodsOf = (isWanted: (call: Call) => boolean) => {
    const call = toolCalls().findLast(isWanted);
    const message = shownMessages().findIndex(({ content }) => content.some((part) => part === call));
    if (!call || message < 0) throw new Error('The page shows no such call.');
    return page.runtime.thread.getMessageByIndex(message).getMessagePartByToolCallId(call.toolCallId);
  };
  const asked = (approvalId: string) => methodsOf(({ approval }) => approval?.id === approvalId);
  const { composer } = page.runtime.thread;
  return {
    send: (text) => {
      composer.setText(text);
      composer.send();
    },
    approve: (approvalId) => asked(approvalId).respondToToolApproval({ approved: true }),
    deny: (approvalId, reason) =>
      asked(approvalId).respondToToolApproval({ approved: false, ...(reason !== undefined && { reason }) }),
    stop: () => page.runtime.thread.cancelRun(),
    output: (_tool, toolCallId, output) =>
      methodsOf((call) => call.toolCallId === toolCallId).addToolResult(output as string),
    reconnect: () => page.chat.resumeStream(),
    state: () => ({
      isBusy: page.runtime.thread.getState().isRunning,
      texts: shownMessages().flatMap(({ content }) =>
        content.flatMap((part) => (part.type === 'text' ? part.text : [])),
      ),
      calls: toolCalls().map((call) => ({ id: call.toolCallId, state: stateOf(call) })),
    }),
    // An app that has no history adapter opens the chat with its messages.
    reload: () => open(render, options, JSON.parse(JSON.stringify(page.chat.messages)) as UIMessage[]),
    close,
  };
}

type Call = ToolCallMessagePart;

function stateOf({ approval, result, isError }: Call): Shown {
  if (approval?.approved === false) return 'denied';
  if (result !== undefined) return isError ? 'failed' : 'executed';
  if (approval?.approved) return 'approved';
  return approval && !approval.resolution ? 'asked' : 'open';
}

const DISABLED: Dispute = {
  reason: 'The send button and the Enter key do nothing while the thread is running.',
  source: 'https://www.assistant-ui.com/docs/primitives/composer',
};

const versions = {
  '@assistant-ui/react': versionOf('@assistant-ui/react'),
  '@assistant-ui/ai-sdk': versionOf('@assistant-ui/ai-sdk'),
  '@ai-sdk/react': versionOf('@ai-sdk/react'),
  ai: versionOf('ai'),
};

/** assistant-ui with its documented options. */
export const assistantUiAdapter: Adapter = {
  name: '`useAISDKRuntime`',
  versions,
  options:
    '`useChat` with `DefaultChatTransport` and `sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses`, `useAISDKRuntime(chat)` without options',
  disputes: { 'double-send': DISABLED, 'message-right-after-approval': DISABLED },
  open: (options) => open(bare, options),
};

/** assistant-ui on a guarded chat. */
export const guardedAssistantUiAdapter: Adapter = {
  name: '`useAISDKRuntime`',
  versions: { ...versions, toolgate: versionOf('toolgate') },
  options:
    '`useGuardedChat` with `AssistantChatTransport`, `useAISDKRuntime(chat, { cancelPendingToolCallsOnSend: false })`',
  open: async (options) => {
    await init();
    return open(guarded, options);
  },
};
