/**
 * docs/backends.md and docs/backends/: what they say of a protocol is made from the code, and the overview's sample does what it
 * says. `BLESS=1` writes it.
 */
import { capabilities, init, PROTOCOLS, ToolGate, type Capabilities, type Loss, type Protocol } from 'toolgate';
import { expect, test } from 'vitest';
import { verified } from '../interop/verified';
import { expectSection } from '../lib/markdown-section';

await init();

const yes = (value: boolean): string => (value ? 'yes' : '–');

const LOSSES: Readonly<Record<Loss, string>> = {
  approval: 'that a call which ran was approved by the user',
  pending: 'an approved call that has not run: it is left out',
  failed: 'that a call failed: only its text says so',
  json: 'an output that is not text: it becomes JSON text',
  input: 'an input that is not an object: it is wrapped in one',
  system: 'system messages, or some of them',
  reasoning: 'reasoning, or some of it',
  file: 'files, or some of them',
  custom: 'custom content, or some of it',
  reason: 'the reason of a denial',
  option: 'that a decision is to be remembered, or is for one call only, where the backend does not offer it',
  id: 'a call id that the provider does not accept: another one replaces it',
};

const REPEATS: Readonly<Record<Capabilities['repeat'], string>> = {
  ignored: 'ignored: nothing runs again',
  'runs-again': 'approved tools run again, unless your server records the idempotency key',
  unknown: 'depends on your server, or on ids that may repeat',
};

/** What a protocol's page says it can express: a row for each field of `Capabilities`, and what it was tested on. */
function facts(protocol: Protocol): string {
  const can = capabilities(protocol);
  const { by, why } = verified[protocol];
  const lost = can.lost.map((loss) => LOSSES[loss]).join('; ');
  const rows: readonly (readonly [what: string, says: string])[] = [
    [
      'A decision is sent',
      can.kind === 'answering'
        ? 'on its own, at once (`answering`)'
        : 'with all others of its step, in one request (`resubmitting`)',
    ],
    ['The reason of a denial', can.reason ? 'is sent' : 'is not sent; a `lossy` event says so'],
    [
      'An edited input',
      can.editedInput ? 'is accepted where `gate.takesEdit(approvalId)` says so' : 'is refused with `edit-unsupported`',
    ],
    ['`cancel()`', can.cancel ? 'is sent at once, as something other than a denial' : 'has no message of its own'],
    ['`remember`', can.remember ? 'is passed on, and Toolgate remembers too' : 'is kept by Toolgate alone'],
    ['The same answers twice', REPEATS[can.repeat]],
    [
      'The history',
      can.history === 'server'
        ? 'is stored by the backend: requests carry only the message and the answers'
        : 'is sent with every request',
    ],
    [
      'A denial',
      can.denialVisible ? 'is visible in what the backend sends' : 'is not visible in what the backend sends',
    ],
    ['The backend is not told', lost || 'nothing is lost'],
    ['Tested on', `${by}: ${why}`],
  ];
  return ['| | |', '|---|---|', ...rows.map(([what, says]) => `| ${what} | ${says} |`)].join('\n');
}

/** The gate of a protocol's page. The only place that has it, for all pages. */
function gateOf(protocol: Protocol): string {
  return `\`\`\`ts
// src/gate.ts
import { init, ToolGate } from 'toolgate';

await init({ protocols: ['${protocol}'] });
export const gate = new ToolGate({ protocol: '${protocol}', chatId: 'chat-1' });
\`\`\``;
}

test.each(PROTOCOLS)('the page of %s is what the code says', (protocol) => {
  expectSection(`docs/backends/${protocol}.md`, 'gate', gateOf(protocol));
  expectSection(`docs/backends/${protocol}.md`, 'facts', facts(protocol));
});

function row(protocol: Protocol): string {
  const can = capabilities(protocol);
  const cells = [
    `[\`${protocol}\`](backends/${protocol}.md)`,
    can.kind,
    yes(can.reason),
    yes(can.editedInput),
    yes(can.cancel),
    yes(can.remember),
    can.repeat,
    can.history,
    yes(can.denialVisible),
    can.lost.join(', ') || '–',
  ];
  return `| ${cells.join(' | ')} |`;
}

test('the table of the docs is what the code says', () => {
  const head =
    '| protocol | kind | reason | edits | cancel | remembers | a repeat | history | denial visible | cannot express |';
  expectSection('docs/backends.md', 'capabilities', [head, `|${'---|'.repeat(10)}`, ...PROTOCOLS.map(row)].join('\n'));
});

test('every loss that a protocol names is explained', () => {
  const named = new Set(PROTOCOLS.flatMap((protocol) => capabilities(protocol).lost));
  const rows = Object.entries(LOSSES).filter(([loss]) => named.has(loss as Loss));
  expect(rows.map(([loss]) => loss).sort()).toEqual([...named].sort());
  expectSection(
    'docs/backends.md',
    'losses',
    [
      '| word | what the backend is not told |',
      '|---|---|',
      ...rows.map(([loss, words]) => `| \`${loss}\` | ${words} |`),
    ].join('\n'),
  );
});

test('the sample: an edit that the protocol cannot take is refused', () => {
  expect(capabilities('acp').editedInput).toBe(false);
  expect(new ToolGate({ protocol: 'acp', chatId: 'session-1' }).assemble('anthropic')).toEqual([]);
});
