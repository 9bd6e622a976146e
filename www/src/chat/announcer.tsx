/**
 * Announces changes to screen readers: requests, outcomes, the assistant's finished texts, and failures. There is one
 * polite live region. The conversation itself is not live, because streamed text would be read out word by word.
 */
import { useEffect, useRef, useState } from 'react';
import { callNoun, callsOf, textOf, type ChatMessage } from '../session/message-types';
import type { Trouble } from './bar';
import { statusOf, type StatusKey } from './call-status';

/** Whether a status is announced. The others are intermediate, or their failed request is announced (`trouble`). */
const IS_ANNOUNCED: Readonly<Record<StatusKey, boolean>> = {
  drafting: false,
  running: false,
  waiting: true,
  approved: true,
  sending: false,
  undelivered: false,
  unconfirmed: false,
  unknown: true,
  done: true,
  failed: true,
  denied: true,
  skipped: true,
  expired: true,
  cancelled: true,
  interrupted: true,
  superseded: true,
};

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
  /** The turn ended badly. */
  isOver: boolean;
  /** When a request expires, in ms since 1970. */
  expiresAt: (approvalId: string) => number | undefined;
}

export function Announcer({ messages, trouble, busy, isOver, expiresAt }: AnnouncerProps) {
  const [words, setWords] = useState<readonly { id: number; text: string }[]>([]);
  const known = useRef(new Map<string, string>());
  const spokenMessage = useRef('');
  const spokenTrouble = useRef('');

  useEffect(() => {
    const news: string[] = [];
    for (const [call, isLast] of messages.flatMap((message) =>
      callsOf(message).map((call) => [call, message === messages.at(-1)] as const),
    )) {
      const { key, label, note } = statusOf(call, isOver && isLast);
      if (known.current.get(call.toolCallId) === key) continue;
      known.current.set(call.toolCallId, key);
      if (key === 'waiting')
        news.push(`Approval needed: ${callNoun(call)}.${holdsFor(expiresAt(call.approvalId ?? ''))}`);
      else if (IS_ANNOUNCED[key]) news.push(`${label}: ${callNoun(call)}. ${key === 'done' ? '' : note}`.trim());
    }
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
  }, [messages, trouble, busy, isOver, expiresAt]);

  return (
    <div className="hidden" role="log" aria-live="polite" aria-label="News" data-testid="announcer">
      {words.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}

function holdsFor(until: number | undefined): string {
  return until === undefined ? '' : ` It expires in ${Math.max(0, Math.round((until - Date.now()) / 1000))} seconds.`;
}
