// @vitest-environment happy-dom
/** `useGuardedChat` of `toolgate/vue`: the AI SDK's `useChat(options)` with a guarded chat. */
import { gateOf, whenReady } from 'toolgate/ai-sdk';
import { provideGate, useApprovals, useGuardedChat } from 'toolgate/vue';
import { beforeAll, expect, test } from 'vitest';
import {
  createApp,
  defineComponent,
  effectScope,
  h,
  nextTick,
  reactive,
  ref,
  Suspense,
  watch,
  type MaybeRefOrGetter,
} from 'vue';

import { asks, gatekeeper, goesOn, says } from '../ai-sdk/support/transport';
import { turns, until } from '../lib/waiting';
import { initFromFile } from './support/gates';
import { freshId, scripted, textOf, user, via } from './support/guarded-chat';

type Options = Parameters<typeof useGuardedChat>[0] & object;
type Helpers = ReturnType<typeof useGuardedChat>;

beforeAll(initFromFile);

/** One task later, when an unused chat is disposed. */
const aTask = (): Promise<void> => new Promise((done) => setTimeout(done));

const shown = ({ messages, status }: Helpers): string =>
  textOf({ messages: messages.value as never, status: status.value as string });

/** Mounts a component for each of the options, with the number of its pending approvals. */
function mount(...all: MaybeRefOrGetter<Options>[]) {
  const seen: Helpers[] = [];
  const Chat = defineComponent({
    props: ['options'],
    setup(props: { options: MaybeRefOrGetter<Options> }) {
      const chat = useGuardedChat(props.options as never) as Helpers;
      seen.push(chat);
      const approvals = useApprovals(chat as never);
      return () => h('p', `${shown(chat)};${approvals.value.length}`);
    },
  });
  const element = document.createElement('div');
  const app = createApp({ render: () => all.map((options) => h(Chat, { options })) });
  app.mount(element);
  return { seen, text: () => element.textContent, unmount: () => app.unmount() };
}

test('a denial sends one response, and an approved call runs once', async () => {
  const transport = scripted(asks(['c1', 'c2']), goesOn({ c1: 42, c2: 'denied' }));
  const { seen, text, unmount } = mount(via(transport));
  const chat = seen[0]!;
  await chat.sendMessage({ text: 'hi' });
  await nextTick();
  expect(text()).toBe('ready:hi|tool-edit|tool-edit;2');
  await chat.addToolApprovalResponse({ id: 'ask-c1', approved: true });
  await chat.addToolApprovalResponse({ id: 'ask-c2', approved: false });
  await chat.addToolApprovalResponse({ id: 'ask-c2', approved: false });
  await until(() => transport.requests.length === 2 && chat.status.value === 'ready');
  await turns();
  expect(transport.requests).toHaveLength(2);
  expect(text()).toBe('ready:hi|tool-edit|tool-edit|done;0');
  expect(await whenReady(chat)).toBe(gateOf(chat.chat.value!));
  unmount();
});

test('a loaded core executes the first call at once: no list without the message is shown after it', async () => {
  const { seen, unmount } = mount(via(scripted(says('hello'))));
  const chat = seen[0]!;
  const lengths: number[] = [];
  watch([chat.messages, chat.status], ([messages]) => lengths.push(messages.length), { flush: 'sync' });
  await chat.sendMessage({ text: 'hi' });
  expect(lengths[0]).toBe(1);
  expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
  unmount();
});

test('components with one id share a chat, which is disposed a task after the last one', async () => {
  const id = freshId();
  const hold = gatekeeper();
  const transport = scripted([...says('hello').slice(0, 4), () => hold.opened, ...says('hello').slice(4)]);
  const { seen, text, unmount } = mount({ id }, { id, messages: [user('u0', 'old')], ...via(transport) });
  const chat = seen[0]!.chat.value!;
  expect(seen[1]!.chat.value).toBe(chat);
  await nextTick();
  expect(text()).toBe('ready:old;0ready:old;0');
  const sent = chat.sendMessage({ text: 'hi' });
  await until(() => chat.status === 'streaming');
  unmount();
  await aTask();
  expect(transport.requests[0]!.abortSignal!.aborted).toBe(false);
  hold.open();
  await sent;
  await until(() => gateOf(chat).getSnapshot().status === 'crashed');
  const again = mount({ id });
  expect(again.seen[0]!.chat.value).not.toBe(chat);
  again.unmount();
});

