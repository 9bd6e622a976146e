/**
 * A result that consists of parts (texts, images, files) stays parts: in the view, after a reload, in the AI SDK's
 * model messages, and where a protocol has such parts. Elsewhere its text is sent, and a `lossy` event names the loss.
 */
import * as ai7 from 'ai';
import * as ai6 from 'ai6';
import { ToolGate, type GateEvent, type Protocol, type ToolOutput } from 'toolgate';
import { defineProtocol, resultOf, type HistoryCall } from 'toolgate/protocols';
import { anthropic } from 'toolgate/protocols/anthropic';
import { claudeAgentSdk } from 'toolgate/protocols/claude-agent-sdk';
import { openaiChat } from 'toolgate/protocols/openai-chat';
import { describe, expect, it, test } from 'vitest';

import { send } from './support.js';

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Data = any;

const PNG = 'iVBORw0KGgo=';
const IMAGE = { type: 'image-data', data: PNG, mediaType: 'image/png' } as const;
const TEXT = { type: 'text', text: 'The screen:' } as const;
/** Parts as in a message. */
const SHOWN = [TEXT, { type: 'file', mediaType: 'image/png', url: `data:image/png;base64,${PNG}` }] as const;

/** A gate whose page has to run a call. */
function running(protocol: 'ai-sdk' | Protocol = 'ai-sdk'): { gate: ToolGate; events: GateEvent[] } {
  const gate = new ToolGate({ chatId: 'chat', protocol, browserTools: ['shot'], needsApproval: () => false });
  gate.load([
    { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Look' }] },
    {
      id: 'a1',
      role: 'assistant',
      parts: [
        { type: 'step-start' },
        { type: 'tool-shot', toolCallId: 'c1', state: 'input-available', input: { of: 'page' } },
      ],
    },
  ]);
  const events: GateEvent[] = [];
  gate.onEvent((event) => events.push(event));
  return { gate, events };
}

const losses = (events: readonly GateEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'lossy' ? `${event.loss} ${event.toolCallId}` : []));

const outputIn = (messages: readonly Data[]): Data =>
  messages.flatMap(({ content }) => content).find((part: Data) => part.type === 'tool-result').output;

describe('the result of a page tool', () => {
  it('is a list of parts in the view, with a mark that every schema of the AI SDK has', async () => {
    const { gate } = running();
    gate.addToolOutput('c1', { content: SHOWN });
    const part = gate.part('c1') as Data;
    expect(part).toMatchObject({ state: 'output-available', outcome: { kind: 'executed' }, output: [TEXT, IMAGE] });
    expect(part.resultProviderMetadata).toEqual({ toolgate: { output: 'content' } });
    const [{ body }] = gate.outgoing() as Data;
    await ai6.validateUIMessages({ messages: body.messages as unknown[] });
    await ai7.validateUIMessages({ messages: body.messages as unknown[] });
    expect(body.messages[1].parts[1].output).toEqual([TEXT, IMAGE]);
  });

  it('is content in model messages that both versions of the AI SDK accept', () => {
    const { gate } = running();
    gate.addToolOutput('c1', { content: SHOWN });
    const messages = gate.assemble('ai-sdk') as Data[];
    expect(outputIn(messages)).toEqual({ type: 'content', value: [TEXT, IMAGE] });
    for (const ai of [ai6, ai7])
      for (const message of messages) expect(ai.modelMessageSchema.safeParse(message).error).toBeUndefined();
    // No provider gets the mark.
    expect(JSON.stringify(messages)).not.toContain('toolgate');
  });

  it.each<[string, (gate: ToolGate) => ToolGate]>([
    ['a snapshot', (gate) => ToolGate.restore(JSON.parse(JSON.stringify(gate)) as never)],
    ['the stored UIMessages', (gate) => loaded(gate.getSnapshot().messages)],
    ['the UIMessages of a request', (gate) => loaded((gate.outgoing()[0]?.body as Data).messages as Data[])],
    ['its ModelMessages', (gate) => loaded(gate.assemble('ai-sdk'))],
  ])('survives %s', (_, again) => {
    const { gate } = running();
    gate.addToolOutput('c1', {
      content: [...SHOWN, { type: 'file', url: 'https://a.b/c', mediaType: 'text/csv' }],
    });
    const other = again(gate);
    expect(other.part('c1')).toMatchObject({ output: [TEXT, IMAGE, { type: 'file-url' }] });
    expect(JSON.stringify(other.assemble('ai-sdk'))).toBe(JSON.stringify(gate.assemble('ai-sdk')));
  });

  it.each<[string, unknown]>([
    ['a text', 'shot'],
    ['no parts', []],
    ['a part that is no object', [null]],
    ['an unknown type', [{ type: 'image', data: PNG, mediaType: 'image/png' }]],
    ['a text without a text', [{ type: 'text' }]],
    ['a file without a URL', [{ type: 'file', mediaType: 'image/png' }]],
    ['a file without a media type', [{ type: 'file', url: 'https://a.b/c' }]],
    ['a file that is a number', [TEXT, { type: 'file', url: 7, mediaType: 'image/png' }]],
    ['the name of an inherited property', [{ type: 'constructor', text: 'x' }]],
  ])('throws a TypeError for %s, and changes nothing', (_, content) => {
    const { gate } = running();
    expect(() => gate.addToolOutput('c1', { content } as ToolOutput)).toThrow(TypeError);
    expect(gate.part('c1')?.state).toBe('input-available');
    gate.addToolOutput('c1', { content: SHOWN });
    expect(gate.part('c1')?.state).toBe('output-available');
  });
});

