/** The option `neverRemember`: decisions about its tools are refused, dropped and not applied. */
import { expect, test } from 'vitest';
import { ToolGate, type ToolGateOptions } from 'toolgate';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { init } from 'toolgate/slim';

await init(readFileSync(createRequire(import.meta.url).resolve('toolgate/toolgate.wasm')));

/** A gate with an approval request for each tool. */
function asking(tools: readonly string[], options: ToolGateOptions): ToolGate {
  const gate = new ToolGate({ chatId: 'chat', ...options });
  gate.sendUserMessage({ text: 'go' });
  gate.claim(gate.outgoing()[0]!.id);
  gate.receive({ type: 'start', messageId: 'a1' });
  gate.receive({ type: 'start-step' });
  for (const toolName of tools) {
    gate.receive({ type: 'tool-input-available', toolCallId: toolName, toolName, input: {} });
    gate.receive({ type: 'tool-approval-request', toolCallId: toolName, approvalId: `ask-${toolName}` });
  }
  return gate;
}

test('`respond` refuses to remember, and decides nothing', () => {
  const gate = asking(['pay', 'read'], { neverRemember: ['pay'] });
  expect(gate.pending().map(({ toolName, rememberable }) => [toolName, rememberable])).toEqual([
    ['pay', false],
    ['read', undefined],
  ]);
  expect(() => gate.respond('ask-pay', { approved: true, remember: 'chat' })).toThrow(
    /`neverRemember` lists the tool "pay"/,
  );
  expect(gate.pending()).toHaveLength(2);
  expect(gate.respond('ask-pay', { approved: true, remember: 'once' })).toBe('accepted');
  expect(gate.respond('ask-read', { approved: true, remember: 'chat' })).toBe('accepted');
  expect(gate.remembered().map(({ toolName }) => toolName)).toEqual(['read']);
});

test('decisions of the option `remembered` and of a snapshot are dropped', () => {
  const before = asking(['pay', 'read'], {});
  for (const tool of ['pay', 'read'])
    before.respond(`ask-${tool}`, { approved: true, remember: { for: 'always', scope: 'tool' } });
  const remembered = before.remembered();
  expect(remembered).toHaveLength(2);
  const gate = asking(['pay', 'read'], { neverRemember: ['pay'], remembered });
  expect(gate.pending().map(({ toolName }) => toolName)).toEqual(['pay']);
  const restored = ToolGate.restore(before.toJSON(), { neverRemember: ['pay'] });
  expect(restored.remembered().map(({ toolName }) => toolName)).toEqual(['read']);
});