test('a getter of options is read when they are needed, and another id is another chat', async () => {
  const [one, two] = [freshId(), freshId()];
  const [id, name] = [ref(one), ref('a')];
  const finished: string[] = [];
  const transport = scripted(says('hello'));
  const options = (): Options => ({
    id: id.value,
    messages: [user('u0', `of ${id.value}`)],
    onFinish: (
      (current) => () =>
        void finished.push(current)
    )(name.value),
    ...via(transport),
  });
  const { seen, text, unmount } = mount(options);
  const first = seen[0]!.chat.value!;
  name.value = 'b';
  await seen[0]!.sendMessage({ text: 'hi' });
  expect([finished, seen[0]!.chat.value]).toEqual([['b'], first]);
  id.value = two;
  expect(seen[0]!.id.value).toBe(two);
  await nextTick();
  expect(text()).toBe(`ready:of ${two};0`);
  await aTask();
  await expect(first.sendMessage({ text: 'late' })).rejects.toMatchObject({ code: 'crashed' });
  seen[0]!.messages.value = [];
  await nextTick();
  expect(text()).toBe('ready:;0');
  unmount();
});

test('the gate gets no proxies of Vue', async () => {
  const transport = scripted(says('hello'));
  const messages = ref([user('u0', 'old')]);
  const { seen, text, unmount } = mount(reactive({ messages, ...via(transport) }) as never);
  // The scripted transport clones the messages, which is impossible for proxies.
  await seen[0]!.sendMessage(reactive({ parts: [{ type: 'text' as const, text: 'hi' }] }));
  await nextTick();
  expect(text()).toBe('ready:old|hi|hello;0');
  unmount();
});

test('a component that waits in <Suspense> gets a chat, although the other component of its chat is unmounted', async () => {
  const id = freshId();
  const transport = scripted(says('hello'), says('again', 'a2'));
  const hold = gatekeeper();
  const isShown = ref(true);
  const seen: Helpers[] = [];
  const component = (isLate: boolean) =>
    defineComponent({
      async setup() {
        const chat = useGuardedChat({ id, ...via(transport) }) as Helpers;
        seen.push(chat);
        if (isLate) await hold.opened;
        return () => h('p', shown(chat));
      },
    });
  const [First, Late] = [component(false), component(true)];
  const element = document.createElement('div');
  const app = createApp({
    render: () => [isShown.value && h(Suspense, null, () => h(First)), h(Suspense, null, () => h(Late))],
  });
  app.mount(element);
  await turns();
  await seen[0]!.sendMessage({ text: 'hi' });
  isShown.value = false;
  await nextTick();
  await aTask();
  hold.open();
  await turns();
  expect(element.textContent).toBe('ready:hi|hello');
  await seen[1]!.sendMessage({ text: 'more' });
  await nextTick();
  expect(element.textContent).toBe('ready:hi|hello|more|again');
  app.unmount();
});

test('works outside of components, and without arguments', async () => {
  const scope = effectScope();
  const chat = scope.run(() => useGuardedChat())!;
  await whenReady(chat);
  expect([shown(chat as never), chat.id.value.length > 0]).toEqual(['ready:', true]);
  const held = chat.chat.value!;
  scope.stop();
  await aTask();
  await expect(held.sendMessage({ text: 'late' })).rejects.toMatchObject({ code: 'crashed' });
  expect(() => useGuardedChat({ sendMessage() {} } as never).id.value).toThrow(/invalid gate/);
  expect(() => useGuardedChat({ gate: { onDeny: 'never' as never } })).toThrow(/useGuardedChat: invalid option/);
});

test('provideGate takes what useGuardedChat returned, also for another chat', async () => {
  const id = ref(freshId());
  const transport = scripted(asks(['c1']), says('ok'));
  const count = ref<() => number>(() => -1);
  const Child = defineComponent({
    setup() {
      const approvals = useApprovals();
      count.value = () => approvals.value.length;
      return () => null;
    },
  });
  let chat!: Helpers;
  const app = createApp({
    setup() {
      chat = useGuardedChat(() => ({ id: id.value, ...via(transport) })) as Helpers;
      provideGate(chat);
      return () => h(Child);
    },
  });
  app.mount(document.createElement('div'));
  await chat.sendMessage({ text: 'hi' });
  expect(count.value()).toBe(1);
  id.value = freshId();
  expect(count.value()).toBe(0);
  app.unmount();
});
