/**
 * docs/errors.md has a row for every stable code. The lists are read from the sources, so a new code without a row
 * fails the test. Each anomaly is provoked once, and has the effect that the page describes.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { jsonSchema, streamText, tool } from 'ai';
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { ToolGate, type GateEvent } from 'toolgate';

import { at } from '../../pkg-scripts/lib/shell.mjs';
import { anomalies, ask, reply, send } from '../gate/support.js';
import { firstCells } from './support/pages.js';

const source = (path: string): string => readFileSync(at(path), 'utf8');

/** The members of a union of literals, without its comments. */
function union(path: string, name: string): string[] {
  const text = source(path).replace(/\/\*[^]*?\*\/|\/\/.*/g, '');
  const [, body] = new RegExp(`export type ${name} =([^;]*);`).exec(text) ?? [];
  return [...(body ?? '').matchAll(/'([^']+)'/g)].map(([, member]) => member as string);
}

/** The `type`s of a union of objects, named or written out. */
function types(path: string, name: string): string[] {
  const text = source(path).replace(/\/\*[^]*?\*\/|\/\/.*/g, '');
  const [, body = ''] = new RegExp(`export type ${name}(?:<[^>]*>)? =([^]*?);\\n\\n`).exec(text) ?? [];
  const written = [...body.matchAll(/readonly type: '([^']+)'/g)];
  // `ToolResultEvent` is a union over the names of tools.
  const interfaceOf = (member: string): string => (member === 'ToolResultEvent' ? 'ResultOfTool' : member);
  const named = [...body.matchAll(/\| (\w+)/g)].map(([, member = '']) =>
    new RegExp(`interface ${interfaceOf(member)}(?:<.*>)? \\{[^}]*?readonly type: '([^']+)'`).exec(text),
  );
  return [...written, ...named].flatMap((found) => (found ? [found[1] as string] : []));
}

