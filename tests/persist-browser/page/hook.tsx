/**
 * A page in React: two components of one chat, which `useGuardedChat` stores, in StrictMode. The button closes and
 * opens them. The page's address contains the name of the chat.
 */
import { DefaultChatTransport } from 'ai';
import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { init } from 'toolgate';
import { persist, type PersistedChat } from 'toolgate/persist';
import { ToolApprovals, useGuardedChat } from 'toolgate/react';

const name = new URLSearchParams(location.search).get('name') ?? 'chat';
const counts = { persisted: 0 };

function useChatOfPage() {
  const [persisted, setPersisted] = useState<PersistedChat>();
  const helpers = useGuardedChat({
    id: name,
    transport: new DefaultChatTransport({ api: '/chat' }),
    persist: async (chat) => {
      counts.persisted++;
      const stored = await persist(chat, { name: chat.id });
      setPersisted(stored);
      return stored;
    },
  });
  return { ...helpers, persisted };
}

function Cards() {
  return <ToolApprovals chat={useChatOfPage().chat} />;
}

function Chat() {
  const { messages, sendMessage, status } = useChatOfPage();
  const parts = messages.flatMap((message) => message.parts);
  return (
    <>
      <p id="parts">{parts.map((part) => ('state' in part ? `${part.type}:${part.state}` : part.type)).join(' ')}</p>
      <p id="status">{status}</p>
      <button onClick={() => void sendMessage({ text: 'tidy up' })}>Send</button>
    </>
  );
}

function Page() {
  const [isOpen, setOpen] = useState(true);
  return (
    <>
      <button onClick={() => setOpen(!isOpen)}>{isOpen ? 'Leave' : 'Open'}</button>
      {isOpen && <Chat />}
      {isOpen && <Cards />}
    </>
  );
}

void init('/toolgate.wasm');
createRoot(document.body.appendChild(document.createElement('main'))).render(
  <StrictMode>
    <Page />
  </StrictMode>,
);
Object.assign(window, { counts });
document.title = 'ready';
