/**
 * The values that a gate accepts as a protocol. Other values are refused with an error that says which ones are valid.
 */
import { expect, it, test } from 'vitest';
import { init, ToolGate, type Protocol } from 'toolgate';
import { acp } from 'toolgate/protocols/acp';
import { gemini } from 'toolgate/protocols/gemini';
import { openaiChat } from 'toolgate/protocols/openai-chat';
import { openaiResponses } from 'toolgate/protocols/openai-responses';
import * as entry from 'toolgate/protocols';

import { manifest } from '../../pkg-scripts/lib/package.mjs';
import { PROTOCOL_NAMES } from './all.js';

await init();

test.each(PROTOCOL_NAMES.slice(1))('toolgate/protocols/%s exports one value with that name', async (name) => {
  const module = (await import(/* @vite-ignore */ `toolgate/protocols/${name}`)) as Record<string, Protocol>;
  // A function, such as `agUiFor`, returns variants of the protocol.
  const [exported, ...others] = Object.keys(module).filter((key) => typeof module[key] === 'object');
  expect(others).toEqual([]);
  expect(exported).toBe(name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()));
  const protocol = module[exported as string] as Protocol;
  expect(protocol.name).toBe(name);
  expect(protocol.capabilities.historyChoices).toContain(protocol.capabilities.history);
  expect(new ToolGate({ protocol }).protocol).toBe(protocol);
  expect(new ToolGate().assemble(protocol)).toEqual([]);
});

test('every protocol of the package is in the list of the tests', () => {
  const { exports } = manifest() as { exports: Record<string, unknown> };
  const ours = Object.keys(exports).filter((path) => path.startsWith('./protocols/'));
  expect(ours.map((path) => path.slice('./protocols/'.length)).sort()).toEqual(PROTOCOL_NAMES.slice(1).sort());
});

test('the protocol of the AI SDK is built in, by default and by its name', () => {
  const gates = [
    new ToolGate(),
    new ToolGate({ protocol: 'ai-sdk' }),
    new ToolGate({ protocol: new ToolGate().protocol }),
  ];
  for (const { protocol } of gates) {
    expect(protocol).toBe(gates[0]?.protocol);
    expect(protocol).toMatchObject({ name: 'ai-sdk', capabilities: { kind: 'resubmitting', history: 'client' } });
  }
});

it.each<[string, unknown]>([
  ['the name of a protocol', 'acp'],
  ['an object with a name and capabilities', { name: 'acp', capabilities: acp.capabilities }],
  ['a copy', { ...acp }],
  ['a definition', { name: 'mine', capabilities: { kind: 'resubmitting' }, write: () => [] }],
  ['a module', { acp }],
  ['null', null],
  ['a function', () => acp],
])('%s is not a protocol', (_, value) => {
  const right = /Expected 'ai-sdk' or a protocol: a value such as `acp` from 'toolgate\/protocols\/acp'/;
  expect(() => new ToolGate({ protocol: value as Protocol })).toThrow(TypeError);
  expect(() => new ToolGate({ protocol: value as Protocol })).toThrow(right);
  expect(() => new ToolGate().assemble(value as Protocol)).toThrow(TypeError);
  expect(() => new ToolGate().assemble(value as Protocol)).toThrow(right);
});

it('the properties of a protocol cannot be changed', () => {
  expect(Object.isFrozen(acp)).toBe(true);
  expect(Object.isFrozen(acp.capabilities)).toBe(true);
});

it('the option history accepts only the protocol’s choices', () => {
  const make = (protocol: 'ai-sdk' | Protocol, history: 'client' | 'server') => new ToolGate({ protocol, history });
  expect(() => make('ai-sdk', 'server')).toThrow(/`history`: "server"\. Expected one of: client$/);
  expect(() => make(openaiChat, 'server')).toThrow(/Expected one of: client$/);
  expect(() => make(acp, 'client')).toThrow(/Expected one of: server$/);
  for (const history of ['client', 'server'] as const) expect(() => make(openaiResponses, history)).not.toThrow();
});

it('a loss names the protocol that the history was assembled for', () => {
  const gate = new ToolGate();
  const names: string[] = [];
  gate.onEvent((event) => event.type === 'lossy' && names.push(event.protocol));
  gate.load([
    { id: 's', role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
    { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Hi' }] },
    { id: 's2', role: 'system', parts: [{ type: 'text', text: 'Be briefer.' }] },
  ]);
  gate.assemble(gemini);
  gate.assemble(gemini);
  gate.assemble(acp);
  expect(names).toEqual(['gemini', 'acp']);
});

it('toolgate/protocols exports the API for writing a protocol', () => {
  expect(Object.keys(entry).sort()).toEqual([
    'ReplyWriter',
    'defineProtocol',
    'isToolCall',
    'resultOf',
    'toModelMessages',
  ]);
});