/** The codes of the anomalies that the state machine and its codecs emit. */
function anomalyCodes(): string[] {
  const files = ['src/machine', 'src/wire/ai_sdk'].flatMap((folder) =>
    readdirSync(at(folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.rs'))
      .map((file) => source(`${folder}/${file}`)),
  );
  const raised = files.flatMap((text) => [
    ...text.matchAll(/(?<!To)Anomaly\(Code::(\w+)/g),
    ...text.matchAll(/ToWithAnomaly\([^;]*?, Code::(\w+)\)/g),
    ...text.matchAll(/anomaly\((?:Refusal::new|about)\(Code::(\w+)/g),
    ...text.matchAll(/let (?:mut )?refusal = Refusal::new\(Code::(\w+)/g),
  ]);
  const kebab = (name: string): string => name.replace(/\B[A-Z]/g, '-$&').toLowerCase();
  return [...new Set(raised.map(([, name]) => kebab(name as string)))];
}

/**
 * The codes for requests that cannot be written or answered. They are not in the core: tests/gate/unwritable.test.ts
 * and tests/protocols provoke them.
 */
const requestCodes = (): string[] =>
  [
    ...source('src/ts/gate/error-messages.ts').matchAll(/function unwritable[^]*?new ToolGateError\('([\w-]+)'/g),
    ...source('src/ts/protocols/shared/translator.ts').matchAll(/new ToolGateError\('([\w-]+)'/g),
  ].map(([, code]) => code as string);

describe.each([
  ['## `ToolGateError`', () => union('src/ts/types/errors.ts', 'ToolGateErrorCode'), 17],
  ['## Events', () => types('src/ts/types/event.ts', 'GateEvent'), 11],
  ['## Anomalies', () => [...anomalyCodes(), ...requestCodes()], 9],
  ['## Repairs', () => union('src/ts/types/event.ts', 'RepairCode'), 11],
  ['## On the server: `ResolveError`', () => union('src/ts/server/resolve/resolve-errors.ts', 'ResolveErrorCode'), 8],
  [
    '## On the server: `DelegateError`',
    () => union('src/ts/server/delegate/delegate-errors.ts', 'DelegateErrorCode'),
    7,
  ],
  ['## Errors of stored chats', () => union('src/ts/persist/persist-error.ts', 'PersistErrorCode'), 7],
  ['## Tools in the page', () => types('src/ts/tools/tool-types.ts', 'BrowserToolEvent'), 5],
] as const)('%s', (heading, codes, least) => {
  it('has a row for every code, and no other rows', () => {
    expect(codes().length).toBeGreaterThanOrEqual(least);
    expect(firstCells('errors', heading).toSorted()).toEqual(codes().toSorted());
  });
});

it('the page lists every delivery state of a request, and every ending of a turn', () => {
  const delivery = /readonly delivery: ('failed'[^;]*);/.exec(source('src/ts/types/view.ts'))?.[1] ?? '';
  const deliveries = [...delivery.matchAll(/'([^']+)'/g)].map(([, state]) => state as string);
  expect(deliveries).toHaveLength(3);
  const endings = union('src/ts/types/view.ts', 'TurnEnding');
  expect(firstCells('errors', '## The state of a request')).toEqual([...deliveries, ...endings]);
});

const OUTPUT = { type: 'tool-output-available', toolCallId: 'c1', output: 'written' };

/**
 * The events that provoke each anomaly after a reply with an approval request for `c1`, and the call's state
 * afterwards.
 */
const PROVOKED: Record<
  string,
  { readonly act?: (gate: ToolGate) => void; readonly events: object[]; readonly state: string }
> = {
  'malformed-event': { events: [{ type: 'tool-output-available' }], state: 'approval-requested' },
  'unknown-call': { events: [{ ...OUTPUT, toolCallId: 'c9' }], state: 'approval-requested' },
  'unknown-approval': {
    events: [{ type: 'tool-approval-response', approvalId: 'a9', approved: true }],
    state: 'approval-requested',
  },
  superseded: {
    events: [{ type: 'start-step' }, { type: 'text-start', id: 't' }, ask('c1')[1] as object],
    state: 'output-error',
  },
  'approval-pending': { events: [OUTPUT], state: 'output-available' },
  'already-decided': {
    act: (gate) => void gate.respond('approve-c1', { approved: true }),
    events: [OUTPUT],
    state: 'output-available',
  },
  'already-settled': {
    act: (gate) => void gate.respond('approve-c1', { approved: false }),
    events: [OUTPUT],
    state: 'approval-responded',
  },
};

describe('an anomaly', () => {
  it.each(Object.entries(PROVOKED))('%s', (code, { act, events, state }) => {
    const { gate, events: told } = provoked(act, events);
    expect(anomalies(told).map((error) => error.code)).toContain(code);
    expect(gate.getSnapshot().messages[1]?.parts.find((part) => 'toolCallId' in part)).toMatchObject({ state });
  });

  it('is provoked for each code', () => {
    expect(Object.keys(PROVOKED).toSorted()).toEqual(anomalyCodes().toSorted());
  });
});

it('calls are read in every turn, even if the server uses the same call ids in each reply', async () => {
  const reply = [
    { type: 'tool-input-start', id: 'call_0', toolName: 'edit' },
    { type: 'tool-input-delta', id: 'call_0', delta: '{}' },
    { type: 'tool-input-end', id: 'call_0' },
    { type: 'tool-call', toolCallId: 'call_0', toolName: 'edit', input: '{}' },
    {
      type: 'finish',
      finishReason: { unified: 'tool-calls', raw: 'tool-calls' },
      usage: { inputTokens: {}, outputTokens: {} },
    },
  ] as never[];
  const counting = new MockLanguageModelV4({ doStream: async () => ({ stream: convertArrayToReadableStream(reply) }) });
  /** The number of finished calls in two turns, and the codes of the anomalies. */
  const turns = async (model: MockLanguageModelV4): Promise<[calls: number, codes: string[]]> => {
    const gate = new ToolGate();
    const events: GateEvent[] = [];
    gate.onEvent((event) => events.push(event));
    for (const prompt of ['one', 'two']) {
      gate.sendUserMessage({ text: prompt });
      send(gate);
      const tools = { edit: tool({ inputSchema: jsonSchema({ type: 'object' }), execute: () => 'done' }) };
      for await (const chunk of streamText({ model, tools, prompt }).toUIMessageStream()) gate.receive(chunk);
      gate.streamEnded({ status: 'finished' });
    }
    const parts = gate.getSnapshot().messages.flatMap((message) => message.parts);
    return [
      parts.filter((part) => 'toolCallId' in part && part.state === 'output-available').length,
      anomalies(events).map(({ code }) => code),
    ];
  };
  expect(await turns(counting)).toEqual([2, []]);
});

/** A reply with an approval request for `c1`, followed by these events. */
function provoked(
  act: ((gate: ToolGate) => void) | undefined,
  chunks: readonly object[],
): { gate: ToolGate; events: GateEvent[] } {
  const gate = new ToolGate();
  const events: GateEvent[] = [];
  gate.onEvent((event) => events.push(event));
  gate.sendUserMessage({ text: 'go' });
  send(gate);
  for (const chunk of [{ type: 'start', messageId: 'a2' }, { type: 'start-step' }, ...ask('c1')]) gate.receive(chunk);
  act?.(gate);
  reply(gate, [...chunks, { type: 'finish' }]);
  return { gate, events };
}
