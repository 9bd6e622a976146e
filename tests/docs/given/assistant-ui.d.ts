/** Declarations for the code blocks of docs/assistant-ui.md: parts of assistant-ui, and components of the app. */
declare module '@assistant-ui/react' {
  import type { ReactElement, ReactNode } from 'react';
  export interface AssistantRuntime {
    readonly thread: object;
  }
  export function AssistantRuntimeProvider(props: { runtime: AssistantRuntime; children: ReactNode }): ReactElement;
  export interface ToolPartProps {
    type: 'tool-call';
    toolCallId: string;
    toolName: string;
    toolUI?: ReactNode;
  }
  export const MessagePrimitive: {
    Parts(props: {
      children: (value: { part: ToolPartProps | { type: 'text'; text: string } }) => ReactNode;
    }): ReactElement;
  };
  export function makeAssistantToolUI<ARGS, RESULT>(tool: {
    toolName: string;
    render: (props: { toolCallId: string; args: ARGS; result?: RESULT }) => ReactNode;
  }): () => null;
}
declare module '@assistant-ui/ai-sdk' {
  import type { AssistantRuntime } from '@assistant-ui/react';
  import { DefaultChatTransport, type UIMessage } from 'ai';
  export class AssistantChatTransport extends DefaultChatTransport<UIMessage> {
    setRuntime(runtime: AssistantRuntime): void;
  }
  export function useAISDKRuntime(
    chat: import('toolgate/react').UseGuardedChatHelpers,
    options: { cancelPendingToolCallsOnSend: boolean },
  ): AssistantRuntime;
}
declare module '@/components/assistant-ui/thread' {
  export function Thread(): import('react').ReactElement;
}
declare module '@/components/assistant-ui/markdown-text' {
  export function MarkdownText(): import('react').ReactElement;
}
declare module '@/components/toolgate/assistant-ui-tool' {
  export function GuardedToolFallback(
    props: import('@assistant-ui/react').ToolPartProps,
  ): import('react').ReactElement | null;
}
