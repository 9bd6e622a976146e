/**
 * A result of a page tool that no request can contain is refused at once, with the path of the value: the model gets an
 * error, and the chat continues.
 */
import { ToolGate } from 'toolgate';
import { openaiChat } from 'toolgate/protocols/openai-chat';
import { registerTools } from 'toolgate/tools';
import { expect, it, test } from 'vitest';

import { reply, send, thrownBy } from './support.js';

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Data = any;

const cyclic: Data = { rows: [{ id: 1 }] };
cyclic.rows.push({ parent: cyclic });

const throwing = {
  rows: [
    {
      toJSON() {
        throw new Error('no JSON');
      },
    },
  ],
};

/** A gate whose page has to run a call. `before` is called before the call arrives. */
function running(before?: (gate: ToolGate) => void): ToolGate {
  const gate = new ToolGate({ chatId: 'chat', protocol: openaiChat, needsApproval: () => false });
  before?.(gate);
  gate.sendUserMessage({ text: 'go' });
  send(gate);
  reply(gate, [
    { choices: [{ delta: { tool_calls: [{ index: 0, id: 'c1', function: { name: 'list', arguments: '{}' } }] } }] },
    { choices: [{ delta: {}, finish_reason: 'tool_calls' }] },
  ]);
  return gate;
}

it.each<[string, unknown, string]>([
  ['a cycle', cyclic, '.rows[1].parent: contains itself'],
  ['a BigInt', { rows: [{ id: 1n }] }, '.rows[0].id: a bigint cannot be represented in JSON'],
  ['a BigInt as the whole output', 10n, 'output: a bigint'],
  ['a value whose toJSON throws', throwing, '.rows[0].toJSON: a function cannot be represented'],
])('refuses %s with its path, and the chat continues', (_, output, path) => {
  const gate = running();
  const error = thrownBy(() => gate.addToolOutput('c1', { output }));
  expect(error).toMatchObject({ name: 'ToolGateError', code: 'unserializable' });
  expect(error.message).toContain(path);
  expect(gate.part('c1')?.state).toBe('input-available');
  gate.addToolOutput('c1', { errorText: error.message });
  const [item] = gate.outgoing();
  expect(JSON.stringify(item?.body)).toContain(path);
  expect(gate.claim(item?.id ?? '')).toBe(true);
});

it.each<[string, unknown]>([
  ['undefined', undefined],
  ['a date', new Date(0)],
  ['NaN', { value: NaN }],
  ['a shared object, which is no cycle', { a: cyclic.rows[0], b: cyclic.rows[0] }],
])('accepts %s, which JSON can express', (_, output) => {
  const gate = running();
  gate.addToolOutput('c1', { output });
  expect(() => JSON.stringify(gate.outgoing()[0]?.body)).not.toThrow();
});

test('the model reads the error of a registered tool that returns such a value', async () => {
  const how: string[] = [];
  const onEvent = (event: Data): void => void (event.type === 'ended' && how.push(event.how));
  const gate = running((one) => registerTools(one, { list: { execute: () => ({ id: 1n }) } }, { onEvent }));
  await expect.poll(() => gate.part('c1')?.state).toBe('output-error');
  expect(gate.part('c1')?.errorText).toMatch(/^The tool ran, but its output cannot be sent\. .*output\.id: a bigint/);
  expect(how).toEqual(['failed']);
  const { messages } = gate.outgoing()[0]?.body as Data;
  expect(messages.at(-1)).toMatchObject({ role: 'tool', tool_call_id: 'c1' });
});
