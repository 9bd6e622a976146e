/** The memory use of a guard is limited: it does not grow with the length of a chat or with vetoed requests. */
import { gateOf } from 'toolgate/ai-sdk';
import type { AiSdkBody, Outgoing } from 'toolgate';
import { describe, expect, test, vi } from 'vitest';

import { Attempts } from '../../src/ts/ai-sdk/driver/attempts.js';
import { RequestMemory } from '../../src/ts/ai-sdk/driver/request-options.js';
import { ToolCalls } from '../../src/ts/ai-sdk/driver/tool-calls.js';
import type { ToolGate } from '../../src/ts/gate/tool-gate.js';
import { turns, until } from '../lib/waiting';
import { reactChats, stage } from './support/chats';
import { asks, calls, goesOn, says } from './support/transport';

/** The chat's gate, with the type of the sources. Type parameters of two copies of a class cannot be compared. */
const sourceGate = (chat: object): ToolGate => gateOf(chat) as object as ToolGate;

const item = (id: string, attempt = 1): Outgoing<AiSdkBody> => ({ id, attempt }) as Outgoing<AiSdkBody>;

/** Calls `create`, and returns its result and how many entries the sets and maps have that it created. */
function counted<T>(create: () => T): [T, () => number] {
  const all: { readonly size: number }[] = [];
  const watch = <A extends unknown[], B extends { readonly size: number }>(Base: new (...args: A) => B) =>
    new Proxy(Base, {
      construct: (Class, args, target) => {
        const made = Reflect.construct(Class, args, target) as B;
        all.push(made);
        return made;
      },
    });
  vi.stubGlobal('Set', watch(Set));
  vi.stubGlobal('Map', watch(Map));
  try {
    return [create(), () => all.reduce((sum, { size }) => sum + size, 0)];
  } finally {
    vi.unstubAllGlobals();
  }
}

test('attempts are stored only while their requests are listed', () => {
  const [attempts, size] = counted(() => new Attempts());
  for (let n = 0; n < 1000; n++) {
    const listed = [item(`i${n}`)];
    attempts.markRequested(listed);
    attempts.skip(listed[0]!);
    expect(attempts.next(listed)).toBeUndefined();
    expect(attempts.isRequested(listed[0]!)).toBe(true);
    expect(attempts.next([item(`i${n}`, 2)])).toMatchObject({ attempt: 2 });
  }
  expect(size()).toBe(0);
});

test('options of removed messages and approvals, and of withdrawn items, are removed', async () => {
  const { chat } = await stage(reactChats[0]!, { replies: [asks(['c1'])] });
  const gate = sourceGate(chat);
  const [memory, size] = counted(() => new RequestMemory());
  for (let n = 0; n < 1000; n++) {
    for (const kind of ['message', 'approval', 'output'] as const) memory.forAct(kind, `${n}`, { body: { n } });
    memory.forItem(`i${n}`, { options: undefined });
  }
  await chat.sendMessage({ text: 'hi' });
  expect(size()).toBe(4000);
  memory.forAct('approval', 'ask-c1', { body: { kept: true } });
  memory.prune(gate, 'i7');
  expect(size()).toBe(2);
  memory.forAct('approval', 'ask-c1', undefined);
  expect(size()).toBe(1);
});

test('calls are stored only while their message is the last one', async () => {
  const replies = Array.from({ length: 50 }, (_, n) => calls([`c${n}`], `a${n}`));
  const { chat } = await stage(reactChats[0]!, { replies });
  const [known, size] = counted(() => new ToolCalls(sourceGate(chat)));
  for (let n = 0; n < 50; n++) {
    await chat.sendMessage({ text: 'again' });
    expect([known.isNew(`c${n}`), known.isNew(`c${n}`)]).toEqual([true, false]);
    known.prune();
    expect(size()).toBe(1);
  }
});

describe.each(reactChats)('$name', (kind) => {
  test('the predicate is called once for each step, and a vetoed step is sent at the user’s request', async () => {
    let verdict = false;
    const asked: number[] = [];
    const { chat, transport } = await stage(kind, {
      replies: [asks(['c1']), [...goesOn({ c1: 1 }).slice(0, 2), ...asks(['c2'], 'a1').slice(1)], goesOn({ c2: 1 })],
      chat: { sendAutomaticallyWhen: () => (asked.push(transport.requests.length), verdict) },
    });
    await chat.sendMessage({ text: 'hi' });
    await chat.addToolApprovalResponse({ id: 'ask-c1', approved: true });
    await turns();
    await chat.stop();
    await chat.sendMessage();
    expect([transport.requests.length, asked]).toEqual([2, [1]]);
    verdict = true;
    await chat.addToolApprovalResponse({ id: 'ask-c2', approved: true });
    await until(() => transport.requests.length === 3 && chat.status === 'ready');
    expect(asked).toEqual([1, 2]);
  });

  test('onToolCall is called for a repeated id after the history was replaced', async () => {
    const { chat, told } = await stage(kind, { replies: [calls(['call_0']), calls(['call_0'], 'a2')] });
    const heard = (): number => told.filter(({ name }) => name === 'onToolCall').length;
    await chat.sendMessage({ text: 'one' });
    expect(heard()).toBe(1);
    chat.messages = [];
    await chat.sendMessage({ text: 'two' });
    expect(heard()).toBe(2);
  });

  test('an error in a listener of a framework does not stop a request', async () => {
    const { chat, transport } = await stage(kind, { replies: [says('one'), says('two', 'a2')] });
    const uncaught: unknown[] = [];
    const note = (error: unknown): void => void uncaught.push(error);
    process.on('uncaughtException', note);
    const subscribe = '~registerStatusCallback';
    const react = chat as unknown as Record<typeof subscribe, (callback: () => void) => () => void>;
    const end = react[subscribe](() => {
      throw new Error('a listener');
    });
    await chat.sendMessage({ text: '1' });
    await chat.sendMessage({ text: '2' });
    await turns();
    end();
    process.off('uncaughtException', note);
    expect(transport.requests).toHaveLength(2);
    expect([chat.status, chat.messages.length]).toEqual(['ready', 4]);
    expect(uncaught.length).toBeGreaterThan(0);
  });

  test('a decision is passed to the gate with the digest of the shown input', async () => {
    const { chat } = await stage(kind, { replies: [asks(['c1'])] });
    await chat.sendMessage({ text: 'hi' });
    const gate = gateOf(chat);
    const [pending] = gate.pending();
    const given: unknown[] = [];
    const respond = gate.respond.bind(gate);
    gate.respond = (id, response) => (given.push([id, response]), respond(id, response));
    await chat.addToolApprovalResponse({ id: 'ask-c1', approved: true, reason: 'fine' });
    expect(given).toEqual([['ask-c1', { approved: true, reason: 'fine', inputDigest: pending!.inputDigest }]]);
  });
});
