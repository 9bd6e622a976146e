'use client';
import { useChat } from './ai-sdk.js';
import { chat, line } from './chat.js';

/** React sets no properties of an element that a server rendered. */
const withGate = (list) => {
  if (list) list.gate = chat;
};

export default function Page() {
  const { messages, status } = useChat({ chat });
  return (
    <main>
      <p id="status">{status}</p>
      {messages.map((message) => (
        <p key={message.id} className="message">
          {line(message)}
        </p>
      ))}
      <tool-approvals ref={withGate} />
    </main>
  );
}
