/**
 * The user is asked about each call that the page runs, whatever the protocol: by the option `needsApproval`, or for a
 * tool that is registered with `needsApproval`. The backend gets the result of the call only.
 */
import { ToolGate, type ToolGateOptions } from 'toolgate';
import { registerTools } from 'toolgate/tools';
import { describe, expect, test } from 'vitest';
import { quiet } from '../persist/support';
import { capabilitiesOf, PROTOCOL_NAMES, type ProtocolName } from './all.js';
import { DECLINE, PAGE_CALLS } from './page-calls.js';
import { loaded, gateFor, type Data } from './support';

const OPTIONS: ToolGateOptions = { browserTools: ['pick'], needsApproval: () => true };
const DENIED = 'Error: Tool execution was denied by user. not now';

test('covers every protocol whose tools run on a server', () => {
  const servers = PROTOCOL_NAMES.filter((name) => capabilitiesOf(name).kind !== 'raw-model' && name !== 'a2a');
  expect(PAGE_CALLS.map(([protocol]) => protocol).sort()).toEqual([...servers].sort());
});

/** A gate whose reply called the tool, which records its runs. */
function called(protocol: ProtocolName, events: readonly Data[], options: ToolGateOptions, tool: object = {}) {
  const gate = gateFor(protocol, options);
  const runs: string[] = [];
  registerTools(gate, { pick: { execute: (_: never, { toolCallId }) => (runs.push(toolCallId), 'blue'), ...tool } });
  gate.sendUserMessage({ text: 'Go.' });
  gate.markSent(gate.outgoing()[0]!.id);
  for (const event of events) gate.receive(event);
  gate.streamEnded({ status: 'finished' });
  return { gate, runs };
}

const sent = (gate: ToolGate): string => JSON.stringify(gate.outgoing().map(({ body }) => body));

/** What is sent, without keys, and without the outcome that is kept for a reload. */
const plain = (gate: ToolGate): Data => {
  const text = sent(gate).replace(/tg_[\da-f]+/g, 'key');
  const isKept = (key: string): boolean => /^(callProviderMetadata|providerOptions|options)$/.test(key);
  return JSON.parse(text, (key, value: Data) =>
    isKept(key) && value?.toolgate?.outcome === 'denied' ? undefined : value,
  );
};

/** What is sent if the page runs the call without being asked, and gives this result. */
function unasked(
  protocol: ProtocolName,
  events: readonly Data[],
  result: Parameters<ToolGate['addToolOutput']>[1],
): Data {
  const { gate } = called(protocol, events, { browserTools: ['pick'] });
  gate.addToolOutput('a', result);
  return plain(gate);
}

const WAYS: readonly [how: string, options: ToolGateOptions, tool: object][] = [
  ['the option', OPTIONS, {}],
  ['the registration', { browserTools: ['pick'] }, { needsApproval: true }],
];

describe.each(PAGE_CALLS)('%s', (protocol, events) => {
  describe.each(WAYS)('by %s', (_, options, tool) => {
    test('an approved call runs once, and only its output is sent', async () => {
      const { gate, runs } = called(protocol, events, options, tool);
      await quiet();
      expect([runs, gate.pending().map(({ toolCallId }) => toolCallId), gate.outgoing()]).toEqual([[], ['a'], []]);
      gate.respondAll({ approved: true });
      await quiet();
      expect(runs).toEqual(['a']);
      expect(plain(gate)).toEqual(unasked(protocol, events, { output: 'blue' }));
    });

    test('a denied call never runs, and its result is an error with the reason', async () => {
      const { gate, runs } = called(protocol, events, options, tool);
      gate.respond(gate.pending()[0]!, { approved: false, reason: 'not now' });
      await quiet();
      expect(runs).toEqual([]);
      expect(gate.part('a')?.outcome).toEqual({ kind: 'denied', reason: 'not now' });
      expect(() => gate.addToolOutput('a', { output: 'blue' })).toThrow(/already settled/);
      expect(plain(gate)).toEqual(unasked(protocol, events, { errorText: DENIED }));
    });
  });

  test('the request survives a restore and a load', async () => {
    const { gate } = called(protocol, events, OPTIONS);
    const { messages } = gate.getSnapshot();
    for (const later of [
      ToolGate.restore(JSON.parse(JSON.stringify(gate)), { ...OPTIONS, protocol: gate.protocol }),
      loaded(protocol, messages, OPTIONS),
      loaded(protocol, JSON.parse(JSON.stringify(messages)), OPTIONS),
    ]) {
      const runs: unknown[] = [];
      registerTools(later, { pick: { execute: (input: unknown) => runs.push(input) } });
      await quiet();
      expect([runs, later.pending().map(({ toolCallId }) => toolCallId)]).toEqual([[], ['a']]);
      later.respondAll({ approved: false });
      await quiet();
      expect([runs, sent(later).includes('denied by user')]).toEqual([[], true]);
      expect(sent(later)).not.toMatch(DECLINE);
    }
  });
});
