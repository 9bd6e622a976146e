/**
 * Damaged histories in every protocol: `load` accepts all of them, reports what it omitted or repaired, and the result
 * can be sent. The histories are recorded conversations, in the protocol's own format and in the AI SDK's.
 */
import type { Repair } from 'toolgate';
import { expect, test } from 'vitest';
import type { Recording } from '../../interop/recorder';
import { rules } from '../pairing';
import { gateFor, loaded, type Data } from '../support';
import { anyDamage, damaged, picker, plainDamage, withoutPiece, type Damage } from './mutate';
import { missing, play, said, type Said } from './play';
import { recordings } from './recordings';

/** The total number of histories. 0: `ROUNDS` seeds for each recording, which takes seconds. */
const INPUTS = Number(process.env['FUZZ_HISTORIES'] ?? 0);
const SEED = Number(process.env['FUZZ_SEED'] ?? 1);
const ROUNDS = 20;

const plain = (value: unknown): Data => JSON.parse(JSON.stringify(value));

/** The messages of a recorded conversation: the protocol's own, and the AI SDK's. */
function historiesOf(recording: Recording): Data[][] {
  const gate = play(recording, recording.acts);
  const ui = loaded('ai-sdk', gate.assemble('ai-sdk'));
  ui.sendUserMessage({ text: 'And now?' });
  const { messages } = ui.outgoing()[0]?.body as { messages: unknown[] };
  return [plain(gate.assemble()), plain(messages.slice(0, -1))];
}

/** Loads a history, and returns its content and repairs. Throws if a rule is broken. */
function read({ protocol, options }: Recording, history: readonly unknown[]): Said & { repairs: readonly Repair[] } {
  const gate = gateFor(protocol, { now: () => 0, ...options });
  const { repairs } = gate.load(history);
  for (const { code, detail } of repairs) expect([typeof code, typeof detail]).toEqual(['string', 'string']);
  const all = said(gate);
  const written = gate.assemble();
  gate.assemble('ai-sdk');
  if (protocol !== 'ai-sdk') expect(rules[protocol](written)).toEqual([]);
  gate.cancel();
  gate.sendUserMessage({ text: 'And now?' });
  for (const { id } of gate.outgoing()) gate.claim(id);
  return { ...all, repairs };
}

/** Whether the damage must be reported: the new value has a type that this field never has. */
const isOfAnotherSort = (damage: Damage): boolean =>
  damage.how === 'replace' && (damage.by === -1 || damage.by === true);

function check(recording: Recording, history: Data[], seed: number): void {
  const pick = picker(seed);
  const damage = plainDamage(history, pick);
  if (!damage.path.length) return;
  const whole = read(recording, history);
  const after = read(recording, damaged(history, damage));
  const pieces = missing(whole, read(recording, withoutPiece(history, damage) ?? history), after);
  const context = `${recording.source}, seed ${seed}: ${JSON.stringify(damage)}`;
  expect(pieces.length > 1 ? pieces : [], context).toEqual([]);
  const isLess = after.calls.length < whole.calls.length || after.text.length < whole.text.length;
  if (isLess && isOfAnotherSort(damage)) expect(after.repairs, context).not.toEqual([]);
  const more: unknown = damaged(history, anyDamage(history, pick));
  if (!Array.isArray(more)) return;
  try {
    read(recording, more);
  } catch (error) {
    throw new Error(`${context}, then ${JSON.stringify(more)}`, { cause: error });
  }
}

test.each(recordings.map((recording) => [recording.source, recording] as const))(
  '%s',
  (_, recording) => {
    const histories = historiesOf(recording);
    // An undamaged history needs no repairs.
    for (const history of histories) expect(read(recording, history).repairs).toEqual([]);
    const rounds = INPUTS ? Math.ceil(INPUTS / recordings.length / 4) : ROUNDS;
    for (let seed = SEED; seed < SEED + rounds; seed++)
      for (const history of histories) check(recording, history, seed);
  },
  INPUTS ? 86_400_000 : undefined,
);

test('repairs name the position and the call', () => {
  const history = [
    { role: 'user', content: 'Go.' },
    null,
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'edit', arguments: '{}' } }, null],
    },
    { role: 'tool', tool_call_id: 'a', content: 'done' },
    { role: 'tool', tool_call_id: 'a', content: 'done again' },
    { role: 'tool', tool_call_id: 'b', content: 'whose?' },
  ];
  const gate = gateFor('openai-chat');
  expect(gate.load(history).repairs).toEqual([
    { code: 'malformed', detail: 'Omitted message 1: it could not be read.' },
    { code: 'malformed', detail: 'Omitted part 1 of message 2: it could not be read.' },
    { code: 'duplicate-call', toolCallId: 'a', detail: 'Omitted a second result of call "a".' },
    { code: 'orphaned', toolCallId: 'b', detail: 'Omitted a result without a call.' },
  ]);
  expect(gate.assemble()).toEqual([
    history[0],
    { ...(history[2] as object), tool_calls: [(history[2] as Data).tool_calls[0]] },
    history[3],
  ]);
});
