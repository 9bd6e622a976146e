/**
 * The page in React. All sides render equal components with `memo`: only the source of messages and approvals differs.
 */
import { Chat, useChat } from '@ai-sdk/react';
import { memo, useMemo, useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';
import { guard } from 'toolgate/ai-sdk';
import { GateProvider, useApproval, useApprovals, useGateActions, useGateView, useMessages } from 'toolgate/react';
import { createPlainChat } from './plain.js';
import { rendered } from './scenario.js';

const Text = memo(function Text({ part }) {
  rendered.count++;
  return <p data-text>{part.text}</p>;
});

function Card({ part, answer }) {
  rendered.count++;
  return (
    <article data-call={part.toolCallId}>
      <b>{part.type}</b> <code>{JSON.stringify(part.input)}</code> <em>{part.state}</em>
      {part.state === 'approval-requested' && (
        <>
          <button onClick={() => answer(true)}>Approve</button>
          <button onClick={() => answer(false)}>Deny</button>
        </>
      )}
    </article>
  );
}

const Page = ({ waiting, messages, Call }) => (
  <>
    <h1>{waiting} waiting</h1>
    {messages.map((message) =>
      message.parts.map((part, n) =>
        'toolCallId' in part ? <Call key={n} part={part} /> : part.type === 'text' && <Text key={n} part={part} />,
      ),
    )}
  </>
);

function Theirs({ chat }) {
  const { messages, addToolApprovalResponse } = useChat({ chat });
  const waiting = messages.at(-1).parts.filter((part) => part.state === 'approval-requested').length;
  const Call = useMemo(
    () =>
      memo(function Call({ part }) {
        return <Card part={part} answer={(approved) => addToolApprovalResponse({ id: part.approval.id, approved })} />;
      }),
    [addToolApprovalResponse],
  );
  return <Page waiting={waiting} messages={messages} Call={Call} />;
}

const OurCall = memo(function OurCall({ part }) {
  const { respond } = useGateActions();
  return <Card part={part} answer={(approved) => respond(part, { approved })} />;
});

const undecidedOf = (view) => view.turn.undecided;
const Ours = () => <Page waiting={useGateView(undecidedOf)} messages={useMessages()} Call={OurCall} />;

const CallWithApproval = memo(function CallWithApproval({ part }) {
  const approval = useApproval(part);
  const { respond } = useGateActions();
  return <Card part={part} answer={(approved) => respond(approval, { approved })} />;
});

/** Each card also learns whether it can be answered, until when, and with what. */
const WithApprovals = () => <Page waiting={useApprovals().length} messages={useMessages()} Call={CallWithApproval} />;

function Plain({ chat }) {
  const messages = useSyncExternalStore(chat.subscribe, chat.get);
  const Call = useMemo(
    () =>
      memo(function Call({ part }) {
        return <Card part={part} answer={(approved) => chat.respond(part, approved)} />;
      }),
    [chat],
  );
  return <Page waiting={chat.waiting} messages={messages} Call={Call} />;
}

const mounted = (content) => (element, chat) => {
  const root = createRoot(element);
  root.render(content(chat));
  return () => root.unmount();
};

export const theirs = { createChat: (options) => new Chat(options), mount: mounted((chat) => <Theirs chat={chat} />) };

export const plain = { createChat: createPlainChat, mount: mounted((chat) => <Plain chat={chat} />) };

const guarded = (Chats) => ({
  createChat: (options) => guard(new Chat(options)),
  mount: mounted((chat) => (
    <GateProvider gate={chat}>
      <Chats />
    </GateProvider>
  )),
});

export const ours = guarded(Ours);

export const withApprovals = guarded(WithApprovals);

/** The AI SDK's page with one change: `guard` around its chat. */
export const onlyGuarded = { ...theirs, createChat: ours.createChat };
