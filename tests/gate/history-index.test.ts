/**
 * Loading indexes old turns. The shown, sent and assembled messages must not depend on whether a message was indexed.
 */
import { expect, it } from 'vitest';
import fc from 'fast-check';
import { init, ToolGate } from 'toolgate';

await init();

type Json = Record<string, unknown>;

/** The same message with another prototype, so that `load` does not index it. */
const unindexed = (message: unknown): unknown =>
  typeof message === 'object' && message !== null ? Object.assign(Object.create({}) as object, message) : message;

const ids = fc.constantFrom('a', 'b', 'c', '__proto__');
const rarely = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined, freq: 4 });
const json = fc.constantFrom<unknown>({}, { n: 1 }, null, 0, '', undefined);

const part = fc.oneof(
  fc.constant({ type: 'step-start' }),
  fc.record({ type: fc.constantFrom('text', 'reasoning', 'data-x', 'file'), text: fc.constantFrom<unknown>('x', 1) }),
  fc.record({ type: fc.constant('text'), text: fc.constant('y'), providerMetadata: json }),
  fc.record({ type: fc.constant('text'), text: fc.constant('z'), title: json }),
  fc.record({
    type: fc.constantFrom('tool-edit', 'dynamic-tool'),
    toolName: rarely(ids),
    toolCallId: ids,
    state: fc.constantFrom('output-available', 'output-available', 'output-error', 'approval-requested'),
    input: json,
    output: json,
    errorText: rarely(fc.constant('failed')),
    approval: rarely(fc.constant({ id: 'p', approved: true })),
    callProviderMetadata: rarely(fc.constantFrom<unknown>({ x: { y: 1 } }, { toolgate: { outcome: 'cancelled' } }, 1)),
  }),
);
const message = fc.record({
  id: fc.oneof(fc.uuid(), ids, fc.constant(1)),
  role: fc.constantFrom('user', 'assistant', 'system', 'tool'),
  parts: fc.array(part, { maxLength: 4 }),
  metadata: rarely(json),
});
const present = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, inner: unknown) => (inner === undefined ? undefined : inner)));

function shown(history: readonly unknown[]): unknown {
  let next = 0;
  const gate = new ToolGate({ chatId: 'chat', generateId: () => `new-${next++}`, now: () => 1 });
  const { repairs } = gate.load(history);
  const before = gate.getSnapshot();
  gate.sendUserMessage({ id: 'last', text: 'and now?' });
  const [item] = gate.outgoing();
  const made = { repairs, before, after: gate.getSnapshot(), body: item?.body, model: gate.assemble('ai-sdk') };
  const text = JSON.stringify(made, (key, value: unknown) =>
    key === 'revision' || key === 'inputDigest' ? undefined : value,
  );
  // A missing id is replaced by a random one.
  return sorted(JSON.parse(text.replaceAll(/"[\w-]{16}"/g, '"an id"')));
}

/** The value with the keys of its objects sorted, each object as a list of entries. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value as Json)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => [key, sorted(inner)]);
}

it('an indexed history is shown, sent and assembled like one that is not indexed', () => {
  const histories = fc.array(message, { maxLength: 6 });
  fc.assert(
    fc.property(histories, (messages) => {
      const history = [...messages, { id: 'q', role: 'user', parts: [{ type: 'text', text: '?' }] }];
      expect(shown(history)).toEqual(shown(history.map(unindexed)));
    }),
    { numRuns: 400, seed: 7 },
  );
});

const user = { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Do it' }] };
const reply = {
  id: 'a1',
  role: 'assistant',
  parts: [
    { type: 'text', text: 'Done', state: 'done' },
    { type: 'tool-edit', toolCallId: 'c1', state: 'output-available', input: { path: 'a' }, output: 1 },
  ],
};
const question = { id: 'u2', role: 'user', parts: [{ type: 'text', text: 'And now?' }] };

it('the view shows the loaded object of an old message without calls', () => {
  const gate = new ToolGate();
  gate.load([user, reply, question]);
  expect(gate.getSnapshot().messages[0]).toBe(user);
});

it('the view adds the outcome of an old call to a copy', () => {
  const copy = present(reply);
  const gate = new ToolGate();
  gate.load([user, reply, question]);
  const [, shownReply] = gate.getSnapshot().messages;
  expect(shownReply?.parts[0]).toBe(reply.parts[0]);
  expect(shownReply?.parts[1]).toEqual({ ...reply.parts[1], outcome: { kind: 'executed' } });
  expect(reply).toEqual(copy);
});

it('loads a history with an old message whose getter throws', () => {
  const throwing = Object.defineProperty({ type: 'text' }, 'text', {
    enumerable: true,
    get: () => {
      throw new Error('no');
    },
  });
  const gate = new ToolGate();
  const { repairs } = gate.load([user, { id: 'a0', role: 'assistant', parts: [throwing] }, reply, question]);
  expect(repairs.map(({ code }) => code)).toEqual(['malformed']);
  expect(gate.getSnapshot().messages.map(({ id }) => id)).toEqual(['u1', 'a0', 'a1', 'u2']);
});
