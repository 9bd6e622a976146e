/** `load` accepts only an array: the error response of a server must not become an empty chat. */
import { describe, expect, it } from 'vitest';
import { init, ToolGate } from 'toolgate';

import { asking } from './support.js';
import { type ProtocolName, named } from '../protocols/all.js';

await init();

const chats: readonly ProtocolName[] = ['ai-sdk', 'anthropic', 'acp'];

describe.each(chats)('%s', (protocol) => {
  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['a text', '[]'],
    ['a number', 0],
    ['a refusal', { error: 'not found' }],
    ['messages in an object', { messages: [] }],
    ['an object with a length', { length: 1, 0: { id: 'm1', role: 'user', parts: [] } }],
    ['an iterable', new Set([{ id: 'm1', role: 'user', parts: [] }])],
    ['a promise', Promise.resolve([])],
  ])('%s is refused, and nothing changes', (_, history) => {
    const gate = new ToolGate({ protocol: named(protocol) });
    gate.load([{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'kept' }] }]);
    const before = gate.getSnapshot();
    const events: unknown[] = [];
    gate.onEvent((event) => events.push(event));
    gate.subscribe(() => events.push('change'));
    expect(() => gate.load(history as never)).toThrow(TypeError);
    expect(() => gate.load(history as never)).toThrow(/array of messages/);
    expect(gate.getSnapshot()).toBe(before);
    expect(events).toEqual([]);
  });
});

it('does not mutate or freeze the history: copies the inputs of calls that may still run', () => {
  const { gate: first } = asking(['c1'], {});
  const history = JSON.parse(JSON.stringify(first.getSnapshot().messages)) as {
    parts: { input?: { path: string } }[];
  }[];
  const gate = new ToolGate();
  gate.load(history);
  const [approval] = gate.pending();
  expect(approval?.input).toEqual({ path: 'c1' });
  const input = history[1]?.parts[1]?.input as { path: string };
  expect(Object.isFrozen(input)).toBe(false);
  input.path = '/etc/passwd';
  expect(gate.pending()[0]?.input).toEqual({ path: 'c1' });
  expect(gate.respond(approval as never, { approved: true })).toBe('accepted');
  expect(JSON.stringify(gate.outgoing())).not.toContain('passwd');
});

it('reads a history with getters and proxies that throw', () => {
  const gate = new ToolGate();
  const refusing = new Proxy(
    {},
    {
      get: () => {
        throw new Error('no');
      },
      ownKeys: () => {
        throw new Error('no');
      },
      getOwnPropertyDescriptor: () => {
        throw new Error('no');
      },
    },
  );
  const revoked = Proxy.revocable([], {});
  const { repairs } = gate.load([
    { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'x' }] },
    refusing,
    {
      id: 'a1',
      role: 'assistant',
      get parts() {
        throw new Error('no');
      },
    },
    {
      id: 'a2',
      role: 'assistant',
      parts: [
        refusing,
        {
          type: 'tool-edit',
          toolCallId: 'c1',
          state: 'input-available',
          get input() {
            throw new Error('no');
          },
        },
      ],
    },
  ]);
  expect(repairs.length).toBeGreaterThan(0);
  expect(gate.getSnapshot().messages[0]).toMatchObject({ id: 'm1' });
  revoked.revoke();
  expect(() => gate.load(revoked.proxy)).toThrow(TypeError);
});
