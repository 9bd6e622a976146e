// @vitest-environment happy-dom
/** `useInbox` of all bindings: what is rendered when an entry of an inbox changes. */
import { act, memo, StrictMode, useEffect } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { flushSync, mount, tick, unmount } from 'svelte';
import type { ToolGate } from 'toolgate';
import { Inbox, type InboxEntry } from 'toolgate/inbox';
import { useInbox } from 'toolgate/react';
import { useInbox as useVueInbox } from 'toolgate/vue';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createApp, defineComponent, h, nextTick, reactive } from 'vue';
import InboxList from './support/Inbox.svelte';
import { asking, Counts, initFromFile } from './support/gates';

const counts = new Counts();

beforeAll(initFromFile);
beforeEach(() => {
  counts.take();
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  return () => void vi.unstubAllGlobals();
});

/** An inbox with two chats, and the number of its listeners. */
function filled() {
  const [inbox, one, other] = [new Inbox(), asking(['c1', 'c2'], 'one'), asking(['c3'], 'other')];
  inbox.add(one, { id: 'one' });
  inbox.add(other, { id: 'other' });
  let listeners = 0;
  const { subscribe } = inbox;
  inbox.subscribe = (listener) => {
    const end = subscribe.call(inbox, listener);
    listeners++;
    return () => {
      listeners--;
      end();
    };
  };
  return { inbox, one, other, listeners: () => listeners };
}

const idOf = (entry: InboxEntry): string => (entry.kind === 'undelivered' ? '' : entry.approval.toolCallId);
const answer = (gate: ToolGate, id: string): unknown => gate.respond(`ask-${id}`, { approved: true });

describe('React', () => {
  const Row = memo(function Row({ entry }: { entry: InboxEntry }) {
    counts.add(idOf(entry));
    return <i>{`${entry.chatId} ${idOf(entry)};`}</i>;
  });

  function List({ inbox }: { inbox: Inbox }) {
    const { entries, count } = useInbox(inbox);
    counts.add('list');
    return (
      <>
        {count}{' '}
        {entries.map((entry) => (
          <Row key={entry.key} entry={entry} />
        ))}
      </>
    );
  }

  test('a decision renders the list and no other row; unmounting ends the subscription', async () => {
    const { inbox, one, listeners } = filled();
    const element = document.createElement('div');
    const root = createRoot(element);
    await act(async () => root.render(<List inbox={inbox} />));
    expect([element.textContent, listeners()]).toEqual(['3 one c1;one c2;other c3;', 1]);
    counts.take();
    await act(async () => answer(one, 'c1'));
    expect([element.textContent, counts.take()]).toEqual(['2 one c2;other c3;', { list: 1 }]);
    await act(async () => root.unmount());
    expect(listeners()).toBe(0);
  });

  test('a component adds its chat in an effect, in StrictMode', async () => {
    const { inbox } = filled();
    const gate = asking(['c9'], 'own');
    function Chat() {
      useEffect(() => inbox.add(gate, { id: 'own' }), []);
      return null;
    }
    const element = document.createElement('div');
    const root = createRoot(element);
    const show = (hasChat: boolean) => (
      <StrictMode>
        <List inbox={inbox} />
        {hasChat && <Chat />}
      </StrictMode>
    );
    await act(async () => root.render(show(true)));
    expect(element.textContent).toBe('4 one c1;one c2;other c3;own c9;');
    await act(async () => root.render(show(false)));
    expect(element.textContent).toBe('3 one c1;one c2;other c3;');
    await act(async () => root.unmount());
  });

  test('a server renders an empty inbox, and hydration keeps its HTML', async () => {
    const { inbox } = filled();
    const html = renderToString(<List inbox={inbox} />);
    expect(html).toContain('0');
    const element = document.createElement('div');
    element.innerHTML = html;
    const problems: unknown[] = [];
    const onRecoverableError = (error: unknown): void => void problems.push(error);
    const root = await act(async () => hydrateRoot(element, <List inbox={inbox} />, { onRecoverableError }));
    expect([element.textContent, problems]).toEqual(['3 one c1;one c2;other c3;', []]);
    await act(async () => root.unmount());
  });
});

test('Svelte: a decision renders the list and no other row; unmounting ends the subscription', async () => {
  const { inbox, one, listeners } = filled();
  const target = document.createElement('div');
  const app = mount(InboxList, { target, props: { inbox, counts } });
  flushSync();
  const text = (): string => target.textContent.replaceAll(/\s+/g, ' ').trim();
  expect([text(), listeners()]).toEqual(['3 one c1one c2other c3', 1]);
  counts.take();
  answer(one, 'c1');
  await tick();
  expect([text(), counts.take()]).toEqual(['2 one c2other c3', { list: 1 }]);
  await unmount(app);
  await tick();
  expect(listeners()).toBe(0);
});

test('Vue: a decision renders the list and no other row; unmounting ends the subscription', async () => {
  const { inbox, one, listeners } = filled();
  // A reactive object must not wrap the inbox.
  const state = reactive({ inbox });
  const Row = defineComponent({
    props: { entry: { type: Object, required: true } },
    setup: (props) => () => {
      const entry = props.entry as InboxEntry;
      counts.add(idOf(entry));
      return h('i', `${entry.chatId} ${idOf(entry)};`);
    },
  });
  const app = createApp({
    setup() {
      const list = useVueInbox(state.inbox as Inbox);
      return () => {
        counts.add('list');
        const { entries, count } = list.value;
        return [String(count), ' ', ...entries.map((entry) => h(Row, { key: entry.key, entry }))];
      };
    },
  });
  const element = document.createElement('div');
  app.mount(element);
  expect([element.textContent, listeners()]).toEqual(['3 one c1;one c2;other c3;', 1]);
  counts.take();
  answer(one, 'c1');
  await nextTick();
  await nextTick();
  expect([element.textContent, counts.take()]).toEqual(['2 one c2;other c3;', { list: 1 }]);
  app.unmount();
  expect(listeners()).toBe(0);
});
