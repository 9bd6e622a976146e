import { useEffect } from 'react';
import { ToolApprovals, useApprovals, useGuardedChat } from 'toolgate/react';
import { transport } from './backend.js';

export function App() {
  const { chat, messages, sendMessage } = useGuardedChat({ id: 'hot', transport });
  const approvals = useApprovals(chat);
  globalThis.chats.add(chat);
  useEffect(() => void globalThis.mounts++, []);
  return (
    <main>
      <h1>version 1</h1>
      <button onClick={() => void sendMessage({ text: 'hi' })}>Send</button>
      <p id="pending">{approvals.map(({ toolCallId }) => toolCallId).join()}</p>
      <p id="states">{messages.flatMap(({ parts }) => parts.map(({ state }) => state ?? '')).join(' ')}</p>
      <ToolApprovals chat={chat} />
    </main>
  );
}
