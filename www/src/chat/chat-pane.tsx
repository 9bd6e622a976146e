/** The conversation: messages, the bar about the user's answers, and the text box. Runs on `useChat`. */
import { useChat, type Chat } from '@ai-sdk/react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { callsOf, type ChatMessage } from '../session/message-types';
import type { Session } from '../session/session';
import { useGate, useTrouble } from './use-session';
import { Announcer } from './announcer';
import { barOf, brokeOff } from './bar';
import { statusOf } from './call-status';
import { Composer } from './composer';
import { CardActionsProvider } from './card-actions';
import { GateBar } from './gate-bar';
import { goOn } from './go-on';
import { Intro } from './intro';
import { Message } from './message';
import { NextMessages } from './next-messages';
import { useDecisions } from './use-decisions';

/** How near the end, in pixels, still counts as being at the end. */
const NEAR = 80;

/** How much, in pixels, stays visible above the first waiting card. */
const ABOVE = 72;

/** Props of `ChatPane`. */
export interface ChatPaneProps {
  session: Session<Chat<ChatMessage>>;
  /** Another chat is being opened, so this one accepts no input. */
  isOpening: boolean;
}

export function ChatPane({ session, isOpening }: ChatPaneProps) {
  const { messages, status, sendMessage, stop, error, clearError } = useChat({ chat: session.chat });
  const [draft, setDraft] = useState('');
  const root = useRef<HTMLElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const composer = useRef<HTMLTextAreaElement>(null);
  const atEnd = useRef(true);
  const lastWaiting = useRef(0);
  const trouble = useTrouble(session.gate);
  const view = useGate(session.gate);
  const { cardActions, decideRest, isDenying } = useDecisions(session, root, composer);

  const busy = status === 'submitted' || status === 'streaming';
  const isOver = brokeOff(view);
  const calls = callsOf(messages.findLast((message) => message.role === 'assistant'));
  const bar = barOf(calls, trouble, view);
  const waiting = calls.filter((call) => statusOf(call).asks).length;

  // The list stays scrolled to its end. But if calls wait for decisions, it shows the first of their cards.
  const follow = (): void => {
    const box = list.current;
    if (!box || !atEnd.current || messages.length === 0) return;
    const first = box.querySelector('[data-status="waiting"]');
    const end = box.scrollHeight - box.clientHeight;
    const top = first
      ? box.scrollTop + first.getBoundingClientRect().top - box.getBoundingClientRect().top - ABOVE
      : end;
    box.scrollTop = Math.min(top, end);
  };
  const latestFollow = useRef(follow);
  useLayoutEffect(() => {
    latestFollow.current = follow;
    if (waiting === 0 && lastWaiting.current > 0) atEnd.current = true;
    lastWaiting.current = waiting;
    follow();
  }, [messages, waiting, trouble.length, isOver, busy]);

  // The inspector changes the height of the list, so the list is scrolled again.
  useEffect(() => {
    const sizes = new ResizeObserver(() => latestFollow.current());
    sizes.observe(list.current!);
    return () => sizes.disconnect();
  }, []);

  useEffect(() => setDraft(''), [session]);

  const send = (text: string): void => {
    atEnd.current = true;
    void sendMessage({ text });
    goOn(root.current, composer.current);
  };

  const giveUp = (): void => {
    session.gate.cancel();
    clearError();
    goOn(root.current, composer.current);
  };

  const retry = (): void => {
    const [first] = trouble;
    if (first) session.gate.retry(first.id);
    goOn(root.current, composer.current);
  };

  return (
    <CardActionsProvider value={cardActions}>
      <section className="chat" ref={root} aria-label="Chat" data-status={status} inert={isOpening}>
        <h2 className="hidden">Conversation</h2>
        <div
          className="messages"
          ref={list}
          tabIndex={0}
          role="group"
          aria-label="Conversation"
          onScroll={({ currentTarget: box }) => {
            atEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR;
          }}
        >
          <div className="column">
            {messages.length === 0 ? (
              <Intro scenario={session.scenario} begin={() => send(session.scenario.opening)} />
            ) : null}
            {messages.map((message) => (
              <Message
                key={message.id}
                message={message}
                isQueued={view.queued.some(({ id }) => id === message.id)}
                isOver={isOver && message === messages.at(-1)}
              />
            ))}
            {status === 'submitted' ? <Thinking /> : null}
            {error && trouble.length === 0 && !busy && !isOver ? (
              <p className="broken">The reply broke off: {error.message}</p>
            ) : null}
          </div>
        </div>
        <div className="dock">
          <div className="column">
            {bar ? <GateBar {...{ bar, decideRest, isDenying, retry, giveUp }} cancel={giveUp} /> : null}
            {messages.length > 0 && !busy && waiting === 0 && trouble.length === 0 ? (
              <NextMessages texts={session.scenario.next ?? []} messages={messages} send={send} />
            ) : null}
            <Composer
              field={composer}
              value={draft}
              onChange={setDraft}
              onSend={() => {
                send(draft.trim());
                setDraft('');
              }}
              onStop={() => void stop()}
              busy={busy}
              waiting={waiting}
            />
          </div>
        </div>
      </section>
      {/* Outside the pane: on a small screen the chat may be hidden while its announcements still matter. */}
      <Announcer messages={messages} trouble={trouble} busy={busy} isOver={isOver} expiresAt={cardActions.expiresAt} />
    </CardActionsProvider>
  );
}

function Thinking() {
  return (
    <p className="thinking">
      <span className="hidden">Waiting for the reply</span>
      <span aria-hidden="true" className="thinking-dots">
        <i />
        <i />
        <i />
      </span>
    </p>
  );
}
