/**
 * A page with a stored chat of `useGuardedChat` and the error texts of docs/errors.md, in React's StrictMode.
 * `?stored` shows a chat of the server; `?wrong` passes an option that does not exist.
 */
import type { ChatTransport, UIMessage, UIMessageChunk } from 'ai';
import { Component, StrictMode, useState, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { persist } from 'toolgate/persist';
import { ToolApprovals, useGuardedChat } from 'toolgate/react';
// The block of the documentation, which page-files.ts inserts.
import { ChatError } from 'docs:errors/src/ChatError.tsx';

const requests: UIMessage[][] = [];

const ASKS: UIMessageChunk[] = [
  { type: 'start', messageId: 'a1' },
  { type: 'tool-input-available', toolCallId: 'c1', toolName: 'deleteFile', input: { path: 'notes.txt' } },
  { type: 'tool-approval-request', toolCallId: 'c1', approvalId: 'ask-c1' },
  { type: 'finish' },
];

const transport: ChatTransport<UIMessage> = {
  async sendMessages({ messages }) {
    requests.push(structuredClone(messages));
    const chunks = messages.at(-1)?.role === 'user' ? ASKS : ([{ type: 'start' }, { type: 'finish' }] as const);
    return new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    });
  },
  reconnectToStream: async () => null,
};

const STORED: UIMessage[] = [
  { id: 'u0', role: 'user', parts: [{ type: 'text', text: 'delete it' }] },
  {
    id: 'a0',
    role: 'assistant',
    parts: [
      {
        type: 'tool-deleteFile',
        toolCallId: 'c0',
        state: 'approval-requested',
        input: { path: 'a.txt' },
        approval: { id: 'ask-c0' },
      },
    ],
  },
];

function Chat() {
  const gate = location.search === '?wrong' ? { onDeny: 'never' as never } : {};
  const messages = location.search === '?stored' ? STORED : [];
  const {
    chat,
    error,
    messages: shown,
    sendMessage,
  } = useGuardedChat({
    id: 'main',
    transport,
    messages,
    gate,
    persist: (one) => persist(one, { name: one.id }),
  });
  return (
    <>
      <p id="shown">{shown.map(({ role }) => role).join(' ')}</p>
      <ToolApprovals chat={chat} />
      <ChatError chat={chat} error={error} />
      <button onClick={() => void sendMessage({ text: 'Delete notes.txt' })}>Send</button>
    </>
  );
}

class Boundary extends Component<{ children: ReactNode }> {
  override state: { text?: string } = {};
  static getDerivedStateFromError = (error: Error) => ({ text: `${error.name}: ${error.message}` });
  override render() {
    return this.state.text === undefined ? this.props.children : <pre>{this.state.text}</pre>;
  }
}

function App() {
  const [isOpen, setIsOpen] = useState(true);
  return (
    <Boundary>
      <button onClick={() => setIsOpen(!isOpen)}>{isOpen ? 'Close' : 'Open'}</button>
      {isOpen && <Chat />}
    </Boundary>
  );
}

declare global {
  interface Window {
    fallback: { requests: UIMessage[][] };
  }
}
window.fallback = { requests };
createRoot(document.querySelector('main')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
document.title = 'ready';
