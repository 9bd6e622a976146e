// @vitest-environment happy-dom
/** `persist` with the chat of `useGuardedChat`: the component of the next page continues with its pending approval. */
import { StrictMode, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { persist, type PersistedChat, type PersistStorage } from 'toolgate/persist';
import { ToolApproval, useApprovals, useGuardedChat } from 'toolgate/react';
import { expect, test, vi } from 'vitest';

import { asks, goesOn, type Reply, ScriptedTransport } from '../ai-sdk/support/transport.js';
import { act } from '../lib/act.js';
import { until } from '../lib/waiting.js';
import { initFromFile } from '../bindings/support/gates.js';

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);

/** A storage that outlives both pages. */
function memory(): PersistStorage {
  const stored = new Map<string, unknown>();
  return {
    read: (key) => stored.get(key),
    write: (key, value) => void stored.set(key, structuredClone(value)),
    remove: (key) => void stored.delete(key),
  } as PersistStorage;
}

/** Opens a page whose component persists its chat in an effect. */
async function openPage(name: string, storage: PersistStorage, replies: readonly Reply[]) {
  const transport = new ScriptedTransport(replies);
  const errors: unknown[] = [];
  const seen: ReturnType<typeof useGuardedChat>[] = [];
  let pending: readonly { readonly approvalId: string }[] = [];
  function Page() {
    const chat = useGuardedChat({ id: name, transport: transport as never });
    const [own] = [chat.chat];
    seen.push(chat);
    pending = useApprovals(chat);
    useEffect(() => {
      let persisted: PersistedChat | undefined;
      let isOver = false;
      void persist(own, { name, storage, onError: (error) => errors.push(error) }).then((opened) => {
        persisted = opened;
        if (isOver) opened.close();
      });
      return () => {
        isOver = true;
        persisted?.close();
      };
    }, [own]);
    return pending.map(({ approvalId }) => <ToolApproval key={approvalId} chat={chat} approvalId={approvalId} />);
  }
  const root = createRoot(document.createElement('div'));
  await act(async () =>
    root.render(
      <StrictMode>
        <Page />
      </StrictMode>,
    ),
  );
  return {
    transport,
    errors,
    chat: () => seen.at(-1)!,
    pending: () => pending.map(({ approvalId }) => approvalId),
    close: async () => {
      await act(async () => root.unmount());
      // The chat is disposed a task later.
      await new Promise((done) => setTimeout(done, 10));
    },
  };
}

test('a chat of useGuardedChat is stored, and its approval is restored and decided once in the next page', async () => {
  await initFromFile();
  const [name, storage] = ['own chat', memory()];
  const first = await openPage(name, storage, [asks(['c1'])]);
  await act(() => first.chat().sendMessage({ text: 'hi' }));
  expect(first.pending()).toEqual(['ask-c1']);
  const [before] = [first.chat().chat];
  await first.close();

  const second = await openPage(name, storage, [goesOn({ c1: 42 })]);
  await act(() => until(() => second.pending().length === 1));
  expect(second.chat().chat).not.toBe(before);
  expect(second.transport.requests).toEqual([]);
  await act(async () => {
    await second.chat().addToolApprovalResponse({ id: 'ask-c1', approved: true });
    await second.chat().addToolApprovalResponse({ id: 'ask-c1', approved: true });
    await until(() => second.transport.requests.length > 0 && second.chat().status === 'ready');
  });
  expect(second.transport.requests).toHaveLength(1);
  expect(second.transport.requests[0]!.messages.at(-1)!.parts.at(-1)).toMatchObject({
    state: 'approval-responded',
    approval: { id: 'ask-c1', approved: true },
  });
  expect(second.chat().messages.at(-1)!.parts).toContainEqual(expect.objectContaining({ state: 'output-available' }));
  expect([first.errors, second.errors]).toEqual([[], []]);
  await second.close();
});
