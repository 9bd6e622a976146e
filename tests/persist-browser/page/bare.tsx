/**
 * A page in React with nothing but the AI SDK's interface: messages, *Send*, *Stop*, and two buttons for each approval.
 * It has no card, no bar and no other control of this package. The page's address contains the name of the chat.
 */
import { DefaultChatTransport } from 'ai';
import { createRoot } from 'react-dom/client';
import { init } from 'toolgate';
import { persist } from 'toolgate/persist';
import { useGuardedChat } from 'toolgate/react';

const name = new URLSearchParams(location.search).get('name') ?? 'chat';

function Page() {
  const { messages, sendMessage, status, stop, addToolApprovalResponse } = useGuardedChat({
    id: name,
    transport: new DefaultChatTransport({ api: '/chat' }),
    persist: (chat) => persist(chat, { name: chat.id }),
  });
  const parts = messages.flatMap((message) => message.parts);
  const calls = parts.flatMap((part) => ('toolCallId' in part ? [part] : []));
  return (
    <>
      <p id="calls">{calls.map(({ toolCallId, state }) => `${toolCallId}:${state}`).join(' ')}</p>
      <p id="texts">{parts.map((part) => (part.type === 'text' ? part.text : '')).join(' ')}</p>
      <p id="status">{status}</p>
      <button onClick={() => void sendMessage({ text: 'hi' })}>Send</button>
      <button onClick={() => void stop()}>Stop</button>
      {calls.map(({ toolCallId, state, approval }) =>
        state === 'approval-requested' && approval
          ? [true, false].map((approved) => (
              <button
                key={`${toolCallId}${approved}`}
                onClick={() => void addToolApprovalResponse({ id: approval.id, approved })}
              >
                {`${approved ? 'Approve' : 'Deny'} ${toolCallId}`}
              </button>
            ))
          : null,
      )}
    </>
  );
}

void init('/toolgate.wasm');
createRoot(document.body.appendChild(document.createElement('main'))).render(<Page />);
document.title = 'ready';
