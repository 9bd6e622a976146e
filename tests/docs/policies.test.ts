/**
 * docs/policies.md: the texts that the model reads, and the order of messages and answers.
 */
import { convertToModelMessages } from 'ai';
import { expect, it } from 'vitest';
import { init, ToolGate, type AiSdkBody, type ToolGateOptions } from 'toolgate';

import { ask, asking, reply, send } from '../gate/support.js';
import { expectSection } from '../lib/markdown-section.js';
import { page } from './support/pages.js';
import { aiSdkWs } from 'toolgate/protocols/ai-sdk-ws';
import { anthropic } from 'toolgate/protocols/anthropic';
import { PROTOCOL_NAMES, capabilitiesOf } from '../protocols/all.js';

await init();

/** A case: how the call `c1` settled. */
interface Case {
  readonly what: string;
  readonly options?: ToolGateOptions;
  /** The initial gate. Default: a gate with pending approvals of `c1` and `c2`. */
  readonly gate?: () => ToolGate;
  readonly act?: (gate: ToolGate) => void;
}

const CASES: readonly Case[] = [
  { what: 'denied, without a reason', act: (gate) => gate.respondAll({ approved: false }) },
  {
    what: 'denied: “Keep the receipts”',
    act: (gate) => gate.respondAll({ approved: false, reason: 'Keep the receipts' }),
  },
  { what: 'denied by `deny-pending`' },
  { what: 'skipped', options: { onDeny: 'skip-rest' }, act: (gate) => gate.respond('approve-c2', { approved: false }) },
  { what: 'expired', options: { approvalTimeoutMs: 1000 }, act: (gate) => gate.tick(Date.now() + 60_000) },
  { what: 'cancelled: “Enough for today”', act: (gate) => gate.cancel('Enough for today') },
  { what: 'closed by a later step, before the user decided', gate: superseded },
  {
    what: 'approved, but its result never arrived',
    act: (gate) => {
      gate.respondAll({ approved: true });
      send(gate);
      gate.streamEnded({ status: 'disconnected' });
    },
  },
];

/** What the model reads about `c1` in the next request: in Anthropic's format, and behind an AI SDK server. */
async function reads({ options, gate: begun, act }: Case): Promise<[own: string, server: string]> {
  const gate = begun?.() ?? asking(['c1', 'c2'], options).gate;
  act?.(gate);
  if (gate.outgoing().length === 0) gate.sendUserMessage({ text: 'go on' });
  type Content = { type: string; tool_use_id?: string; content?: string };
  const contents = gate.assemble(anthropic).flatMap(({ content }) => content as Content[]);
  const own = contents.find(({ type, tool_use_id: id }) => type === 'tool_result' && id === 'c1');
  const { messages } = JSON.parse(JSON.stringify(gate.outgoing()[0]?.body)) as AiSdkBody;
  const prompt = await convertToModelMessages(messages as never);
  const results = prompt.flatMap(({ role, content }) => (role === 'tool' ? content : []));
  const told = results.find((part) => part.type === 'tool-result' && part.toolCallId === 'c1');
  const output = (told as { output: { type: string; reason?: string; value?: string } }).output;
  return [own?.content as string, output.value ?? output.reason ?? 'only that it was denied'];
}

/** A gate whose reply has a later step after the approval request for `c1`. */
function superseded(): ToolGate {
  const gate = new ToolGate({ chatId: 'chat' });
  gate.sendUserMessage({ text: 'tidy up' });
  send(gate);
  const later = [{ type: 'start-step' }, { type: 'text-start', id: 't' }, { type: 'text-end', id: 't' }];
  reply(gate, [{ type: 'start', messageId: 'a1' }, { type: 'start-step' }, ...ask('c1'), ...later, { type: 'finish' }]);
  return gate;
}

it('the table contains the texts that the model reads', async () => {
  const rows = await Promise.all(CASES.map(async (one) => [one.what, ...(await reads(one))]));
  const cells = rows.map(([what, own, server]) => `| ${what} | ${own} | ${server === own ? 'the same' : server} |\n`);
  const table = `| the call was | what the model reads | behind an AI SDK server |\n|---|---|---|\n${cells.join('')}`;
  expectSection('docs/policies.md', 'reads', table);
});

const answering = PROTOCOL_NAMES.filter((protocol) => capabilitiesOf(protocol).kind === 'answering');

it('the section about messages in answering protocols names all these protocols', () => {
  const [, section = ''] = page('policies').split('### On answering backends');
  for (const protocol of answering) expect(section.split('\n## ')[0]).toContain(`\`${protocol}\``);
});

it('a message after an ended reply is sent when the answers are acknowledged, and closes approved calls', () => {
  const gate = new ToolGate({ protocol: aiSdkWs, chatId: 'chat' });
  gate.sendUserMessage({ text: 'tidy up' });
  send(gate);
  reply(gate, [{ type: 'start', messageId: 'a1' }, { type: 'start-step' }, ...ask('c1'), { type: 'finish' }]);
  gate.respond('approve-c1', { approved: true });
  expect(gate.sendUserMessage({ text: 'go on' })).toBe('queued');
  gate.markSent(gate.outgoing()[0]?.id as string);
  expect(gate.outgoing()).toMatchObject([{ kind: 'submission' }]);
  expect(gate.getSnapshot().messages[1]?.parts[1]).toMatchObject({
    outcome: { kind: 'interrupted', mayHaveRun: true },
  });
});
