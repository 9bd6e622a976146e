import { ToolApprovals, useGuardedChat } from 'toolgate/react';
import { Composer, Messages } from './yours';

export function Chat() {
  const { chat, messages, sendMessage } = useGuardedChat(); // instead of useChat()
  return (
    <main>
      <Messages messages={messages} />
      <ToolApprovals chat={chat} />
      <Composer onSend={sendMessage} />
    </main>
  );
}
