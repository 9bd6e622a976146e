/** What the tests of `useGuardedChat` share. */
import { ScriptedTransport, type Reply } from '../../ai-sdk/support/transport';

let ids = 0;

/** An id that no other test uses: chats with the same id are the same chat. */
export const freshId = (): string => `chat-${ids++}`;

/** A transport with these replies. */
export const scripted = (...replies: Reply[]): ScriptedTransport => new ScriptedTransport(replies);

/** The option `transport`. The type of the scripted transport is not that of the AI SDK. */
export const via = (transport: ScriptedTransport): { transport: never } => ({ transport: transport as never });

/** A message of the user. */
export const user = (id: string, text: string) => ({
  id,
  role: 'user' as const,
  parts: [{ type: 'text' as const, text }],
});

/** The status, and the texts and calls of all messages. */
export const textOf = (chat: {
  readonly status: string;
  readonly messages: readonly { readonly parts: readonly { readonly type: string; readonly text?: unknown }[] }[];
}): string => {
  const parts = chat.messages.flatMap((message) => message.parts).filter(({ type }) => type !== 'step-start');
  return `${chat.status}:${parts.map((part) => part.text ?? part.type).join('|')}`;
};
