/**
 * docs/writing-a-protocol.md: its protocol works in a complete chat, and an invalid definition is reported.
 */
import { describe, expect, it } from 'vitest';
import { init, ToolGate, type GateEvent, type Outgoing, type Protocol } from 'toolgate';
import { defineProtocol, ReplyWriter, type ProtocolDefinition } from 'toolgate/protocols';

import { appOf } from './support/blocks.js';
import { page } from './support/pages.js';
import { run } from './support/run.js';

await init();

const app = appOf('docs/writing-a-protocol.md');
const { kitchen } = (await run('writing-a-protocol', app['src/kitchen.ts'] as string)) as { kitchen: Protocol };

/** A socket whose other end is the test. */
class Socket extends EventTarget {
  readonly sent: unknown[] = [];
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  get(...frames: object[]): void {
    for (const frame of frames) this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(frame) }));
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const begun = async (): Promise<{ gate: ToolGate; socket: Socket; events: GateEvent[] }> => {
  const { open } = await run('writing-a-protocol', app['src/chat.ts'] as string);
  const socket = new Socket();
  const gate = (await open(socket)) as ToolGate;
  const events: GateEvent[] = [];
  gate.onEvent((event) => void events.push(event));
  gate.sendUserMessage({ text: 'Clear the table' });
  await settled();
  return { gate, socket, events };
};

describe('the sample', () => {
  it('has about sixty lines of code', () => {
    const code = (app['src/kitchen.ts'] as string)
      .split('\n')
      .filter((line) => line.trim() && !/^\s*(\/\/|\/\*\*)/.test(line));
    expect(code.length).toBeLessThan(75);
  });

  it('sends a message, shows the reply and its approvals, and sends each decision at once', async () => {
    const { gate, socket, events } = await begun();
    expect(socket.sent).toEqual([{ type: 'say', text: 'Clear the table' }]);
    socket.get(
      { type: 'text', text: 'I take ' },
      { type: 'text', text: 'the plates.' },
      { type: 'call', call: 'c0', tool: 'look', input: {} },
      { type: 'result', call: 'c0', output: 'Two plates.' },
      { type: 'call', call: 'c1', tool: 'wash', input: { plate: 1 }, question: 'q1' },
      { type: 'call', call: 'c2', tool: 'drop', input: { plate: 2 }, question: 'q2' },
    );
    expect(gate.pending().map(({ approvalId, toolName }) => [approvalId, toolName])).toEqual([
      ['q1', 'wash'],
      ['q2', 'drop'],
    ]);
    gate.respond('q1', { approved: true });
    gate.respond('q2', { approved: false, reason: 'It breaks.' });
    await settled();
    expect(socket.sent.slice(1)).toEqual([
      { type: 'answer', question: 'q1', approve: true },
      { type: 'answer', question: 'q2', approve: false, reason: 'It breaks.' },
    ]);
    socket.get(
      { type: 'result', call: 'c1', output: 'Clean.' },
      { type: 'result', call: 'c2', error: 'denied' },
      { type: 'text', text: 'One is left.' },
      { type: 'done' },
    );
    const parts = gate.getSnapshot().messages.at(-1)?.parts ?? [];
    expect(parts.filter(({ type }) => type !== 'step-start')).toMatchObject([
      { type: 'text', text: 'I take the plates.' },
      { toolCallId: 'c0', state: 'output-available', output: 'Two plates.' },
      { toolCallId: 'c1', state: 'output-available', output: 'Clean.' },
      { toolCallId: 'c2', state: 'output-denied', outcome: { kind: 'denied', reason: 'It breaks.' } },
      { type: 'text', text: 'One is left.' },
    ]);
    expect(gate.getSnapshot().turn.status).toBe('done');
    expect(gate.assemble()).toEqual([
      'user: Clear the table',
      'assistant: I take the plates.',
      'look: Two plates.',
      'wash: Clean.',
      expect.stringMatching(/^drop: .*denied.*It breaks\./),
      'assistant: One is left.',
    ]);
    expect(events.filter(({ type }) => type === 'anomaly')).toEqual([]);
  });

  it('reports damaged and unknown events, and continues', async () => {
    const { gate, socket, events } = await begun();
    socket.get(
      { type: 'call', call: 5, tool: 'wash' },
      { type: 'weather' },
      { type: 'text', text: 'Hm.' },
      { type: 'done' },
    );
    expect(events.filter(({ type }) => /anomaly|passthrough/.test(type)).map(({ type }) => type)).toEqual([
      'anomaly',
      'passthrough',
    ]);
    expect(gate.getSnapshot().messages.at(-1)?.parts.at(-1)).toMatchObject({ text: 'Hm.' });
  });

  it('emits events with its name, and has capabilities with their defaults', () => {
    expect(kitchen.capabilities).toEqual({
      kind: 'answering',
      reason: true,
      editedInput: false,
      cancel: false,
      remember: false,
      messageWhilePending: false,
      history: 'server',
      historyChoices: ['server'],
      denialVisible: true,
      lost: ['file', 'approval'],
      repeat: 'unknown',
    });
    const gate = new ToolGate();
    const lost: GateEvent[] = [];
    gate.onEvent((event) => void lost.push(event));
    gate.load([
      { id: 'u', role: 'user', parts: [{ type: 'file', mediaType: 'image/png', url: 'https://a.example/b.png' }] },
    ]);
    gate.assemble(kitchen);
    gate.assemble(kitchen);
    expect(lost.filter(({ type }) => type === 'lossy')).toMatchObject([{ protocol: 'kitchen', loss: 'file' }]);
  });
});

