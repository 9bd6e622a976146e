/** Suggested messages, each a button: those of the scenario that were not sent yet. Shown when the chat is idle. */
import { openNext, type ChatMessage } from '../session/message-types';

/** Props of `NextMessages`. */
export interface NextMessagesProps {
  texts: readonly string[];
  /** The conversation so far. */
  messages: readonly ChatMessage[];
  send: (text: string) => void;
}

export function NextMessages({ texts, messages, send }: NextMessagesProps) {
  const open = openNext(texts, messages);
  if (open.length === 0) return null;
  return (
    <ul className="next" aria-label="Suggested messages">
      {open.map((text) => (
        <li key={text}>
          <button type="button" className="button small" onClick={() => send(text)}>
            {text}
          </button>
        </li>
      ))}
    </ul>
  );
}
