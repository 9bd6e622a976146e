/** The page in Vue: see react.jsx. The AI SDK's side is Vue's `useChat`, which creates its own chat. */
import { Chat, useChat } from '@ai-sdk/vue';
import { guard } from 'toolgate/ai-sdk';
import { provideGate, useApproval, useApprovals, useGateActions, useGateView, useMessages } from 'toolgate/vue';
import { createApp, effectScope, h, shallowRef } from 'vue';
import { createPlainChat } from './plain.js';
import { rendered } from './scenario.js';

const Text = {
  props: ['part'],
  setup: (props) => () => {
    rendered.count++;
    return h('p', { 'data-text': '' }, props.part.text);
  },
};

const card = (part, answer) => {
  rendered.count++;
  return h('article', { 'data-call': part.toolCallId }, [
    h('b', part.type),
    h('code', JSON.stringify(part.input)),
    h('em', part.state),
    part.state === 'approval-requested' && [
      h('button', { onClick: () => answer(true) }, 'Approve'),
      h('button', { onClick: () => answer(false) }, 'Deny'),
    ],
  ]);
};

const page = (waiting, messages, Call, more) => [
  h('h1', `${waiting} waiting`),
  messages.map((message) =>
    message.parts.map((part, n) =>
      'toolCallId' in part ? h(Call, { key: n, part, ...more }) : part.type === 'text' && h(Text, { key: n, part }),
    ),
  ),
];

const TheirCall = {
  props: ['part', 'respond'],
  setup: (props) => () => card(props.part, (approved) => props.respond({ id: props.part.approval.id, approved })),
};

const OurCall = {
  props: ['part'],
  setup(props) {
    const { respond } = useGateActions();
    return () => card(props.part, (approved) => respond(props.part, { approved }));
  },
};

/** The card also learns whether it can be answered, until when, and with what. */
const CallWithApproval = {
  props: ['part'],
  setup(props) {
    const approval = useApproval(() => props.part);
    const { respond } = useGateActions();
    return () => card(props.part, (approved) => respond(approval.value, { approved }));
  },
};

const mounted = (setup) => (element, chat) => {
  const app = createApp({ setup: () => setup(chat) });
  app.mount(element);
  return () => app.unmount();
};

export const theirs = {
  createChat: (options) => effectScope().run(() => useChat(options)),
  mount: mounted(({ messages, addToolApprovalResponse: respond }) => () => {
    const waiting = messages.value.at(-1).parts.filter((part) => part.state === 'approval-requested').length;
    return page(waiting, messages.value, TheirCall, { respond });
  }),
};

const PlainCall = {
  props: ['part', 'respond'],
  setup: (props) => () => card(props.part, (approved) => props.respond(props.part, approved)),
};

export const plain = {
  createChat: createPlainChat,
  mount: mounted((chat) => {
    const messages = shallowRef(chat.messages);
    chat.subscribe(() => (messages.value = chat.messages));
    return () => page(chat.waiting, messages.value, PlainCall, { respond: chat.respond });
  }),
};

const guarded = (setup) => ({
  createChat: (options) => guard(new Chat(options)),
  mount: mounted((chat) => {
    provideGate(chat);
    return setup(chat);
  }),
});

export const ours = guarded((chat) => {
  const [undecided, messages] = [useGateView((view) => view.turn.undecided, chat), useMessages(chat)];
  return () => page(undecided.value, messages.value, OurCall);
});

export const withApprovals = guarded((chat) => {
  const [approvals, messages] = [useApprovals(chat), useMessages(chat)];
  return () => page(approvals.value.length, messages.value, CallWithApproval);
});
