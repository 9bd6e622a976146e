// @vitest-environment happy-dom
/** `useGuardedChat` of `toolgate/react` with what React 18 lacks: `use` and `<Activity>`. */
import { Activity, Suspense, use } from 'react';
import { useGuardedChat } from 'toolgate/react';
import { beforeAll, expect, test } from 'vitest';

import { act } from '../lib/act';
import { gatekeeper, says } from '../ai-sdk/support/transport';
import { initFromFile } from './support/gates';
import { freshId, scripted, textOf, via } from './support/guarded-chat';
import { aTask, Chat, mount, type Helpers } from './support/react-chat';
import { collectReactErrors } from './support/react-errors';

collectReactErrors();

beforeAll(initFromFile);

test('a component that suspends keeps its chat, and a discarded render changes no options', async () => {
  const id = freshId();
  const transport = scripted(says('hello'));
  const seen: Helpers[] = [];
  const data = gatekeeper();
  const finished: string[] = [];
  function Waiting({ name, wait }: { name: string; wait: Promise<void> | undefined }) {
    const chat = useGuardedChat({ id, onFinish: () => void finished.push(name), ...via(transport) });
    seen.push(chat);
    if (wait) use(wait);
    return <p>{textOf(chat)}</p>;
  }
  const page = (name: string, wait?: Promise<void>) => (
    <Suspense fallback="wait">
      <Waiting name={name} wait={wait} />
    </Suspense>
  );
  const { render, text, unmount } = await mount(page('a', data.opened));
  expect(text()).toBe('wait');
  await act(async () => {
    data.open();
    await data.opened;
  });
  expect(text()).toBe('ready:');
  expect(new Set(seen.map(({ chat }) => chat)).size).toBe(1);
  // This render never ends: its options do not count.
  await render(page('b', new Promise(() => {})));
  await act(() => seen[0]!.chat.sendMessage({ text: 'hi' }));
  expect(finished).toEqual(['a']);
  await unmount();
});

test('a hidden component continues with its messages', async () => {
  const transport = scripted(says('hello'), says('again', 'a2'));
  const seen: Helpers[] = [];
  const page = (mode: 'hidden' | 'visible') => (
    <Activity mode={mode}>
      <Chat options={via(transport)} seen={seen} />
    </Activity>
  );
  const { render, text, unmount } = await mount(page('visible'));
  await act(() => seen.at(-1)!.sendMessage({ text: 'hi' }));
  await render(page('hidden'));
  await aTask();
  await render(page('visible'));
  expect(text()).toBe('ready:hi|hello');
  await act(() => seen.at(-1)!.sendMessage({ text: 'more' }));
  expect(text()).toBe('ready:hi|hello|more|again');
  await unmount();
});
