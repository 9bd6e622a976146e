/** docs/backends.md: its table is made from the code, and its sample does what it says. `BLESS=1` writes the table. */
import { capabilities, init, PROTOCOLS, ToolGate, type Loss, type Protocol } from 'toolgate';
import { expect, test } from 'vitest';
import { verified } from '../interop/verified';
import { expectSection } from '../lib/markdown-section';

await init();

const yes = (value: boolean): string => (value ? 'yes' : '–');

const LOSSES: Readonly<Record<Loss, string>> = {
  approval: 'that a call which ran had been approved',
  pending: 'a call that is approved and has not run; it is left out',
  failed: 'that a call failed; only its text says so',
  json: 'an output that is no text; it becomes JSON text',
  input: 'an input that is no object; it is wrapped in one',
  system: 'system messages, or some of them',
  reasoning: 'reasoning, or some of it',
  file: 'files, or some of them',
  custom: 'custom content, or some of it',
  reason: 'the reason of a denial',
  option: 'that a decision is to be remembered, or only for once, where the backend does not offer it',
  id: 'a call id that the provider does not take; another one stands for it',
};

function row(protocol: Protocol): string {
  const can = capabilities(protocol);
  const { by, why } = verified[protocol];
  const cells = [
    `\`${protocol}\``,
    can.kind,
    yes(can.reason),
    yes(can.editedInput),
    yes(can.cancel),
    yes(can.remember),
    can.repeat,
    can.history,
    yes(can.denialVisible),
    can.lost.join(', ') || '–',
    `${by}: ${why}`,
  ];
  return `| ${cells.join(' | ')} |`;
}

test('the table of the docs is what the code says', () => {
  const head =
    '| protocol | kind | reason | edits | cancel | remembers | a repeat | history | denial visible | has no words for | tested on |';
  expectSection('docs/backends.md', 'capabilities', [head, `|${'---|'.repeat(11)}`, ...PROTOCOLS.map(row)].join('\n'));
});

test('every loss that a protocol names is explained', () => {
  const named = new Set(PROTOCOLS.flatMap((protocol) => capabilities(protocol).lost));
  const rows = Object.entries(LOSSES).filter(([loss]) => named.has(loss as Loss));
  expect(rows.map(([loss]) => loss).sort()).toEqual([...named].sort());
  expectSection(
    'docs/backends.md',
    'losses',
    ['| word | what is lost |', '|---|---|', ...rows.map(([loss, words]) => `| \`${loss}\` | ${words} |`)].join('\n'),
  );
});

test('the sample: an edit that the protocol cannot take is refused', () => {
  expect(capabilities('acp').editedInput).toBe(false);
  expect(new ToolGate({ protocol: 'acp', chatId: 'session-1' }).assemble('anthropic')).toEqual([]);
});
