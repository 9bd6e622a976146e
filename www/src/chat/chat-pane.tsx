/** The conversation: messages, the bar about the user's answers, and the text box. Runs on `useChat`. */
import { useChat, type Chat } from '@ai-sdk/react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { ToolGateError } from 'toolgate';
import { ToolApprovals, type ToolApprovalsProps } from 'toolgate/react';
import { followEnd } from '../session/follow-end';
import type { ChatMessage } from '../session/message-types';
import type { Session } from '../session/session';
import { listedCalls, TOOL_CARDS } from '../session/tool-cards';
import { useGate, useTrouble } from './use-session';
import { Announcer } from './announcer';
import { barOf } from './bar';
import { Composer } from './composer';
import { GateBar } from './gate-bar';
import { goOn, toNextCard } from './go-on';
import { Intro } from './intro';
import { Message } from './message';
import { NextMessages } from './next-messages';

/** Props of `ChatPane`. */
export interface ChatPaneProps {
  session: Session<Chat<ChatMessage>>;
  /** Another chat is being opened, so this one accepts no input. */
  isOpening: boolean;
}

const NONE: ReadonlySet<string> = new Set();

export function ChatPane({ session, isOpening }: ChatPaneProps) {
  const { chat, gate, scenario, log } = session;
  const { messages, status, sendMessage, stop, error, clearError } = useChat({ chat });
  const [draft, setDraft] = useState('');
  const [listedIn] = useState(listedCalls);
  const root = useRef<HTMLElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const toEnd = useRef((): unknown => undefined);
  const trouble = useTrouble(gate);
  const view = useGate(gate);

  const busy = status === 'submitted' || status === 'streaming';
  const bar = barOf(trouble, view);
  const waiting = view.pending.length;

  const listed = listedIn(view);

  const card = useMemo<ToolApprovalsProps>(
    () => ({
      chat,
      tools: TOOL_CARDS,
      remember: scenario.remembers ? 'chat' : 'none',
      onDecision: ({ detail: { approvalId, approved, result } }) => {
        log.add({ type: 'press', approvalId, approved, result });
        toNextCard(root.current);
      },
      onDecisionError: ({ detail: { approvalId, error: problem } }) =>
        log.add({
          type: 'refusal',
          approvalId,
          result: problem instanceof ToolGateError ? problem.code : String(problem),
        }),
    }),
    [chat, scenario, log],
  );

  useEffect(() => {
    const following = followEnd(list.current!);
    toEnd.current = following.toEnd;
    return following.stop;
  }, []);

  useEffect(() => setDraft(''), [session]);

  const send = (text: string): void => {
    toEnd.current();
    void sendMessage({ text });
    goOn(root.current);
  };

  const cancel = (): void => {
    gate.cancel();
    clearError();
    goOn(root.current);
  };

  const retry = (): void => {
    const [first] = trouble;
    if (first) gate.retry(first.id);
    goOn(root.current);
  };

  return (
    <>
      <section className="chat" ref={root} aria-label="Chat" data-status={status} inert={isOpening}>
        <h2 className="hidden">Conversation</h2>
        <div className="messages" ref={list} tabIndex={0} role="group" aria-label="Conversation">
          <div className="column">
            {messages.length === 0 ? <Intro scenario={scenario} begin={() => send(scenario.opening)} /> : null}
            {messages.map((message) => (
              <Message
                key={message.id}
                message={message}
                isQueued={view.queued.some(({ id }) => id === message.id)}
                listed={message === messages.at(-1) ? listed : NONE}
                card={card}
              />
            ))}
            <ToolApprovals {...card} hidden={listed.size === 0} />
            {status === 'submitted' ? <Thinking /> : null}
            {error && trouble.length === 0 && !busy && view.turn.status !== 'incomplete' ? (
              <p className="broken">The reply broke off: {error.message}</p>
            ) : null}
          </div>
        </div>
        <div className="dock">
          <div className="column">
            {bar ? <GateBar {...{ bar, cancel, retry }} /> : null}
            {messages.length > 0 && !busy && waiting === 0 && trouble.length === 0 ? (
              <NextMessages texts={scenario.next ?? []} messages={messages} send={send} />
            ) : null}
            <Composer
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
      <Announcer messages={messages} trouble={trouble} busy={busy} />
    </>
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
