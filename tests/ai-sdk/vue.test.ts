// @vitest-environment happy-dom
/** A component with a guarded Vue chat of AI SDK 6 or 7 renders only on changes. */
import { dispose, gateOf, guard } from 'toolgate/ai-sdk';
import { describe, expect, test } from 'vitest';
import {
  computed,
  createApp,
  defineComponent,
  effectScope,
  h,
  isProxy,
  nextTick,
  onScopeDispose,
  reactive,
  ref,
  shallowRef,
  watch,
  watchEffect,
  type PropType,
} from 'vue';

import { type AnyChat, chats, type Message, stage } from './support/chats';
import { until } from '../lib/waiting';
import { asks, goesOn, says, ScriptedTransport } from './support/transport';

const old = { id: 'u0', role: 'user', parts: [{ type: 'text', text: 'old' }] };

function mountChat(chat: AnyChat) {
  const renders: Record<string, number> = {};
  const warnings: string[] = [];
  const Row = defineComponent({
    props: { message: { type: Object as PropType<Message>, required: true } },
    render() {
      renders[this.message.id] = (renders[this.message.id] ?? 0) + 1;
      return h('p', this.message.parts.map((part) => part['text'] ?? part['state']).join('|'));
    },
  });
  const root = defineComponent({
    setup: () => ({ chat }),
    render() {
      const { chat: shown } = this;
      return h('div', [
        `${shown.status}:${shown.error?.message ?? ''}`,
        shown.messages.map((message) => h(Row, { key: message.id, message })),
      ]);
    },
  });
  const element = document.createElement('div');
  const app = createApp(root);
  app.config.warnHandler = (message) => void warnings.push(message);
  app.mount(element);
  return { element, renders, warnings, app };
}

describe.each(chats.filter(({ framework }) => framework === 'vue'))('$name', (kind) => {
  test('messages, status and errors are rendered as they change', async () => {
    const { chat, transport } = await stage(kind, {
      messages: [old],
      replies: [asks(['c1']), goesOn({ c1: 42 }), new Error('R')],
    });
    const { element, renders, warnings, app } = mountChat(chat);
    const statuses: string[] = [];
    let last: Message | undefined;
    watchEffect(() => void statuses.push(chat.status), { flush: 'sync' });
    watchEffect(() => void (last = chat.lastMessage));
    const count = computed(() => chat.messages.length);
    expect(element.textContent).toBe('ready:old');

    await chat.sendMessage({ text: 'hi' });
    await nextTick();
    expect(element.textContent).toBe('ready:oldhi|approval-requested');
    expect(statuses).toEqual(['ready', 'submitted', 'streaming', 'ready']);
    expect(renders['u0']).toBe(1);
    expect(count.value).toBe(3);
    expect(last).toBe(chat.messages[2]);

    await chat.addToolApprovalResponse({ id: 'ask-c1', approved: true });
    await until(() => chat.status === 'ready' && transport.requests.length === 2);
    await nextTick();
    expect(element.textContent).toBe('ready:oldhi|output-available||done');

    await chat.sendMessage({ text: 'more' });
    await nextTick();
    expect(element.textContent).toMatch(/^error:R/);
    chat.clearError();
    chat.messages = chat.messages.slice(0, 1);
    await nextTick();
    expect(element.textContent).toBe('ready:old');
    expect(warnings).toEqual([]);
    app.unmount();
  });

  test('the gate and the transport get no proxies', async () => {
    const { chat, transport } = await stage(kind, { messages: [{ ...old, metadata: { deep: { list: [1] } } }] });
    const [first] = chat.messages;
    expect([isProxy(chat.messages), isProxy(first), isProxy((first!.metadata as { deep: object }).deep)]).toEqual([
      false,
      false,
      false,
    ]);
    expect(gateOf(chat).getSnapshot().messages[0]).toBe(first);

    const message = reactive({
      parts: [{ type: 'text', text: 'hi' }],
      metadata: { deep: { list: [1] }, map: new Map() },
    });
    await chat.sendMessage(message);
    const { metadata } = chat.messages[1] as unknown as { metadata: { deep: { list: unknown }; map: unknown } };
    expect([metadata, metadata.deep, metadata.deep.list, metadata.map].map(isProxy)).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(transport.requests).toHaveLength(1);
    expect(() => structuredClone(chat.messages)).not.toThrow();

    const holder = reactive({ chat });
    expect(holder.chat).toBe(chat);
    expect(ref(chat).value).toBe(chat);
    chat.messages = reactive([...chat.messages]) as Message[];
    expect(chat.messages.some(isProxy)).toBe(false);
  });

  test('a reactive chat can be guarded', async () => {
    const { bare } = await stage(kind);
    const chat = reactive(
      kind.create({
        messages: [old],
        transport: { sendMessages: async () => new ReadableStream({ start: (c) => c.close() }) },
      }),
    ) as AnyChat;
    expect(guard(chat)).toBe(chat);
    await chat.sendMessage({ text: 'hi' });
    expect(isProxy(chat.messages)).toBe(false);
    expect(chat.messages).toHaveLength(2);
    expect(bare.messages).toEqual([]);
    const gate = gateOf(chat);
    expect(isProxy(gate)).toBe(false);
    expect(gate.pending()).toEqual([]);
    await dispose(chat);
    expect(gate.getSnapshot().status).toBe('crashed');
  });

  test.each(['computed', 'watchEffect', 'watch source', 'a render function'] as const)(
    'guard() inside %s makes one chat',
    async (where) => {
      await stage(kind);
      const transport = new ScriptedTransport([asks(['c1']), goesOn({ c1: 1 })]);
      const made: AnyChat[] = [];
      const make = (): AnyChat => {
        const chat = guard(kind.create({ id: 'one', transport, messages: [old] }));
        made.push(chat);
        return chat;
      };
      const scope = effectScope();
      let current!: () => AnyChat;
      scope.run(() => {
        if (where === 'computed') {
          const chat = computed(make);
          current = () => chat.value;
        } else if (where === 'watchEffect') {
          const chat = shallowRef<AnyChat>();
          watchEffect(() => void (chat.value = make()), { flush: 'sync' });
          current = () => chat.value!;
        } else if (where === 'watch source') {
          const chat = shallowRef<AnyChat>();
          watch(make, (made) => void (chat.value = made), { immediate: true, flush: 'sync' });
          current = () => chat.value!;
        } else {
          const app = createApp({ render: () => h('p', make().id) });
          app.mount(document.createElement('div'));
          onScopeDispose(() => app.unmount());
          current = () => made.at(-1)!;
        }
      });
      await current().sendMessage({ text: 'hi' });
      await nextTick();
      await current().addToolApprovalResponse({ id: 'ask-c1', approved: true });
      await until(() => current().status === 'ready' && transport.requests.length === 2);
      await nextTick();
      expect(made).toHaveLength(1);
      expect(current().messages.map(({ role }) => role)).toEqual(['user', 'user', 'assistant']);
      scope.stop();
    },
  );

  test('a guarded chat is reactive: effects that read it run again', async () => {
    const { chat } = await stage(kind, { replies: [says('one')] });
    const lengths: number[] = [];
    const end = watchEffect(() => void lengths.push(chat.messages.length), { flush: 'sync' });
    await chat.sendMessage({ text: 'hi' });
    expect(lengths[0]).toBe(0);
    expect(lengths.at(-1)).toBe(2);
    end();
  });
});