const definition: ProtocolDefinition = {
  name: 'mine',
  capabilities: { kind: 'resubmitting' },
  createReader: () => () => true,
  write: () => [],
  body: () => ({}),
};

it.each<[string, object | undefined, RegExp]>([
  ['nothing', undefined, /expected the definition of a protocol/],
  ['a misspelt member', { ...definition, reader: () => true }, /unknown option `reader`.*createReader/],
  ['a misspelt capability', { ...definition, capabilities: { kind: 'answering', reasons: true } }, /`reasons`.*reason/],
  ['no name', { ...definition, name: '' }, /`name` must be a non-empty string/],
  ['the name that is built in', { ...definition, name: 'ai-sdk' }, /other than 'ai-sdk'/],
  ['no capabilities', { ...definition, capabilities: undefined }, /`capabilities` must be an object/],
  [
    'another kind',
    { ...definition, capabilities: { kind: 'streaming' } },
    /'raw-model', 'resubmitting' or 'answering'/,
  ],
  ['no reader', { ...definition, createReader: undefined }, /`createReader` must be a function/],
  ['no answers', { ...definition, capabilities: { kind: 'answering' } }, /`answer` must be a function/],
  [
    'a default that cannot be chosen',
    { ...definition, capabilities: { kind: 'resubmitting', historyChoices: ['server'] } },
    /`capabilities\.historyChoices` must include/,
  ],
])('a definition with %s is refused', (_, given, says) => {
  expect(() => defineProtocol(given as ProtocolDefinition)).toThrow(TypeError);
  expect(() => defineProtocol(given as ProtocolDefinition)).toThrow(says);
});

it('a definition may be a class instance, and is not changed', () => {
  class Mine implements ProtocolDefinition {
    readonly name = 'mine';
    readonly capabilities = { kind: 'resubmitting' } as const;
    readonly greeting = () => 'Hello';
    createReader = () => () => true;
    write(): unknown[] {
      return [this.name];
    }
    body(): unknown {
      return { from: this.name };
    }
  }
  const mine: Partial<Mine> = new Mine();
  delete (mine as { greeting?: unknown }).greeting;
  const gate = new ToolGate({ protocol: defineProtocol(mine as Mine) });
  gate.sendUserMessage({ text: 'Hi' });
  expect(gate.outgoing().map(({ body }: Outgoing) => body)).toEqual([{ from: 'mine' }]);
  expect(gate.assemble()).toEqual(['mine']);
  expect(mine.capabilities).toEqual({ kind: 'resubmitting' });
});

describe.each([
  [false, [], ['denied + 1 message']],
  [true, ['cancelled'], ['denied', '1 message']],
] as const)('a resubmitting protocol whose `capabilities.cancel` is %s', (cancel, cancelled, requests) => {
  const asked = (): ToolGate => {
    const protocol = defineProtocol({
      ...definition,
      capabilities: { kind: 'resubmitting', cancel },
      createReader: (stream) => {
        const writer = new ReplyWriter(stream);
        return () => {
          writer.call('c1', 'drop', {});
          writer.ask('q1', { toolCallId: 'c1' });
          return true;
        };
      },
      body: (_, { decisions, newMessages }) =>
        [
          ...decisions.map(({ outcome }) => outcome),
          ...(newMessages.length ? [`${newMessages.length} message`] : []),
        ].join(' + '),
    });
    const gate = new ToolGate({ protocol });
    gate.sendUserMessage({ text: 'Clear the table' });
    sent(gate);
    gate.receive({});
    gate.streamEnded({ status: 'finished' });
    return gate;
  };
  /** Sends what is ready, to a server that has nothing more to say. */
  const sent = (gate: ToolGate): unknown[] =>
    gate.outgoing().map(({ id, body }) => {
      gate.claim(id);
      gate.markSent(id);
      return body;
    });

  it(`sends ${cancelled.length} requests for a cancelled call`, () => {
    const gate = asked();
    gate.cancel();
    expect(gate.outgoing().map(({ body }) => body)).toEqual(cancelled);
  });

  it(`sends a denial and a message in ${requests.length} requests`, () => {
    const gate = asked();
    expect(gate.sendUserMessage({ text: 'No!' })).toBe(requests.length > 1 ? 'queued' : 'sent');
    const bodies = sent(gate);
    gate.streamEnded({ status: 'finished' });
    expect([...bodies, ...sent(gate)]).toEqual(requests);
  });
});

it('the page names the flags of a definition', () => {
  const text = page('writing-a-protocol');
  const flags = ['asksItself', 'capabilities.kind', 'capabilities.cancel', 'answersBeforeMessages', 'repliesToDenials'];
  for (const name of flags) {
    expect(text).toContain(`\`${name}\``);
  }
});
