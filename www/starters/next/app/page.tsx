'use client';
import { isToolUIPart } from 'ai';
import { ToolApproval, useGateActions, useGuardedChat, useUndelivered } from 'toolgate/react';

export default function Page() {
  const { chat, messages, status, error, sendMessage, stop } = useGuardedChat({ id: 'main' });
  const { retry } = useGateActions(chat);
  // Undelivered answers are shown on their cards.
  const undelivered = useUndelivered(chat).filter(({ approvalIds }) => approvalIds.length === 0);
  const isBusy = status === 'submitted' || status === 'streaming';

  return (
    <main>
      {messages.map(({ id, role, parts }) => (
        <section key={id} aria-label={role}>
          {parts.map((part, i) => {
            if (part.type === 'text') return <p key={i}>{part.text}</p>;
            if (!isToolUIPart(part)) return null;
            return <ToolApproval key={i} chat={chat} part={part} />;
          })}
        </section>
      ))}
      {error && <p role="alert">{error.message}</p>}
      {undelivered.map(({ id }) => (
        <p key={id}>
          Your message may not have arrived. <button onClick={() => retry(id)}>Send again</button>
        </p>
      ))}
      <form action={(form) => void sendMessage({ text: String(form.get('text')) })}>
        <input name="text" aria-label="Message" placeholder="Delete notes.txt" autoComplete="off" required />
        {isBusy ? (
          <button type="button" onClick={() => void stop()}>
            Stop
          </button>
        ) : (
          <button>Send</button>
        )}
      </form>
    </main>
  );
}