const loaded = (messages: readonly unknown[]): ToolGate => {
  const gate = new ToolGate({ chatId: 'chat', browserTools: ['shot'] });
  expect(gate.load(JSON.parse(JSON.stringify(messages)) as unknown[]).repairs).toEqual([]);
  return gate;
};

test('content of stored ModelMessages goes back as it came, also in forms of one version of the AI SDK', () => {
  const value = [
    TEXT,
    { type: 'media', data: PNG, mediaType: 'image/png' },
    { type: 'file', data: { type: 'data', data: PNG }, mediaType: 'image/png', filename: 'a.png' },
    { type: 'file-id', fileId: { openai: 'f1' }, providerOptions: { openai: { detail: 'low' } } },
    { type: 'custom', providerOptions: { anthropic: { type: 'tool-reference' } } },
  ];
  const messages = [
    { role: 'user', content: [{ type: 'text', text: 'Look' }] },
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'shot', input: {} }] },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'shot', output: { type: 'content', value } }],
    },
  ];
  expect(JSON.stringify(loaded(messages).assemble('ai-sdk'))).toBe(JSON.stringify(messages));
});

describe('a protocol', () => {
  it('without such parts gets the text, and reports the loss once', () => {
    const { gate, events } = running(openaiChat);
    gate.addToolOutput('c1', { content: SHOWN });
    const [{ body }] = gate.outgoing() as Data;
    gate.assemble();
    expect(body.messages.at(-1)).toEqual({ role: 'tool', tool_call_id: 'c1', content: TEXT.text });
    expect(losses(events)).toEqual(['content c1']);
  });

  it('loses nothing if the parts are texts', () => {
    const { gate, events } = running(openaiChat);
    gate.addToolOutput('c1', { content: [TEXT, { type: 'text', text: ' empty' }] });
    expect((gate.outgoing() as Data)[0].body.messages.at(-1).content).toBe('The screen: empty');
    expect(losses(events)).toEqual([]);
  });

  it('that answers each call gets the text of a page tool’s parts, and reports the loss', () => {
    const { gate, events } = running(claudeAgentSdk);
    gate.addToolOutput('c1', { content: SHOWN });
    expect((gate.outgoing() as Data)[0].body).toMatchObject({ message: { content: 'shot: The screen:' } });
    expect(losses(events)).toEqual(['content c1']);
  });

  it('with such parts writes images', () => {
    const { gate, events } = running(anthropic);
    gate.addToolOutput('c1', { content: SHOWN });
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } };
    expect((gate.outgoing() as Data)[0].body.messages.at(-1)).toEqual({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'c1', content: [TEXT, image] }],
    });
    expect(losses(events)).toEqual([]);
  });

  it('of an app gets the parts as `content`, and the text otherwise', () => {
    let seen: unknown;
    const mine = defineProtocol({
      name: 'mine',
      capabilities: { kind: 'resubmitting' },
      createReader: () => () => true,
      write: (history) => [...history],
      body(history, { texts, decisions }) {
        const calls = history.flatMap(({ content }) => content.filter((part) => part.type === 'tool-call'));
        seen = calls.map((call) => resultOf(call as HistoryCall, texts));
        return decisions;
      },
    });
    const { gate } = running(mine);
    gate.addToolOutput('c1', { content: SHOWN });
    const file = { type: 'file', mediaType: 'image/png', data: `data:image/png;base64,${PNG}` };
    const [{ body }] = gate.outgoing() as Data;
    expect(seen).toEqual([
      { kind: 'executed', failed: false, text: TEXT.text, value: TEXT.text, content: [TEXT, file] },
    ]);
    expect(body).toMatchObject([{ outcome: 'executed', content: [TEXT, file], output: [TEXT, IMAGE] }]);
  });
});

test('an image of Anthropic’s own history stays an image', () => {
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } };
  const found = { type: 'search_result', source: 'https://a.b', title: 'A', content: [{ type: 'text', text: 'a' }] };
  const history = [
    { role: 'user', content: [{ type: 'text', text: 'Look' }] },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'shot', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: [TEXT, image, found] }] },
    { role: 'user', content: [{ type: 'text', text: 'And now?' }] },
  ];
  const gate = new ToolGate({ protocol: anthropic });
  const events: GateEvent[] = [];
  gate.onEvent((event) => events.push(event));
  expect(gate.load(history).repairs).toEqual([]);
  expect(gate.assemble()).toEqual(history);
  // A file that a result of the API cannot contain.
  const { gate: other, events: seen } = running(anthropic);
  other.addToolOutput('c1', {
    content: [TEXT, { type: 'file', url: 'data:audio/wav;base64,AA==', mediaType: 'audio/wav' }],
  });
  expect((other.outgoing() as Data)[0].body.messages.at(-1).content[0].content).toEqual([TEXT]);
  expect(losses([...events, ...seen])).toEqual(['content c1']);
});

test('a call that was sent with its parts is sent again with the same body', () => {
  const { gate } = running(anthropic);
  gate.addToolOutput('c1', { content: SHOWN });
  const sent = JSON.stringify(gate.outgoing()[0]?.body);
  const id = send(gate);
  gate.markFailed(id, 'offline');
  gate.retry(id);
  expect(JSON.stringify(gate.outgoing()[0]?.body)).toBe(sent);
});
