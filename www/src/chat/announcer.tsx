/**
 * Announces to screen readers what the cards do not: the assistant's finished texts, and failures. There is one polite
 * live region. The conversation itself is not live, because streamed text would be read out word by word.
 */
import { useEffect, useRef, useState } from 'react';
import { textOf, type ChatMessage } from '../session/message-types';
import type { Trouble } from './bar';

/**
 * How many announcements remain in the page. Each is a new element, because a slow screen reader would miss text that
 * is replaced.
 */
const KEPT = 12;

/** Props of `Announcer`. */
export interface AnnouncerProps {
  messages: readonly ChatMessage[];
  trouble: readonly Trouble[];
  busy: boolean;
}

export function Announcer({ messages, trouble, busy }: AnnouncerProps) {
  const [words, setWords] = useState<readonly { id: number; text: string }[]>([]);
  const spokenMessage = useRef('');
  const spokenTrouble = useRef('');

  useEffect(() => {
    const news: string[] = [];
    const last = messages.at(-1);
    const text = last?.role === 'assistant' ? textOf(last) : '';
    if (!busy && last && text && spokenMessage.current !== last.id + text) {
      spokenMessage.current = last.id + text;
      news.push(`Assistant: ${text}`);
    }
    const bad = trouble.map(({ id, delivery }) => `${id} ${delivery}`).join();
    if (bad !== spokenTrouble.current) {
      spokenTrouble.current = bad;
      const delivery = trouble[0]?.delivery;
      if (delivery)
        news.push(
          delivery === 'stalled'
            ? 'The server sent an empty answer. You can retry.'
            : 'The request failed. You can retry.',
        );
    }
    if (news.length > 0) {
      setWords((old) => [...old, { id: (old.at(-1)?.id ?? 0) + 1, text: news.join(' ') }].slice(-KEPT));
    }
  }, [messages, trouble, busy]);

  return (
    <div className="hidden" role="log" aria-live="polite" aria-label="News" data-testid="announcer">
      {words.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}
