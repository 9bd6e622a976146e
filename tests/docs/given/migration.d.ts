/** Declarations for the code blocks of docs/migration.md: the chat that the previous block creates. */
declare const chat: import('@ai-sdk/react').Chat<import('ai').UIMessage>;

/** Not installed, because its peers are frameworks of servers: the class as its package declares it. */
declare module '@ai-sdk/workflow' {
  import type { ChatTransport, PrepareSendMessagesRequest, UIMessage } from 'ai';
  export const WorkflowChatTransport: new <T extends UIMessage>(options: {
    prepareSendMessagesRequest?: PrepareSendMessagesRequest<T>;
  }) => ChatTransport<T>;
}
